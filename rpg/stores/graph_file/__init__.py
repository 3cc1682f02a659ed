"""The graph file, NAME.graph.json: written whole, spliced after an edit, read back, and checked before it is trusted.

In: a graph, or a path. Out: the file, or the graph.
"""
