"""The graph file, NAME.graph.json: written whole, spliced after an edit, read back, and checked before it is
trusted."""
