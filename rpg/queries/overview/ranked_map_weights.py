"""Every constant of the ranked map by name, each with its reason.

    score of a symbol = rank * factors of its name and its place

pagerank.py says what a rank is. Where a reason says "judgement", maps of Django, zod and cobra were read at 1,000 and
4,000 tokens, as by somebody who has never seen these repositories.
"""

from __future__ import annotations

# The walk

DAMPING = 0.85
"""The share of a walk that goes on at every step, as in the original PageRank."""
DAMPING_NEAR = 0.6
"""The same where a question or files are given: what is two steps away matters less than what is one step away."""
STEPS, SETTLED = 40, 1e-6
"""A walk ends after that many steps, or once all ranks together move by less than this. 0.85 ** 40 is 0.0015: by then
the first hundred symbols no longer change places."""
EDGES = {"calls": 1.0, "inherits": 1.5, "overrides": 0.5, "references": 0.4}
"""Weight of an edge of a kind. Judgement: inheritance is a closer tie than a call, a mention a looser one."""
POSSIBLE = 0.1
"""Weight of an edge that is a guess by name."""
SAME_FILE = 0.3
"""Weight of an edge within one file; the rest of the walk begins again. Edges within a file say little about the whole:
judgement, they took a third of the first map of Django."""
TO_PARENT = 0.25
"""The share that a member passes to what contains it: a class matters if its methods do."""
BACKWARDS = 0.15
"""The share of a walk that goes to those who use a symbol. Judgement: without it a map shows what everything leads
to in the end (conversions, properties), and nothing of what drives the rest."""
BACKWARDS_NEAR = 0.4
"""The same where a question or files are given: whoever uses these is part of the answer."""

# Where walks begin

TESTS = 0.2
"""The share of walks that begin in tests: they call what a repository offers to others, which it seldom calls itself.
Judgement: without them a map of zod has no function that makes a schema."""
BESIDE = 0.2
"""Weight of examples, benchmarks, scripts and configuration: they use everything, and nothing uses them."""
DOCUMENTED, EXPORTED = 1.5, 1.5
"""Factors for a doc comment and for being exported: authors document what others are meant to use."""
HITS = 40
"""How many symbols that search finds for a question walks begin at."""
HIT_POWER = 2.0
"""They begin at a hit in proportion to this power of its score: the first few are what was asked for."""

# The score

PRIVATE = 0.3
"""Factor for a name that is not exported: newcomers begin with the public names."""
MEMBER = 2.0
"""Factor for a member, since its class has a share of its rank. Judgement: without it, 4,000 tokens of Django name 200
classes and hardly a method to call."""
INSIDE_FUNCTION = 0.1
"""Factor for a definition inside a function: nothing outside can use it."""
COMMON, LEAST_COMMON = 0.35, 1e-9
"""With a question or files, the power of a symbol's rank without them that its rank is divided by, and the least such
rank: what everything uses says little about one question."""
