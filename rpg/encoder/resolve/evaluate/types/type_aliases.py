"""Type aliases: what a name in a type position is short for, as declared (`type A = B`) or assigned (`A = B | C`).

In: an expression in a type position. Out: the expression of the type that it is short for, and its file. What values
that type has is in annotations.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder import operations as op
from rpg.encoder.resolve.values.values import CLASS, FILE, KIND, MODULE, MODULE_PATH, SYMBOL

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.lookup.global_names import GlobalNames
    from rpg.encoder.resolve.evaluate.lookup.modules import Modules
    from rpg.encoder.resolve.evaluate.lookup.package_names import PackageNames
    from rpg.encoder.resolve.program.file_tables import Row
    from rpg.encoder.resolve.program.source_file import SourceFile

_DEEPEST_ALIAS: Final = 8
_DESCRIBING: Final = frozenset(
    (op.SUBSCRIPT, op.OPERATION, op.STRING, op.UNION, op.TYPED, op.OBJECT, op.FUNCTION_TYPE, op.LITERAL, op.TUPLE)
)
"""Operations that an alias can be an abbreviation of."""


class TypeAliases:
    def __init__(
        self, evaluator: Context, package_names: PackageNames, global_names: GlobalNames, modules: Modules
    ) -> None:
        self.evaluator = evaluator
        self.package_names = package_names
        self.global_names = global_names
        self.modules = modules

    def declared(self, file: SourceFile, e: int, depth: int = 0) -> tuple[SourceFile, int, int] | None:
        """The type alias behind a name in a type position: its file, the aliased type and its definition."""
        code = file.code
        operation = code[e]
        if depth > _DEEPEST_ALIAS:
            return None
        if operation == op.NAME:
            scope = op.binding_scope(code[e + op.BINDER])
            name = file.strings[code[e + op.WORD]]
            ambient = self.global_names.bindings(file, name, True) if scope == -1 else None
            if ambient is not None:
                file, scope, code = ambient[0], 0, ambient[0].code
            elif scope == -1 and file.rules.has_packages:
                declaring = self.package_names.declaring(file, name)
                if len(declaring) == 1:
                    file, scope, code = declaring[0], 0, declaring[0].code
            elif scope == -1 and name not in file.rules.builtins:
                return self.find_unbound(file, name, depth)
            return self.declared_in(file, scope, name, depth) if scope >= 0 else None
        modules = self.modules
        if operation == op.IMPORTED:
            statement, name = code[e + op.STATEMENT], file.strings[code[e + op.MEMBER]]
            if file.rules.has_packages:
                paths = modules.files(file, statement) or ()
                declaring = [other for path in paths if (other := self.evaluator.program.file_at(path)) is not None]
                return self.find_package_alias(declaring, name)
            places = modules.places(file, statement, name) or []
        elif operation == op.ATTRIBUTE:
            name = file.strings[code[e + op.MEMBER]]
            places = []
            for value in self.evaluator.types_written(file, code[e + op.HOLDER]):
                if value[KIND] == MODULE:
                    places.append((value[MODULE_PATH], name))
                elif value[KIND] == CLASS and file.rules.member_spaces == "named by types":
                    other = self.evaluator.files[value[FILE]]
                    return self.declared_in(other, other.definitions[value[SYMBOL]].scope, name, depth + 1)
        else:
            return None
        return self.find_exported(places, depth)

    def find_unbound(self, file: SourceFile, name: str, depth: int) -> tuple[SourceFile, int, int] | None:
        """The alias that a name means which its file does not bind: one of a file of the same package, or behind a star
        import."""
        if file.rules.shares_package_scope:
            for other in self.evaluator.program.files_sharing_scope(file):
                if other is not file and other.facts.package == file.facts.package and other.rows(0, name):
                    return self.declared_in(other, 0, name, depth + 1)
        for statement in () if file.rules.stars_are_packages else reversed(file.stars):
            found = self.find_exported(self.modules.places(file, statement, name) or [], depth)
            if found is not None:
                return found
        return None

    def find_exported(self, places: list[tuple[str, str]], depth: int) -> tuple[SourceFile, int, int] | None:
        """The alias that the first of several modules exports under a name."""
        modules = self.modules
        for path, member in places[:1]:
            for other, exported in modules.expressions(path, member):
                found_there = self.declared(other, exported, depth + 1)
                if found_there is not None:
                    return found_there
            for other, scope in modules.scopes_binding(path, member):
                found_there = self.declared_in(other, scope, member.rpartition(".")[2], depth + 1)
                if found_there is not None:
                    return found_there
        return None

    def declared_in(self, file: SourceFile, scope: int, name: str, depth: int) -> tuple[SourceFile, int, int] | None:
        """The type alias that a scope binds a name to, as `declared` has it."""
        code = file.code
        rows = file.types(scope, name) or file.rows(scope, name)
        if len(rows) != 1 or not rows[0].value:
            return None
        if code[rows[0].value] == op.IMPORTED:
            return self.declared(file, rows[0].value, depth + 1)
        if rows[0].kind != "type" or code[rows[0].value] in (op.DEFINITION, op.TYPE_VARIABLE):
            return None
        owner = max(file.scopes[scope].definition, 0)
        found = [each for each in file.children(owner, name) if file.definitions[each].kind == "type"]
        return (file, rows[0].value, found[0]) if found else None

    def find_package_alias(self, declaring: list[SourceFile], name: str) -> tuple[SourceFile, int, int] | None:
        """An alias that one file of a package declares."""
        rows = declaring[0].types(0, name) if len(declaring) == 1 else []
        found = declaring[0].children(0, name) if rows else []
        return (declaring[0], rows[0].value, found[0]) if found and rows[0].value else None

    def find_assigned_here(self, file: SourceFile, e: int) -> int:
        """The type that a name of the same file was assigned: `Name = Union[A, B]`; 0 if it was none."""
        code = file.code
        scope, name = op.binding_scope(code[e + op.BINDER]), file.strings[code[e + op.WORD]]
        return self.described(file, file.types(scope, name) or file.rows(scope, name)) if scope >= 0 else 0

    def find_assigned_elsewhere(self, file: SourceFile, e: int) -> tuple[SourceFile, int] | None:
        """The type that an imported name or a module's member was assigned, and its file."""
        code = file.code
        modules = self.modules
        if code[e] == op.NAME:
            rows = file.rows(op.binding_scope(code[e + op.BINDER]), file.strings[code[e + op.WORD]])
            e = rows[0].value if len(rows) == 1 else 0
        if code[e] == op.IMPORTED:
            paths = modules.files(file, code[e + op.STATEMENT]) or ()
        elif code[e] == op.ATTRIBUTE:
            holders = self.evaluator.types_written(file, code[e + op.HOLDER])
            paths = tuple(value[MODULE_PATH] for value in holders if value[KIND] == MODULE)
        else:
            return None
        named = [each for path in paths[:1] for each in modules.targets(path, file.strings[code[e + op.MEMBER]])]
        if len(named) != 1 or named[0][KIND] != "definition":
            return None
        other = self.evaluator.files[named[0][FILE]]
        definition = other.definitions[named[0][SYMBOL]]
        if definition.kind != "constant" or definition.parent > 0:
            return None
        described = self.described(other, other.rows(0, definition.name))
        return (other, described) if described else None

    def described(self, file: SourceFile, rows: list[Row]) -> int:
        """The expression of a type that a name's only binding gives it; 0 if it gives none."""
        code = file.code
        if len(rows) != 1 or not rows[0].value or code[rows[0].value] not in _DESCRIBING:
            return 0
        value = rows[0].value
        if code[value] == op.TYPED and code[value + op.TYPED_VALUE]:
            value = code[value + op.TYPED_VALUE]
        return value
