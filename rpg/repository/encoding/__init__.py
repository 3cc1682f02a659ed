"""From a folder to graph file and index, both or neither: whole, or from what changed. One writer at a time."""
