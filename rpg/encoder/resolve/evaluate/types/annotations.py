"""Annotations: the values that an expression in a type position describes.

In: an expression. Out: values; none if the type cannot be resolved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import strip_marks
from rpg.encoder.languages.results import AWAITED_OF, INSTANCE_OF
from rpg.encoder.resolve.evaluate.lookup.package_names import is_known
from rpg.encoder.resolve.program.source_file import AS_TYPE
from rpg.encoder.resolve.values.held import held_in, hold, make_outside
from rpg.encoder.resolve.values.values import (
    BOX,
    BUILTIN,
    CALLABLE,
    CLASS,
    CONTAINER,
    CONTENTS,
    EXPRESSION,
    EXTERNAL,
    FILE,
    HELD,
    INST,
    IS_SELF,
    KEYED,
    KIND,
    LITERAL_AT,
    MADE_AS,
    MODULE,
    MODULE_PATH,
    NONE,
    OBJECT_AT,
    OWN_NAME,
    OWN_SCOPE,
    PRIMITIVE,
    SYMBOL,
    TYPE_ARGUMENTS,
    TYPE_OF_VARIABLE,
    VARIABLE,
    Value,
    Values,
    union,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.lookup.global_names import GlobalNames
    from rpg.encoder.resolve.evaluate.lookup.modules import Modules
    from rpg.encoder.resolve.evaluate.lookup.package_names import PackageNames
    from rpg.encoder.resolve.evaluate.types.type_aliases import TypeAliases
    from rpg.encoder.resolve.program.source_file import SourceFile

_DEEPEST_ARGUMENTS: Final = 3

_HOLDING: Final = frozenset({CONTAINER, PRIMITIVE, VARIABLE})
"""Values of a variable that may hold a class or its name, and say nothing of which."""
OF_TYPE: Final = "<>()"
"""Suffix of the name of what a function of a library gives that is called with a type of the repository: it may be an
object of it."""


class Annotations:
    def __init__(
        self,
        evaluator: Context,
        package_names: PackageNames,
        global_names: GlobalNames,
        modules: Modules,
        type_aliases: TypeAliases,
    ) -> None:
        self.evaluator = evaluator
        self.package_names = package_names
        self.global_names = global_names
        self.modules = modules
        self.type_aliases = type_aliases
        self.files = evaluator.files

    def is_declared(self, file: SourceFile, e: int) -> bool:
        return file.code[e] == op.TYPED and bool(self.typed(file, file.code[e + op.ANNOTATED]))

    def is_open(self, file: SourceFile, values: Values) -> bool:
        """Whether a declared type is a function type or contains one, which does not say which function it is."""
        return file.rules.follows_declared_functions and self.holds_functions(values)

    def holds_functions(self, values: Values, depth: int = 0) -> bool:
        for value in values:
            if value[KIND] == CALLABLE:
                return True
            if value[KIND] == INST and depth < 2:
                underlying = self.evaluator.underlying_values(value)
                if underlying and self.holds_functions(underlying, depth + 1):
                    return True
            if (
                value[KIND] == CONTAINER
                and depth < 2
                and any(self.holds_functions(each, depth + 1) for each in value[CONTENTS])
            ):
                return True
            if value[KIND] == OBJECT_AT and depth < 2 and self.has_functions(value, depth):
                return True
        return False

    def has_functions(self, value: Value, depth: int) -> bool:
        """Whether an object type has function members."""
        file = self.files[value[FILE]]
        code = file.code
        for row in file.of_object.get(value[OWN_SCOPE], ()):
            if code[row.value] == op.FUNCTION_TYPE:
                return True
            if code[row.value] == op.TYPED and self.holds_functions(
                self.typed(file, code[row.value + op.ANNOTATED]), depth + 1
            ):
                return True
        return False

    def typed(self, file: SourceFile, e: int) -> Values:
        """The values of the type that an expression describes."""
        if not e:
            return ()
        return self.evaluator.compute_numbered(file.base + AS_TYPE + e, self._typed, file, e)

    def _typed(self, file: SourceFile, e: int) -> Values:
        code = file.code
        operation = code[e]
        if operation in (op.NAME, op.ATTRIBUTE, op.PATH):
            return self.named(file, e)
        if operation == op.SUBSCRIPT:
            return self.generic(file, code[e + op.HOLDER], code[e + op.INDEX])
        if operation == op.UNION:
            return union([self.typed(file, part) for part in op.items_of(code, e)])
        if operation == op.OPERATION:
            return union([self.typed(file, code[e + op.LEFT]), self.typed(file, code[e + op.RIGHT])])
        if operation == op.LITERAL:
            name = file.strings[code[e + op.WORD]]
            return ((PRIMITIVE, name),) if name not in file.rules.types.anything else ()
        if operation == op.FUNCTION_TYPE:
            return ((CALLABLE, self.typed(file, code[e + op.RETURNED])),)
        if operation == op.STRING:
            return self.forward(file, e) if file.rules.types.in_strings else ((PRIMITIVE, "str"),)
        if operation == op.TUPLE:
            items = op.items_of(code, e)
            return ((CONTAINER, "tuple", tuple(self.typed(file, item) for item in items)),)
        if operation == op.OBJECT:
            return union([self.evaluator.eval(file, e), self.find_made(file, e)])
        if operation == op.CALL:
            return union([self.instances(file, value) for value in self.evaluator.eval(file, e)])
        return self.evaluator.eval(file, e)

    def forward(self, file: SourceFile, e: int) -> Values:
        """A type named by a string in the value of an alias. In annotations the parser has already turned strings into
        names."""
        rows = file.reaching(0, file.strings[file.code[e + op.WORD]], len(file.code), False)
        return union([self.instances(file, value) for row in rows for value in self.evaluator.eval(file, row.value)])

    def find_made(self, file: SourceFile, e: int) -> Values:
        """`{ new (): T }` makes whatever T stands for."""
        code = file.code
        signatures = [row.value for row in file.rows(code[e + op.SCOPE], MADE_AS)]
        made = union(
            [self.typed(file, code[each + op.RETURNED]) for each in signatures if code[each] == op.FUNCTION_TYPE]
        )
        made = tuple(value for value in made if value[KIND] == VARIABLE)
        return ((CALLABLE, made),) if made else ()

    def named(self, file: SourceFile, e: int) -> Values:
        """A name in a type position: a class, an alias or a type variable."""
        code = file.code
        aliases = self.type_aliases
        if code[e] == op.NAME:
            last = file.strings[code[e + op.WORD]]
            if last in file.rules.types.receiver and code[e + op.BINDER] != -1:
                receiver = self.self_type(file, code[e + op.BYTE])
                if receiver:
                    return receiver
            assigned_here = aliases.find_assigned_here(file, e)
            if assigned_here:
                return self.typed(file, assigned_here)
        named = aliases.declared(file, e)
        if named is not None:
            return self.typed(named[0], named[1])
        if file.rules.types.in_strings:
            assigned = aliases.find_assigned_elsewhere(file, e)
            if assigned is not None:
                return self.typed(*assigned)
        return union([self.instances(file, value) for value in self.of_type(file, e)])

    def of_type(self, file: SourceFile, e: int) -> Values:
        """What a name in a type position stands for: if a type and a value have that name, the type."""
        code = file.code
        if code[e] == op.NAME:
            scope = op.binding_scope(code[e + op.BINDER])
            rows = file.rows(scope, file.strings[code[e + op.WORD]]) if scope >= 0 else ()
            types = file.types(scope, file.strings[code[e + op.WORD]]) if len(rows) > 1 else []
            if types:
                return union([self.evaluator.eval(file, row.value) for row in types])
            if len(rows) == 1 and code[rows[0].value] == op.IMPORTED:
                e = rows[0].value
        elif code[e] == op.ATTRIBUTE:
            holders = self.of_type(file, code[e + op.HOLDER])
            if file.rules.types_of_one_name == "spaces" and any(value[KIND] != MODULE for value in holders):
                # A namespace may have the name of a type.
                holders = union([holders, self.evaluator.eval(file, code[e + op.HOLDER])])
            if file.rules.packages_are_written and not is_known(holders):
                declaring = self.package_names.find_by_full_name(file, e)
                name = file.strings[code[e + op.MEMBER]]
                if declaring:
                    found = [self.evaluator.eval(each, row.value) for each in declaring for row in each.rows(0, name)]
                    return union(found)
            if holders and all(value[KIND] == MODULE for value in holders):
                name = file.strings[code[e + op.MEMBER]]
                return union([self.modules.attribute(value[MODULE_PATH], name, True) for value in holders])
            if holders and all(value[KIND] == EXTERNAL for value in holders):
                return tuple((EXTERNAL, f"{value[OWN_NAME]}.{file.strings[code[e + op.MEMBER]]}") for value in holders)
        if code[e] == op.IMPORTED:
            return self.modules.member(file, code[e + op.STATEMENT], file.strings[code[e + op.MEMBER]], False, True)
        if code[e] == op.NAME and code[e + op.BINDER] == -1:
            return self.find_unbound_type(file, e)
        return self.evaluator.eval(file, e)

    def find_unbound_type(self, file: SourceFile, e: int) -> Values:
        """The meaning of a name in type position that its file does not bind."""
        global_names = self.global_names
        name = file.strings[file.code[e + op.WORD]]
        bound = global_names.bindings(file, name, True)
        if bound is not None:
            return union([self.evaluator.eval(bound[0], row.value) for row in bound[1]])
        offered = global_names.offered(file, name)
        if offered:
            return union([self.modules.attribute(path, member, True) for path, member in offered])
        is_outside = global_names.is_declared(file) and name not in self.package_names.by_name
        outside: Values = ((EXTERNAL, strip_marks(name)),) if is_outside else ()
        return self.evaluator.eval(file, e) or outside

    def self_type(self, file: SourceFile, byte: int) -> Values:
        """`Self`: an instance of the innermost enclosing class."""
        best: Values = ()
        size = 1 << 30
        for index, definition in enumerate(file.definitions):
            if definition.kind == "class" and definition.start_byte <= byte < definition.end_byte:
                width = definition.end_byte - definition.start_byte
                if width < size:
                    size, best = width, ((INST, file.index, index, (), True),)
        return best

    def instances(self, file: SourceFile, value: Value) -> Values:
        """An instance of the class that a value represents."""
        kind: int = value[KIND]
        if kind == CLASS and self.is_of_functions(value):
            return self.function_of(value)
        if kind == CLASS:
            return ((INST, value[FILE], value[SYMBOL], value[TYPE_ARGUMENTS], False),)
        if kind == BUILTIN:
            return self.find_library_type(file, value[OWN_NAME], ())
        if kind == EXTERNAL:
            if value[OWN_NAME].endswith(file.rules.types.variable_makers):
                return ()
            found = self.find_library_type(file, value[OWN_NAME], ())
            return (
                tuple(hold(each, value[HELD]) if each[KIND] == EXTERNAL else each for each in found)
                if len(value) > HELD
                else found
            )
        if kind in (VARIABLE, CONTAINER, CALLABLE, PRIMITIVE):
            return (value,)
        return (
            (value,)
            if kind == INST and self.evaluator.program.definition(value[FILE], value[SYMBOL]).kind == "type"
            else ()
        )

    def is_of_functions(self, value: Value) -> bool:
        """Whether a class is a name for a type of functions."""
        file = self.files[value[FILE]]
        definition = file.definitions[value[SYMBOL]]
        return definition.kind == "type" and definition.scope >= 0 and file.scopes[definition.scope].kind == "function"

    def function_of(self, value: Value) -> Values:
        """A function of such a type."""
        file = self.files[value[FILE]]
        names = file.facts.type_parameters.get(value[SYMBOL], ())
        result = self.typed(file, file.facts.annotations.get(file.definitions[value[SYMBOL]].scope, 0))
        bound = dict(zip(names, value[TYPE_ARGUMENTS], strict=False))
        return ((CALLABLE, self.evaluator.substitute(result, bound)),)

    def find_library_type(self, file: SourceFile, name: str, arguments: tuple[Values, ...]) -> Values:
        """A value of a library type, by the name that the file uses."""
        types = file.rules.types
        last = name.rpartition(".")[2]
        kind = types.containers.get(last)
        if kind == BOX and not (arguments and arguments[0]):
            kind = None
        if kind is not None:
            if last in types.last_counts:
                arguments = arguments[-1:]
            if kind in ("list", "coroutine", "context"):
                arguments = arguments[: 3 if last in types.generators else 1] or ((),)
            elif kind in KEYED:
                arguments = (*arguments, (), ())[:2]
            return ((CONTAINER, kind, arguments),)
        if last in types.functions:
            return ((CALLABLE, arguments[-1] if arguments else ()),)
        if last in types.nothing:
            return (NONE,)
        if last in types.without_members:
            return ((PRIMITIVE, last),)
        if last in types.anything:
            return ()
        held = held_in(tuple([value for each in arguments for value in held_in(each)]))
        is_lent = types.lend_arguments and any(value[KIND] == INST for value in held)
        return (make_outside(name + (OF_TYPE if is_lent else "()"), held),)

    def generic(self, file: SourceFile, base: int, index: int) -> Values:
        """`Base[arguments]`."""
        code = file.code
        parts = [index]
        if code[index] == op.TUPLE:
            parts = list(op.items_of(code, index))
        found: list[Values] = []
        alias = self.type_aliases.declared(file, base)
        if alias is not None:
            names = alias[0].facts.type_parameters.get(alias[2], ())
            bound = dict(zip(names, [self.typed(file, part) for part in parts], strict=False))
            return self.evaluator.substitute(self.typed(alias[0], alias[1]), bound)
        if code[base] == op.LITERAL:
            values: Values = ((BUILTIN, file.strings[code[base + op.WORD]]),)
        else:
            values = self.of_type(file, base)
        types = file.rules.types
        for value in values:
            if value[KIND] in (BUILTIN, EXTERNAL):
                last = value[OWN_NAME].rpartition(".")[2]
                if last in types.unions:
                    found.append(union([self.typed(file, part) for part in parts]))
                elif last in types.transparent:
                    found.append(self.typed(file, parts[0]))
                elif last in types.classes:
                    found.append(self.classes_of(self.typed(file, parts[0])))
                elif last in types.made_of:
                    found.append(self.made_of(file, types.made_of[last], self.typed(file, parts[0])))
                elif last in types.texts:
                    found.append(((PRIMITIVE, "str"),))
                elif last in types.functions:
                    found.append(((CALLABLE, self.typed(file, parts[-1])),))
                elif (last, len(parts)) in types.signatures:
                    result = types.signatures[last, len(parts)].result
                    found.append(((CALLABLE, self.typed(file, parts[result]) if result >= 0 else ()),))
                elif types.containers.get(last) == "tuple":
                    found.append(self.tuple_of(file, parts))
                else:
                    found.append(
                        self.find_library_type(file, value[OWN_NAME], tuple(self.typed(file, part) for part in parts))
                    )
            elif value[KIND] == CLASS:
                found.append(self.instances(file, self.add_type_arguments(value, file, index)))
            else:
                found.append(self.instances(file, value))
        return union(found)

    def add_type_arguments(self, value: Value, file: SourceFile, index: int) -> Value:
        """A class with the type arguments that follow it in brackets."""
        code = file.code
        parts = op.items_of(code, index) if code[index] == op.TUPLE else (index,)
        return (*value[:TYPE_ARGUMENTS], tuple(self.shallow(self.typed(file, part)) for part in parts), value[IS_SELF])

    def made_of(self, file: SourceFile, what: str, arguments: Values) -> Values:
        """The result of a type operator, such as `Awaited` or `ReturnType`."""
        if what == AWAITED_OF:
            return self.evaluator.await_values(arguments)
        if what == INSTANCE_OF:
            return union([self.instances(file, value) for value in arguments if value[KIND] == CLASS])
        return union([self.evaluator.result(value, None, 0) for value in arguments])

    def shallow(self, values: Values, depth: int = 0) -> Values:
        """Drops type arguments nested too deeply, so that values stay small."""
        if depth >= _DEEPEST_ARGUMENTS:
            return ()
        return tuple(
            (
                *value[:TYPE_ARGUMENTS],
                tuple(self.shallow(each, depth + 1) for each in value[TYPE_ARGUMENTS]),
                value[IS_SELF],
            )
            if value[KIND] == INST
            else value
            for value in values
        )

    def tuple_of(self, file: SourceFile, parts: list[int]) -> Values:
        typed = [self.typed(file, part) for part in parts]
        if len(parts) == 2 and file.code[parts[1]] == 0:
            return ((CONTAINER, "list", (typed[0],)),)
        return ((CONTAINER, "tuple", tuple(typed)),)

    def classes_of(self, instances: Values) -> Values:
        """`type[X]`."""
        found: list[Value] = []
        for value in instances:
            if value[KIND] == INST:
                found.append((CLASS, value[FILE], value[SYMBOL], value[TYPE_ARGUMENTS], value[IS_SELF]))
            elif value[KIND] == VARIABLE:
                found.append((TYPE_OF_VARIABLE, value))
            elif value[KIND] == EXTERNAL:
                found.append((EXTERNAL, value[OWN_NAME].removesuffix("()"), *value[HELD:]))
        return tuple(found)

    def is_variable(self, file: SourceFile, e: int) -> bool:
        """Whether a name is that of a variable or parameter, and not of a type."""
        scope = op.binding_scope(file.code[e + op.BINDER]) if file.code[e] == op.NAME else -1
        rows = file.rows(scope, file.strings[file.code[e + op.WORD]]) if scope >= 0 else ()
        return any(row.kind != "type" for row in rows)

    def find_tested_types(self, file: SourceFile, e: int) -> Values:
        """The instances that pass `isinstance(x, e)`, where `e` is a class, or a tuple or union of classes."""
        code = file.code
        if code[e] in (op.TUPLE, op.LIST):
            return union([self.find_tested_types(file, part) for part in op.items_of(code, e)])
        found: list[Values] = []
        for value in self.evaluator.eval(file, e):
            if value[KIND] == LITERAL_AT:
                other = self.files[value[FILE]]
                found.append(self.find_tested_types(other, value[EXPRESSION]))
            elif value[KIND] in _HOLDING and self.is_variable(file, e):
                # Which class a text or list names that a variable holds is not known.
                return ()
            else:
                found.append(self.instances(file, value))
        return union(found)
