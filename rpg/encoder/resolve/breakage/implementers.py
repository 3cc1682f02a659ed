"""Types that no longer have all methods of an interface, where having them is what implements it (Go).

In: the files that are looked at, before and after. Out: a finding for each type that had them, at the method that does
not fit, else at the type. All of them are possible: nothing says whether the type is meant to implement the interface.
Absent: types that have a method only by an embedded one.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import cached_property

from rpg.encoder.facts import line_and_column
from rpg.encoder.resolve.breakage.findings import MISFIT, MISSING, Finding
from rpg.encoder.resolve.breakage.sides import Side
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.method_sets import MethodSets, Required
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL, Owner
from rpg.graph import CLASS_KINDS

_INTERFACE = "interface"


class Implementers:
    def __init__(self, before: Side, after: Side, edited: Set[str], words: Set[str]) -> None:
        """`words`: the names of what came, went or looks different."""
        self.before = before
        self.after = after
        self.edited = edited
        self.words = words

    @cached_property
    def had(self) -> MethodSets:
        return MethodSets(self.before.world.evaluator)

    @cached_property
    def has(self) -> MethodSets:
        return MethodSets(self.after.world.evaluator)

    def find(self, old: SourceFile, new: SourceFile) -> Iterator[Finding]:
        if not new.rules.method_sets.make_implementers:
            return
        for index, definition in enumerate(old.definitions):
            if definition.kind != _INTERFACE or definition.parent:
                continue
            now = self.after.named(new.path, definition.qualified_name)
            if not now:
                continue
            required = self.had.find_required_methods((old.index, index))
            asked = self.has.find_required_methods((new.index, now[0]))
            if required and asked and not self.words.isdisjoint({definition.name, *required, *asked}):
                yield from self.check_interface((old.index, index), required, asked)

    def check_interface(
        self, interface: Owner, required: dict[str, Required], asked: dict[str, Required]
    ) -> Iterator[Finding]:
        is_changed = _shapes(required) != _shapes(asked)
        before = self.before.program
        place = before.package_of(before.files[interface[OWNER_FILE]])
        for (package, name), names in before.owned_names.items():
            # One method alone may be had by chance.
            if not names.issuperset(required) or not (is_changed or len(required) > 1 or package == place):
                continue
            owner = self.type_of(package, name, next(iter(required)))
            if owner is None or not self.had.is_seen_by(interface, owner) or self.had.lacking(owner, required):
                continue
            yield from self.of_type(owner, asked, is_changed)

    def of_type(self, owner: Owner, asked: dict[str, Required], is_changed: bool) -> Iterator[Finding]:
        path = self.before.program.files[owner[OWNER_FILE]].path
        name = self.before.program.definition(*owner).qualified_name
        file, found = self.after.file(path), self.after.named(path, name)
        if file is None or not found:
            return
        for method in self.has.lacking((file.index, found[0]), asked):
            hit = self.after.world.evaluator.member_lookup.find(file.index, found[0], method)
            at = hit.definitions[0] if hit is not None and hit.definitions else (file.index, found[0])
            here = self.after.program.files[at[OWNER_FILE]]
            if not is_changed and self.edited.isdisjoint((path, here.path)):
                continue
            line, column = line_and_column(here.facts, here.definitions[at[OWNER_SYMBOL]].name_byte)
            symbol = asked[method].id
            if at[OWNER_SYMBOL] == found[0]:
                yield Finding(here.path, line, column, False, MISSING, name, symbol, method)
            else:
                detail = f"is not as {symbol} has it" if symbol else "is not as the library has it"
                yield Finding(here.path, line, column, False, MISFIT, f"{name}.{method}", symbol, detail)

    def type_of(self, package: str, name: str, method: str) -> Owner | None:
        program = self.before.program
        for number, _ in program.owned.get((package, name, method), ()):
            file = program.files[number]
            for each in (file, *program.files_sharing_scope(file)):
                for index in self.before.named(each.path, name):
                    if each.definitions[index].kind in CLASS_KINDS:
                        return each.index, index
        return None


def _shapes(required: dict[str, Required]) -> dict[str, str]:
    return {name: each.shape for name, each in required.items()}
