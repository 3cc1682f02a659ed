"""Every constant of the ranking by similar code, each with its reason.

    score = STRUCTURE * shared windows + NAMES * shared terms of names, at least MEANING * score by words

similar.py says what two snippets share.
"""

from __future__ import annotations

MARKS_OF_CODE = 0.12
"""Brackets and assignments per word that make a query code: code under a long docstring has one in five, a report that
names functions one in fifteen."""

WINDOW = 5
"""How many tokens in a row are compared as one: shorter windows occur in all code, longer ones break at every change.
"""
STRUCTURE, NAMES = 0.7, 0.3
"""Shares of the similarity. Names decide between snippets of the same structure, and are not enough by themselves."""
OWN, OTHER = 0.7, 0.3
"""How much it counts against a symbol that it lacks windows of the snippet, and that it has additional ones: a snippet
is often a part of what is sought (Tversky's index)."""
SAME = 0.9
"""From this share on, structures or names count as the same."""
MEANING = 0.6
"""The most that a symbol found by words can reach if its structure differs."""

NEAREST = 150
"""How many of the nearest symbols by fingerprint have their tokens compared."""
BY_WORDS = 60
"""How many of the best hits by words are compared too."""
FIRST, THEN = 12, 60
"""How many of either are compared first, and how many at a time from the rest."""
LONGEST = 40_000
"""Characters of a symbol that is compared: longer ones are classes, whose methods are compared themselves."""
