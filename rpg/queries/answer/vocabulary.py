"""Words of the repository that are close to a question, so that a model or an agent can translate it: a weak answer
offers them.

In: an index, the candidates for a question, those that are already shown. Out: a few lines within a number of tokens:
names close to the question by file, then words in the names that most of the repository depends on. Absent: ranking.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.answer import evidence_weights as weights
from rpg.queries.answer.evidence import Candidates
from rpg.queries.answer.users import users_by_symbol
from rpg.queries.graph.budget import BYTES_PER_TOKEN
from rpg.queries.graph.filters import is_beside
from rpg.queries.graph.memo import memoize
from rpg.queries.graph.nodes import nodes_by_row
from rpg.text.titles import is_title
from rpg.text.words import is_word, parts, text_terms

if TYPE_CHECKING:
    from collections.abc import Container

    from rpg.stores.index.index import Index


def vocabulary(index: Index, found: Candidates, shown: Container[int], max_tokens: int) -> list[str]:
    room = min(weights.VOCABULARY_TOKENS, int(max_tokens * weights.VOCABULARY_SHARE)) * BYTES_PER_TOKEN
    near = within(names_near(found, shown), int(room * weights.VOCABULARY_NEAR), "; ")
    most = memoize(index, "words of names", lambda: words_of_names(index))
    central = within(most, room - len(near), " ")
    return [line for line in (near, central) if line]


def names_near(found: Candidates, shown: Container[int]) -> list[str]:
    """Names by file, the file of the best name first."""
    by_file: dict[str, list[str]] = defaultdict(list)
    for candidate in found.candidates:
        node = candidate.node
        if node.kind in FUNCTION_KINDS | CLASS_KINDS and not node.test and node.row not in shown:
            names = by_file[node.path]
            is_plain = not is_title(node.name) and not node.name.startswith("__")
            if is_plain and node.name not in names and len(names) < weights.NAMES_OF_FILE:
                names.append(node.name)
    return [f"{path}: {', '.join(names)}" for path, names in by_file.items()]


def words_of_names(index: Index) -> list[str]:
    """Words of the most used names first; each stem once."""
    used = sorted(users_by_symbol(index), key=lambda each: (-each.weight, each.row))[: weights.NAMES_READ]
    found = nodes_by_row(index, [each.row for each in used])
    counts: dict[str, float] = defaultdict(float)
    spelled: dict[str, str] = {}
    for row, _, users in used:
        node = found[row]
        if is_beside(node.path) or is_title(node.name):
            continue
        for part in parts(node.name):
            for stem in text_terms(part):
                if is_word(stem) and part.isalpha() and len(part) >= weights.SHORTEST_WORD:
                    spelled.setdefault(stem, part)
                    counts[stem] += users
    return [spelled[stem] for stem in sorted(counts, key=lambda stem: (-counts[stem], stem))[: weights.WORDS_KEPT]]


def within(items: list[str], room: int, between: str) -> str:
    """As many as fit, joined; none is cut."""
    fitting: list[str] = []
    for item in items:
        room -= len(item.encode()) + len(between)
        if room < 0:
            break
        fitting.append(item)
    return between.join(fitting)
