"""Routes that annotations state: Spring, JAX-RS, Micronaut, NestJS, ASP.NET.

In: the files that import one of these. Out: entries: the path on the class, then that on the method. The arguments of
annotations are read as the source writes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import line_and_column
from rpg.encoder.frameworks.http.annotations import SERVED, Annotated
from rpg.encoder.frameworks.http.servers import ANY
from rpg.graph import CLASS_KINDS
from rpg.queries.inventories.code_file import CodeFile, label
from rpg.queries.inventories.entry import Entry
from rpg.queries.inventories.reading import Code
from rpg.queries.inventories.routes.route_entry import route_entry
from rpg.queries.inventories.routes.routers import join_paths
from rpg.queries.inventories.source_text import COMPUTED, Argument, arguments, evaluate_string, items

_MARK = re.compile(r"(?:@|\[|(?<=\]),|(?<=\)),)\s*(?:[\w.]+[.])?([A-Z]\w*)")


class Annotation(NamedTuple):
    name: str
    arguments: list[Argument]
    byte: int
    file: CodeFile


def find_annotated_routes(code: Code, frameworks: tuple[Annotated, ...] = SERVED) -> list[Entry]:
    out: list[Entry] = []
    for framework in frameworks:
        for file in code.files_that_import(*framework.packages):
            out += _of_file(code, file, framework)
    return out


def _of_file(code: Code, file: CodeFile, framework: Annotated) -> Iterator[Entry]:
    known = framework.paths | framework.verbs.keys() | framework.classes | framework.not_on
    for number, definition in enumerate(file.facts.definitions):
        if definition.kind not in CLASS_KINDS:
            continue
        on_class = annotations_of(file, number, known)
        names = {each.name for each in on_class}
        if names & framework.not_on or (framework.classes and not names & framework.classes):
            continue
        above = [path for each in on_class if each.name in framework.paths for path in _paths(code, each, framework)]
        for inner, method in enumerate(file.facts.definitions):
            if method.parent != number or method.kind not in ("method", "function"):
                continue
            found = annotations_of(file, inner, known)
            verbs = [each for each in found if each.name in framework.verbs]
            if not verbs:
                continue
            paths = [path for each in found for path in _paths(code, each, framework)]
            methods = " ".join(_methods(each, framework) for each in verbs)
            for prefix in above or [""]:
                for path in paths or [""]:
                    whole = join_paths(prefix, path) if not path.startswith("~/") else path[1:]
                    whole = _fill_in_names(whole, definition.name, method.name)
                    whole = whole if whole.startswith(("/", COMPUTED)) else f"/{whole}"
                    line = file.line_of(verbs[0].byte)
                    yield route_entry(file, line, framework.name, methods, whole, label(file, inner))


def annotations_of(
    file: CodeFile, number: int, known: frozenset[str], *, and_parameters: bool = False
) -> list[Annotation]:
    """The annotations of these names before a definition, or also on its parameters."""
    definition = file.facts.definitions[number]
    head = head_of(file, number, and_parameters=and_parameters)
    found = []
    for match in _MARK.finditer(head):
        name = match[1] if match[1] in known else match[1].removesuffix("Attribute")
        if name in known:
            byte = definition.start_byte + len(head[: match.start(1)].encode())
            mark_arguments = [
                each._replace(start=definition.start_byte + len(head[: each.start].encode()))
                for each in arguments(head, match.start(1))
            ]
            found.append(Annotation(name, mark_arguments, byte, file))
    return found


def head_of(file: CodeFile, number: int, *, and_parameters: bool) -> str:
    """The text before a definition's name, or before its body, with blanks in place of comments."""
    definition = file.facts.definitions[number]
    first, last = definition.start_byte, definition.name_byte
    if and_parameters and definition.kind not in CLASS_KINDS:
        body = file.source.find(b"{", last, definition.end_byte)
        last = body if body >= 0 else definition.end_byte
    text = bytearray(file.source[first:last])
    for start, end in file.facts.comments:
        if start < last and end > first:
            begin, stop = max(start, first) - first, min(end, last) - first
            text[begin:stop] = b" " * (stop - begin)
    return text.decode("utf-8", "replace")


def _paths(code: Code, annotation: Annotation, framework: Annotated) -> list[str]:
    return [
        _path_text(code, annotation.file, item)
        for each in annotation.arguments
        if each.keyword in framework.keywords or not each.keyword
        for item in items(each)
        if item.keyword in framework.keywords or not item.keyword
    ][: None if framework.name != "ASP.NET" else 1]


def _path_text(code: Code, file: CodeFile, item: Argument) -> str:
    def meaning(name: str, at: int) -> str:
        start = item.start + len(item.text[:at].encode()) + len(name.rpartition(".")[0]) + ("." in name)
        read = file.read_at.get(start)
        if read is None:
            return ""
        target = file.targets.get(line_and_column(file.facts, file.code[read + op.BYTE]))
        other = code.file(target[0]) if target else None
        return _constant(other, other.by_name.get(target[1], -1)) if other and target else ""

    return evaluate_string(item.text, meaning)


_STATED = re.compile(r"[=]\s*(\"(?:[^\"\\]|\\.)*\")")


def _constant(file: CodeFile, number: int) -> str:
    """The text that a constant is declared to be."""
    if number < 0:
        return ""
    definition = file.facts.definitions[number]
    text = file.source[definition.name_byte : definition.end_byte].decode("utf-8", "replace")
    match = _STATED.search(text)
    return evaluate_string(match[1]) if match else ""


def _methods(annotation: Annotation, framework: Annotated) -> str:
    verb = framework.verbs[annotation.name]
    if verb:
        return verb
    named = [
        item.text.rpartition(".")[2]
        for each in annotation.arguments
        if each.keyword == framework.methods
        for item in items(each)
    ]
    return " ".join(named) or ANY


def _fill_in_names(path: str, of_class: str, of_method: str) -> str:
    """Replaces ASP.NET's placeholders for the names of class and method."""
    return path.replace("[controller]", of_class.removesuffix("Controller")).replace("[action]", of_method)
