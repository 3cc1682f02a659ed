"""From a folder to graph file and index, both or neither: everything, or only what changed.

In: a folder, an output, options. Out: both files. One writer at a time.
"""
