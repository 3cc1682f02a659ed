"""Every constant that decides what is a duplicate, each with its reason."""

from __future__ import annotations

FEWEST_LINES = 6
"""The fewest lines of a function that is compared: shorter ones are alike because there are few ways to write them."""
FEWEST_TOKENS = 50
"""The fewest tokens of one that is compared: long lists of parameters and tables have many lines and little logic."""
LONGEST = 40_000
"""The most characters of one that is compared."""
FAR = 0.12
"""How far the fingerprints of two functions may be apart, as a share of their marks, for their tokens to be compared.
Two that differ in one statement of ten are nearer."""
NEAR = 0.85
"""Share of windows of tokens that two functions have in common, from which on they are near duplicates: a statement
that was added to ten leaves about nine tenths."""
EXACT = 0.995
"""The same for exact ones, whatever their names: a file's end or a trailing comma costs one window."""
NAMES = 0.5
"""Share of the words of their names that near duplicates have in common: below, they only have a common shape."""
VARIED = 0.35
"""Share of windows that differ from each other: below, a function is a list of similar lines, and resembles other such
lists."""
NEAREST = 40
"""How many functions with similar fingerprints one is compared with."""
