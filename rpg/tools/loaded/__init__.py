"""The graphs that tools query.

In: graph files, folders, the folder of a library. Out: repositories, opened when first needed, and the state of each;
first encodes, missing vectors and files that a graph left out. Nothing here knows the tools.
"""
