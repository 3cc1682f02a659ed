"""Names of each symbol's callers, as terms: a function is described by who needs it.

In: the calls of a graph. Out: term counts by symbol, of the names of callers and of the tests that call it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping

from rpg.graph import Edge
from rpg.stores.search import field_weights as weights
from rpg.text import words
from rpg.text.titles import is_title

Callers = dict[str, tuple[dict[str, int], dict[str, int]]]
"""By symbol id, term counts of the names of callers and of tests that call it."""


def caller_terms(names: Mapping[str, str], edges: Iterable[Edge], tests: Container[str]) -> Callers:
    """Term counts of the names of each symbol's callers. Tests describe what they call, but not other tests; tests with
    titles do so by their file's name, as titles are of many words: with those file@1 of zod's history loses 4 points.
    """
    callers: dict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for source, target, kind, _via, _sites, _roles in edges:
        if kind == "calls" and source != target:
            describing = source in tests and target not in tests
            known = callers[target][describing]
            if len(known) < weights.MOST_CALLERS:
                name = names[source]
                known.add(source.partition("::")[0].rpartition("/")[2] if is_title(name) else name)
    return {target: (_counted(few), _counted(tested)) for target, (few, tested) in callers.items()}


def _counted(names: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in sorted(names):
        for token in words.tokens(name):
            for term in words.terms(token):
                counts[term] = counts.get(term, 0) + 1
    return counts
