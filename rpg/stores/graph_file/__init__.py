"""The graph file, NAME.graph.json: written whole, spliced after an edit, read back, checked before it is believed."""
