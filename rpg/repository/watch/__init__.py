"""Finds what changed in the sources since the index was made, examining as little as possible.

In: the files that an index knows, and the folder. Out: `Changes`. Nothing is repaired here.
"""
