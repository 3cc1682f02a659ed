"""Which words a file must have to see what changed in another one.

In: what a file contained before and after. Out: names of symbols that came, went or look different from outside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rpg.encoder.facts import ANONYMOUS, Definition, FileFacts, spelled
from rpg.encoder.languages import BY_NAME
from rpg.encoder.operations import IMPORT, IMPORTED


def changed_words(before: FileFacts | None, after: FileFacts | None) -> set[str]:
    found: set[str] = set()
    was, now = look_of(before), look_of(after)
    for key, looks in was.items():
        if now.get(key) != looks:
            around, _, name = key.rpartition(".")
            found.add(name)
            if before is not None and name in _constructors(before):
                found.add(around.rpartition(".")[2])
    if before is not None and after is not None:
        found |= set(_bound(before)) - set(_bound(after))
        found |= set(_exported(before)) - set(_exported(after))
    elif before is not None:
        found |= set(_bound(before))
    return {spelled(each) for each in found if each}


def look_of(facts: FileFacts | None) -> dict[str, list[tuple[object, ...]]]:
    """What others see of each symbol, by its name in the file."""
    found: dict[str, list[tuple[object, ...]]] = {}
    for index, each in enumerate(facts.definitions if facts is not None else ()):
        if index and ANONYMOUS not in each.flags:
            found.setdefault(each.qualified_name, []).append(_look(each))
    return found


def _look(each: Definition) -> tuple[object, ...]:
    return each.kind, each.signature, each.exported, each.modifiers, each.flags, each.decorators, each.returns


def _constructors(facts: FileFacts) -> frozenset[str]:
    """Names of methods that run where their class is named."""
    rules = BY_NAME[facts.language].rules
    return frozenset({rules.constructor, rules.maker} - {""})


def _bound(facts: FileFacts) -> Iterator[str]:
    """The names that imports bind in the module."""
    for row in facts.bindings:
        if row.scope == 0 and facts.code[row.value] in (IMPORT, IMPORTED):
            yield row.name


def _exported(facts: FileFacts) -> Iterable[str]:
    names = facts.exports.get("names")
    yield from names if names is not None else ()
    yield from facts.exports.get("all", ())
