"""The pages of programs that run in a browser: what their routers show at a path, and files that are a page by theirs.

In: a file (`Source`). Out: rows: each page with its component, and with what states it; which tables of pages are below
which. React Router, Vue Router and Angular as JSX and as objects; the pages of Next.js, Nuxt and SvelteKit by their
files. Absent: pages that code adds while it runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.http.annotated import ROOT
from rpg.encoder.frameworks.http.servers import PAGE_FILES, PAGE_ROUTERS
from rpg.encoder.frameworks.rows import Mount, Route
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID, Argument, Text, join_parts, pieces
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS

PAGE: Final = "PAGE"
"""The method of a route that shows a component."""
ENTRY: Final = "ENTRY"
"""The same of what states that."""
LINKED: Final = "links"
"""Pages of this framework are some only where a link of it is."""
_ELEMENT: Final = re.compile(r"<(?P<close>/)?(?P<name>(?:[A-Z]\w*)?Route)\b")
_ATTRIBUTE: Final = re.compile(r"\b(?P<name>path|element|component|Component|render|lazy|index)\s*=\s*(?=[\"'{])")
_TAG: Final = re.compile(r"<([A-Z][\w.]*)")
_NAME: Final = re.compile(r"[A-Z]\w*")
_LAZY: Final = re.compile(r"\bimport\(")
_TABLE: Final = re.compile(r"\[\s*(?:\.\.\.[\w.]+\s*,\s*)*\{")
_SHOWS: Final = frozenset(
    "component components element Component lazy loadComponent loadChildren children redirect redirectTo index".split()
)
_MOST_DEPTH: Final = 8
_AROUND: Final = frozenset(FUNCTION_KINDS | CLASS_KINDS | {"constant", "field", "property"})


def page_rows(source: Source) -> Iterator[Route | Mount]:
    yield from _by_file(source)
    if not any(each in PAGE_ROUTERS or each.startswith("@tanstack/react-router") for each in source.modules):
        return
    if "Route" in source.text and "<" in source.text:
        yield from _of_elements(source)
    if "path" in source.text:
        yield from _of_tables(source)
    if source.path.endswith(".module.ts"):
        for modules in source.imported.values():
            for each in modules:
                if "rout" in each.rpartition("/")[2]:
                    yield Mount(f"{each}#pages", f"{source.path}#pages", ())


def _by_file(source: Source) -> Iterator[Route]:
    for framework, pattern in PAGE_FILES:
        found = pattern.search(source.path)
        if found is None:
            continue
        parts = [each for each in found["path"].split("/") if each]
        if parts and parts[-1].startswith("_") and framework != "nuxt":
            return  # what all pages share
        kept = [each for each in parts if each[:1] not in "(@" and each != "index"]
        if framework == "nuxt":
            kept = [f":{each[1:]}" if each[:1] == "_" else each for each in kept]  # as version 2 has them
        exported = source.path
        for number, each in enumerate(source.facts.definitions):
            if each.name == "default" and each.kind in FUNCTION_KINDS:
                exported = source.symbol(number)
        line = 1
        text = ((SAID, "/" + "/".join(kept)),)
        yield Route(framework and f"{LINKED} {framework}", ROOT, PAGE, text, exported, line, False)
        return


def _of_elements(source: Source) -> Iterator[Route]:
    text = source._without_comments
    around: list[Text] = []
    for found in _ELEMENT.finditer(text):
        if found["close"]:
            if around:
                around.pop()
            continue
        end = _end_of_tag(text, found.end())
        stated: dict[str, tuple[int, str]] = {}
        for each in _ATTRIBUTE.finditer(text, found.end(), end):
            if each["name"] not in stated and _depth(text, found.end(), each.start()) == 0:
                stated[each["name"]] = _value(text, each.end())
        path: Text = ()
        if "path" in stated:
            at, written = stated["path"]
            path = source.said(at, written, source.innermost(at, FUNCTION_KINDS))
        whole = _joined(around[-1] if around else (), path)
        shown = next((stated[each] for each in ("element", "component", "Component", "render") if each in stated), None)
        if shown is not None and ("path" in stated or "index" in stated):
            at = found.start()
            yield from _rows(source, whole, at, _component(source, *shown))
        elif "path" in stated:
            child = _TAG.search(text, end, end + 400)  # `<Route path="/x"><X /></Route>`
            if child is not None and not child[1].endswith("Route") and text[end - 2 : end] != "/>":
                yield from _rows(source, whole, found.start(), source.target_at(child.start(1)))
        if text[end - 2 : end] != "/>":
            around.append(whole)


def _rows(source: Source, path: Text, at: int, component: str, name: str = "", router: str = ROOT) -> Iterator[Route]:
    line = source.line(at)
    stating = source.symbol(source.innermost(at, _AROUND))
    yield Route("page", router, PAGE, path or ((SAID, "/"),), component or stating, line, True, name)
    yield Route("page", router, ENTRY, path or ((SAID, "/"),), stating, line, True, name)


def _end_of_tag(text: str, at: int) -> int:
    depth = 0
    end = min(len(text), at + 4_000)
    while at < end:
        character = text[at]
        depth += (character in "{(") - (character in "})")
        if character == ">" and not depth:
            return at + 1
        at += 1
    return end


def _depth(text: str, start: int, end: int) -> int:
    part = text[start:end]
    return part.count("{") - part.count("}")


def _value(text: str, at: int) -> tuple[int, str]:
    """What stands in quotation marks or braces."""
    if text[at] != "{":
        end = text.find(text[at], at + 1)
        return at, text[at : end + 1]
    depth = 0
    for end in range(at, min(len(text), at + 4_000)):
        depth += (text[end] == "{") - (text[end] == "}")
        if not depth:
            return at + 1, text[at + 1 : end]
    return at + 1, ""


def _component(source: Source, at: int, written: str) -> str:
    """The component that an expression shows: of several around each other, the innermost."""
    if _LAZY.search(written):
        return _imported(source, at, written)
    tags = list(_TAG.finditer(written))
    found = tags[-1] if tags else None
    start = found.start(1) if found is not None else -1
    if found is None and (plain := _NAME.match(written)) is not None:
        start = plain.start()
    return source.target_at(at + start) if start >= 0 else ""


def _imported(source: Source, at: int, written: str) -> str:
    found = _LAZY.search(written)
    assert found is not None
    first = source.line(at + found.start())
    for line in range(first, first + 3):
        if modules := source.imported.get(line):
            return modules[0]
    return ""


def _joined(above: Text, path: Text) -> Text:
    if path and path[0][0] == SAID and path[0][1].startswith("/"):
        return path
    if not above or not path:
        return path or above
    return join_parts([*above, (SAID, "" if above[-1][1].endswith("/") else "/"), *path])


def _of_tables(source: Source) -> Iterator[Route | Mount]:
    text = source._without_comments
    at = 0
    while (found := _TABLE.search(text, at)) is not None:
        rows = list(_of_table(source, found.start() + 1, len(text), (), 0))
        at = found.end()
        if rows:
            yield from rows
            at = max(at, _end_of_table(text, found.start() + 1))


def _end_of_table(text: str, start: int) -> int:
    last = start
    for each in pieces(text, start, len(text)):
        last = each.start + len(each.text)
    return last


def _of_table(source: Source, start: int, end: int, above: Text, depth: int) -> Iterator[Route | Mount]:
    text = source._without_comments
    for item in pieces(text, start, end) if depth < _MOST_DEPTH else ():
        if item.text[:1] != "{":
            continue
        stated = {each.keyword: each for each in pieces(text, item.start + 1, item.start + len(item.text))}
        if ("path" not in stated and "index" not in stated) or _SHOWS.isdisjoint(stated):
            continue
        path: Text = ()
        if "path" in stated:
            path = source.said(stated["path"].start, stated["path"].text, source.innermost(item.start, FUNCTION_KINDS))
        whole = _joined(above, path)
        router = f"{source.path}#pages"
        name = _word(stated.get("name"))
        shown = next(
            (
                stated[each]
                for each in ("component", "element", "Component", "loadComponent", "lazy", "components")
                if each in stated
            ),
            None,
        )
        lazy = stated.get("loadChildren")
        if lazy is not None:
            module = _imported(source, lazy.start, lazy.text) if _LAZY.search(lazy.text) else ""
            if module:
                yield Mount(f"{module.partition('::')[0]}#pages", router, whole)
        elif shown is not None:
            yield from _rows(source, whole, item.start, _component(source, shown.start, shown.text), name, router)
        children = stated.get("children")
        if children is not None and children.text[:1] == "[":
            inner = children.start + 1
            yield from _of_table(source, inner, children.start + len(children.text), whole, depth + 1)


def _word(argument: Argument | None) -> str:
    found = re.fullmatch(r"[\"'`]([\w.:/-]+)[\"'`]", argument.text) if argument is not None else None
    return found[1] if found is not None else ""


__all__ = ["ENTRY", "LINKED", "PAGE", "page_rows"]
