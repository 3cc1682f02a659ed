"""Ranking: symbols for a question, by words, names, vectors or pasted code."""
