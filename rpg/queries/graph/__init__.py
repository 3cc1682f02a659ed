"""What queries to the graph are built from.

In: an index. Out: nodes and names, scopes, paths, cycles, the effect of changes; and the size limit of an answer.
"""
