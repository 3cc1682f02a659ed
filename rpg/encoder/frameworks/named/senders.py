"""Who sends messages, jobs and events in a file.

In: a file (`Source`). Out: rows, also of those whose name is put together while the program runs; and what queues are
named that constants and fields hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.frameworks.http.requests import is_test
from rpg.encoder.frameworks.named.channels import channel_senders
from rpg.encoder.frameworks.named.handlers import literal_names, marks_of, names_of_mark
from rpg.encoder.frameworks.named.naming import find_name, has_package, is_received
from rpg.encoder.frameworks.named.tables import EVENT_BUS, LITERALS, MADE, SENDING_WORDS, SENDINGS, Sending
from rpg.encoder.frameworks.rows import Sender
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import HOLE, OF, SAID, Text
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS

_AROUND: Final = frozenset(FUNCTION_KINDS | CLASS_KINDS)
_MADE: Final = re.compile(r"\bnew\s+(?:\w+\.)*(?P<name>\w+(?:Event|Message|Command))\b")
_MADE_BY_JAVA: Final = re.compile(r"\bnew\s+(?:\w+\.)*(?P<name>[A-Z]\w*(?:Event|Message|Command|[a-z]ed))\s*[(<]")
_JVM: Final = frozenset(("java", "kotlin", "groovy"))
_VALUE: Final = re.compile(r"@Value\(\s*(?:value\s*=\s*)?\"\\?\$\{([\w.-]+)(?::[^}\"]*)?\}\"")
_QUEUE: Final = re.compile(r"(?:^|[./])(?:Queue|Bull|bull)\(\)$")


def senders_of(source: Source) -> Iterator[Sender]:
    words = SENDING_WORDS.get(source.language, frozenset())
    rows = [each for each in SENDINGS if source.language in each.languages]
    for call, maker, _, name in source.named_calls if rows and not words.isdisjoint(source.called_names) else ():
        if name not in words or call in source.decorated:
            continue
        for row in rows:
            if name in row.members and has_package(source, row.packages) and is_received(source, call, row.receivers):
                yield from _of_call(source, row, call, maker)
    for mark, number, at in marks_of(source):
        if mark.sends:
            for text in names_of_mark(source, mark, at):
                yield Sender(mark.library, mark.space, text, source.symbol(number), source.place(at), False)
    yield from _made(source)
    yield from channel_senders(source)
    for each in LITERALS:
        if each.is_sent and source.language in each.languages and has_package(source, each.packages):
            for text, maker, at in literal_names(source, each.pattern, each.keywords):
                yield Sender(each.library, each.space, text, source.symbol(maker), source.place(at), False)


def _made(source: Source) -> Iterator[Sender]:
    """Messages of .NET and of the JVM that are made and sent elsewhere, from an outbox say."""
    if source.language not in ("csharp", "java"):
        return
    pattern = _MADE if source.language == "csharp" else _MADE_BY_JAVA
    for found in pattern.finditer(source.text):
        target = source.target_at(found.start("name"))
        if target and not source.is_comment(found.start()):
            maker = max(source.innermost(found.start(), _AROUND), 0)
            site = source.place(found.start("name"))
            yield Sender(
                EVENT_BUS, MADE, ((OF, target.partition("(")[0]),), source.symbol(maker), site, is_test(source, maker)
            )


def _of_call(source: Source, row: Sending, call: int, maker: int) -> Iterator[Sender]:
    arguments = source.arguments(call)
    if (
        row.by == "text"
        and sum(not each.keyword for each in arguments) < row.least
        and not any(each.keyword in row.keywords for each in arguments)
    ):
        return
    for text, at in find_name(source, row.by, call, row.position, row.keywords, arguments, maker):
        said = _injected(source, text, maker) if row.by == "text" else text
        yield Sender(row.library, row.space, said, source.symbol(maker), source.place(at), is_test(source, maker))


def _injected(source: Source, text: Text, maker: int) -> Text:
    """Of a field of Spring that has a value of the program's configuration: its key, as listeners write it."""
    if source.language not in _JVM or len(text) != 1 or text[0][0] != HOLE:
        return text
    number = source.constant_named(text[0][1].removeprefix("this."), maker)
    if number < 0:
        return text
    definition = source.facts.definitions[number]
    found = _VALUE.search(source.text, definition.start_byte, definition.name_byte)
    return ((SAID, f"${{{found[1]}}}"),) if found is not None else text


def queues_of(source: Source) -> Iterator[tuple[str, Text]]:
    """The names of the queues that constants and fields hold."""
    if source.language not in SENDING_WORDS or "Queue" not in source.text:
        return
    for number, definition in enumerate(source.facts.definitions):
        if definition.kind not in ("constant", "field"):
            continue
        owner = max(definition.parent, 0)
        bound = source.bound(max(source.facts.definitions[owner].scope, 0), definition.name, -1)
        origin = source.origin(bound) if bound else 0
        if origin and source.code[origin] == op.CALL and any(_QUEUE.search(each) for each in source.names(origin)):
            first = next((each for each in source.arguments(origin) if not each.keyword), None)
            if first is not None:
                yield source.symbol(number), source.said(first.start, first.text, 0)
            continue
        injected = re.search(r"@InjectQueue\(\s*", source.text[definition.start_byte : definition.name_byte])
        if injected is not None:
            at = definition.start_byte + injected.end()
            end = source.text.find(")", at)
            yield source.symbol(number), source.said(at, source.text[at:end], 0)
