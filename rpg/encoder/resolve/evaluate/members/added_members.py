"""Members that a repository adds to types of a library: `declare module "lib" { interface Request { user: User } }`.

In: a value of a library that has such a member from nowhere else, and its name. Out: the added members, and how sure it
is that they are meant: the value is of that type of that module; of a type of the same name; of an unknown type.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from rpg.encoder.facts import AMBIENT
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL, Owner
from rpg.encoder.resolve.values.values import EXTERNAL, KIND, OWN_NAME, Value

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.program.source_file import SourceFile

_TABLE: Final = "members added to libraries"


class Added(NamedTuple):
    members: tuple[Owner, ...]
    is_of_module: bool


class AddedMembers:
    def __init__(self, evaluator: Context) -> None:
        self.evaluator = evaluator
        self.program = evaluator.program

    def of(self, file: SourceFile, value: Value, name: str) -> Added | None:
        """The members of that name which a value may have; None if nothing adds one."""
        if value[KIND] != EXTERNAL or file.rules.types_of_one_name != "spaces":
            return None
        found = self.program.table(_TABLE, _added_by).get(name)
        if not found:
            return None
        of_type: str = value[OWN_NAME]
        if not of_type.endswith("()") or "(" in of_type[:-2]:
            return Added((), False)
        module, _, type_name = of_type[:-2].rpartition(".")
        named = [each for each in found if self.around(each)[1] == type_name]
        if not named:
            return None
        exact = [each for each in named if self.around(each)[0] == module]
        return Added(tuple(exact or named), bool(exact))

    def around(self, member: Owner) -> tuple[str, str]:
        """The module and the name of the type that gets a member."""
        file = self.program.files[member[OWNER_FILE]]
        of_type = file.definitions[file.definitions[member[OWNER_SYMBOL]].parent]
        return file.definitions[of_type.parent].name, of_type.name


def _added_by(file: SourceFile) -> Iterator[tuple[str, Owner]]:
    definitions = file.definitions
    if not any(AMBIENT in each.flags for each in definitions):
        return
    for index, each in enumerate(definitions):
        around = definitions[each.parent] if each.parent > 0 else None
        if around is not None and around.kind == "interface" and AMBIENT in definitions[max(around.parent, 0)].flags:
            yield each.name, (file.index, index)
