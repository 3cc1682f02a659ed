"""What can be lifted: areas with their parts, modules, classes and functions, the most important first.

In: an index. Out: subjects without a text of a model or an agent: titles before features, code before tests, the most
used first, so that even the first few are useful. The same code in several places is one subject.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.graph.functional_view import BETWEEN, functional_view, keys_of_places, last
from rpg.queries.graph.nodes import Node, node_of, nodes, placeholders
from rpg.queries.graph.sources import Sources
from rpg.stores.index.symbol_reads import list_symbols_by_use
from rpg.stores.lifted_texts import Lifted, LiftedTexts, key_of_symbol
from rpg.text.features import feature_of

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

KINDS = (*sorted(CLASS_KINDS | FUNCTION_KINDS), "module")
PLACED_BY_RULE = frozenset({"Tests", "Examples", "Documentation", "Project files"})
"""Areas whose derived titles are good enough."""
COVERED_SHOWN, PARTS_SHOWN = 12, 12
MARK = 10
"""Hex digits of a mark."""
BODY_LINES = 14
LONGEST_LINE = 120


class Subject(NamedTuple):
    key: bytes
    id: str
    kind: str
    now: str
    """The derived feature or title."""
    row: int

    @property
    def is_place(self) -> bool:
        return self.id.startswith("::")

    @property
    def mark(self) -> str:
        """Identifies the subject with its current content: after an edit it has another mark."""
        return self.key.hex()[:MARK]


class Subjects(NamedTuple):
    unlifted: list[Subject]
    lifted: int
    """How many already have a text."""


def subjects(index: Index, is_done: Callable[[Lifted], bool] = lambda lifted: bool(lifted.text)) -> Subjects:
    texts = LiftedTexts(index.path).all()
    every: dict[bytes, Subject] = {}
    for subject in (*places(index), *symbols(index)):
        every.setdefault(subject.key, subject)
    unlifted = [subject for key, subject in every.items() if not _done(texts, key, is_done)]
    return Subjects(unlifted, len(every) - len(unlifted))


def _done(texts: Mapping[bytes, Lifted], key: bytes, is_done: Callable[[Lifted], bool]) -> bool:
    return key in texts and is_done(texts[key])


def places(index: Index) -> Iterator[Subject]:
    view = functional_view(index)
    by_derived = {derived: place for place, derived in view.derived.items()}
    covered = {path: view.derived.get(place, place) for path, place in view.covered.items()}
    for derived, key in keys_of_places(by_derived, covered).items():
        node = view.by_name[by_derived[derived]]
        if not node.test and derived.partition(BETWEEN)[0] not in PLACED_BY_RULE:
            yield Subject(key, node.id, node.kind, last(derived), node.row)


def symbols(index: Index) -> Iterator[Subject]:
    for row, id, kind, name, qualified_name, text_hash, doc in list_symbols_by_use(index, KINDS):
        now = feature_of(kind, name, qualified_name, doc).text
        yield Subject(key_of_symbol(qualified_name, text_hash), id, kind, now, row)


def describe_subject(index: Index, subject: Subject, sources: Sources) -> list[str]:
    """What the author of a text is shown of the subject."""
    if subject.is_place:
        return _place_shown(index, subject)
    node = node_of(index, subject.id)
    if node is None:
        return []
    head = [f"{node.kind} {node.label}" + ("" if node.is_file else f" in {node.path}")]
    if node.signature:
        head.append(node.signature[: 2 * LONGEST_LINE])
    if node.doc:
        head.append(" ".join(node.doc.split())[: 3 * LONGEST_LINE])
    if node.is_file or node.kind in CLASS_KINDS:
        inside = nodes(index, "s.parent = ? ORDER BY s.id LIMIT ?", (node.row, PARTS_SHOWN))
        return head + ([f"contains {', '.join(each.name for each in inside)}"] if inside else [])
    return head + _body(node, sources)


def _body(node: Node, sources: Sources) -> list[str]:
    lines = (sources.lines(node.path) or [])[node.start_line - 1 : node.end_line]
    body = [line.rstrip()[:LONGEST_LINE] for line in lines if line.strip()]
    return body[:BODY_LINES]


def _place_shown(index: Index, subject: Subject) -> list[str]:
    view = functional_view(index)
    place = subject.id.removeprefix("::")
    below = [last(each) for each in view.below(place)]
    grounds = view.grounds(place)
    files = [path for path in grounds if not path.endswith("/")]
    telling = "s.kind IN ('class', 'interface', 'struct', 'trait', 'function')"
    classes = nodes(
        index,
        f"s.path IN ({placeholders(files[:PARTS_SHOWN])}) AND {telling} ORDER BY s.test, s.id LIMIT ?",
        (*files[:PARTS_SHOWN], PARTS_SHOWN),
    )
    out = [f"{subject.kind} {place}", f"covers {', '.join(grounds[:COVERED_SHOWN])}"]
    if below:
        out.append(f"parts {', '.join(below)}")
    if classes:
        out.append(f"contains {', '.join(each.name for each in classes)}")
    return out
