"""Types that are lists of strings, and functions whose parameters have such a type (TypeScript).

In: what files contain before and after, and the files that have some words. Out: the names of the types that lost a
string, and those of the functions that take them: where these are called, a string may not fit any more. The same of
types whose literals need another member.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from typing import Final

from rpg.encoder.facts import Definition
from rpg.encoder.languages import BY_NAME
from rpg.encoder.resolve.breakage.types.literal_types import listed_strings
from rpg.encoder.resolve.breakage.worlds import Contents, Saved
from rpg.graph import CLASS_KINDS

_ALIAS: Final = re.compile(r"\btype\s+\w+\s*=(.*)\Z", re.DOTALL)
_FUNCTIONS: Final = frozenset({"function", "method"})


def find_shorter_lists(before: Mapping[str, Contents | None], after: Mapping[str, Contents | None]) -> set[str]:
    """Both by path: what files contain."""
    found: set[str] = set()
    for path, old in before.items():
        new = after.get(path)
        if old is None or new is None or BY_NAME[old.facts.language].rules.types.in_strings:
            continue
        has = {name: set(strings) for name, strings in _lists(new)}
        found |= {name for name, strings in _lists(old) if name in has and not strings <= has[name]}
    return found


def find_typed_by(types: Set[str], paths: Iterable[str], saved: Saved) -> set[str]:
    """The functions that have one of these types in their signatures."""
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, types))})\b")
    found: set[str] = set()
    for path in paths:
        facts = saved.facts(path)
        for each in facts.definitions:
            if each.kind in _FUNCTIONS and pattern.search(each.signature):
                is_constructor = each.name == BY_NAME[facts.language].rules.constructor
                found.add(facts.definitions[each.parent].name if is_constructor else each.name)
    return found


def find_grown_types(before: Mapping[str, Contents | None], after: Mapping[str, Contents | None]) -> set[str]:
    """The types of which an object must have another member now, where it is written as a literal."""
    found: set[str] = set()
    for path, old in before.items():
        new = after.get(path)
        if old is None or new is None or BY_NAME[old.facts.language].rules.literals_need != "all members":
            continue
        had = {each.qualified_name: each.signature for each in old.facts.definitions}
        owners = {each.qualified_name: each for each in new.facts.definitions if each.kind in CLASS_KINDS}
        for each in new.facts.definitions:
            owner = owners.get(each.qualified_name.rpartition(".")[0])
            if owner is None or owner.qualified_name not in had or had.get(each.qualified_name) == each.signature:
                continue
            if owner.kind != "class" or BY_NAME[new.facts.language].rules.is_written_as_literal(owner.signature):
                found.add(owner.name)
    return found


def strings_of(source: bytes, definition: Definition) -> str:
    """The list that a type is; empty if it is none."""
    text = source[definition.start_byte : definition.end_byte].decode("latin-1")
    alias = _ALIAS.search(text)
    return alias[1].strip() if alias is not None and listed_strings(alias[1]) else ""


def _lists(contents: Contents) -> Iterable[tuple[str, frozenset[str]]]:
    for each in contents.facts.definitions:
        if each.kind == "type" and (listed := strings_of(contents.source, each)):
            yield each.name, listed_strings(listed)
