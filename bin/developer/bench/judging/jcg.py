"""The cases of JCG (https://github.com/opalj/JCG) for Java, JavaScript and Python: `bin/bench edges --jcg CHECKOUT`.

In: a checkout. Out: for each category how many cases have every call that they expect, and no certain one that they
prohibit; with the names of those that do not. A call is found if it is an edge, certain or possible, or if the edge is
to a method that the expected one overrides, or whose place it takes in a class below both. An indirect call is found if
its target is reached through calls.

What has no symbol is not judged: a call of a library's or of a nameless function. Calls that a nameless function makes
are those of the symbol around it. What a library's function calls is found if it is handed over somewhere, which is an
edge of the kind references. What an operator runs is such an edge as well, by the rule protocol.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rpg.encoder.confidence import is_certain
from rpg.encoder.encode import encode
from rpg.graph import CLASS_KINDS, Edge, Symbol

from ..measuring.tables import show

CASES = Path("jcg_testcases") / "src" / "main" / "resources"
CASE = re.compile(r"^##\s*(\S+)\s*$(.*?)^\[//\]: # \(END\)", re.M | re.S)
BLOCK = re.compile(r"```(json|java|js|python)\n(.*?)```", re.S)
HEAD = re.compile(r"(?://|#)\s*(\S+)\n")
ANNOTATION = re.compile(r"@(Direct|Indirect)Call\(((?:[^()\"]|\"[^\"]*\")*)\)")
METHOD = re.compile(r"(\w+)\s*\([^;{]*?\)[^;{]*\{")
TYPES = re.compile(r'"L([^;"]+);"')
TRAILING = re.compile(r",(?=\s*[\]}])")
LIBRARY = ""
"""In place of the symbol that calls."""
CONSTRUCTORS = ("constructor", "__init__", "<init>")


class Wanted(NamedTuple):
    source: str
    """File without its suffix and name, perhaps with a line; empty: any symbol."""
    target: str
    is_direct: bool
    is_prohibited: bool = False


class Case(NamedTuple):
    name: str
    files: dict[str, str]
    wanted: list[Wanted]


def print_jcg(checkout: Path) -> None:
    rows: list[tuple[str, str, str, str]] = []
    for language in ("java", "js", "python"):
        all_right = every = 0
        for page in sorted((checkout / CASES / language).glob("*.md")):
            cases = [case for case in read_cases(page.read_text("utf-8"), language) if case.wanted]
            failed = [case.name for case in cases if not is_right(case)]
            all_right, every = all_right + len(cases) - len(failed), every + len(cases)
            if cases:
                rows.append((language, page.stem, f"{len(cases) - len(failed)} of {len(cases)}", " ".join(failed)))
        rows.append((language, "all", f"{all_right} of {every}", ""))
    show("cases of JCG", ("language", "category", "right", "not right"), rows)


def read_cases(page: str, language: str) -> Iterator[Case]:
    for found in CASE.finditer(page):
        files: dict[str, str] = {}
        wanted: list[Wanted] = []
        for kind, content in BLOCK.findall(found[2]):
            head = HEAD.match(content)
            if kind == "json":
                links = json.loads(TRAILING.sub("", content))
                wanted += [Wanted(*each, True) for each in links["directLinks"]]
                wanted += [indirect(each) for each in links["indirectLinks"]]
            elif head is not None:
                files[head[1]] = content[head.end() :]
                if language == "java":
                    wanted += annotated(head[1], files[head[1]])
        yield Case(found[1], files, [each for each in wanted if is_judged(each)])


def indirect(link: str | list[str]) -> Wanted:
    """A function that is reached from the module, or a chain of calls."""
    return Wanted("<global>", link, False) if isinstance(link, str) else Wanted(link[0], link[-1], False)


def annotated(path: str, text: str) -> Iterator[Wanted]:
    """What the annotations of methods expect."""
    for found in ANNOTATION.finditer(text):
        method = METHOD.search(text, found.end())
        name = re.search(r'name\s*=\s*"([^"]+)"', found[2])
        if method is None or name is None:
            continue
        line = text.count("\n", 0, method.start()) + 1
        source = f"{Path(path).stem}.{method[1]}:{line}"
        for key, is_prohibited in (("resolvedTargets", False), ("prohibitedTargets", True)):
            types = re.search(key + r"\s*=\s*(\{.*?\}|\"[^\"]*\")", found[2], re.S)
            for type_name in TYPES.findall(types[1]) if types else ():
                target = f"{type_name.rpartition('/')[2].replace('$', '.')}.{name[1]}"
                yield Wanted(source, target, found[1] == "Direct", is_prohibited)


def is_judged(wanted: Wanted) -> bool:
    return not wanted.target.startswith("Native.") and "<anonymous" not in wanted.target


def is_right(case: Case) -> bool:
    with tempfile.TemporaryDirectory(prefix="rpg-jcg-") as folder:
        for path, text in case.files.items():
            (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
            (Path(folder) / path).write_text(text, "utf-8")
        graph = encode(Path(folder), workers=1, saves=False).graph
    symbols = {symbol.id: symbol for symbol in graph.symbols if symbol.path}
    calls: defaultdict[str, set[str]] = defaultdict(set)
    certain: defaultdict[str, set[str]] = defaultdict(set)
    given: set[str] = set()
    below: defaultdict[str, set[str]] = defaultdict(set)
    for own, other in members_beside(graph.symbols, graph.edges):
        below[other].add(own)
    for edge in graph.edges:
        if edge.kind == "overrides":
            below[edge.target].add(edge.source)
    for edge in graph.edges:
        if edge.kind == "references":
            given.add(edge.target)
        if edge.kind == "calls" or edge.via == "protocol":
            calls[edge.source] |= closure(edge.target, below)
            if is_certain(symbols[edge.source].language, edge.via):
                certain[edge.source].add(edge.target)
    calls[LIBRARY] = given | {target for targets in calls.values() for target in targets}
    return all(is_met(each, list(symbols.values()), calls, certain) for each in case.wanted)


def members_beside(symbols: list[Symbol], edges: list[Edge]) -> Iterator[tuple[str, str]]:
    """Methods of classes, with those of interfaces whose place they take in a class that inherits both."""
    kinds = {symbol.id: symbol.kind for symbol in symbols}
    above: defaultdict[str, set[str]] = defaultdict(set)
    members: defaultdict[str, dict[str, str]] = defaultdict(dict)
    names = {symbol.id: symbol.name for symbol in symbols if symbol.kind == "method"}
    for edge in edges:
        if edge.kind == "inherits":
            above[edge.source].add(edge.target)
        elif edge.kind == "contains" and edge.target in names:
            members[edge.source][names[edge.target]] = edge.target
    for start in list(above):
        inherited = closure(start, above) - {start}
        for own in inherited:
            for other in inherited - closure(own, above):
                if kinds.get(own) == "class" and kinds.get(other) == "interface":
                    yield from (
                        (members[own][name], members[other][name]) for name in {*members[own]} & {*members[other]}
                    )


def is_met(wanted: Wanted, symbols: list[Symbol], calls: dict[str, set[str]], certain: dict[str, set[str]]) -> bool:
    sources, targets = find_source(wanted.source, symbols), find_target(wanted.target, symbols)
    if wanted.is_prohibited:
        return not any(certain.get(source, set()) & targets for source in sources)
    if wanted.is_direct:
        return any(calls.get(source, set()) & targets for source in sources)
    return any(closure(source, calls) - {source} & targets for source in sources)


def closure(start: str, following: dict[str, set[str]]) -> set[str]:
    found, pending = {start}, [start]
    while pending:
        new = following.get(pending.pop(), set()) - found
        found |= new
        pending += new
    return found


def find_source(written: str, symbols: list[Symbol]) -> set[str]:
    if written.startswith("Native."):
        return {LIBRARY}
    if written == "<global>":
        return {symbol.id for symbol in symbols if symbol.kind == "module"}
    if "<anonymous" in written:
        file, _, rest = written.partition(".")
        line = int(re.sub(r"\D", "", rest) or 0)
        around = [each for each in symbols if Path(each.path).stem == file and each.start_line <= line <= each.end_line]
        return {min(around, key=lambda each: each.end_line - each.start_line).id} if around else set()
    return find_target(written, symbols)


def find_target(written: str, symbols: list[Symbol]) -> set[str]:
    """Symbols of that name, in that type or else file, and at that line; a class for its constructor."""
    named, _, line = written.partition(":")
    around, _, name = named.rpartition(".")
    there = [each for each in symbols if not line or each.start_line <= int(line) <= each.end_line]
    of_name = [each for each in there if each.name == name]
    ending = f"{around.rpartition('.')[2]}.{name}"
    found = {each.id for each in of_name if f".{each.qualified_name}".endswith(f".{ending}")}
    found = found or {each.id for each in of_name if Path(each.path).stem == around.partition(".")[0] or not around}
    if name in CONSTRUCTORS:
        found |= {
            each.id
            for each in there
            if each.kind in CLASS_KINDS and around.rpartition(".")[2] in (each.name, Path(each.path).stem)
        }
    return found
