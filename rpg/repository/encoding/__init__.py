"""From a folder to graph file and index, both or neither: everything, or only what changed. One writer at a time."""
