"""Which of several definitions for different platforms a file sees.

In: a file and definitions. Out: those for the file's own platform, and those for all. What is only declared for all
platforms, and defined for each, counts where nothing else does: common code knows no more than the declaration.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rpg.encoder.facts import PROMISED
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL, Owner
from rpg.encoder.resolve.values.values import CLASS, FILE, INST, KIND, SYMBOL, Value, Values
from rpg.graph import CLASS_KINDS

if TYPE_CHECKING:
    from rpg.encoder.resolve.program.program import Program
    from rpg.encoder.resolve.program.source_file import SourceFile


def filter_by_platform(program: Program, file: SourceFile, definitions: list[Owner]) -> list[Owner]:
    """The definitions that code for a file's platform means, where several of one name are for different ones."""
    platforms = {each: program.files[each[OWNER_FILE]].platform for each in definitions}
    if len(set(platforms.values())) < 2:
        return definitions
    own = file.platform
    by_name: dict[tuple[str, str], list[Owner]] = {}
    for each in definitions:
        here = program.definition(*each)
        by_name.setdefault((here.qualified_name, here.owner), []).append(each)
    kept: set[Owner] = set()
    for group in by_name.values():
        common = [each for each in group if not platforms[each]]
        fitting = [each for each in group if platforms[each] == own] if own else common
        if own and fitting:
            fitting += [each for each in common if not is_promised(program, each)]
        kept.update(fitting or common or group)
    return [each for each in definitions if each in kept]


def prefer_defined(program: Program, file: SourceFile, values: Values) -> Values:
    """Values that are asked for a member: of a class that is only declared for all platforms, the one that is defined
    for the file's own."""
    own = file.platform
    return tuple(_defined_for(program, own, value) for value in values) if own else values


def _defined_for(program: Program, platform: str, value: Value) -> Value:
    if value[KIND] not in (INST, CLASS):
        return value
    owner: Owner = value[FILE : SYMBOL + 1]
    if not is_promised(program, owner):
        return value
    key = (program.files[owner[OWNER_FILE]].facts.package, program.definition(*owner).qualified_name, platform)
    found = program.table("classes of platforms", _classes_of_platforms).get(key, ())
    return (value[KIND], *found[0], *value[SYMBOL + 1 :]) if len(found) == 1 else value


def _classes_of_platforms(file: SourceFile) -> Iterator[tuple[tuple[str, str, str], Owner]]:
    platform = file.platform
    for index, definition in enumerate(file.definitions) if platform else ():
        if definition.kind in CLASS_KINDS and PROMISED not in definition.flags:
            yield (file.facts.package, definition.qualified_name, platform), (file.index, index)


def are_one(program: Program, one: Owner, other: Owner) -> bool:
    """Whether two definitions are one, or what is declared for all platforms and what is defined for one."""
    if one == other:
        return True
    file, another = program.files[one[OWNER_FILE]], program.files[other[OWNER_FILE]]
    if file.rules.types_of_one_name != "platforms" or file.facts.package != another.facts.package:
        return False
    if program.definition(*one).qualified_name != program.definition(*other).qualified_name:
        return False
    return is_promised(program, one) or is_promised(program, other)


def is_promised(program: Program, definition: Owner) -> bool:
    """Whether a definition, or what it is written in, is only declared there."""
    file = program.files[definition[OWNER_FILE]]
    index = definition[OWNER_SYMBOL]
    while index > 0:
        each = file.definitions[index]
        if PROMISED in each.flags:
            return True
        index = each.parent
    return False
