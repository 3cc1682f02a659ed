"""Import cycles, each as its shortest path, with the import that is cut most cheaply.

In: a question. Out: a finding for each group of files that reach each other: first cycles at load time, then cycles
only through imports in functions or for type checkers. The import to cut is the one that the fewest uses in the graph
depend on.

Absent: tests, examples and scripts; cycles of packages, which a file's imports do not close.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from rpg.components import components
from rpg.encoder import operations as op
from rpg.encoder.facts import MAKER, SITE_WORDS, line_and_column
from rpg.encoder.languages import BY_NAME
from rpg.encoder.parsing.packing import unpack
from rpg.graph import FUNCTION_KINDS
from rpg.queries.graph.cycles import Imports, circular_imports, shortest_cycle
from rpg.queries.graph.filters import format_count
from rpg.queries.graph.nodes import batches
from rpg.queries.graph.sources import Sources
from rpg.queries.health.findings import Finding, HealthQuery
from rpg.stores.index.import_reads import list_imports_of_files
from rpg.stores.index.reader import find_language_of, list_test_modules
from rpg.stores.index.symbol_reads import list_spans
from rpg.system import deadline
from rpg.system.compression import decompress

AT_LOAD, IN_FUNCTION, FOR_TYPES = "", "inside a function", "for type checkers alone"
NAMED = 3


class Import(NamedTuple):
    line: int
    when: str
    """AT_LOAD, IN_FUNCTION or FOR_TYPES."""


class Use(NamedTuple):
    name: str
    in_function: bool


def import_cycles(question: HealthQuery) -> list[Finding]:
    tests = set(list_test_modules(question.index))
    out: list[Finding] = []
    for group in circular_imports(question.index)[1]:
        deadline.check()
        files = sorted(path for path in group - tests if question.covers(path))
        known = imports_among(question, files)
        groups = cycles_among(files, filter_imports(known, {AT_LOAD}))
        imports = filter_imports(known, {AT_LOAD} if groups else {AT_LOAD, IN_FUNCTION, FOR_TYPES})
        out += [finding(question, imports, each, known) for each in groups or cycles_among(files, imports)]
    return sorted(out, key=lambda each: (each.confidence != "certain", -each.size, each.what))


def cycles_among(files: list[str], imports: Imports) -> list[set[str]]:
    return [group for group in components(files, lambda path: imports.get(path, [])) if len(group) > 1]


def filter_imports(known: dict[tuple[str, str], Import], kinds: set[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for (source, target), each in known.items():
        if each.when in kinds:
            found.setdefault(source, []).append(target)
    return found


def imports_among(question: HealthQuery, files: list[str]) -> dict[tuple[str, str], Import]:
    """By source and target, the import that counts most: one that runs as the file is loaded, if there is one."""
    among = set(files)
    sources = Sources(question.index.source)
    found: dict[tuple[str, str], Import] = {}
    for some in batches(files):
        rows = list_imports_of_files(question.index, some)
        functions = spans_of_functions(question, some)
        for source, target, language, sites in rows:
            if target not in among or target == source:
                continue
            for site in sites.split():
                line = int(site.partition(":")[0])
                when = AT_LOAD
                if any(first <= line <= last for first, last in functions.get(source, ())):
                    when = IN_FUNCTION
                elif is_for_types(sources.lines(source) or [], line, BY_NAME[language].rules.for_types_only):
                    when = FOR_TYPES
                if (source, target) not in found or (when == AT_LOAD != found[source, target].when):
                    found[source, target] = Import(line, when)
    return found


def spans_of_functions(question: HealthQuery, files: list[str]) -> dict[str, list[tuple[int, int]]]:
    kinds = sorted(FUNCTION_KINDS)
    spans: dict[str, list[tuple[int, int]]] = {}
    for path, first, last in list_spans(question.index, kinds, files):
        spans.setdefault(path, []).append((first, last))
    return spans


def is_for_types(lines: list[str], number: int, marked_by: tuple[str, ...]) -> bool:
    """Whether one of the texts is in the line of an import, or in the line that opens the block around it."""
    if not marked_by or not 0 < number <= len(lines):
        return False
    line = lines[number - 1]
    indent = len(line) - len(line.lstrip())
    around = next(
        (each for each in reversed(lines[: number - 1]) if each.strip() and len(each) - len(each.lstrip()) < indent), ""
    )
    return any(text in line or (indent and text in around) for text in marked_by)


def finding(question: HealthQuery, imports: Imports, group: set[str], known: dict[tuple[str, str], Import]) -> Finding:
    cycle = shortest_of(imports, group)
    when = [f"{path}:{each.line} imports {each.when}" for path, each in list_cycle_imports(cycle, known) if each.when]
    language = BY_NAME.get(language_of(question, cycle[0]))
    loads = language is not None and language.rules.loads_in_order
    reasons = [cut(question, cycle, known, loads)]
    if len(group) > len(cycle) - 1:
        reasons.append(f"the shortest of a group of {len(group)} files")
    confidence = "certain"
    if when:
        confidence = "likely"
        reasons += when[:NAMED]
    elif not loads:
        confidence = "possible"
        reasons.append("its language loads such files together")
    return Finding(
        what=cycle[0], size=len(group), confidence=confidence, reasons=reasons, members=cycle, names=sorted(group)
    )


def list_cycle_imports(cycle: list[str], known: dict[tuple[str, str], Import]) -> Iterator[tuple[str, Import]]:
    for pair in pairwise(cycle):
        yield pair[0], known[pair]


def shortest_of(imports: Imports, group: set[str]) -> list[str]:
    """The shortest cycle, and among equals the first by path."""
    best: list[str] = []
    for path in sorted(group):
        deadline.check()
        cycle = shortest_cycle(imports, group, path)
        if not best or len(cycle) < len(best):
            best = cycle
        if len(best) == 3:  # two files
            break
    return best


def cut(question: HealthQuery, cycle: list[str], known: dict[tuple[str, str], Import], loads: bool) -> str:
    """Which import of a cycle to remove, and the uses that depend on it."""
    each = [(*pair, uses_behind(question, *pair, known[pair].line)) for pair in pairwise(cycle)]
    source, target, uses = min(each, key=lambda one: weight(one[0], one[1], len(one[2])))
    advice = f"cut {source}:{known[source, target].line} -> {target}"
    if not uses:
        return (
            f"{advice}: it is only passed on" if is_face(source, target) else f"{advice}: nothing in the file uses it"
        )
    named = Counter(use.name for use in uses).most_common()
    more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
    may_move = ", all in functions: the import may move there" if loads and all(use.in_function for use in uses) else ""
    return (
        f"{advice}: {format_count(len(uses), 'use')} of {', '.join(name for name, _ in named[:NAMED])}{more}{may_move}"
    )


def weight(source: str, target: str, uses: int) -> tuple[bool, int]:
    """What a package's own file imports from its folder, and does not use, is what the package offers."""
    return (not uses and is_face(source, target)), uses


def is_face(source: str, target: str) -> bool:
    folder = source.rpartition("/")[0]
    return not folder or target.startswith(f"{folder}/")


def uses_behind(question: HealthQuery, path: str, target: str, line: int) -> list[Use]:
    """Where a file uses the names that the import in a line binds: of several, the one that the target itself
    defines."""
    packed = question.index.facts(path)
    if not packed:
        return []
    facts = unpack(decompress(packed))
    code, strings = facts.code, facts.strings
    statements = {number for number, each in enumerate(facts.imports) if line_and_column(facts, each.byte)[0] == line}
    bound = {
        each.name
        for each in facts.bindings
        if code[each.value] in (op.IMPORT, op.IMPORTED) and code[each.value + op.STATEMENT] in statements
    }
    *folders, name = target.split("/")
    own = bound & {name.partition(".")[0], *folders[-1:]}
    bound = own or bound
    found = []
    for at in range(0, len(facts.sites), SITE_WORDS):
        e = facts.sites[at]
        if code[e] == op.CALL:
            e = code[e + op.CALLEE]
        if code[e] == op.NAME and strings[code[e + op.WORD]] in bound:
            maker = facts.definitions[facts.sites[at + MAKER]]
            found.append(Use(strings[code[e + op.WORD]], maker.kind in FUNCTION_KINDS))
    return found


def language_of(question: HealthQuery, path: str) -> str:
    return find_language_of(question.index, path)
