"""The graph file and its index: how they are written and read.

In: graphs and rows. Out: files, and what is in them. Nothing is resolved and no query is answered here.
"""
