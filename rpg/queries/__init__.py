"""Queries to an index, one file each.

In: an index and arguments. Out: typed answers. Absent: protocol, terminal, file system.
"""
