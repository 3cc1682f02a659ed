"""Assertions in the comments of fixture sources, compared with the graph that the encoder draws.

In: the directory of a case (a tiny repository) and its `Graph`. Out: complaints, each a line of source with the
assertions to add (`+`: drawn, not asserted) and to remove (`-`: asserted, not drawn); an empty list means exact.
Absent: any idea of how a language resolves. Nothing here knows more than lines, tokens and spans.

    #: KIND TOKEN -> TARGET [| TARGET ...] [via RULE] [from SOURCE] [(gap: why)]

stands above the line of code that carries the site, at the first TOKEN of that line (`TOKEN[2]` is the second).
TARGET is a symbol id, `external`, `external:NAME`, `unresolved`, `ambiguous [A | B]`, or, with a gap only, `nothing`.
KIND is a kind of edge, or what the site does (`raises`, `writes`, ...): a call of a class may be asserted as either.
SOURCE is the innermost class, function or module around the line unless `from` says otherwise; imports come from
modules. Edges without sites (`overrides`) stand above the line of their source's name. `//:` where `//` comments.

A reference without an edge need not have a place in the graph: it keeps those that could mean one of its symbols.
So a reason is met by a place, or by silence at the token; and a module must count as many unresolved and ambiguous
references as its file asserts.

Invariant: what looks like an assertion is one, or is reported; nothing is skipped silently.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rpg.graph import CLASS_KINDS, EDGE_KINDS, FUNCTION_KINDS, REASONS, VIAS, Graph, Symbol
from rpg.queries.graph.roles import ROLE_KINDS, roles_of

SLASHES = ".ts .tsx .js .jsx .mjs .cjs .mts .cts .go .java .rs .c .h .cc .cpp .cs .kt .php .swift .scala .dart"
MARKERS = {
    **dict.fromkeys((".py", ".pyi", ".rb", ".sh"), "#"),
    ".lua": "--",
    **dict.fromkeys(SLASHES.split(), "//"),
}
ASSERTED_KINDS = (*(kind for kind in EDGE_KINDS if kind not in ("contains", "covers")), *ROLE_KINDS)
RULE_IS_EVIDENT = frozenset({"imports", "overrides", "tests"})
"""Kinds that may leave `via` out: it is then not compared."""
MARKERS |= dict.fromkeys((".tf", ".ex", ".exs", ".graphql"), "#") | {".proto": "//", ".sql": "--"}
MARKERS |= dict.fromkeys((".vue", ".svelte", ".astro", ".json"), "//")
MARKERS |= dict.fromkeys((".yml", ".yaml", ".toml", ".cfg", ".ini", ".mk", "Dockerfile", "Makefile"), "#")
MARKERS |= {".scss": "//", ".css": "/*", ".html": "<!--", ".erb": "<!--", ".heex": "<!--", ".haml": "-#", ".slim": "/"}
MARKERS |= dict.fromkeys((".twig", ".ejs", ".hbs", ".liquid", ".jsp", ".cshtml", ".njk", ".jinja", ".gohtml"), "<!--")
SCOPES = CLASS_KINDS | FUNCTION_KINDS | {"module"}
"""Kinds that can be the source of a reference without saying so; constants and fields evaluate nothing."""

ID = r"""(?:[^\s|"]|"[^"\n]*")+"""
"""A symbol's id; titles of tests in it may have blanks."""
GRAMMAR = re.compile(
    rf"""
    (?P<kind>{"|".join(ASSERTED_KINDS)}) \s+
    (?P<token>\S+?) (?:\[(?P<nth>[1-9])\])? \s+ -> \s+
    (?P<target>{ID} (?:\s+\|\s+ {ID})* | ambiguous (?:\s+ {ID} (?:\s+\|\s+ {ID})*)?)
    (?:\s+ via \s+ (?P<via>\S+))?
    (?:\s+ from \s+ (?P<source>{ID}))?
    (?:\s+ \(gap: \s+ (?P<gap>[^()]*\S) \s* \))?
    """,
    re.VERBOSE,
)
NEARLY = re.compile(rf"(?:#|//|--)\s*:?\s*(?:{'|'.join(ASSERTED_KINDS)})\b[^>]*->")
SITELESS = 0


class Assertion(NamedTuple):
    """One thing said of one token; `A | B` is two. Lines and columns are 1-based, columns in code points."""

    path: str
    line: int
    column: int
    kind: str
    target: str
    """A symbol id, a reason (`external`, `unresolved`, `ambiguous`) or `nothing`."""
    text: str
    """As written, without its marker."""
    via: str = ""
    source: str = ""
    name: str = ""
    """Of an external thing."""
    candidates: tuple[str, ...] = ()
    """Of an ambiguous one: they must exist."""
    gap: str = ""


class Drawn(NamedTuple):
    """What the graph says of one place in the source."""

    path: str
    line: int
    column: int
    kind: str
    target: str
    via: str
    source: str
    name: str = ""
    roles: tuple[str, ...] = ()


class Reading(NamedTuple):
    assertions: list[Assertion]
    problems: list[str]
    """`path:line: message` for everything that looks like an assertion and is none."""
    lines: dict[str, list[str]]


def check(case: Path, graph: Graph) -> list[str]:
    """Compare a case with its graph, both ways."""
    reading = read(case)
    complaints = list(reading.problems)
    if not reading.assertions and not reading.problems:
        complaints.append(f"{case.name}: a case without assertions")
    known = {symbol.id for symbol in graph.symbols}
    for wanted in reading.assertions:
        ids = wanted.candidates if wanted.target in (*REASONS, "nothing") else (wanted.target,)
        complaints += [f"{wanted.path}:{wanted.line}: no symbol {id}" for id in ids if id not in known]
    return complaints + _differences(reading, graph) + _miscounts(reading, graph)


def read(case: Path) -> Reading:
    """All assertions of a case in the order of files and lines."""
    reading = Reading([], [], {})
    for file in sorted(case.rglob("*")):
        marker = MARKERS.get(file.suffix or file.name, "")
        if marker and file.is_file():
            path = file.relative_to(case).as_posix()
            reading.lines[path] = file.read_text("utf-8").split("\n")
            _read_file(path, reading.lines[path], marker, reading)
    return reading


def gaps(root: Path) -> list[str]:
    """Every pinned wrong answer under a folder of cases, as `language/case: why`, each once."""
    cases = sorted(case for case in root.glob("*/*") if case.is_dir())
    said = (
        f"{case.parent.name}/{case.name}: {assertion.gap}"
        for case in cases
        for assertion in read(case).assertions
        if assertion.gap
    )
    return list(dict.fromkeys(said))


def _read_file(path: str, lines: list[str], marker: str, reading: Reading) -> None:
    waiting: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith(marker + ":"):
            waiting.append((number, text[len(marker) + 1 :].removesuffix("*/").removesuffix("-->").strip()))
        elif NEARLY.search(text):
            reading.problems.append(f"{path}:{number}: an assertion stands alone on its line, after `{marker}:`")
        elif text and not text.startswith(marker):
            for at, said in waiting:
                try:
                    reading.assertions.extend(_parse(said, path, number, line))
                except ValueError as error:
                    reading.problems.append(f"{path}:{at}: {error}: {said}")
            waiting.clear()
    reading.problems.extend(f"{path}:{at}: no code below: {said}" for at, said in waiting)


def _parse(said: str, path: str, line: int, code: str) -> Iterator[Assertion]:
    match = GRAMMAR.fullmatch(said)
    if not match:
        raise ValueError("not an assertion")
    kind, token, via, source, gap = (match[part] or "" for part in ("kind", "token", "via", "source", "gap"))
    head, *more = match["target"].split(maxsplit=1)
    reason, _, name = head.partition(":") if head.startswith("external:") else (head, "", "")
    column = _column(code, token, int(match["nth"] or 1))
    if reason in REASONS or reason == "nothing":
        if via:
            raise ValueError("what has no edge has no via")
        if more and reason != "ambiguous":
            raise ValueError(f"{reason} stands alone")
        if reason == "nothing" and not gap:
            raise ValueError("nothing is asserted by leaving it out, unless it is a gap")
        candidates = tuple(more[0].split(" | ")) if more else ()
        yield Assertion(path, line, column, kind, reason, said, "", source, name, candidates, gap)
        return
    if via and via not in VIAS:
        raise ValueError(f"no rule is called {via}")
    if not via and kind not in RULE_IS_EVIDENT:
        raise ValueError("via is missing")
    for target in re.split(r"\s+\|\s+", match["target"]):
        yield Assertion(path, line, column, kind, target, said, via, source, gap=gap)


def _column(code: str, token: str, nth: int) -> int:
    starts = _occurrences(code, token)
    if len(starts) < nth:
        raise ValueError(f"{token} does not stand {nth} times in the line below")
    return starts[nth - 1] + 1


def _occurrences(code: str, token: str) -> list[int]:
    before = r"(?<!\w)" if re.match(r"\w", token) else ""
    after = r"(?!\w)" if re.search(r"\w\Z", token) else ""
    return [found.start() for found in re.finditer(before + re.escape(token) + after, code)]


def _differences(reading: Reading, graph: Graph) -> list[str]:
    drawn = list(_drawn(graph))
    scopes = defaultdict(list)
    for symbol in graph.symbols:
        if symbol.kind in SCOPES:
            scopes[symbol.path].append(symbol)
    met: set[Drawn] = set()
    loud = {(found.path, found.line, found.column, found.kind == "calls") for found in drawn}
    changes: dict[tuple[str, int], list[str]] = defaultdict(list)
    for wanted in reading.assertions:
        source = wanted.source or _evident_source(wanted.kind, wanted.path, wanted.line, scopes)
        matching = {found for found in drawn if _matches(wanted, source, found)}
        met |= matching
        silent = (wanted.path, wanted.line, wanted.column, wanted.kind == "calls") not in loud
        if not matching and not (silent and wanted.target in (*REASONS, "nothing")):
            change = "- " + wanted.text
            if change not in changes[wanted.path, wanted.line]:
                changes[wanted.path, wanted.line].append(change)
    for found in drawn:
        if found not in met and found.target != "external":
            changes[found.path, found.line].append("+ " + _sentence(found, scopes, reading.lines))
    return [_complaint(path, line, changes[path, line], reading.lines) for path, line in sorted(changes)]


def _drawn(graph: Graph) -> Iterator[Drawn]:
    by_id = {symbol.id: symbol for symbol in graph.symbols}
    for edge in graph.edges:
        if edge.kind in ("contains", "covers"):
            continue
        source = by_id[edge.source]
        for position, (line, column) in enumerate(edge.sites or ((source.name_line, SITELESS),)):
            roles = roles_of(edge.kind, by_id[edge.target].kind, edge.roles, position)
            yield Drawn(source.path, line, column, edge.kind, edge.target, edge.via, edge.source, "", roles)
    for place in graph.places:
        kind = "calls" if place.call else "references"
        path = by_id[place.source].path
        yield Drawn(path, place.line, place.column, kind, place.reason, "", place.source, place.name)


def _matches(wanted: Assertion, source: str, found: Drawn) -> bool:
    if (wanted.path, wanted.line) != (found.path, found.line) or found.column not in (wanted.column, SITELESS):
        return False
    if wanted.target != found.target or source != found.source or (wanted.via and wanted.via != found.via):
        return False
    if wanted.target in REASONS:
        return (wanted.kind == "calls") == (found.kind == "calls") and _same_name(wanted.name, found.name)
    return wanted.kind == found.kind or wanted.kind in found.roles


def _miscounts(reading: Reading, graph: Graph) -> list[str]:
    """Modules whose counts of references without an edge are not what their files assert; imports count nowhere."""
    complaints = []
    for symbol in graph.symbols:
        if symbol.references is None or symbol.path not in reading.lines:
            continue
        here = [each for each in reading.assertions if each.path == symbol.path and each.kind != "imports"]
        for reason, counted in zip(REASONS, symbol.references[2:], strict=True):
            asserted = len({(each.line, each.column, each.kind) for each in here if each.target == reason})
            if asserted > counted or (asserted < counted and reason != "external"):
                complaints.append(f"{symbol.path}: {counted} references {reason}, {asserted} asserted")
    return complaints


def _same_name(wanted: str, found: str) -> bool:
    """`os.path.join` is met by a place called `join` as by one called `os.path.join`."""
    return not wanted or wanted == found or wanted.endswith("." + found)


def _evident_source(kind: str, path: str, line: int, scopes: dict[str, list[Symbol]]) -> str:
    around = [symbol for symbol in scopes[path] if symbol.start_line <= line <= symbol.end_line]
    if kind == "imports" or not around:
        return path
    return max(around, key=lambda symbol: (symbol.kind != "module", symbol.start_line, -symbol.end_line)).id


def _sentence(found: Drawn, scopes: dict[str, list[Symbol]], lines: dict[str, list[str]]) -> str:
    code = lines[found.path][found.line - 1] if found.path in lines else ""
    via = f" via {found.via}" if found.via and found.kind not in RULE_IS_EVIDENT else ""
    evident = _evident_source(found.kind, found.path, found.line, scopes)
    source = "" if found.source == evident else f" from {found.source}"
    return f"{found.kind} {_token_at(code, found)} -> {found.target}{via}{source}"


def _token_at(code: str, found: Drawn) -> str:
    if found.column == SITELESS:
        return found.source.split("~")[0].rpartition("::")[2].rpartition(".")[2]
    match = re.compile(r"\w+|[^\w\s()\[\].,:]+|.").match(code, found.column - 1)
    token = match[0] if match else f"column {found.column}"
    starts = _occurrences(code, token)
    nth = starts.index(found.column - 1) + 1 if found.column - 1 in starts else 1
    return token if nth == 1 else f"{token}[{nth}]"


def _complaint(path: str, line: int, changes: list[str], lines: dict[str, list[str]]) -> str:
    code = lines[path][line - 1].strip() if path in lines and 0 < line <= len(lines[path]) else ""
    return "\n    ".join((f"{path}:{line}: {code}", *changes))
