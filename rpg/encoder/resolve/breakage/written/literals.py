"""Literals of objects that lack a field, or have another number of them, than their type says now.

In: a site that names a type, and the type before and after. Out: what does not fit, and the byte where.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION, CALLED, CREATED, READ
from rpg.encoder.resolve.breakage.sides import Site
from rpg.encoder.resolve.breakage.written.bare_text import find_end, split_at_commas
from rpg.encoder.resolve.program.source_file import SourceFile

_NAMED_FIELD: Final = re.compile(r"\s*(?:#\[[^\]]*\]\s*)*(?:ref\s+)?(?:mut\s+)?(\w+)\s*(?::(?!:)|\Z)")
_NAMED_START: Final = re.compile(r"\s*(?:::\s*<[^<>{}()]*>)?\s*([{(])")
_AFTER_PATTERN: Final = re.compile(r"\s*(?:=>|=(?!=)|\|(?!\|)|if\b)")
_KEYED: Final = re.compile(r"\s*\w+\s*:(?!=)")
_COUNTED_START: Final = re.compile(r"(?:\[[^\[\]{}]*\])?\{")
_ELEMENT: Final = re.compile(r"(?:[^{}]*?:)?\s*&?\{")
_ANNOTATED_START: Final = re.compile(r"\s*(?:<[^<>{}]*>)?\s*(\[\])?\s*=(?![=>])\s*([{\[])")
_KEY: Final = re.compile(r"""\s*(?:(?:get|async)\s+)?(?:(['"])([^'"\\]*)\1|([\w$]+))\s*(?=[:(<]|\Z)""")
_TYPE_OF_MEMBERS: Final = re.compile(r"(?:export\s+|declare\s+)*type\s+[\w$]+\s*(?:<[^<>{}]*>)?\s*=\s*\{")


class Misfit(NamedTuple):
    detail: str
    byte: int
    certain: bool = True


class Type(NamedTuple):
    """A type before or after."""

    file: SourceFile
    symbol: int


def find_misfit(
    text: str, source: bytes, new: SourceFile, now: Site, had: Type, has: Type, declared: str
) -> Misfit | None:
    """`text`: the bare text of the file of the site; `declared`: that of the type, of which it is a part."""
    needed = new.rules.literals_need
    begin = new.code[now.named + op.BYTE]
    at = begin + len(now.name)
    if text[begin:at] != now.name:
        return None
    if needed == "all fields by name":
        return _of_named(text, at, now, had, has, declared)
    if needed == "all fields if none is named":
        return _of_counted(text, begin, at, now, had, has)
    return _of_annotated(text, source, at, now, had, has, declared)


def fields_of(owner: Type) -> list[str]:
    return [
        each.name
        for each in owner.file.definitions
        if each.parent == owner.symbol and each.kind in ("field", "property", "method")
    ]


def _of_named(text: str, at: int, now: Site, had: Type, has: Type, declared: str) -> Misfit | None:
    start = _NAMED_START.match(text, at)
    end = find_end(text, start.start(1)) if start else -1
    if start is None or end < 0 or "cfg" in declared:
        return None
    if now.role not in (CREATED, READ, CALLED) and not _AFTER_PATTERN.match(text, end + 1):
        return None  # a type in front of a block
    parts = split_at_commas(text, start.end(), end)
    if start[1] == "(":
        return _of_tuple(text, now, parts, had, has)
    if now.role in (READ, CALLED):
        return None
    written = [_NAMED_FIELD.match(text[begin:stop]) for begin, stop in parts]
    if not all(written):
        return None  # `..` stands for the others
    names = {each[1] for each in written if each}
    lacks = [each for each in fields_of(has) if each not in names]
    if not lacks or not names.issuperset(fields_of(had)):
        return None
    return Misfit(f"needs {_list(lacks)}", at)


def _of_tuple(text: str, now: Site, parts: list[tuple[int, int]], had: Type, has: Type) -> Misfit | None:
    if any(text[begin:stop].strip() == ".." for begin, stop in parts):
        return None
    before, after = _count_parts(had), _count_parts(has)
    if before != len(parts) or after in (-1, before):
        return None
    return Misfit(f"has {after} part{'' if after == 1 else 's'} now, {len(parts)} written", -1)


def _count_parts(owner: Type) -> int:
    """How many parts a member of an enum has that are not named; -1 if it is none."""
    definition = owner.file.definitions[owner.symbol]
    if definition.kind != "field" or not definition.signature.startswith(f"{definition.name}("):
        return -1
    opening = len(definition.name)
    text = definition.signature.replace("<", "[").replace(">", "]")
    end = find_end(text, opening)
    return len(split_at_commas(text, opening + 1, end)) if end >= 0 and "->" not in definition.signature else -1


def _of_counted(text: str, begin: int, at: int, now: Site, had: Type, has: Type) -> Misfit | None:
    start = _COUNTED_START.match(text, at)
    if start is None or now.role not in (CREATED, ANNOTATION):
        return None
    had_count, has_count = _count(had), _count(has)
    if had_count == has_count:
        return None
    opening = start.end() - 1
    end = find_end(text, opening)
    if end < 0:
        return None
    places = [opening]
    if now.role == ANNOTATION:
        before = text[max(0, begin - 200) : begin]
        if not re.search(r"\]\s*\*?\s*(?:\w+\.)?\Z", before):
            return None
        elements = [_ELEMENT.match(text, *part) for part in split_at_commas(text, opening + 1, end)]
        places = [each.end() - 1 for each in elements if each]
    for place in places:
        end = find_end(text, place)
        parts = split_at_commas(text, place + 1, end) if end >= 0 else []
        is_keyed = any(_KEYED.match(text[part[0] : part[1]]) for part in parts)
        if not is_keyed and len(parts) == had_count:
            return Misfit(f"has {has_count} field{'' if has_count == 1 else 's'} now, {had_count} written", place)
    return None


def _count(owner: Type) -> int:
    fields = [
        each for each in owner.file.definitions if each.parent == owner.symbol and each.kind in ("field", "property")
    ]
    return len(fields) + len(owner.file.facts.bases.get(owner.symbol, ()))


def _of_annotated(text: str, source: bytes, at: int, now: Site, had: Type, has: Type, declared: str) -> Misfit | None:
    start = _ANNOTATED_START.match(text, at)
    if start is None or now.role != ANNOTATION or (start[2] == "[") != bool(start[1]):
        return None
    needed, needed_before = _needed(has, declared), _needed(had, declared)
    if needed is None or needed_before is None or set(needed) <= set(needed_before):
        return None
    opening = start.start(2)
    end = find_end(text, opening)
    if end < 0:
        return None
    places = [opening]
    if start[2] == "[":
        parts = split_at_commas(text, opening + 1, end)
        places = [begin + len(text[begin:stop]) - len(text[begin:stop].lstrip()) for begin, stop in parts]
    for place in places:
        if found := _lacking_at(text, source, place, needed, needed_before, has):
            return found
    return None


def find_lacking_argument(text: str, source: bytes, place: int, had: Type, has: Type, declared: str) -> Misfit | None:
    """The same for a literal that is passed where a parameter has the type; `place`: where it begins."""
    needed, needed_before = _needed(has, declared), _needed(had, declared)
    if needed is None or needed_before is None or set(needed) <= set(needed_before):
        return None
    return _lacking_at(text, source, place, needed, needed_before, has)


def _lacking_at(
    text: str, source: bytes, place: int, needed: list[str], needed_before: list[str], has: Type
) -> Misfit | None:
    end = find_end(text, place) if text[place] == "{" else -1
    parts = split_at_commas(text, place + 1, end) if end >= 0 else []
    written = [_KEY.match(source[begin:stop].decode("latin-1")) for begin, stop in parts]
    if end < 0 or not all(written):
        return None  # others are spread into it, or computed
    names = {each[2] or each[3] for each in written if each}
    lacks = [each for each in needed if each not in names]
    if not lacks or not names.issuperset(needed_before):
        return None
    return Misfit(f"needs {_list(lacks)}", place, has.file.rules.demands_members == "of classes")


def _needed(owner: Type, declared: str) -> list[str] | None:
    """The members that an object of a type must have; None if that cannot be told."""
    definition, rules = owner.file.definitions[owner.symbol], owner.file.rules
    if definition.kind == "type" and not _is_of_members(declared):
        return None
    is_keyed = definition.kind == "class" and rules.is_written_as_literal(definition.signature)
    if not is_keyed and definition.kind not in ("type", "interface"):
        return None
    return [
        each.name
        for each in owner.file.definitions
        if each.parent == owner.symbol
        and each.kind in ("field", "property", "method")
        and not rules.is_optional(each.name, each.signature)
    ]


def _is_of_members(declared: str) -> bool:
    """Whether a named type is one list of members, and not made of others."""
    start = _TYPE_OF_MEMBERS.match(declared)
    end = find_end(declared, start.end() - 1) if start else -1
    return end >= 0 and declared[end + 1 :].strip() in ("", ";")


def _list(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names[:5])
