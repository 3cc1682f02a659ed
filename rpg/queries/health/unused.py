"""Functions, methods and classes that nothing in the repository uses, and why they may be used after all.

In: a question. Out: findings, the most confident first. SQL finds symbols without an edge from outside tests;
doubts.py, and the completeness of the list of uses (usages.py), decide how certain that is. `certain` is only what that
list calls complete and empty, and what nothing outside the repository can reach.

Absent: tests, entry points, what the language itself looks up, constructors (their class stands for them), and parts of
what is unused as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator

from rpg.encoder.languages import BY_NAME, declaration_suffixes
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.graph.families import is_constructor
from rpg.queries.graph.filters import Filter
from rpg.queries.graph.memo import memoize
from rpg.queries.graph.nodes import COLUMNS, Node
from rpg.queries.health.doubts import Doubts
from rpg.queries.health.findings import CONFIDENCES, Finding, HealthQuery
from rpg.queries.usages.find_usages import usages
from rpg.queries.usages.usage_sites import USAGE_KINDS, UsageQuery
from rpg.stores.index.hierarchy_reads import find_user_of_part, list_members_of_interfaces, list_overrides
from rpg.stores.index.symbol_reads import list_symbols_without_user
from rpg.text.titles import is_title

_USING = ("calls", "references", "inherits", "imports")


def find_unused(question: HealthQuery) -> list[Finding]:
    """The findings of the whole repository are cached until the index changes."""
    whole = memoize(question.index, "unused", lambda: compute_unused(question))
    admits = question.filter.admits
    return whole if question.is_whole else [each for each in whole if admits(each.what.partition("::")[0], False)]


def compute_unused(question: HealthQuery) -> list[Finding]:
    index = question.index
    candidates = {node.row: (node, extra) for node, extra in candidates_of(question)}
    live = overridden_alive(question, set(candidates))
    doubts = Doubts(index, set(candidates))
    out: dict[int, Finding] = {}
    for row, (node, extra) in candidates.items():
        if row in live or node.parent in out or is_within(node, candidates, out):
            continue
        if node.kind in CLASS_KINDS and find_user_of_part(index, row, _USING):
            continue
        finding = Finding(
            what=node.id, kind=node.kind, lines=node.lines, size=max(1, node.end_line - node.start_line + 1)
        )
        for doubt in doubts.cheap(node, extra):
            finding = finding.doubted(*doubt)
            if finding.confidence == CONFIDENCES[-1]:  # more doubts would cost time and change nothing
                break
        out[row] = finding
    read = [candidates[row][0] for row, finding in out.items() if finding.confidence != CONFIDENCES[-1]]
    for row, named in doubts.find_in_sources(read).items():
        for doubt in named:
            out[row] = out[row].doubted(*doubt)
    for row, finding in out.items():
        if finding.confidence != CONFIDENCES[-1]:
            for doubt in list_usage_doubts(question, candidates[row][0]):
                finding = finding.doubted(*doubt)
            out[row] = finding
    return sorted(out.values(), key=lambda each: (CONFIDENCES.index(each.confidence), -each.size, each.what))


def candidates_of(question: HealthQuery) -> Iterator[tuple[Node, str]]:
    kinds = sorted(FUNCTION_KINDS | CLASS_KINDS)
    for *columns, extra in list_symbols_without_user(question.index, COLUMNS, kinds, _USING):
        node = Node(*columns)
        if is_judged(node):
            yield node, extra


def is_judged(node: Node) -> bool:
    language = BY_NAME.get(node.language)
    if language is None or language.configures or language.is_template or language.is_text or is_title(node.name):
        return False
    if language.is_outlined:
        return False  # no use of it is known
    if language.tier == "defined" and node.kind in CLASS_KINDS:
        return False  # such as tables, selectors and messages, which code refers to in other ways
    if node.path.endswith(declaration_suffixes()) or language.rules.is_entry(node.name):
        return False
    rules = language.rules
    is_run_by_language = node.name in (rules.constructor, rules.protocols.maker) or node.name in rules.looked_up
    return not (is_run_by_language or is_constructor(node) or node.name.startswith(rules.looked_up_prefixes))


def is_within(node: Node, candidates: dict[int, tuple[Node, str]], out: dict[int, Finding]) -> bool:
    """Whether something around it is unused as a whole."""
    parent = node.parent
    while parent in candidates:
        if parent in out:
            return True
        parent = candidates[parent][0].parent
    return False


def overridden_alive(question: HealthQuery, candidates: set[int]) -> set[int]:
    """The candidates that may run in place of a used method, or that a used method replaces; and members that an
    interface only declares."""
    beside: dict[int, list[int]] = {}
    for source, target in list_overrides(question.index):
        beside.setdefault(source, []).append(target)
        beside.setdefault(target, []).append(source)
    alive = {row for row in beside if row not in candidates}
    frontier = list(alive)
    while frontier:
        frontier = [each for row in frontier for each in beside[row] if each not in alive]
        alive.update(frontier)
    return (alive | {row for row, _ in list_members_of_interfaces(question.index)}) & candidates


def list_usage_doubts(question: HealthQuery, node: Node) -> Iterator[tuple[str, str]]:
    """What prevents the list of its uses from being complete and empty."""
    usage_query = UsageQuery(
        question.index, question.header, USAGE_KINDS, Filter(), True, question.from_graph_only, question.folder
    )
    listed, places, *_ = usages(usage_query, node)
    if not listed.complete_outside_tests:
        named = [each.site.rpartition(":")[0] for each in listed.left] or list(listed.left_by_file)
        named += [f"{place.path}:{place.line}" for place in places if place.section != "certain" and not place.test]
        where = named[0] if named else ""
        yield "possible", f"named at {where}" if where else "its uses are not all known"
        return
    outside = [place for place in places if place.section == "certain" and not place.test]
    documented = next((place for place in outside if place.kind == "documents"), None)
    if documented is not None:
        yield "likely", f"documented at {documented.path}:{documented.line}"
    elif outside:
        yield "likely", "used by itself alone"
    if listed.imported:
        yield "likely", f"imported at {listed.imported[0].rpartition(':')[0]}"
    in_tests = sorted({place.path for place in places if place.test})
    if in_tests:
        more = f" and {len(in_tests) - 1} more" if len(in_tests) > 1 else ""
        yield "likely", f"used by tests only: {in_tests[0]}{more}"
