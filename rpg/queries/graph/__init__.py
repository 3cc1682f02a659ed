"""What questions to the graph are made of: nodes and names, scopes, paths, cycles, what a change affects; and what an
answer may cost."""
