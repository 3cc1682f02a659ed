"""What a function type says: the functions in a type, and their parameters.

In: a type as written, with the values of its type variables. Out: the function types in it, behind aliases, unions,
interfaces with one method and types of the library; for one of them, the values of a parameter, how many it has, and
whether it returns something.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.languages.results import NOT_TOLD, WITHOUT_RESULT, Signature
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL
from rpg.encoder.resolve.values.values import (
    BUILTIN,
    CALLED_AS,
    CLASS,
    EXTERNAL,
    FILE,
    INST,
    KIND,
    OBJECT_AT,
    OWN_NAME,
    OWN_SCOPE,
    SYMBOL,
    TYPE_ARGUMENTS,
    Value,
    Values,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.lookup.modules import Modules
    from rpg.encoder.resolve.evaluate.types.annotations import Annotations
    from rpg.encoder.resolve.evaluate.types.classes import Classes
    from rpg.encoder.resolve.evaluate.types.member_lookup import MemberLookup
    from rpg.encoder.resolve.evaluate.types.type_aliases import TypeAliases
    from rpg.encoder.resolve.evaluate.types.type_variables import TypeVariables
    from rpg.encoder.resolve.program.source_file import SourceFile

_OUTSIDE: Final = frozenset({BUILTIN, EXTERNAL})
_DEEPEST: Final = 4
"""Limit on aliases of aliases."""
_ALIASING: Final = frozenset({op.SUBSCRIPT, op.OPERATION, op.UNION, op.FUNCTION_TYPE})
"""WrittenType expressions that a plain assignment can give a name to."""


class WrittenType(NamedTuple):
    """A type as written somewhere, with the values of its type variables."""

    file: int
    expression: int
    """In a type position; or a DEFINITION, if the type is that of a function."""
    bound: dict[str, Values]


class FunctionTypes:
    def __init__(
        self,
        evaluator: Context,
        modules: Modules,
        type_aliases: TypeAliases,
        annotations: Annotations,
        member_lookup: MemberLookup,
        classes: Classes,
        type_variables: TypeVariables,
    ) -> None:
        self.evaluator = evaluator
        self.modules = modules
        self.type_aliases = type_aliases
        self.annotations = annotations
        self.member_lookup = member_lookup
        self.classes = classes
        self.type_variables = type_variables

    def signatures(self, each: WrittenType, depth: int) -> list[WrittenType]:
        """The function types in a type, including those behind aliases and in unions."""
        evaluator = self.evaluator
        file = evaluator.files[each.file]
        code, e = file.code, each.expression
        operation = code[e]
        if operation in (op.FUNCTION_TYPE, op.DEFINITION):
            return [each]
        if depth > _DEEPEST:
            return []
        parts: list[int] = []
        if operation == op.TYPED:
            parts = [code[e + op.ANNOTATED]]
        elif operation == op.UNION:
            parts = list(op.items_of(code, e))
        elif operation == op.OPERATION:
            parts = [code[e + op.LEFT], code[e + op.RIGHT]]
        elif operation == op.SUBSCRIPT:
            inner = list(op.items_of(code, code[e + op.INDEX]))
            inner = inner if code[code[e + op.INDEX]] == op.TUPLE else [code[e + op.INDEX]]
            named = [
                value[OWN_NAME].rpartition(".")[2]
                for value in self.annotations.of_type(file, code[e + op.HOLDER])
                if value[KIND] in _OUTSIDE
            ]
            types = file.rules.types
            if any(name in types.functions or (name, len(inner)) in types.signatures for name in named):
                return [each]
            if any(name in types.unions for name in named):
                parts = inner
            elif any(name in types.transparent for name in named):
                parts = inner[:1]
            else:
                return (
                    self.find_alias_types(each, file, code[e + op.HOLDER], inner, depth)
                    or self.named(each, code[e + op.HOLDER], inner)
                    or self.called(each)
                )
        elif operation == op.NAME and (bounded := _bound_of(file, e)):
            parts = [bounded]
        elif operation in (op.NAME, op.ATTRIBUTE, op.PATH, op.IMPORTED):
            if file.rules.types.signatures and self.written(file, e) is not None:
                return [each]
            return self.find_alias_types(each, file, e, [], depth) or self.named(each, e, []) or self.called(each)
        else:
            return self.called(each)
        found: list[WrittenType] = []
        for part in parts:
            found += self.signatures(each._replace(expression=part), depth + 1)
        return found

    def named(self, each: WrittenType, e: int, arguments: list[int]) -> list[WrittenType]:
        """The functions of types that are declared by a name (`delegate R F<A>(A a)`)."""
        evaluator = self.evaluator
        file = evaluator.files[each.file]
        found: list[WrittenType] = []
        for value in self.annotations.of_type(file, e):
            if value[KIND] != CLASS or not self.annotations.is_of_functions(value):
                continue
            here = evaluator.files[value[FILE]]
            values = [row.value for row in here.facts.bindings if here.code[row.value] == op.DEFINITION]
            made = [at for at in values if here.code[at + op.DEFINED] == value[SYMBOL]]
            names = here.facts.type_parameters.get(value[SYMBOL], ())
            types = [self.annotations.typed(file, argument) for argument in arguments]
            bound = dict(zip(names, types, strict=False))
            found += [WrittenType(here.index, at, each.bound | bound) for at in made[:1]]
        return found

    def find_alias_types(
        self, each: WrittenType, file: SourceFile, e: int, arguments: list[int], depth: int
    ) -> list[WrittenType]:
        """The function types that an alias stands for."""
        alias = self.type_aliases.declared(file, e)
        if alias is not None:
            names = alias[0].facts.type_parameters.get(alias[2], ())
            argument_types = [self.annotations.typed(file, argument) for argument in arguments]
            substitute = self.type_variables.substitute
            bound = {name: substitute(values, each.bound) for name, values in zip(names, argument_types, strict=False)}
            return self.signatures(WrittenType(alias[0].index, alias[1], bound), depth + 1)
        assigned = self.find_assigned_alias(file, e, 0)
        if assigned is None:
            return []
        return self.signatures(WrittenType(assigned[0].index, assigned[1], each.bound), depth + 1)

    def find_assigned_alias(self, file: SourceFile, e: int, depth: int) -> tuple[SourceFile, int] | None:
        """The type that a plain assignment named (`Handler = Callable[[Item], None]`), here or in another module."""
        evaluator = self.evaluator
        code = file.code
        if depth > _DEEPEST:
            return None
        if code[e] == op.NAME and code[e + op.BINDER] != -1:
            scope = op.binding_scope(code[e + op.BINDER])
            rows = file.rows(scope, file.strings[code[e + op.WORD]])
        elif code[e] == op.IMPORTED:
            files = self.modules.files(file, code[e + op.STATEMENT]) or ()
            other = evaluator.program.file_at(files[0]) if len(files) == 1 else None
            if other is None:
                return None
            rows = other.rows(0, file.strings[code[e + op.MEMBER]])
            file, code = other, other.code
        else:
            return None
        if len(rows) != 1 or not rows[0].value:
            return None
        value = rows[0].value
        if code[value] == op.TYPED:
            value = code[value + op.TYPED_VALUE]
        if code[value] == op.IMPORTED:
            return self.find_assigned_alias(file, value, depth + 1)
        return (file, value) if code[value] in _ALIASING else None

    def called(self, each: WrittenType) -> list[WrittenType]:
        """The call signatures of an interface, an object type or a protocol with `__call__`."""
        evaluator = self.evaluator
        found: list[WrittenType] = []
        for value in self.type_variables.substitute(self.typed(each), each.bound):
            if value[KIND] in (INST, OBJECT_AT):
                rules = evaluator.files[value[FILE]].rules
                called_as = rules.protocols.call
                if value[KIND] == INST and rules.types.of_one_method:
                    called_as = self.only_method(value)
                found += self.of_member(value, CALLED_AS) or (self.of_member(value, called_as) if called_as else [])
        return found

    def only_method(self, value: Value) -> str:
        """The one method without a body of an interface, which a function can stand for; empty if it is none."""
        evaluator = self.evaluator
        names: set[str] = set()
        for entry in self.classes.order(value[FILE], value[SYMBOL]).entries:
            file = evaluator.files[entry[OWNER_FILE]]
            if file.definitions[entry[OWNER_SYMBOL]].kind != "interface":
                return ""
            for definition in file.definitions:
                is_abstract = definition.kind == "method" and definition.body_byte == definition.end_byte
                if is_abstract and definition.parent == entry[OWNER_SYMBOL]:
                    names.add(definition.name)
        names -= evaluator.files[value[FILE]].rules.object_members
        return next(iter(names)) if len(names) == 1 else ""

    def of_member(self, value: Value, name: str) -> list[WrittenType]:
        """The declared type of a member."""
        evaluator = self.evaluator
        if value[KIND] == INST:
            hit = self.member_lookup.find(value[FILE], value[SYMBOL], name)
            if hit is None:
                return []
            owner_unit, owner = hit.owner
            scope = evaluator.files[owner_unit].definitions[owner].scope
            names = self.classes.variables(*hit.owner)
            bound = dict(zip(names, hit.arguments if hit.distance else value[TYPE_ARGUMENTS], strict=False))
        elif value[KIND] == OBJECT_AT:
            owner_unit, scope, bound = value[FILE], value[OWN_SCOPE], {}
        else:
            return []
        here = evaluator.files[owner_unit]
        return [
            WrittenType(owner_unit, row.value, bound)
            for row in here.rows(scope, name)
            if here.code[row.value] in (op.TYPED, op.DEFINITION, op.FUNCTION_TYPE)
        ]

    # What one of them says

    def parameter(self, signature: WrittenType, index: int) -> Values:
        """What one parameter of a function of that type receives."""
        evaluator = self.evaluator
        file = evaluator.files[signature.file]
        code, e = file.code, signature.expression
        kind = "any"
        if code[e] == op.DEFINITION:
            scope = file.definitions[code[e + op.DEFINED]].scope
            rows = file.facts.parameters.get(scope, [])
            shift = 1 if rows and rows[0].name and rows[0].name == file.scopes[scope].receiver else 0
            annotation = rows[index + shift].annotation if index + shift < len(rows) else 0
            kind = rows[index + shift].kind if annotation else kind
        else:
            annotation = self.parameter_type(file, e, index)
        if not annotation or kind in ("list", "map"):
            return ()
        return self.type_variables.settle_variables(self.annotations.typed(file, annotation), signature.bound)

    def parameter_type(self, file: SourceFile, e: int, index: int) -> int:
        """The type of a parameter in a function type; 0 if it has none."""
        code = file.code
        listed = code[e + op.PARAMETER_TYPES]
        if code[e] == op.SUBSCRIPT:
            written = self.written(file, e)
            if written is not None:
                parts = list(op.items_of(code, listed)) if code[listed] == op.TUPLE else [listed]
                position = written.parameters[index] if index < len(written.parameters) else NOT_TOLD
                return parts[position] if position != NOT_TOLD else 0
            listed = code[listed + op.ITEMS] if code[listed] == op.TUPLE and code[listed + op.ITEM_COUNT] else 0
        if _extends(file, listed):
            index += 1
        if code[listed] not in (op.TUPLE, op.LIST) or index >= code[listed + op.ITEM_COUNT]:
            return 0
        annotation: int = code[listed + op.ITEMS + index]
        return annotation

    def extended(self, signature: WrittenType) -> Values:
        """The type that functions of a type extend."""
        file = self.evaluator.files[signature.file]
        code, e = file.code, signature.expression
        listed = code[e + op.PARAMETER_TYPES] if code[e] == op.FUNCTION_TYPE else 0
        if not _extends(file, listed):
            return ()
        held = self.annotations.typed(file, code[code[listed + op.ITEMS] + op.OPERAND])
        return self.type_variables.settle_variables(held, signature.bound)

    def numbers_of_parameters(self, file: SourceFile, annotation: int) -> set[int]:
        """How many parameters the functions of a type have, as far as that is known."""
        if not annotation:
            return set()
        found: set[int] = set()
        for each in self.signatures(WrittenType(file.index, annotation, {}), 0):
            here = self.evaluator.files[each.file]
            code, e = here.code, each.expression
            if code[e] == op.DEFINITION:
                scope = here.definitions[code[e + op.DEFINED]].scope
                rows = here.facts.parameters.get(scope, [])
                found.add(len(rows) - (bool(rows) and rows[0].name == here.scopes[scope].receiver))
            elif code[e] == op.FUNCTION_TYPE:
                listed = code[e + op.PARAMETER_TYPES]
                found.add(code[listed + op.ITEM_COUNT] - _extends(here, listed) if listed else 0)
            elif (written := self.written(here, e)) is not None:
                found.add(len(written.parameters))
        return found

    def has_result(self, file: SourceFile, annotation: int) -> bool:
        """Whether all functions of a type are known to return something."""
        signatures = self.signatures(WrittenType(file.index, annotation, {}), 0) if annotation else []
        written = [self.written(self.evaluator.files[each.file], each.expression) for each in signatures]
        return bool(written) and all(each is not None and each.result != WITHOUT_RESULT for each in written)

    def written(self, file: SourceFile, e: int) -> Signature | None:
        """What a type of the library says of a function, by its arguments: `Func<A, B>`."""
        code = file.code
        if code[e] == op.SUBSCRIPT:
            index = code[e + op.INDEX]
            count = code[index + op.ITEM_COUNT] if code[index] == op.TUPLE else 1
            named = code[e + op.HOLDER]
        elif code[e] in (op.NAME, op.ATTRIBUTE, op.PATH, op.IMPORTED):
            count, named = 0, e
        else:
            return None
        for value in self.annotations.of_type(file, named):
            if value[KIND] in _OUTSIDE:
                found = file.rules.types.signatures.get((value[OWN_NAME].rpartition(".")[2], count))
                if found is not None:
                    return found
        return None

    def typed(self, each: WrittenType) -> Values:
        evaluator = self.evaluator
        return self.annotations.typed(evaluator.files[each.file], each.expression)


def _extends(file: SourceFile, listed: int) -> bool:
    """Whether the first of the types of parameters is that of the object which the function extends."""
    code = file.code
    return (
        code[listed] == op.TUPLE and code[listed + op.ITEM_COUNT] > 0 and code[code[listed + op.ITEMS]] == op.INSTANCE
    )


def _bound_of(file: SourceFile, e: int) -> int:
    """The bound of the type variable that a name stands for; 0 if it is not a type variable."""
    code = file.code
    scope = op.binding_scope(code[e + op.BINDER])
    rows = file.rows(scope, file.strings[code[e + op.WORD]])
    return code[rows[0].value + op.BOUND] if len(rows) == 1 and code[rows[0].value] == op.TYPE_VARIABLE else 0
