"""Symbols for what a query means: vectors, synonyms, similar code."""
