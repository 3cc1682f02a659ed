"""Ranking: symbols for a query, by words, names, vectors or pasted code."""
