"""Every constant of the ranking by name, each with its reason.

    score = (match + LEXICAL * score by words + QUALIFIED * share of qualifiers
             - TESTS_BEHIND of a test - NO_DEFINITION_BEHIND of a variable + OF_ITS_FILE - NESTED * other containers
             - NOT_IN_WRITTEN outside the written ones - SET_ASIDE_BEHIND of old code) / highest possible

names.py says how well a name matches.
"""

from __future__ import annotations

# How well a name matches

EXACT, FOLDED = 1.1, 1.0
"""Exactly as written; equal except for case and underscores. Nothing else reaches 1."""
LETTERS, PARTS, TYPO = 0.9, 0.95, 0.97
"""The most that each kind of match can give: shared trigrams, parts of the name in order, few wrong letters."""
PARTS_BASE = 0.55
"""The share of PARTS that any alignment gets; the rest depends on how much is aligned."""
LEAST_LIKE = 0.25
"""Below this share of common trigrams (Dice) a name does not match."""
AS_WRITTEN = 0.02
"""Added if case and underscores at the beginning agree. It decides between equals."""

# Besides the match

QUALIFIED = 0.3
"""Added if all written qualifiers occur in the symbol's containers; a share of it for a share of them."""
LEXICAL = 0.15
"""Added in proportion to the words of the name that occur in the symbol."""
TESTS_BEHIND = 0.12
"""Ranks tests after what they test, which has a name much like theirs."""
NO_DEFINITION_BEHIND = 0.05
"""Ranks fields and constants after functions and types of the same name."""

OF_ITS_FILE = 0.05
"""Added if the file is called so, too: of several definitions of one name it is what others mean."""
OF_PART = 0.03
"""The same if the file's name goes on: of the parts of a class, `Hull.cs` is the one that others mean, before
`Hull.Json.cs`."""
NESTED, NESTED_MOST = 0.04, 4
"""What each class or module around takes away, up to so many, and what being called like the one around does: a class
before its constructor, `Ecto.Schema` before `Ecto.Adapter.Schema`, a class before a method of that name. A class that
is written before the name does not count. With half of it, the words of a longer qualified name outweigh it."""
NOT_IN_WRITTEN = 0.01
"""Taken away if no class around is what is written before the name: `Data.url` is the member, and not `url` in data.py.
It decides between equals."""
SET_ASIDE_BEHIND = 0.05
"""Ranks old copies and examples after what they repeat."""

# How much is read

CONSIDERED = 250
"""How many names are compared letter by letter: those that share the most trigrams."""
MOST_CONTAINING = 500
"""How many names that contain a text are looked up, shortest first: a single letter is in nearly all."""
NAMES_AT_ONCE = 40
"""How many names have their symbols read at once, most similar first, until there are enough."""
ENOUGH = 3
"""No more symbols are read once there are this many times the number shown: copies are folded."""
LEAST_LIKELY_NAME = 0.5
"""Names that match worse are left to the words: at this point half of the name differs."""

# The page

NEAR_SHOWN = 3
"""How many other names are shown next to an exact one: an exact spelling seldom means another name."""
BEHIND_EXACT = 0.2
"""Definitions of exactly that name are shown if they score at most this much less than the best: a written qualifier
decides, being behind other code does not."""
FULL, FULL_MOST, FALL = 5, 8, 0.8
"""Names after the first 8 are left for the next page, and after the first 5 those that score less than 0.8 of the best:
of ident, nothing is lost."""
