"""What a callback's parameters receive: from the type expected at its place (contextual typing), or from the builtin
that calls it.

In: a function's scope and a parameter. Out: values. The function itself is not evaluated for this: type variables are
bound by the other arguments of the call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rpg.encoder.facts import Parameter
from rpg.encoder.languages.results import (
    ACCUMULATING,
    FOLDED,
    FOLDING,
    NOT_TOLD,
    WITH_ANY,
    WITH_EACH_OF_ALL,
    WITH_PARTS,
    WITHOUT_RESULT,
    CallsArgument,
    Signature,
)
from rpg.encoder.operations import (
    ANNOTATED,
    ARGUMENT_COUNT,
    ARGUMENTS,
    ATTRIBUTE,
    BINDER,
    BOUND,
    CALLEE,
    DEFINED,
    DEFINITION,
    FUNCTION,
    FUNCTION_TYPE,
    HOLDER,
    IMPORTED,
    INDEX,
    INSTANCE,
    ITEM_COUNT,
    ITEMS,
    KEYWORDS,
    LEFT,
    LIST,
    MEMBER,
    NAME,
    OPERAND,
    OPERATION,
    PARAMETER_TYPES,
    PATH,
    POSITIONAL,
    RIGHT,
    STARRED,
    STATEMENT,
    SUBSCRIPT,
    TUPLE,
    TYPE_VARIABLE,
    TYPED,
    TYPED_VALUE,
    UNION,
    WORD,
    binding_scope,
    items_of,
)
from rpg.encoder.resolve.program.contextual_typing import ARGUMENT, ASSIGNED, DECLARED, NEW, OBJECT_MEMBER
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL
from rpg.encoder.resolve.values.values import (
    BUILTIN,
    CALLED_AS,
    CLASS,
    CLOSURE,
    CONTAINER,
    CONTENTS,
    EXTERNAL,
    FILE,
    FUNC,
    INST,
    KIND,
    METHOD_NAME,
    METHOD_OF,
    OBJECT_AT,
    OF_VALUE,
    OWN_NAME,
    OWN_SCOPE,
    PRIMITIVE,
    SYMBOL,
    TYPE_ARGUMENTS,
    VARIABLE,
    Value,
    Values,
    union,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.evaluator import Evaluator
    from rpg.encoder.resolve.program.source_file import SourceFile

_DEEPEST: Final = 4
"""Limit on nested object literals and on aliases of aliases."""
_ALIASING: Final = frozenset({SUBSCRIPT, OPERATION, UNION, FUNCTION_TYPE})
"""Type expressions that a plain assignment can give a name to."""


class Type(NamedTuple):
    """A type as written somewhere, with the values of its type variables."""

    file: int
    expression: int
    """In a type position; or a DEFINITION, if the type is that of a function."""
    bound: dict[str, Values]


_OUTSIDE: Final = frozenset({BUILTIN, EXTERNAL})


class Callbacks:
    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    def expected(self, file: SourceFile, scope: int, index: int) -> Values:
        """What a parameter without an annotation receives according to the type expected of its function."""
        evaluator = self.evaluator
        found: list[Values] = []
        for each in self.types(file, scope, 0):
            for signature in self.signatures(each, 0):
                found.append(self.parameter(signature, index))
        return evaluator.members.detached(union(found))

    def left_in(self, file: SourceFile, call: int, slot: int) -> Values:
        """What a call leaves in an argument: a value of the type that is declared there, or what a container holds."""
        evaluator = self.evaluator
        found: list[Values] = []
        for callee in evaluator.overloads.callees(file, call):
            if callee[KIND] == METHOD_OF:
                methods = file.rules.methods
                if callee[METHOD_NAME] in methods.fills:
                    found.append(evaluator.container_methods.held_by(callee[OF_VALUE]))
                continue
            for each in self.of_argument(file, call, slot, callee):
                found.append(evaluator.type_variables.settled(self.typed(each), each.bound))
        return union(found)

    def receiver(self, file: SourceFile, scope: int) -> Values:
        """What a function without a name extends, by the type expected of it or by what runs it."""
        return self.evaluator.remembered(("extended", file.index, scope), self._receiver, file, scope)

    def _receiver(self, file: SourceFile, scope: int) -> Values:
        evaluator = self.evaluator
        found = [
            self.extended(signature) for each in self.types(file, scope, 0) for signature in self.signatures(each, 0)
        ]
        context = file.contexts.get(scope)
        if context is not None and context.kind == ARGUMENT and not any(found):
            found.append(self.lent(file, context.expression, "receiver"))
        return evaluator.members.detached(union(found))

    def extended(self, signature: Type) -> Values:
        """The type that functions of a type extend."""
        file = self.evaluator.files[signature.file]
        code, e = file.code, signature.expression
        listed = code[e + PARAMETER_TYPES] if code[e] == FUNCTION_TYPE else 0
        if not _extends(file, listed):
            return ()
        held = self.evaluator.annotations.typed(file, code[code[listed + ITEMS] + OPERAND])
        return self.evaluator.type_variables.settled(held, signature.bound)

    def lent(self, file: SourceFile, call: int, role: str) -> Values:
        """What a method that every object has passes to the function that it runs: the object."""
        code, lends = file.code, file.rules.lends
        callee = code[call + CALLEE]
        if code[callee] == ATTRIBUTE and lends.get(file.strings[code[callee + MEMBER]]) == role:
            if code[code[callee + HOLDER]] != UNION:
                return self.evaluator.eval(file, code[callee + HOLDER])
            callee = items_of(code, code[callee + HOLDER])[-1]
        is_function = code[callee] == NAME and code[callee + BINDER] == -1
        if not is_function or lends.get(file.strings[code[callee + WORD]]) != role:
            return ()
        return self.evaluator.calls.argument(file, call, 0, "") if code[call + ARGUMENT_COUNT] > 1 else ()

    def returned_by(self, file: SourceFile, call: int) -> Values:
        """What a method that every object has returns of what the function returns that it is passed."""
        code = file.code
        callee, count = code[call + CALLEE], code[call + ARGUMENT_COUNT]
        if code[callee] == ATTRIBUTE:
            name = file.strings[code[callee + MEMBER]]
        else:
            name = file.strings[code[callee + WORD]] if code[callee] == NAME else ""
        if not count:
            return ((PRIMITIVE, file.rules.methods.converts[name]),) if name in file.rules.methods.converts else ()
        if name not in file.rules.gives_result:
            return ()
        calls = self.evaluator.calls
        passed = self.evaluator.eval(file, code[call + ARGUMENTS + 2 * (count - 1)])
        return union([calls.result(each, None, 0) for each in passed if each[KIND] == CLOSURE])

    def handed(self, file: SourceFile, call: int, slot: int, index: int) -> Values:
        """What a parameter of a function passed as an argument receives from the builtin that is called."""
        evaluator = self.evaluator
        found: list[Values] = []
        rules = file.rules
        methods = rules.methods
        if rules.lends and index == 0:
            found.append(self.lent(file, call, "value"))
        for callee in evaluator.eval(file, file.code[call + CALLEE]):
            if callee[KIND] == METHOD_OF:
                found.append(evaluator.container_methods.handed(methods, callee, slot, index))
                if slot == 0 and methods.results.get(callee[METHOD_NAME]) == FOLDED and index == 0:
                    types = file.facts.type_arguments.get(call)
                    folded = evaluator.annotations.typed(file, types[0]) if types else ()
                    found.append(folded or evaluator.calls.argument(file, call, 1, ""))
            elif callee[KIND] in _OUTSIDE and callee[OWN_NAME].rpartition(".")[2] in methods.passes_on:
                around = file.contexts.get(-call)
                if around is not None and around.kind == ARGUMENT:
                    found.append(self.handed(file, around.expression, around.slot, 0))
            elif callee[KIND] == BUILTIN and slot == 0 and callee[OWN_NAME] in rules.runs_argument:
                # The runtime decides what it is called with.
                found.append(((EXTERNAL, rules.runs_argument[callee[OWN_NAME]]),))
            elif callee[KIND] in (BUILTIN, EXTERNAL) and callee[OWN_NAME] in rules.calls_argument:
                found.append(self.handed_on(file, call, slot, index, rules.calls_argument[callee[OWN_NAME]]))
        return union(found)

    def handed_on(self, file: SourceFile, call: int, slot: int, index: int, by: CallsArgument) -> Values:
        evaluator = self.evaluator
        position, keyword, source, how = by
        code = file.code
        named = code[call + KEYWORDS + 2 * slot]
        if not (named == POSITIONAL and slot == position) and not (named >= 0 and file.strings[named] == keyword):
            return ()
        calls, containers = evaluator.calls, evaluator.containers
        if how == WITH_EACH_OF_ALL:
            return containers.elements(calls.argument(file, call, source + index, ""))
        arguments = calls.arguments(file, call)
        if len(arguments) <= source:
            return ()
        elements = (
            union(arguments) if how == WITH_ANY and len(arguments) > 1 else containers.elements(arguments[source])
        )
        if how == WITH_PARTS:
            return containers.item(elements, index)
        if how == FOLDING and index == 0:
            return union([elements, *arguments[2:3]])
        return elements if index == 0 or how in (FOLDING, ACCUMULATING) else ()

    # The expected type

    def types(self, file: SourceFile, scope: int, depth: int) -> list[Type]:
        """The types expected of the function or object literal with this scope."""
        evaluator = self.evaluator
        context = file.contexts.get(scope)
        if context is None or depth > _DEEPEST:
            return []
        if context.kind == DECLARED:
            return [Type(file.index, context.expression, {})]
        found: list[Type] = []
        if context.kind == ARGUMENT:
            for callee in self.callees(file, context.expression):
                found += self.of_argument(file, context.expression, context.slot, callee)
        elif context.kind == OBJECT_MEMBER:
            for value in self.expected_of(file, context.slot, depth + 1):
                found += self.of_member(value, context.name)
        elif context.kind == ASSIGNED:
            for value in evaluator.eval(file, context.expression):
                found += self.of_member(value, context.name)
        return found

    def callees(self, file: SourceFile, call: int) -> Values:
        evaluator = self.evaluator
        if file.rules.has_companions:
            return evaluator.companions.takers(file, call, evaluator.overloads.callees(file, call))
        if file.rules.has_overloads:
            return evaluator.overloads.callees(file, call)
        return evaluator.eval(file, file.code[call + CALLEE])

    def expected_of(self, file: SourceFile, scope: int, depth: int = 0) -> Values:
        """The types expected of the object literal with this scope."""
        if file.contexts.get(scope) is None or depth > _DEEPEST:
            return ()
        return self.evaluator.remembered(("o", file.index, scope), self._expected_of, file, scope, depth)

    def _expected_of(self, file: SourceFile, scope: int, depth: int) -> Values:
        evaluator = self.evaluator
        context = file.contexts[scope]
        types = self.types(file, scope, depth)
        values = union([evaluator.type_variables.settled(self.typed(each), each.bound) for each in types])
        if not values and context.kind == ARGUMENT and not context.slot and context.name != NEW:
            values = self.of_component(file, file.code[context.expression + CALLEE])
        if context.kind == DECLARED:
            promised = [v[CONTENTS][0] if v[KIND] == CONTAINER and v[OWN_NAME] == "coroutine" else (v,) for v in values]
            values = union(promised)
        for _ in range(context.inside):
            values = evaluator.containers.elements(values)
        return values

    def of_component(self, file: SourceFile, callee: int) -> Values:
        """The props of a component: a class that is called without `new`, or a function that is declared to be of a
        library's type. Their type is the first type argument."""
        evaluator = self.evaluator
        found: list[Values] = []
        for value in evaluator.eval(file, callee):
            if value[KIND] == CLASS:
                for entry in evaluator.classes.order(value[FILE], value[SYMBOL]).entries:
                    here = evaluator.files[entry[OWNER_FILE]]
                    bases = here.facts.bases.get(entry[OWNER_SYMBOL], ())
                    found += [self.of_library_type(here, base) for keyword, base in bases if not keyword]
            elif value[KIND] == FUNC:
                here = evaluator.files[value[FILE]]
                context = here.contexts.get(here.definitions[value[SYMBOL]].scope)
                if context is not None and context.kind == DECLARED:
                    found.append(self.of_library_type(here, context.expression))
        return union(found)

    def of_library_type(self, file: SourceFile, e: int, position: int = 0) -> Values:
        """An argument of a library's type, the first one unless said otherwise."""
        code = file.code
        annotations = self.evaluator.annotations
        if code[e] != SUBSCRIPT or all(each[KIND] != EXTERNAL for each in annotations.of_type(file, code[e + HOLDER])):
            return ()
        index = code[e + INDEX]
        parts = items_of(code, index) if code[index] == TUPLE else (index,)
        return annotations.typed(file, parts[position]) if position < len(parts) else ()

    def typed(self, each: Type) -> Values:
        evaluator = self.evaluator
        return evaluator.annotations.typed(evaluator.files[each.file], each.expression)

    def of_argument(self, file: SourceFile, call: int, slot: int, callee: Value) -> list[Type]:
        """The declared type of the parameter that an argument is passed for."""
        evaluator = self.evaluator
        function = callee
        if callee[KIND] == CLASS:
            name = evaluator.files[callee[FILE]].rules.constructor
            hit = evaluator.classes.find(callee[FILE], callee[SYMBOL], name) if name else None
            if hit is None or not hit.definitions:
                return []
            instance: Value = (INST, *callee[FILE:])
            function = (FUNC, *hit.definitions[-1], instance)
        if function[KIND] != FUNC:
            return []
        here = evaluator.files[function[FILE]]
        scope = here.definitions[function[SYMBOL]].scope
        rows = here.facts.parameters.get(scope, [])
        shift = evaluator.type_variables.shift(here, function)
        row = _row(file, call, slot, rows[shift:])
        if row is None and file.rules.has_overloads:
            row = self.behind(file, call, slot, here, rows[shift:])
        if row is None or not row.annotation:
            return []
        bound = evaluator.type_variables.bound_by(here, function, file, call, with_functions=False)
        for value in evaluator.annotations.typed(here, row.annotation):
            if value[KIND] == VARIABLE:
                # The variable stands for this very argument: its bound says more.
                bound.pop(value[OWN_NAME], None)
        return [Type(function[FILE], row.annotation, bound)]

    def behind(
        self, file: SourceFile, call: int, slot: int, here: SourceFile, rows: list[Parameter]
    ) -> Parameter | None:
        """The parameter that a function behind a call is passed for, where its name may be left out: the only one of a
        function type that is not given, or that must be."""
        code = file.code
        if code[code[call + ARGUMENTS + 2 * slot]] != FUNCTION or code[call + KEYWORDS + 2 * slot] != POSITIONAL:
            return None
        annotations = self.evaluator.annotations
        named = [code[call + KEYWORDS + 2 * at] for at in range(code[call + ARGUMENT_COUNT])]
        given = {file.strings[each] for each in named if each >= 0}
        left = [
            row
            for row in rows
            if row.kind == "keyword"
            and row.name not in given
            and annotations.holds_functions(annotations.typed(here, row.annotation))
        ]
        needed = [row for row in left if not row.default]
        return left[0] if len(left) == 1 else needed[0] if len(needed) == 1 else None

    def of_member(self, value: Value, name: str) -> list[Type]:
        """The declared type of a member."""
        evaluator = self.evaluator
        if value[KIND] == INST:
            hit = evaluator.classes.find(value[FILE], value[SYMBOL], name)
            if hit is None:
                return []
            owner_unit, owner = hit.owner
            scope = evaluator.files[owner_unit].definitions[owner].scope
            names = evaluator.classes.variables(*hit.owner)
            bound = dict(zip(names, hit.arguments if hit.distance else value[TYPE_ARGUMENTS], strict=False))
        elif value[KIND] == OBJECT_AT:
            owner_unit, scope, bound = value[FILE], value[OWN_SCOPE], {}
        else:
            return []
        here = evaluator.files[owner_unit]
        return [
            Type(owner_unit, row.value, bound)
            for row in here.rows(scope, name)
            if here.code[row.value] in (TYPED, DEFINITION, FUNCTION_TYPE)
        ]

    # The functions in a type

    def signatures(self, each: Type, depth: int) -> list[Type]:
        """The function types in a type, including those behind aliases and in unions."""
        evaluator = self.evaluator
        file = evaluator.files[each.file]
        code, e = file.code, each.expression
        operation = code[e]
        if operation in (FUNCTION_TYPE, DEFINITION):
            return [each]
        if depth > _DEEPEST:
            return []
        parts: list[int] = []
        if operation == TYPED:
            parts = [code[e + ANNOTATED]]
        elif operation == UNION:
            parts = list(items_of(code, e))
        elif operation == OPERATION:
            parts = [code[e + LEFT], code[e + RIGHT]]
        elif operation == SUBSCRIPT:
            inner = list(items_of(code, code[e + INDEX]))
            inner = inner if code[code[e + INDEX]] == TUPLE else [code[e + INDEX]]
            named = [
                value[OWN_NAME].rpartition(".")[2]
                for value in evaluator.annotations.of_type(file, code[e + HOLDER])
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
                    self.of_alias(each, file, code[e + HOLDER], inner, depth)
                    or self.named(each, code[e + HOLDER], inner)
                    or self.called(each)
                )
        elif operation == NAME and (bounded := _bound_of(file, e)):
            parts = [bounded]
        elif operation in (NAME, ATTRIBUTE, PATH, IMPORTED):
            if file.rules.types.signatures and self.written(file, e) is not None:
                return [each]
            return self.of_alias(each, file, e, [], depth) or self.named(each, e, []) or self.called(each)
        else:
            return self.called(each)
        found: list[Type] = []
        for part in parts:
            found += self.signatures(each._replace(expression=part), depth + 1)
        return found

    def named(self, each: Type, e: int, arguments: list[int]) -> list[Type]:
        """The functions of types that are declared by a name (`delegate R F<A>(A a)`)."""
        evaluator = self.evaluator
        file = evaluator.files[each.file]
        found: list[Type] = []
        for value in evaluator.annotations.of_type(file, e):
            if value[KIND] != CLASS or not evaluator.annotations.is_of_functions(value):
                continue
            here = evaluator.files[value[FILE]]
            values = [row.value for row in here.facts.bindings if here.code[row.value] == DEFINITION]
            made = [at for at in values if here.code[at + DEFINED] == value[SYMBOL]]
            names = here.facts.type_parameters.get(value[SYMBOL], ())
            types = [evaluator.annotations.typed(file, argument) for argument in arguments]
            bound = dict(zip(names, types, strict=False))
            found += [Type(here.index, at, each.bound | bound) for at in made[:1]]
        return found

    def of_alias(self, each: Type, file: SourceFile, e: int, arguments: list[int], depth: int) -> list[Type]:
        """The function types that an alias stands for."""
        evaluator = self.evaluator
        alias = evaluator.annotations.alias_named(file, e)
        if alias is not None:
            names = alias[0].facts.type_parameters.get(alias[2], ())
            argument_types = [evaluator.annotations.typed(file, argument) for argument in arguments]
            substitute = evaluator.type_variables.substitute
            bound = {name: substitute(values, each.bound) for name, values in zip(names, argument_types, strict=False)}
            return self.signatures(Type(alias[0].index, alias[1], bound), depth + 1)
        assigned = self.assigned_alias(file, e, 0)
        if assigned is None:
            return []
        return self.signatures(Type(assigned[0].index, assigned[1], each.bound), depth + 1)

    def assigned_alias(self, file: SourceFile, e: int, depth: int) -> tuple[SourceFile, int] | None:
        """The type that a plain assignment named (`Handler = Callable[[Item], None]`), here or in another module."""
        evaluator = self.evaluator
        code = file.code
        if depth > _DEEPEST:
            return None
        if code[e] == NAME and code[e + BINDER] != -1:
            scope = binding_scope(code[e + BINDER])
            rows = file.rows(scope, file.strings[code[e + WORD]])
        elif code[e] == IMPORTED:
            files = evaluator.modules.files(file, code[e + STATEMENT]) or ()
            other = evaluator.program.file_at(files[0]) if len(files) == 1 else None
            if other is None:
                return None
            rows = other.rows(0, file.strings[code[e + MEMBER]])
            file, code = other, other.code
        else:
            return None
        if len(rows) != 1 or not rows[0].value:
            return None
        value = rows[0].value
        if code[value] == TYPED:
            value = code[value + TYPED_VALUE]
        if code[value] == IMPORTED:
            return self.assigned_alias(file, value, depth + 1)
        return (file, value) if code[value] in _ALIASING else None

    def called(self, each: Type) -> list[Type]:
        """The call signatures of an interface, an object type or a protocol with `__call__`."""
        evaluator = self.evaluator
        found: list[Type] = []
        for value in evaluator.type_variables.substitute(self.typed(each), each.bound):
            if value[KIND] in (INST, OBJECT_AT):
                rules = evaluator.files[value[FILE]].rules
                called_as = rules.protocols.call
                if value[KIND] == INST and rules.interfaces_are_functions:
                    called_as = self.only_method(value)
                found += self.of_member(value, CALLED_AS) or (self.of_member(value, called_as) if called_as else [])
        return found

    def only_method(self, value: Value) -> str:
        """The one method without a body of an interface, which a function can stand for; empty if it is none."""
        evaluator = self.evaluator
        names: set[str] = set()
        for entry in evaluator.classes.order(value[FILE], value[SYMBOL]).entries:
            file = evaluator.files[entry[OWNER_FILE]]
            if file.definitions[entry[OWNER_SYMBOL]].kind != "interface":
                return ""
            for definition in file.definitions:
                is_abstract = definition.kind == "method" and definition.body_byte == definition.end_byte
                if is_abstract and definition.parent == entry[OWNER_SYMBOL]:
                    names.add(definition.name)
        names -= evaluator.files[value[FILE]].rules.object_members
        return next(iter(names)) if len(names) == 1 else ""

    def parameter(self, signature: Type, index: int) -> Values:
        """What one parameter of a function of that type receives."""
        evaluator = self.evaluator
        file = evaluator.files[signature.file]
        code, e = file.code, signature.expression
        kind = "any"
        if code[e] == DEFINITION:
            scope = file.definitions[code[e + DEFINED]].scope
            rows = file.facts.parameters.get(scope, [])
            shift = 1 if rows and rows[0].name and rows[0].name == file.scopes[scope].receiver else 0
            annotation = rows[index + shift].annotation if index + shift < len(rows) else 0
            kind = rows[index + shift].kind if annotation else kind
        else:
            annotation = self.parameter_type(file, e, index)
        if not annotation or kind in ("list", "map"):
            return ()
        return evaluator.type_variables.settled(evaluator.annotations.typed(file, annotation), signature.bound)

    def numbers_of_parameters(self, file: SourceFile, annotation: int) -> set[int]:
        """How many parameters the functions of a type have, as far as that is known."""
        if not annotation:
            return set()
        found: set[int] = set()
        for each in self.signatures(Type(file.index, annotation, {}), 0):
            here = self.evaluator.files[each.file]
            code, e = here.code, each.expression
            if code[e] == DEFINITION:
                scope = here.definitions[code[e + DEFINED]].scope
                rows = here.facts.parameters.get(scope, [])
                found.add(len(rows) - (bool(rows) and rows[0].name == here.scopes[scope].receiver))
            elif code[e] == FUNCTION_TYPE:
                listed = code[e + PARAMETER_TYPES]
                found.add(code[listed + ITEM_COUNT] - _extends(here, listed) if listed else 0)
            elif (written := self.written(here, e)) is not None:
                found.add(len(written.parameters))
        return found

    def has_result(self, file: SourceFile, annotation: int) -> bool:
        """Whether all functions of a type are known to return something."""
        signatures = self.signatures(Type(file.index, annotation, {}), 0) if annotation else []
        written = [self.written(self.evaluator.files[each.file], each.expression) for each in signatures]
        return bool(written) and all(each is not None and each.result != WITHOUT_RESULT for each in written)

    def written(self, file: SourceFile, e: int) -> Signature | None:
        """What a type of the library says of a function, by its arguments: `Func<A, B>`."""
        code = file.code
        if code[e] == SUBSCRIPT:
            index = code[e + INDEX]
            count = code[index + ITEM_COUNT] if code[index] == TUPLE else 1
            named = code[e + HOLDER]
        elif code[e] in (NAME, ATTRIBUTE, PATH, IMPORTED):
            count, named = 0, e
        else:
            return None
        for value in self.evaluator.annotations.of_type(file, named):
            if value[KIND] in _OUTSIDE:
                found = file.rules.types.signatures.get((value[OWN_NAME].rpartition(".")[2], count))
                if found is not None:
                    return found
        return None

    def parameter_type(self, file: SourceFile, e: int, index: int) -> int:
        """The type of a parameter in a function type; 0 if it has none."""
        code = file.code
        listed = code[e + PARAMETER_TYPES]
        if code[e] == SUBSCRIPT:
            written = self.written(file, e)
            if written is not None:
                parts = list(items_of(code, listed)) if code[listed] == TUPLE else [listed]
                position = written.parameters[index] if index < len(written.parameters) else NOT_TOLD
                return parts[position] if position != NOT_TOLD else 0
            listed = code[listed + ITEMS] if code[listed] == TUPLE and code[listed + ITEM_COUNT] else 0
        if _extends(file, listed):
            index += 1
        if code[listed] not in (TUPLE, LIST) or index >= code[listed + ITEM_COUNT]:
            return 0
        annotation: int = code[listed + ITEMS + index]
        return annotation


def _extends(file: SourceFile, listed: int) -> bool:
    """Whether the first of the types of parameters is that of the object which the function extends."""
    code = file.code
    return code[listed] == TUPLE and code[listed + ITEM_COUNT] > 0 and code[code[listed + ITEMS]] == INSTANCE


def _row(file: SourceFile, call: int, slot: int, rows: list[Parameter]) -> Parameter | None:
    """The parameter that an argument is passed for."""
    code = file.code
    is_last = slot == code[call + ARGUMENT_COUNT] - 1 and code[call + KEYWORDS + 2 * slot] == POSITIONAL
    if file.rules.trailing_functions and is_last and code[code[call + ARGUMENTS + 2 * slot]] == FUNCTION:
        return rows[-1] if rows else None
    named = code[call + KEYWORDS + 2 * slot]
    if named >= 0:
        text = file.strings[named]
        return next((row for row in rows if row.name == text), None)
    if any(code[call + KEYWORDS + 2 * before] == STARRED for before in range(slot + 1)) or named != POSITIONAL:
        return None
    position = sum(code[call + KEYWORDS + 2 * before] == POSITIONAL for before in range(slot))
    for row in rows:
        if row.kind in ("list", "map"):
            return row if row.kind == "list" else None
        if row.kind == "keyword":
            continue
        if not position:
            return row
        position -= 1
    return None


def _bound_of(file: SourceFile, e: int) -> int:
    """The bound of the type variable that a name stands for; 0 if it is not a type variable."""
    code = file.code
    scope = binding_scope(code[e + BINDER])
    rows = file.rows(scope, file.strings[code[e + WORD]])
    return code[rows[0].value + BOUND] if len(rows) == 1 and code[rows[0].value] == TYPE_VARIABLE else 0
