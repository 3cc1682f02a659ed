"""Which words a file must have to see what changed in another one.

In: what a file contained before and after. Out: names of symbols that came, went or look different from outside.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import ANONYMOUS, Definition, FileFacts, strip_marks
from rpg.encoder.languages import BY_NAME
from rpg.encoder.resolve.breakage.access.shown import find_shown_words, is_fixed
from rpg.encoder.resolve.breakage.given.types_said import count_returned
from rpg.encoder.resolve.breakage.worlds import Contents
from rpg.graph import CLASS_KINDS

_CALLABLE: Final = re.compile(rb"([A-Za-z_]\w*)\s*\(")
_CONTRACTS: Final = frozenset({"interface", "trait"})
_MOST_MEMBERS = 60
"""The most members of an enum that are looked for each."""


def find_changed_words(before: FileFacts | None, after: FileFacts | None) -> set[str]:
    found: set[str] = set()
    was, now = look_of(before), look_of(after)
    for key, looks in was.items():
        if now.get(key) != looks:
            around, _, name = key.rpartition(".")
            found.add(name)
            if before is not None and name in _constructors(before):
                found.add(around.rpartition(".")[2])
    for key, looks in (*was.items(), *now.items()):
        # Those that implement an interface have its name, and need not have that of a new member.
        if was.get(key) == now.get(key) or "." not in key:
            continue
        owner = key.rpartition(".")[0]
        is_of_contract = any(each.kind in _CONTRACTS for each in was.get(owner, ()))
        if is_of_contract or any(_is_promised(each) for each in looks):
            found.add(owner.rpartition(".")[2])
    if before is not None and after is not None:
        found |= _sealed(before, after, was)
        found |= _made_by_fields(before, was, now) | _declared_otherwise(before, after)
        found |= _fixed(before, after)
        found |= set(_bound(before)) - set(_bound(after))
        found |= set(_exported(before)) - set(_exported(after))
    elif before is not None:
        found |= set(_bound(before))
    return {strip_marks(each) for each in found if each}


def find_words_of_text(before: FileFacts, was: bytes, after: FileFacts, now: bytes) -> set[str]:
    """The names of which the text says something else that the facts do not hold: those in front of parentheses in
    lines that changed, where not every declaration is a definition, and those that are seen or written otherwise."""
    found = find_shown_words(before, was, after, now)
    if BY_NAME[before.language].rules.owners == "beside":
        old, new = set(was.splitlines()), set(now.splitlines())
        found |= {name.decode() for line in old - new for name in _CALLABLE.findall(line)}
    return found


class Look(NamedTuple):
    """What others see of a symbol."""

    kind: str
    signature: str
    exported: bool
    modifiers: tuple[str, ...]
    flags: tuple[str, ...]
    decorators: tuple[str, ...]
    returns: str
    has_body: bool
    yields: bool
    parts: int
    """How many parts what it gives has, where it does not say so."""


def look_of(facts: FileFacts | None) -> dict[str, list[Look]]:
    """What others see of each symbol, by its name in the file."""
    found: dict[str, list[Look]] = {}
    if facts is None:
        return found
    for index, each in enumerate(facts.definitions):
        if index and ANONYMOUS not in each.flags:
            found.setdefault(each.qualified_name, []).append(_look(facts, each))
    return found


def _look(facts: FileFacts, each: Definition) -> Look:
    has_body = each.body_byte < each.end_byte
    return Look(
        each.kind, each.signature, each.exported, each.modifiers, each.flags, each.decorators, each.returns, has_body,
        bool(facts.yields.get(each.scope)), _count_parts(facts, each),
    )  # fmt: skip


def are_classes_alike(before: Mapping[str, Contents | None], after: Mapping[str, Contents | None]) -> bool:
    """Whether an edit left all classes with the members and the bases that they had, as others see them: it came with
    no file, took none away, changed no import and nothing but functions. `after`: of the same files."""
    for path, old in before.items():
        new = after.get(path)
        if old is None or new is None or old.facts.language != new.facts.language:
            return False
        if _passed_on(old.facts) != _passed_on(new.facts):
            return False
        was, now = look_of(old.facts), look_of(new.facts)
        for key in was.keys() | now.keys():
            had, has = was.get(key, []), now.get(key, [])
            if had != has and ("." in key or any(each.kind != "function" for each in (*had, *has))):
                return False
    return True


def _passed_on(facts: FileFacts) -> tuple[list[tuple[str, int, str, tuple[str, ...]]], set[str]]:
    """What a file imports and exports."""
    imported = [(each.module, each.level, each.kind, tuple(each.names)) for each in facts.imports]
    return sorted(imported), set(_exported(facts))


def _count_parts(facts: FileFacts, each: Definition) -> int:
    is_unsaid = each.kind in ("function", "method") and not each.returns
    return count_returned(facts, each) if is_unsaid and BY_NAME[facts.language].rules.awaiting == "strict" else -1


def _is_promised(each: Look) -> bool:
    """Whether a member is one that others must have."""
    return "abstract" in each.modifiers or (each.kind in ("method", "property") and not each.has_body)


def _made_by_fields(before: FileFacts, was: Mapping[str, list[Look]], now: Mapping[str, list[Look]]) -> set[str]:
    """The classes whose objects are made of their fields, and have others now."""
    found: set[str] = set()
    rules = BY_NAME[before.language].rules
    for each in before.definitions[1:]:
        name = each.qualified_name
        marks = rules.construction.marks
        is_keyed = rules.is_written_as_literal(each.signature) or (
            marks is not None and marks.say_of_base(each.signature)
        )
        is_made_so = each.kind != "class" or "dataclass" in each.flags or is_keyed
        if each.kind not in CLASS_KINDS or not is_made_so:
            continue
        fields = [
            {
                key: looks[0].signature
                for key, looks in of.items()
                if key.rpartition(".")[0] == name and looks[0].kind == "field"
            }
            for of in (was, now)
        ]
        if name in now and fields[0] != fields[1]:
            found.add(each.name)
            # A branch may name a member without its enum.
            if each.kind == "enum" and rules.branching is not None and len(fields[0]) <= _MOST_MEMBERS:
                found |= {key.rpartition(".")[2] for key in fields[0]}
    return found


def _sealed(before: FileFacts, after: FileFacts, was: Mapping[str, list[Look]]) -> set[str]:
    """The sealed classes of which there is another subclass now, with those that there were."""
    if BY_NAME[before.language].rules.branching is None:
        return set()
    added = {
        name
        for index, each in enumerate(after.definitions)
        if each.qualified_name not in was
        for name in _names_of_bases(after, index)
    }
    if not added:
        return set()
    beside = {
        each.name
        for index, each in enumerate(before.definitions)
        if not added.isdisjoint(_names_of_bases(before, index))
    }
    return added | (beside if len(beside) <= _MOST_MEMBERS else set())


def _fixed(before: FileFacts, after: FileFacts) -> set[str]:
    """The fields of classes whose objects are not written any more once they are made."""
    rules = BY_NAME[before.language].rules
    if rules.construction.marks is None:
        return set()
    had = {each.qualified_name for each in before.definitions if each.kind in CLASS_KINDS and is_fixed(each, rules)}
    fixed = [
        index
        for index, each in enumerate(after.definitions)
        if each.kind in CLASS_KINDS and is_fixed(each, rules) and each.qualified_name not in had
    ]
    return {each.name for each in after.definitions if each.parent in fixed and each.kind == "field"}


def _names_of_bases(facts: FileFacts, index: int) -> Iterator[str]:
    for _, e in facts.bases.get(index, ()):
        base = facts.code[e + op.CALLEE] if facts.code[e] == op.CALL else e
        if facts.code[base] in (op.NAME, op.ATTRIBUTE, op.PATH):
            yield strip_marks(facts.strings[op.find_name_word(facts.code, base)])


def _declared_otherwise(before: FileFacts, after: FileFacts) -> set[str]:
    """The classes whose text changed, where that alone says how their objects are made."""
    if BY_NAME[before.language].rules.owners != "beside":
        return set()
    hashes = {each.qualified_name: each.hash for each in after.definitions if each.kind in CLASS_KINDS}
    return {
        each.name
        for each in before.definitions
        if each.kind in CLASS_KINDS and hashes.get(each.qualified_name, each.hash) != each.hash
    }


def _constructors(facts: FileFacts) -> frozenset[str]:
    """Names of methods that run where their class is named."""
    rules = BY_NAME[facts.language].rules
    return frozenset({rules.constructor, rules.protocols.maker} - {""})


def _bound(facts: FileFacts) -> Iterator[str]:
    """The names that imports bind in the module."""
    for row in facts.bindings:
        if row.scope == 0 and facts.code[row.value] in (op.IMPORT, op.IMPORTED):
            yield row.name


def _exported(facts: FileFacts) -> Iterable[str]:
    names = facts.exports.get("names")
    yield from names if names is not None else ()
    yield from facts.exports.get("all", ())
