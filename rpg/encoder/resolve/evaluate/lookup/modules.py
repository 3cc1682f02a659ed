"""Members of modules: imports, re-exports, star imports, packages. Names are followed, nothing else is inferred.

In: a module's path and a name. Out: values, or the symbols that the name denotes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import MACRO, MEMBER, Definition, Import, is_module_within
from rpg.encoder.languages import Rules
from rpg.encoder.resolve.evaluate.lookup.star_circles import MOST_BINDING, StarCircle, StarCircles
from rpg.encoder.resolve.values.values import (
    CLASS,
    CONTAINER,
    EXTERNAL,
    FILE,
    FUNC,
    KIND,
    MODULE,
    MODULE_PATH,
    SYMBOL,
    Values,
    union,
)
from rpg.graph import CLASS_KINDS

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.lookup.global_names import GlobalNames
    from rpg.encoder.resolve.evaluate.lookup.package_names import PackageNames
    from rpg.encoder.resolve.evaluate.lookup.partial_types import PartialTypes
    from rpg.encoder.resolve.program.source_file import SourceFile

Named = tuple[str, int, int]
"""("definition", file, definition), ("module", -1 or file, 0), ("directory", ...), ("external", -1, -1). Its parts are
read like those of a value: KIND, FILE, SYMBOL."""

VisibleNames = dict[tuple[str, str, bool], list[Named]]
"""(path, name, as a type) -> what has been found so far; empty while it is being looked up, as in a cycle."""

_TYPES: Final = frozenset({"interface", "type"})
"""Kinds of symbols that are types only."""

_ALL_TYPES: Final = _TYPES | CLASS_KINDS

_NAMING: Final = frozenset((op.NAME, op.DEFINITION, op.IMPORT, op.IMPORTED))
"""Operations that denote symbols, or what has none."""

_DEEPEST: Final = 64
"""The longest chain of re-exports that is followed: each link takes room on the stack."""


_WHOLE: Final = "="


def is_whole(names: dict[str, int], name: str) -> bool:
    """Whether the default of a module is what it exports as a whole."""
    return name == "default" and _WHOLE in names


class Modules:
    def __init__(
        self, evaluator: Context, partial_types: PartialTypes, package_names: PackageNames, global_names: GlobalNames
    ) -> None:
        self.evaluator = evaluator
        self.partial_types = partial_types
        self.package_names = package_names
        self.global_names = global_names
        self.program = evaluator.program
        self.targets_of: dict[tuple[str, str, bool], list[Named]] = {}
        self.depth = 0
        self.modules_within: dict[tuple[int, int], tuple[str, str] | None] = {}
        """File and import -> see `within`."""
        self.star_circles = StarCircles(self)
        self.targets_of_circle: dict[tuple[int, str, bool], list[Named]] = {}

    def files(self, file: SourceFile, index: int) -> tuple[str, ...] | None:
        """The files that an import names; see Rules.module."""
        found = file.imported_files
        if index not in found:
            each = file.facts.imports[index]
            if file.rules.has_packages and file.rules.imports == "packages":
                found[index] = self.package_names.imported(file, each)
            else:
                found[index] = file.rules.module(file.path, each.module, each.level)
                if found[index] is None and each.kind == MEMBER and file.rules.is_named(file.path, each.module):
                    found[index] = (file.path,)
            if found[index] and file.rules.module_objects.are_folders and not each.level:
                found[index] = self.places_of(file, each, found[index] or ())
        return found[index]

    def places_of(self, file: SourceFile, statement: Import, places: tuple[str, ...]) -> tuple[str, ...] | None:
        """The places that an import without leading dots can mean. A folder without a file that makes it a module has
        nothing but its modules. A package outside the importer's folder and the main folders counts only if it has what
        is imported; else the name is the library's, or means what the main folders have."""
        rules = file.rules
        place, module = places[0], statement.module
        if place.endswith("/"):
            if any(rules.submodule(place, name) for name in statement.names) or statement.kind == "star":
                return places
            if not statement.names and any(each.module.startswith(f"{module}.") for each in file.facts.imports):
                return places
            return rules.elsewhere(module, place)
        if statement.names and rules.is_nested(file.path, place, module):
            other = self.program.file_at(place)
            if other is not None and not any(self.may_have(other, name) for name in statement.names):
                return rules.elsewhere(module, place)
        return places

    def may_have(self, file: SourceFile, name: str) -> bool:
        """Whether a module binds a name, or may get it in a way that is not followed."""
        return (
            file.binds(0, name)
            or bool(file.stars)
            or bool(file.children(0, file.rules.protocols.missing))
            or file.rules.submodule(file.path, name) is not None
        )

    def imported(self, file: SourceFile, index: int) -> Values:
        """The module that an import binds."""
        files = self.files(file, index)
        within = self.within(file, index) if not files else None
        if within is not None:
            return self.attribute(*within)
        if files is None:
            return ((EXTERNAL, file.facts.imports[index].module),)
        found: list[Values] = []
        for path in files:
            other = self.program.file_at(path)
            whole = other.facts.exports.get("names", {}).get("=") if other is not None else None
            value = self.evaluator.eval(other, whole) if other is not None and whole else ()
            found.append(value or ((MODULE, path),))
        values = union(found)
        # A dynamic import is awaited.
        return ((CONTAINER, "coroutine", (values,)),) if file.facts.imports[index].kind == "dynamic" else values

    def member(
        self, file: SourceFile, index: int, name: str, through_star: bool = False, as_type: bool = False
    ) -> Values:
        """`from module import name`; `as_type`: if a type and a value have that name, the type."""
        places = self.places(file, index, name)
        if places is None:
            return () if through_star else ((EXTERNAL, f"{file.facts.imports[index].module}.{name}"),)
        found = [
            self.attribute(path, member, as_type)
            for path, member in places
            if not through_star or self.is_public(path, member)
        ]
        return union(found)

    def places(self, file: SourceFile, index: int, name: str) -> list[tuple[str, str]] | None:
        """Where a member of the module is that an import names: modules and names in them; None for a library."""
        files = self.files(file, index)
        within = self.within(file, index) if not files else None
        if within is not None:
            return [(within[0], f"{within[1]}.{name}")]
        if files is not None:
            return [(path, name) for path in files]
        if not file.rules.is_offering(file.facts.imports[index].module):
            return None
        return self.global_names.offered(file, name) or None

    def within(self, file: SourceFile, index: int) -> tuple[str, str] | None:
        """The file that defines the module of an import within it, and the module's dotted name there."""
        key = (file.index, index)
        if key not in self.modules_within:
            self.modules_within[key] = self._within(file, file.facts.imports[index].module)
        return self.modules_within[key]

    def _within(self, file: SourceFile, module: str) -> tuple[str, str] | None:
        found = file.rules.around_module(file.path, module)
        other = self.program.file_at(found[0]) if found is not None else None
        if found is None or other is None:
            return None
        parent = 0
        for name in found[1].split("."):
            inner = [each for each in other.children(parent, name) if other.definitions[each].kind == "class"]
            if not inner:
                return None
            parent = inner[0]
        return found

    def is_public(self, path: str, name: str) -> bool:
        """Whether a star import includes the name."""
        file = self.program.file_at(path)
        if file is None:
            inside = ((each, each.children(0, name)) for each in self.units_of(path))
            return any(each.definitions[index].exported for each, found in inside for index in found)
        listed = file.facts.exports.get("all")
        if listed is None or file.facts.exports.get("all_open") or file.facts.exports.get("all_of"):
            return listed is not None or not name.startswith("_")
        return name in listed

    def lets_have(self, path: str, name: str) -> bool:
        """The same for modules that may list what they export."""
        file = self.program.file_at(path)
        return (file is not None and "names" in file.facts.exports) or self.is_public(path, name)

    def attribute(self, path: str, name: str, as_type: bool = False) -> Values:
        """The values of a module's member."""
        return self.evaluator.compute_once(("m", path, name, as_type), self._attribute, path, name, as_type)

    def _attribute(self, path: str, name: str, as_type: bool) -> Values:
        evaluator = self.evaluator
        found: list[Values] = []
        for file in self.units_of(path):
            names = file.facts.exports.get("names")
            if names is not None:
                if name in names or is_whole(names, name):
                    found.append(self.exported(file, names.get(name, 0) or names[_WHOLE], as_type))
                    continue
                if "=" in names:
                    found += [
                        evaluator.member_values(value, name)
                        for value in evaluator.eval(file, names["="])
                        if value[: MODULE_PATH + 1] != (MODULE, path)
                    ]
                    continue
            rows = file.reaching(0, name, len(file.facts.line_starts), False)
            if rows and names is None:
                found.append(union([evaluator.eval(file, row.value) for row in rows if row.value]))
                continue
            stars = file.facts.exports.get("stars", file.stars)
            circle = self.star_circles.of(file) if stars else None
            if circle is not None:
                if name != "default" or names is None:
                    key = ("stars", circle.number, name, as_type)
                    found.append(evaluator.compute_once(key, self.find_in_circle, circle, name, as_type))
                continue
            for index in reversed(stars):
                if name == "default" and names is not None:
                    continue
                value = self.member(file, index, name, names is None, as_type)
                if value:
                    found.append(value)
                    break
        values = union(found)
        if values:
            return values
        stored = evaluator.stored_on(path, name)
        if stored:
            return stored
        owner, _, member = name.rpartition(".")
        if owner:
            return union([evaluator.member_values(each, member) for each in self.attribute(path, owner)])
        return self.submodule(path, name) or self.lazy(path, name)

    def find_in_circle(self, circle: StarCircle, name: str, as_type: bool) -> Values:
        """What a name means in modules that import everything of each other."""
        places = circle.binding.get(name)
        if places is None:
            for path in circle.outside:
                value = self.attribute(path, name, as_type) if self.lets_have(path, name) else ()
                if value:
                    return value
            return ()
        if len(places) > MOST_BINDING:
            return ()
        first, *others = [self.attribute(path, name, as_type) for path in places]
        return first if all(each == first for each in others) else ()

    def exported(self, file: SourceFile, e: int, as_type: bool) -> Values:
        """The values of an exported expression."""
        code = file.code
        if as_type and code[e] == op.NAME:
            scope = op.binding_scope(code[e + op.BINDER])
            types = file.types(scope, file.strings[code[e + op.WORD]]) if scope >= 0 else []
            if types:
                return union([self.evaluator.eval(file, row.value) for row in types])
            rows = file.rows(scope, file.strings[code[e + op.WORD]])
            if len(rows) == 1:
                e = rows[0].value
        if as_type and e and code[e] == op.IMPORTED:
            return self.member(file, code[e + op.STATEMENT], file.strings[code[e + op.MEMBER]], False, True)
        return self.evaluator.eval(file, e)

    def expressions(self, path: str, name: str) -> list[tuple[SourceFile, int]]:
        """The expressions that a module's member is exported as, following star exports."""
        found: list[tuple[SourceFile, int]] = []
        pending = [path]
        seen = {path}
        while pending:
            for file in self.units_of(pending.pop(0)):
                names = file.facts.exports.get("names", {})
                if name in names:
                    found.append((file, names[name]))
                    continue
                for index in file.facts.exports.get("stars", ()) if name != "default" else ():
                    more = [path for path in self.files(file, index) or () if path not in seen]
                    seen.update(more)
                    pending = [*more, *pending]
        return found

    def scopes_binding(self, path: str, name: str) -> list[tuple[SourceFile, int]]:
        """The scopes that bind a module's member where modules list no exports, following star imports; a dotted name
        is one in a module within a file."""
        found: list[tuple[SourceFile, int]] = []
        *spaces, last = name.split(".")
        pending = [path]
        seen = {path}
        while pending:
            for file in self.units_of(pending.pop(0)):
                if "names" in file.facts.exports:
                    continue
                scope = self.scope_within(file, spaces)
                if scope >= 0 and file.binds(scope, last):
                    found.append((file, scope))
                    continue
                for index in file.stars if not spaces else ():
                    more = [each for each in self.files(file, index) or () if each not in seen]
                    seen.update(more)
                    pending = [*more, *pending]
        return found

    def scope_within(self, file: SourceFile, spaces: list[str]) -> int:
        """The scope of a module within a file by its names from the top; -1 if the file has none."""
        parent = 0
        for name in spaces:
            inner = [each for each in file.children(parent, name) if file.definitions[each].kind == "class"]
            if not inner:
                return -1
            parent = inner[0]
        return file.definitions[parent].scope if parent else 0

    def units_of(self, path: str) -> list[SourceFile]:
        if path.endswith("/"):
            return [file for file in self.program.files_in(path) if file.rules.shares_package_scope]
        file = self.program.file_at(path)
        return [file] if file is not None else []

    def submodule(self, path: str, name: str) -> Values:
        for rules in self.rules_of(path):
            found = rules.submodule(path, name)
            if found:
                return ((MODULE, found),)
        return ()

    def rules_of(self, path: str) -> list[Rules]:
        file = self.program.file_at(path)
        return [file.rules] if file is not None else self.program.all_rules()

    def lazy(self, path: str, name: str) -> Values:
        """What a module's function for missing members returns for a name, if there is such a function."""
        file = self.program.file_at(path)
        missing = file.rules.protocols.missing if file is not None else ""
        if file is None or not missing or not (found := file.children(0, missing)):
            return ()
        index = found[-1]
        values = self.evaluator.returned((FUNC, file.index, index, None))
        return tuple(
            value
            for value in values
            if value[KIND] in (FUNC, CLASS) and self.program.definition(value[FILE], value[SYMBOL]).name == name
        )

    # Symbols rather than values

    def targets(self, path: str, name: str, seen: VisibleNames | None = None, as_type: bool = False) -> list[Named]:
        """The symbols that a module's member denotes, following re-exports; `external` if that leads outside."""
        if seen is None:
            known = self.targets_of.get((path, name, as_type))
            if known is None:
                known = self.targets_of[path, name, as_type] = self.targets(path, name, {}, as_type)
            return known
        known = seen.get((path, name, as_type))
        if known is None:
            known = seen[path, name, as_type] = []
            if self.depth < _DEEPEST:
                self.depth += 1
                try:
                    known = seen[path, name, as_type] = self._targets(path, name, seen, as_type)
                finally:
                    self.depth -= 1
        return known

    def _targets(self, path: str, name: str, seen: VisibleNames, as_type: bool) -> list[Named]:
        found: list[Named] = []
        for file in self.units_of(path):
            names = file.facts.exports.get("names")
            if names is not None and name not in names and _WHOLE in names:
                named = self.within_whole(file, names[_WHOLE], name, seen, as_type)
                if named:
                    found += named
                    continue
            if names is not None and name in names:
                named = self.named_by(file, names[name], seen, as_type)
                if not named and file.code[names[name]] not in _NAMING:
                    # `export default {...}`: the value has no name but that of the export.
                    named = [("definition", file.index, index) for index in file.members_named(0, name)]
                found += named
                continue
            rows = file.reaching(0, name, len(file.facts.line_starts), False) if names is None else []
            for row in rows:
                found += self.find_bound_values(file, 0, name, row.value, seen)
            if rows:
                continue
            stars = file.facts.exports.get("stars", file.stars)
            circle = self.star_circles.of(file) if stars else None
            if circle is not None:
                if name != "default" or names is None:
                    found += self.targets_in_circle(circle, name, as_type)
                continue
            for index in reversed(stars):
                if name == "default" and names is not None:
                    continue
                files = self.files(file, index)
                for place in files or ():
                    if names is not None or self.is_public(place, name):
                        found += self.targets(place, name, seen, as_type)
                if found:
                    break
        owner, _, member = name.rpartition(".")
        if not found and owner:
            hits = [
                self.evaluator.member_hit(value, member)
                for value in self.attribute(path, owner)
                if value[KIND] == CLASS
            ]
            found += [("definition", *each) for hit in hits if hit is not None for each in hit.definitions]
        if not found:
            for value in self.submodule(path, name):
                found.append(self.module_target(value[MODULE_PATH]))
        if not found and name.endswith(MACRO):
            found = self.macros_seen(path, name, seen)
        return list(dict.fromkeys(found))

    def within_whole(self, file: SourceFile, e: int, name: str, seen: VisibleNames, as_type: bool) -> list[Named]:
        """What a name denotes in a module that exports one thing as a whole: for `default` that, else what is in a
        namespace of that name."""
        whole = self.named_by(file, e, seen, as_type)
        if name == "default":
            return whole
        return [
            ("definition", other, each)
            for kind, other, index in whole
            if kind == "definition" and self.program.files[other].is_namespace(index)
            for each in self.program.files[other].children(index, name)
        ]

    def macros_seen(self, path: str, name: str, seen: VisibleNames) -> list[Named]:
        """A macro that any file declares for the module."""
        for file in self.units_of(path):
            ambient = self.global_names.bindings(file, name, False)
            if ambient is not None:
                return [
                    each for row in ambient[1] for each in self.find_bound_values(ambient[0], 0, name, row.value, seen)
                ]
        return []

    def targets_in_circle(self, circle: StarCircle, name: str, as_type: bool) -> list[Named]:
        """The symbols that a name denotes in modules that import everything of each other."""
        key = (circle.number, name, as_type)
        known = self.targets_of_circle.get(key)
        if known is None:
            self.targets_of_circle[key] = []  # while it is looked up
            known = self.targets_of_circle[key] = self._targets_in_circle(circle, name, as_type)
        return known

    def _targets_in_circle(self, circle: StarCircle, name: str, as_type: bool) -> list[Named]:
        places = circle.binding.get(name)
        if places is None:
            for path in circle.outside:
                found = self.targets(path, name, None, as_type) if self.lets_have(path, name) else []
                if found:
                    return found
            return []
        if len(places) > MOST_BINDING:
            return []
        first, *others = [self.targets(path, name, None, as_type) for path in places]
        return first if all(each == first for each in others) else []

    def named_by(self, file: SourceFile, e: int, seen: VisibleNames, as_type: bool = False) -> list[Named]:
        """The symbols that an exported expression denotes."""
        code = file.code
        if code[e] == op.NAME:
            scope, name = code[e + op.BINDER], file.strings[code[e + op.WORD]]
            scope = op.binding_scope(scope)
            found: list[Named] = []
            rows = file.types(scope, name) if as_type and scope >= 0 else []
            if not rows and scope >= 0:
                rows = file.reaching(scope, name, len(file.facts.line_starts), False)
            for row in rows:
                found += self.find_bound_values(file, scope, name, row.value, seen, as_type)
            return found
        return self.find_bound_values(file, 0, "", e, seen, as_type)

    def find_bound_values(
        self,
        file: SourceFile,
        scope: int,
        name: str,
        value: int,
        seen: VisibleNames | None = None,
        as_type: bool = False,
    ) -> list[Named]:
        """The symbols that a binding gives its name to."""
        code = file.code
        operation = code[value]
        if operation == op.DEFINITION:
            return [("definition", *self.partial_types.whole(file.index, code[value + op.DEFINED]))]
        if operation == op.IMPORTED:
            places = self.places(file, code[value + op.STATEMENT], file.strings[code[value + op.MEMBER]])
            if places is None:
                return [("external", -1, -1)]
            found: list[Named] = []
            for path, member in places:
                found += self.targets(path, member, seen, as_type)
            return found
        if operation == op.IMPORT:
            files = self.files(file, code[value + op.STATEMENT])
            if files is None:
                return [("external", -1, -1)]
            return [self.module_target(path) for path in files]
        kind = file.scopes[scope].kind
        is_of_symbols = kind in ("module", "class") or is_module_within(file.definitions, file.scopes, scope)
        if is_of_symbols and name:
            owner = file.scopes[scope].definition
            members = file.children(owner, name)
            if len(members) > 1:
                # A type and a value of one name: each binding stands for its own.
                of_type = any(row.value == value and row.kind == "type" for row in file.rows(scope, name))
                kinds = {file.definitions[each].kind for each in members}
                if not kinds.isdisjoint(_TYPES) and not kinds <= _ALL_TYPES:
                    members = [each for each in members if (file.definitions[each].kind in _TYPES) == of_type]
                members = file.filter_used_by_name(members) if len(members) > 1 else members
            if not owner:
                # `function List:iter()` binds no `iter`.
                members = [each for each in members if not is_member_elsewhere(file.definitions[each])]
            return [("definition", file.index, index) for index in members]
        held = code[value + op.TYPED_VALUE] if operation == op.TYPED else 0
        if code[held] == op.DEFINITION and file.definitions[code[held + op.DEFINED]].name == name:
            # `const shown: Shown = useMemo(() => ...)` in a function.
            return [("definition", file.index, code[held + op.DEFINED])]
        return self.local_type(file, scope, name, value)

    def local_type(self, file: SourceFile, scope: int, name: str, value: int) -> list[Named]:
        """A type alias in a function."""
        each = file.scopes[scope]
        found = [index for index in file.children(each.definition, name) if file.definitions[index].kind == "type"]
        if not found or not any(row.kind == "type" and row.value == value for row in file.rows(scope, name)):
            return []
        inside = (
            index
            for index in found
            if each.start_byte <= file.definitions[index].start_byte < each.end_byte
            and (not value or _is_within(file, value, index))
        )
        return [("definition", file.index, index) for index in inside][-1:]

    def module_target(self, path: str) -> Named:
        file = self.program.file_at(path)
        return ("module", file.index, 0) if file is not None else ("directory", -1, 0)


def is_member_elsewhere(definition: Definition) -> bool:
    """Whether a function at the top of a file is written as a member of something else."""
    return definition.kind == "function" and definition.qualified_name.endswith(f".{definition.name}")


def _is_within(file: SourceFile, e: int, index: int) -> bool:
    """Whether an expression is written in a definition."""
    definition = file.definitions[index]
    return definition.start_byte <= file.code[e + op.BYTE] < definition.end_byte
