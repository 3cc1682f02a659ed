"""Extension methods: functions of any class that are called as if they were members of their first parameter.

In: a value and the name of a member that its type lacks. Out: the methods that stand for it. Only those of packages
count that the calling file sees, as the language has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rpg.encoder.facts import EXTENSION
from rpg.encoder.languages.rules.attribute_types import ADDED_BY_NAME
from rpg.encoder.resolve.evaluate.calls.argument_fit import AT_LEAST, NEVER, is_of_everything, is_proven
from rpg.encoder.resolve.evaluate.lookup.package_names import family_of
from rpg.encoder.resolve.evaluate.lookup.platforms import filter_by_platform
from rpg.encoder.resolve.program.program import ANYWHERE
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL, Owner
from rpg.encoder.resolve.values.values import (
    BUILTIN,
    CLASS,
    CONTAINER,
    EXTERNAL,
    FILE,
    FUNC,
    INST,
    KIND,
    MODULE,
    NONE,
    OWN_NAME,
    PRIMITIVE,
    SYMBOL,
    VARIABLE,
    Value,
    Values,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.calls.argument_fit import ArgumentFit
    from rpg.encoder.resolve.evaluate.calls.arity import Arity
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.lookup.package_names import PackageNames
    from rpg.encoder.resolve.evaluate.types.annotations import Annotations
    from rpg.encoder.resolve.evaluate.types.classes import Classes
    from rpg.encoder.resolve.program.source_file import SourceFile


class Extensions:
    def __init__(
        self,
        evaluator: Context,
        package_names: PackageNames,
        annotations: Annotations,
        arity: Arity,
        argument_fit: ArgumentFit,
        classes: Classes,
    ) -> None:
        self.evaluator = evaluator
        self.package_names = package_names
        self.annotations = annotations
        self.arity = arity
        self.argument_fit = argument_fit
        self.classes = classes
        self.files = evaluator.files

    def of(self, file: SourceFile, value: Value, name: str, count: int) -> tuple[Owner, ...]:
        """The methods that a call of so many arguments means; -1: it is not known how many."""
        if file.rules.extensions in ADDED_BY_NAME:
            return self.find_outside_extensions(file, value, name)
        found = self.evaluator.program.table("extensions", _extensions_of).get(name)
        if not found or value == NONE or value[KIND] in (CLASS, FUNC) or self.is_of_library(file, value, name):
            return ()
        seen = self.package_names.seen_by(file)
        best = NEVER
        fitting: list[Owner] = []
        for each in found:
            here = self.files[each[OWNER_FILE]]
            if here.facts.language != file.facts.language or here.facts.package not in seen:
                continue
            needed, most = self.arity.numbers_taken(each)
            if count >= 0 and not needed <= count + 1 <= most:
                continue
            fit = self.fit(here, each, value)
            if not is_proven(fit) or fit < best:
                continue
            fitting = [*fitting, each] if fit == best else [each]
            best = fit
        return tuple(fitting)

    def find_outside_extensions(self, file: SourceFile, value: Value, name: str) -> tuple[Owner, ...]:
        """The members that a file sees and that are added by name to a type from outside the repository; those of its
        own types are their members, see member_lookup.py."""
        found = self.find_added_to(file, self.names_of_type(file, value), name)
        if not found and value[KIND] == PRIMITIVE:
            types, own = file.rules.types, value[OWN_NAME]
            found = self.find_added_to(file, (*types.supertypes.get(own, ()), *types.extended_as.get(own, ())), name)
        seen = filter_by_platform(self.evaluator.program, file, list(found))
        near = self.package_names.nearest(file, [each[OWNER_FILE] for each in seen])
        return tuple(each for each in seen if each[OWNER_FILE] in near)

    def find_added_to(self, file: SourceFile, type_names: tuple[str, ...], name: str) -> dict[Owner, None]:
        """The members of a name that a file sees and that are added to types of these names."""
        owned = self.evaluator.program.owned
        found = (each for type_name in type_names for each in owned.get((ANYWHERE, type_name, name), ()))
        return dict.fromkeys(each for each in found if self.is_seen(file, each, name))

    def choose_named(self, extending: tuple[Owner, ...], is_called: bool) -> tuple[Owner, ...]:
        """Of properties and functions of one name, those that a call or a mention without one means."""
        kind = self.evaluator.program.definition
        meant = tuple(each for each in extending if (kind(*each).kind == "method") == is_called)
        return meant or extending

    def names_of_type(self, file: SourceFile, value: Value) -> tuple[str, ...]:
        """The names of a value's type; only of exactly that type, as those above a library's are unknown."""
        kind: int = value[KIND]
        if kind == PRIMITIVE or (kind == BUILTIN and file.rules.extensions == "based"):
            return (value[OWN_NAME],)
        if kind == CONTAINER:
            containers = file.rules.types.containers
            return tuple(each for each, held in containers.items() if held == value[OWN_NAME])
        if kind == EXTERNAL and value[OWN_NAME].endswith("()"):
            made = value[OWN_NAME][:-2]
            last = made.rpartition(".")[2]
            return (last,) if "(" not in made and last[:1].isupper() else ()
        return ()

    def is_seen(self, file: SourceFile, extension: Owner, name: str) -> bool:
        """Whether a file has an extension by its package, by an import, or in itself."""
        other = self.files[extension[OWNER_FILE]]
        if other is file:
            return True
        if family_of(other) != family_of(file):
            return False
        package = other.facts.package
        is_outermost = self.evaluator.program.definition(*extension).parent <= 0
        if is_outermost and package in self.package_names.seen_by(file):
            return True
        return any(
            statement.module == package and any(each.rpartition(".")[2] == name for each in statement.names)
            for statement in file.facts.imports
        )

    def may_mean(self, file: SourceFile, values: Values, extension: Owner, name: str) -> bool:
        """Whether a member that is added by name to a type may be meant of an object of which these values are known,
        which may be of the type or of one below. Of a name that builtin types have, only where files import names."""
        if not self.is_seen(file, extension, name):
            return False
        if name in file.rules.builtin_members and file.rules.extensions != "imported":
            return False
        return not values or any(self.may_be_of(file, value, extension) for value in values)

    def may_be_of(self, file: SourceFile, value: Value, extension: Owner) -> bool:
        """Whether a value may be of the type that has the extension, without being known to be exactly of that type."""
        here = self.files[extension[OWNER_FILE]]
        owner = here.definitions[extension[OWNER_SYMBOL]].owner
        kind: int = value[KIND]
        if kind in (CLASS, MODULE, FUNC) or value == NONE:
            return False
        is_plain = owner in file.rules.types.without_members
        if kind == EXTERNAL:
            # What a library's type is below is not known; no type is below those of text and numbers.
            return not (is_plain and self.names_of_type(file, value))
        if kind == INST:
            order = self.classes.order(value[FILE], value[SYMBOL])
            return bool(order.external or order.unknown) and not is_plain
        return kind not in (PRIMITIVE, BUILTIN, CONTAINER)

    def is_of_library(self, file: SourceFile, value: Value, name: str) -> bool:
        """Whether a value of the library may have such a member itself, which then counts."""
        if value[KIND] in (INST, VARIABLE):
            return False
        rules = file.rules
        methods = rules.methods
        return name in rules.builtin_members or (
            value[KIND] == CONTAINER and (name in methods.results or name in methods.calls_back)
        )

    def fit(self, file: SourceFile, definition: Owner, value: Value) -> int:
        rows = file.facts.parameters.get(file.definitions[definition[OWNER_SYMBOL]].scope, [])
        if not rows:
            return NEVER
        declared = self.annotations.typed(file, rows[0].annotation)
        if is_of_everything(declared, file.rules.types.of_everything):
            return AT_LEAST
        return max((self.argument_fit.fit_value(value, each) for each in declared), default=NEVER)


def _extensions_of(file: SourceFile) -> Iterator[tuple[str, Owner]]:
    for index, definition in enumerate(file.definitions):
        if EXTENSION in definition.flags:
            yield definition.name, (file.index, index)
