"""Ranking: symbols for a query, by words, names, vectors or pasted code.

In: an index and a query. Out: hits, best first. Absent: rendering.
"""
