"""Who takes messages, jobs and events in a file, by marks, calls, bases and literals.

In: a file (`Source`). Out: rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.frameworks.named.channels import channel_handlers
from rpg.encoder.frameworks.named.naming import (
    find_name,
    find_symbol_key,
    has_package,
    is_received,
    name_texts,
)
from rpg.encoder.frameworks.named.tables import (
    CALLING_WORDS,
    CALLINGS,
    DERIVINGS,
    LISTENER,
    LITERALS,
    MARKING_WORDS,
    MARKINGS,
    Calling,
    Marking,
)  # fmt: skip
from rpg.encoder.frameworks.rows import Handler
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import OF, SAID, Argument, Text, arguments_behind, pieces
from rpg.graph import CLASS_KINDS

_MARK: Final = re.compile(r"(?:@|\[|#\[)\s*([\w.]*?)(\w+)(?=\s*[\s(\]])")
_FIRST: Final = re.compile(
    r"\w+[^(\n]{0,60}\(\s*(?:(?:final|@\w+(?:\([^)]*\))?|\[\w+\])\s+)*([A-Z\\][\w.\\]*)(?:<[^>]*>)?\s+[$\w]"
)
"""The type of a function's first parameter, from its name on, where types stand in front."""
_FIRST_BEHIND: Final = re.compile(r"\w+\s*\(\s*(?:@\w+\s+)*\w+\s*:\s*([A-Z][\w.]*)")
_HEAD: Final = 600
"""The most characters of the head of a class."""


def handlers_of(source: Source) -> Iterator[Handler]:
    yield from _marked(source)
    yield from _registered(source)
    yield from _derived(source)
    yield from _listed_listeners(source)
    yield from channel_handlers(source)
    for row in LITERALS:
        if not row.is_sent and source.language in row.languages and has_package(source, row.packages):
            for text, maker, at in literal_names(source, row.pattern, row.keywords):
                yield Handler(row.library, row.space, text, source.symbol(maker), source.line(at))


def _marked(source: Source) -> Iterator[Handler]:
    for row, number, at in marks_of(source):
        if not row.sends:
            yield from _of_mark(source, row, number, at)


def marks_of(source: Source) -> Iterator[tuple[Marking, int, int]]:
    """Annotations of the table, with what they mark and where they stand."""
    words = MARKING_WORDS.get(source.language, frozenset())
    rows = [each for each in MARKINGS if source.language in each.languages]
    if not rows or not any(word in source.text for word in words):
        return
    definitions = source.facts.definitions
    marked = (*CLASS_KINDS, "function", "method", "field", "property")
    for number, definition in enumerate(definitions):
        if not number or definition.kind not in marked:
            continue
        for mark in _MARK.finditer(source.text, definition.start_byte, definition.name_byte):
            if mark[2] not in words or source.is_comment(mark.start(2)):
                continue
            for row in rows:
                if (
                    mark[2] in row.words
                    and (row.sends or definition.kind not in ("field", "property"))
                    and re.search(row.heads, mark[1])
                    and has_package(source, row.packages)
                    and _is_of_class(source, row, number)
                ):
                    yield row, number, mark.start(2)


def _is_of_class(source: Source, row: Marking, number: int) -> bool:
    if not row.of_class:
        return True
    owner = source.facts.definitions[max(source.facts.definitions[number].parent, 0)]
    return re.search(rf"@{row.of_class}\b", source.text[owner.start_byte : owner.name_byte]) is not None


def names_of_mark(source: Source, row: Marking, at: int) -> Iterator[Text]:
    """The names that the arguments of an annotation say."""
    arguments = arguments_behind(source.text, at)
    stated = [each for each in arguments if each.keyword in row.keywords] or [
        each for each in arguments if not each.keyword
    ]
    for each in stated[: 1 if source.language in ("typescript", "javascript") else None]:
        yield from name_texts(source, each, row.keywords, 0)


def _of_mark(source: Source, row: Marking, number: int, at: int) -> Iterator[Handler]:
    definition = source.facts.definitions[number]
    taking = number
    if definition.kind in CLASS_KINDS:
        taking = _method(source, number, row.method) if row.method else -1
        if taking < 0:
            return
    handler, line = source.symbol(taking), definition.start_line
    arguments = arguments_behind(source.text, at)
    named = next((each for each in arguments if each.keyword in row.keywords and each.keyword), None)
    if row.by == "own":
        yield Handler(row.library, row.space, ((OF, handler),), handler, line)
        if named is not None:
            yield Handler(row.library, row.space, source.said(named.start, named.text, 0), handler, line)
            return
        parts = source.path.removesuffix(".py").removesuffix("/__init__").split("/")
        for first in range(len(parts)):
            name = ".".join([*parts[first:], definition.name])
            yield Handler(row.library, row.space, ((SAID, name),), handler, line)
    elif row.by == "parameter":
        stated = [each for each in arguments if each.text.endswith(".class")]
        if stated:
            for each in stated:
                if key := find_symbol_key(source, each.start):
                    yield Handler(row.library, row.space, key, handler, line)
        elif key := _first_parameter(source, taking):
            yield Handler(row.library, row.space, key, handler, line)
    elif row.by == "symbol":
        for each in arguments:
            if not each.keyword:
                for item in _listed(each, source):
                    if key := find_symbol_key(source, item.start):
                        yield Handler(row.library, row.space, key, handler, line)
    else:
        for text in names_of_mark(source, row, at):
            yield Handler(row.library, row.space, text, handler, line)


def _listed(argument: Argument, source: Source) -> list[Argument]:
    if argument.text[:1] in ("[", "{", "("):
        return list(pieces(source.text, argument.start + 1, argument.start + len(argument.text)))
    return [argument]


def _method(source: Source, owner: int, names: tuple[str, ...]) -> int:
    for number, each in enumerate(source.facts.definitions):
        if each.parent == owner and each.name in names and each.kind in ("method", "function"):
            return number
    return -1


def _first_parameter(source: Source, number: int) -> Text:
    definition = source.facts.definitions[number]
    head = source.text[definition.name_byte : definition.name_byte + _HEAD]
    found = _FIRST.match(head) or _FIRST_BEHIND.match(head)
    return find_symbol_key(source, definition.name_byte + found.start(1)) if found else ()


def _registered(source: Source) -> Iterator[Handler]:
    words = CALLING_WORDS.get(source.language, frozenset())
    rows = [each for each in CALLINGS if source.language in each.languages]
    for call, maker, _, name in source.named_calls if rows and not words.isdisjoint(source.called_names) else ():
        if name not in words or call in source.decorated:
            continue
        for row in rows:
            if name in row.members and has_package(source, row.packages) and is_received(source, call, row.receivers):
                yield from _of_call(source, row, call, maker)


def _of_call(source: Source, row: Calling, call: int, maker: int) -> Iterator[Handler]:
    arguments = source.arguments(call)
    plain = [each for each in arguments if not each.keyword]
    handled = next((each for each in arguments if each.keyword in row.handler_keywords and each.keyword), None)
    if handled is None and 0 <= row.handler < len(plain):
        handled = plain[row.handler]
    elif handled is None and row.handler == -2 and plain:
        handled = plain[-1]
    elif handled is None and row.handler >= 0 and row.by == "symbol":
        return
    handler = source.symbol(maker)
    if handled is not None:
        target = _target(source, handled)
        if row.by == "symbol" and not target:
            return
        handler = target or handler
    line = source.line(source.code[source.code[call + op.CALLEE] + op.BYTE])
    for text, _ in find_name(source, row.by, call, row.position, row.keywords, arguments, maker):
        yield Handler(row.library, row.space, text, handler, line)


def _target(source: Source, argument: Argument) -> str:
    """The function that an argument names; empty for one that is written there."""
    found = re.match(r"[&*]?(?:[\w$]+(?:\.|->|::))*([\w$]+)(?:\.bind\(this\)|::class)?$", argument.text)
    return source.target_at(argument.start + found.start(1)) if found else ""


def _derived(source: Source) -> Iterator[Handler]:
    rows = [each for each in DERIVINGS if source.language in each.languages]
    for number, definition in enumerate(source.facts.definitions) if rows else ():
        if definition.kind not in CLASS_KINDS:
            continue
        start = definition.name_byte
        brace = source.text.find("{", start, min(definition.end_byte, start + _HEAD))
        head = source.text[start : brace if brace >= 0 else start + _HEAD]
        for row in rows:
            for found in row.pattern.finditer(head):
                if found.groups():
                    key = find_symbol_key(source, start + found.start(1))
                    for taking in _takes(source, number, row.methods, found[1]) if key else ():
                        yield Handler(row.library, row.space, key, source.symbol(taking), definition.start_line)
                    continue
                taking = _method(source, number, row.methods)
                if taking >= 0:
                    handler = source.symbol(taking)
                    yield Handler(
                        row.library, row.space, ((OF, source.symbol(number)),), handler, definition.start_line
                    )
                    if key := _first_parameter(source, taking):
                        yield Handler(row.library, row.space, key, handler, definition.start_line)
                break


_CLASS: Final = re.compile(r"([\\\w]+)::class")
_LISTENED: Final = re.compile(r"([\\\w]+)::class\s*=>\s*\[")


def _listed_listeners(source: Source) -> Iterator[Handler]:
    """Laravel's `$listen`: events with the classes that listen."""
    if source.language != "php" or "$listen" not in source.text:
        return
    for found in _LISTENED.finditer(source.text, source.text.index("$listen")):
        key = find_symbol_key(source, found.start(1))
        for each in _CLASS.finditer(source.text, found.end(), source.text.find("]", found.end())) if key else ():
            if not source.is_comment(each.start()) and (listener := find_symbol_key(source, each.start(1))):
                yield Handler("Laravel", LISTENER, key, listener[0][1], source.line(each.start()))


def _takes(source: Source, owner: int, names: tuple[str, ...], type: str) -> list[int]:
    """The methods of a class that take a type; one that does not say it, if there is only that."""
    every = [
        number
        for number, each in enumerate(source.facts.definitions)
        if each.parent == owner and each.name in names and each.kind in ("method", "function")
    ]
    exact = [
        number
        for number in every
        if re.search(
            rf"\b{re.escape(type)}\b", source.text[(at := source.facts.definitions[number].name_byte) : at + 200]
        )
    ]
    return exact[:1] or every[:1]


def literal_names(
    source: Source, pattern: re.Pattern[str], keywords: tuple[str, ...]
) -> Iterator[tuple[Text, int, int]]:
    """What the fields of literals of structures say, with the definition around and the place."""
    for found in pattern.finditer(source.text):
        if source.is_comment(found.start()):
            continue
        for each in pieces(source.text, found.end(), len(source.text)):
            if each.keyword in keywords:
                maker = _around(source, found.start())
                if each.text[:1] == "&":
                    each = each._replace(text=each.text[1:], start=each.start + 1)
                for text in name_texts(source, each._replace(keyword=""), (), maker):
                    yield text, maker, each.start


def _around(source: Source, byte: int) -> int:
    """The innermost function around a place."""
    found = 0
    for number, each in enumerate(source.facts.definitions):
        if each.kind in ("function", "method") and each.start_byte <= byte < each.end_byte:
            found = number
    return found
