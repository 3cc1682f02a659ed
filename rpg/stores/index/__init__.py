"""The index, NAME.graph.db: its tables and rows, how they are written and updated, and the seal that shows which
installation wrote it.

In: a graph and its files. Out: rows for SQL. Queries go to SQLite rather than to a graph in memory, so that a server
starts at once and does not grow with the repository.
"""
