"""Members of modules: imports, re-exports, star imports, packages. No inference beyond following names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder.facts import DEFINITION, IMPORT, IMPORTED, NAME
from rpg.encoder.languages import Rules
from rpg.encoder.resolve.values.values import CLASS, CONTAINER, EXTERNAL, FUNC, MODULE, Values, union

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.evaluator import Inference
    from rpg.encoder.resolve.program.unit import Unit

Target = tuple[str, int, int]
"""("definition", unit, definition), ("module", -1 or unit, 0), ("directory", ...), ("external", -1, -1)."""

Seen = dict[tuple[str, str, bool], list[Target]]
"""(path, name, as a type) -> what was found on the way; nothing yet for what is being looked for, as in a cycle."""

_TYPES: Final = frozenset({"interface", "type"})
"""Kinds of symbols that are no values."""


class Modules:
    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.program = inference.program
        self.targets_of: dict[tuple[str, str, bool], list[Target]] = {}

    def files(self, unit: Unit, index: int) -> tuple[str, ...] | None:
        """What an import names; see Rules.module."""
        found = unit.imported_files
        if index not in found:
            each = unit.facts.imports[index]
            found[index] = unit.rules.module(unit.path, each.module, each.level)
        return found[index]

    def imported(self, unit: Unit, index: int) -> Values:
        """The module that an import binds."""
        files = self.files(unit, index)
        if files is None:
            return ((EXTERNAL, unit.facts.imports[index].module),)
        found: list[Values] = []
        for path in files:
            other = self.program.unit_at(path)
            whole = other.facts.exports.get("names", {}).get("=") if other is not None else None
            value = self.inference.eval(other, whole) if other is not None and whole else ()
            found.append(value or ((MODULE, path),))
        values = union(found)
        # What is imported while the program runs is waited for.
        return ((CONTAINER, "coroutine", (values,)),) if unit.facts.imports[index].kind == "dynamic" else values

    def member(self, unit: Unit, index: int, name: str, through_star: bool = False, as_type: bool = False) -> Values:
        """`from module import name`; `as_type`: where a type and a value bear the name, the type."""
        files = self.files(unit, index)
        if files is None:
            return () if through_star else ((EXTERNAL, f"{unit.facts.imports[index].module}.{name}"),)
        found = [
            self.attribute(path, name, as_type) for path in files if not through_star or self.is_public(path, name)
        ]
        return union(found)

    def is_public(self, path: str, name: str) -> bool:
        """Whether a star import brings the name."""
        unit = self.program.unit_at(path)
        if unit is None:
            inside = ((each, each.children(0, name)) for each in self.units_of(path))
            return any(each.definitions[index].exported for each, found in inside for index in found)
        listed = unit.facts.exports.get("all")
        if listed is None or unit.facts.exports.get("all_open") or unit.facts.exports.get("all_of"):
            return listed is not None or not name.startswith("_")
        return name in listed

    def attribute(self, path: str, name: str, as_type: bool = False) -> Values:
        """The values of a module's member."""
        return self.inference.remembered(("m", path, name, as_type), self._attribute, path, name, as_type)

    def _attribute(self, path: str, name: str, as_type: bool) -> Values:
        inference = self.inference
        found: list[Values] = []
        for unit in self.units_of(path):
            names = unit.facts.exports.get("names")
            if names is not None:
                if name in names:
                    found.append(self.exported(unit, names[name], as_type))
                    continue
                if "=" in names:
                    found += [
                        inference.members.member_values(value, name)
                        for value in inference.eval(unit, names["="])
                        if value[:2] != (MODULE, path)
                    ]
                    continue
            rows = unit.reaching(0, name, len(unit.facts.line_starts), False)
            if rows and names is None:
                found.append(union([inference.eval(unit, row.value) for row in rows if row.value]))
                continue
            for index in reversed(unit.facts.exports.get("stars", unit.stars)):
                if name == "default" and names is not None:
                    continue
                value = self.member(unit, index, name, names is None, as_type)
                if value:
                    found.append(value)
                    break
        values = union(found)
        if values:
            return values
        stored = inference.calls.stored_on(path, name)
        if stored:
            return stored
        return self.submodule(path, name) or self.lazy(path, name)

    def exported(self, unit: Unit, e: int, as_type: bool) -> Values:
        """What an exported expression stands for."""
        code = unit.code
        if as_type and code[e] == NAME:
            scope = code[e + 3] if code[e + 3] >= -1 else -2 - code[e + 3]
            types = unit.types(scope, unit.strings[code[e + 2]]) if scope >= 0 else []
            if types:
                return union([self.inference.eval(unit, row.value) for row in types])
            rows = unit.rows(scope, unit.strings[code[e + 2]])
            if len(rows) == 1:
                e = rows[0].value
        if as_type and e and code[e] == IMPORTED:
            return self.member(unit, code[e + 2], unit.strings[code[e + 3]], False, True)
        return self.inference.eval(unit, e)

    def expressions(self, path: str, name: str) -> list[tuple[Unit, int]]:
        """The expressions that a module's member is exported as, star exports followed."""
        found: list[tuple[Unit, int]] = []
        pending = [path]
        seen = {path}
        while pending:
            for unit in self.units_of(pending.pop(0)):
                names = unit.facts.exports.get("names", {})
                if name in names:
                    found.append((unit, names[name]))
                    continue
                for index in unit.facts.exports.get("stars", ()) if name != "default" else ():
                    more = [file for file in self.files(unit, index) or () if file not in seen]
                    seen.update(more)
                    pending = [*more, *pending]
        return found

    def units_of(self, path: str) -> list[Unit]:
        if path.endswith("/"):
            return [unit for unit in self.program.units_in(path) if unit.rules.shares_package_scope]
        unit = self.program.unit_at(path)
        return [unit] if unit is not None else []

    def submodule(self, path: str, name: str) -> Values:
        for rules in self.rules_of(path):
            found = rules.submodule(path, name)
            if found:
                return ((MODULE, found),)
        return ()

    def rules_of(self, path: str) -> list[Rules]:
        unit = self.program.unit_at(path)
        return [unit.rules] if unit is not None else self.program.all_rules()

    def lazy(self, path: str, name: str) -> Values:
        """A module with a `__getattr__` of its own gives what that returns, if it bears the name asked for."""
        unit = self.program.unit_at(path)
        if unit is None or not (found := unit.children(0, "__getattr__")):
            return ()
        index = found[-1]
        values = self.inference.calls.returned((FUNC, unit.index, index, None))
        return tuple(
            value
            for value in values
            if value[0] in (FUNC, CLASS) and self.program.definition(value[1], value[2]).name == name
        )

    # Symbols rather than values

    def targets(self, path: str, name: str, seen: Seen | None = None, as_type: bool = False) -> list[Target]:
        """The symbols that a module's member names, re-exports followed; `external` where that leads outside."""
        if seen is None:
            known = self.targets_of.get((path, name, as_type))
            if known is None:
                known = self.targets_of[path, name, as_type] = self.targets(path, name, {}, as_type)
            return known
        known = seen.get((path, name, as_type))
        if known is None:
            seen[path, name, as_type] = []
            known = seen[path, name, as_type] = self._targets(path, name, seen, as_type)
        return known

    def _targets(self, path: str, name: str, seen: Seen, as_type: bool) -> list[Target]:
        found: list[Target] = []
        for unit in self.units_of(path):
            names = unit.facts.exports.get("names")
            if names is not None and name in names:
                found += self.named_by(unit, names[name], seen, as_type)
                continue
            rows = unit.reaching(0, name, len(unit.facts.line_starts), False) if names is None else []
            for row in rows:
                found += self.of_binding(unit, 0, name, row.value, seen)
            if rows:
                continue
            for index in reversed(unit.facts.exports.get("stars", unit.stars)):
                if name == "default" and names is not None:
                    continue
                files = self.files(unit, index)
                for file in files or ():
                    if names is not None or self.is_public(file, name):
                        found += self.targets(file, name, seen, as_type)
                if found:
                    break
        if not found:
            for value in self.submodule(path, name):
                found.append(self.module_target(value[1]))
        return list(dict.fromkeys(found))

    def named_by(self, unit: Unit, e: int, seen: Seen, as_type: bool = False) -> list[Target]:
        """The symbols that an exported expression names."""
        code = unit.code
        if code[e] == NAME:
            scope, name = code[e + 3], unit.strings[code[e + 2]]
            scope = -2 - scope if scope < -1 else scope
            found: list[Target] = []
            rows = unit.types(scope, name) if as_type and scope >= 0 else []
            if not rows and scope >= 0:
                rows = unit.reaching(scope, name, len(unit.facts.line_starts), False)
            for row in rows:
                found += self.of_binding(unit, scope, name, row.value, seen, as_type)
            return found
        return self.of_binding(unit, 0, "", e, seen, as_type)

    def of_binding(
        self,
        unit: Unit,
        scope: int,
        name: str,
        value: int,
        seen: Seen | None = None,
        as_type: bool = False,
    ) -> list[Target]:
        """The symbols that a binding makes its name stand for."""
        code = unit.code
        operation = code[value]
        if operation == DEFINITION:
            return [("definition", unit.index, code[value + 2])]
        if operation == IMPORTED:
            files = self.files(unit, code[value + 2])
            if files is None:
                return [("external", -1, -1)]
            member = unit.strings[code[value + 3]]
            found: list[Target] = []
            for path in files:
                found += self.targets(path, member, seen, as_type)
            return found
        if operation == IMPORT:
            files = self.files(unit, code[value + 2])
            if files is None:
                return [("external", -1, -1)]
            return [self.module_target(path) for path in files]
        kind = unit.scopes[scope].kind
        if kind in ("module", "class") and name:
            owner = unit.scopes[scope].definition
            members = unit.members_named(owner, name)
            if len(members) > 1:
                # A type and a value of one name: each binding stands for its own.
                of_type = any(row.value == value and row.kind == "type" for row in unit.rows(scope, name))
                members = [each for each in members if (unit.definitions[each].kind in _TYPES) == of_type] or members
            return [("definition", unit.index, index) for index in members]
        return []

    def module_target(self, path: str) -> Target:
        unit = self.program.unit_at(path)
        return ("module", unit.index, 0) if unit is not None else ("directory", -1, 0)
