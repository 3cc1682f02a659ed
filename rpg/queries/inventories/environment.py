"""Variables of the environment, and settings, that code reads.

In: the files that mention a function or object that reads them. Out: an entry for each variable with every place; `…`
for those whose name is computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rpg.encoder import operations as op
from rpg.encoder.facts import KEY, ROLE, SITE_WORDS, WRITE
from rpg.encoder.languages import LANGUAGES
from rpg.encoder.languages.environment import FUNCTIONS, MAPPINGS, READ_BY, READERS
from rpg.graph import CLASS_KINDS
from rpg.queries.inventories.code_file import CodeFile, Value
from rpg.queries.inventories.entry import Entry
from rpg.queries.inventories.reading import Code
from rpg.queries.inventories.source_text import COMPUTED

PLACES = 200
"""The most places of one variable that are kept."""

LAST = frozenset(name.rpartition(".")[2] for name in FUNCTIONS)
SETTINGS = {"django.conf.settings": "django.conf.settings"}
"""Objects whose attributes are settings."""
VALUED = frozenset(language.name for language in LANGUAGES if language.tier == "resolved")
"""Languages whose facts include values."""
MENTIONED = ("environ", "getenv", "process.env", "import.meta.env", "Deno.env", "Getenv", "LookupEnv", "decouple",
        "django.conf", "BaseSettings")  # fmt: skip


def environment(code: Code) -> list[Entry]:
    found: dict[tuple[str, str], dict[str, bool]] = {}

    def add(name: str, reader: str, file: CodeFile, line: int) -> None:
        found.setdefault((name, reader), {})[f"{file.path}:{line}"] = file.test

    for file in code.files_containing(*MENTIONED, languages=VALUED):
        for name, reader, line in _read(code, file):
            add(name, reader, file, line)
    for row in READ_BY:
        for file in code.files_containing(row.text, languages=row.languages):
            for name, line in _by_text(file, row.pattern):
                add(name, row.by, file, line)
    return [
        Entry(
            name=name,
            by=reader,
            places=list(places)[:PLACES],
            more=max(0, len(places) - PLACES),
            computed=COMPUTED in name,
            test=all(places.values()),
        )
        for (name, reader), places in sorted(found.items(), key=lambda item: (item[0][0] == COMPUTED, item[0]))
    ]


def _read(code: Code, file: CodeFile) -> Iterator[tuple[str, str, int]]:
    sites, words = file.facts.sites, file.code
    for at in range(0, len(sites), SITE_WORDS):
        e = sites[at]
        operation = words[e]
        reader = ""
        if operation == op.SUBSCRIPT and sites[at + ROLE] not in (WRITE, KEY):
            reader, name = _find_mapping(code, file, words[e + op.HOLDER]), words[e + op.INDEX]
        elif operation == op.CALL:
            callee = words[e + op.CALLEE]
            values = [each.value for each in file.arguments(e) if not each.keyword]
            name = values[0] if values else 0
            if not values or words[callee] not in (op.ATTRIBUTE, op.PATH, op.NAME):
                continue
            if file.member(callee) in READERS and words[callee] != op.NAME:
                reader = _find_mapping(code, file, words[callee + op.HOLDER])
            reader = reader or _function(code, file, callee)
        elif operation == op.OPERATION and file.strings[words[e + op.WORD]] in ("in", "not in"):
            left, right = words[e + op.LEFT], words[e + op.RIGHT]
            reader = _find_mapping(code, file, left) if words[left] in (op.ATTRIBUTE, op.NAME) else ""
            name = right
        elif operation in (op.ATTRIBUTE, op.PATH) and sites[at + ROLE] != WRITE:
            mapping = _find_mapping(code, file, words[e + op.HOLDER])
            if mapping and mapping.endswith(".env"):
                yield file.member(e), mapping, file.line(e)
            elif file.member(e).isupper() and _is_setting(code, file, words[e + op.HOLDER]):
                yield file.member(e), "django.conf.settings", file.line(e)
            continue
        if reader and name:
            yield code.string_value(file, name), reader, file.line(e)
    yield from _list_declared(code, file)


def _find_mapping(code: Code, file: CodeFile, e: int) -> str:
    if file.code[e] not in (op.ATTRIBUTE, op.PATH, op.NAME) or "env" not in file.member(e):
        return ""
    return next((MAPPINGS[name] for name in code.names(code.value(file, e)) if name in MAPPINGS), "")


def _function(code: Code, file: CodeFile, callee: int) -> str:
    is_held = file.code[callee] != op.NAME and "env" in file.member(file.code[callee + op.HOLDER])
    if not (is_held or "env" in file.member(callee).lower() or file.member(callee) in LAST):
        return ""
    for name in code.names(code.value(file, callee)):
        if name in FUNCTIONS:
            return FUNCTIONS[name]
        if name.startswith("environ.Env()."):
            return "environ.Env"
    return ""


def _is_setting(code: Code, file: CodeFile, e: int) -> bool:
    return (
        file.code[e] in (op.NAME, op.ATTRIBUTE)
        and "settings" in file.member(e)
        and any(name in SETTINGS for name in code.names(code.value(file, e)))
    )


def _list_declared(code: Code, file: CodeFile) -> Iterator[tuple[str, str, int]]:
    """Fields of a class of pydantic's settings, each a variable of that name."""
    for number, definition in enumerate(file.facts.definitions):
        if definition.kind not in CLASS_KINDS or number not in file.facts.bases:
            continue
        names = code.names(Value(file, 0, number))
        if any(name.startswith("pydantic") and name.endswith(".BaseSettings") for name in names):
            for each in file.within(number):
                if each.kind in ("field", "constant") and each.name != "model_config" and each.name[0] != "_":
                    yield each.name, "BaseSettings", each.start_line


def is_in_comment(file: CodeFile, byte: int) -> bool:
    return any(start <= byte < end for start, end in file.facts.comments)


def _by_text(file: CodeFile, pattern: re.Pattern[str]) -> Iterator[tuple[str, int]]:
    text = file.source.decode("utf-8", "replace")
    is_plain = len(text) == len(file.source)
    for match in pattern.finditer(text):
        byte = match.start(1) if is_plain else len(text[: match.start(1)].encode())
        is_no_site = match[1] == "env" or match[0].startswith("@")  # of the language itself, or an annotation
        if byte in file.read_at or byte + 1 in file.read_at or (is_no_site and not is_in_comment(file, byte)):
            yield match[2], file.line_of(byte)
