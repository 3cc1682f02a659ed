"""What queries to the graph are built from: nodes and names, scopes, paths, cycles, the effect of changes; and the size
limit of an answer."""
