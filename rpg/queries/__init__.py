"""Queries to an index, one file each: typed answers, without a protocol, a terminal or a file system."""
