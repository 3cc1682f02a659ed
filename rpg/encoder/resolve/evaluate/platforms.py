"""Which of several definitions for different platforms a file sees.

In: a file and definitions. Out: those for the file's own platform, and those for all. What is only declared for all
platforms, and defined for each, counts where nothing else does: common code knows no more than the declaration.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpg.encoder.facts import PROMISED
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL, Owner

if TYPE_CHECKING:
    from rpg.encoder.resolve.program.program import Program
    from rpg.encoder.resolve.program.source_file import SourceFile


def on_platform(program: Program, file: SourceFile, definitions: list[Owner]) -> list[Owner]:
    """The definitions that code for a file's platform means, where several of one name are for different ones."""
    platform_of = file.rules.platform
    platforms = {each: platform_of(program.files[each[OWNER_FILE]].path) for each in definitions}
    if len(set(platforms.values())) < 2:
        return definitions
    own = platform_of(file.path)
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
