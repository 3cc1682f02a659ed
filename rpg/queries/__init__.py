"""Queries to an index, one file for each.

In: an index and arguments. Out: typed answers. Absent: protocol, terminal, file system.
"""
