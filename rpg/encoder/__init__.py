"""From the files of a repository to a graph.

In: a folder and options. Out: a graph, and what the next encode can reuse. Absent: writing, running repository code,
the network.
"""
