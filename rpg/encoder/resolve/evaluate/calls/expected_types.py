"""The type that is expected at the place of a function or an object literal (contextual typing).

In: the scope of a function or literal, or a call and one of its arguments. Out: types as written, or the values of
an object literal's type. The place itself, an argument or a declaration, is found by contextual_typing.py. The
function is not evaluated for this: type variables are bound by the other arguments of the call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import Parameter
from rpg.encoder.resolve.evaluate.types.function_types import WrittenType
from rpg.encoder.resolve.program.contextual_typing import (
    ARGUMENT,
    ASSIGNED,
    DECLARED,
    ELEMENT_OF,
    NEW,
    OBJECT_MEMBER,
    RESULT_OF,
)
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL
from rpg.encoder.resolve.values.values import (
    CALLABLE,
    CLASS,
    CONTAINER,
    CONTENTS,
    EXTERNAL,
    FILE,
    FUNC,
    INST,
    KEYED,
    KIND,
    OWN_NAME,
    RESULT,
    SYMBOL,
    VARIABLE,
    Value,
    Values,
    union,
)

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.calls.companions import Companions
    from rpg.encoder.resolve.evaluate.calls.overloads import Overloads
    from rpg.encoder.resolve.evaluate.containers.elements import Containers
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.types.annotations import Annotations
    from rpg.encoder.resolve.evaluate.types.classes import Classes
    from rpg.encoder.resolve.evaluate.types.function_types import FunctionTypes
    from rpg.encoder.resolve.evaluate.types.member_lookup import MemberLookup
    from rpg.encoder.resolve.evaluate.types.type_variables import TypeVariables
    from rpg.encoder.resolve.program.source_file import SourceFile

_MADE: Final = frozenset({INST, EXTERNAL, CONTAINER})
_DEEPEST: Final = 4
"""Limit on nested object literals."""


class ExpectedTypes:
    def __init__(
        self,
        evaluator: Context,
        annotations: Annotations,
        member_lookup: MemberLookup,
        classes: Classes,
        type_variables: TypeVariables,
        function_types: FunctionTypes,
        containers: Containers,
        overloads: Overloads,
        companions: Companions,
    ) -> None:
        self.evaluator = evaluator
        self.annotations = annotations
        self.member_lookup = member_lookup
        self.classes = classes
        self.type_variables = type_variables
        self.function_types = function_types
        self.containers = containers
        self.overloads = overloads
        self.companions = companions

    def types(self, file: SourceFile, scope: int, depth: int) -> list[WrittenType]:
        """The types expected of the function or object literal with this scope."""
        evaluator = self.evaluator
        context = file.contexts.get(scope)
        if context is None or depth > _DEEPEST:
            return []
        if context.kind == DECLARED:
            return [WrittenType(file.index, context.expression, {})]
        found: list[WrittenType] = []
        if context.kind == ARGUMENT:
            for callee in self.callees(file, context.expression):
                found += self.of_argument(file, context.expression, context.slot, callee)
        elif context.kind == OBJECT_MEMBER:
            for value in self.find_expected(file, context.slot, depth + 1):
                found += self.function_types.of_member(value, context.name)
        elif context.kind == ASSIGNED:
            for value in evaluator.eval(file, context.expression):
                found += self.function_types.of_member(value, context.name)
        return found

    def classes_at(self, file: SourceFile, e: int) -> Values:
        """The class of which a call makes an instance that does not name it, if only one is expected there."""
        found = self.instances_at(file, e)
        return tuple((CLASS, *value[FILE:]) if value[KIND] == INST else value for value in found)

    def instances_at(self, file: SourceFile, e: int) -> Values:
        context = file.contexts.get(-e)
        if context is None:
            return ()
        if context.kind == ELEMENT_OF:
            values = self.put_into(file, context.expression, -1)
        elif context.kind == RESULT_OF:
            values = self.results_of(file, context.slot, 0)
        else:
            types = self.types(file, -e, 0)
            values = union(
                [self.type_variables.settle_variables(self.function_types.typed(each), each.bound) for each in types]
            )
            callee = file.code[context.expression + op.CALLEE] if context.kind == ARGUMENT else 0
            if not values and callee and file.code[callee] == op.ATTRIBUTE:
                values = self.put_into(file, file.code[callee + op.HOLDER], context.slot)
        for _ in range(context.inside):
            values = self.containers.elements(values)
        values = tuple(value for value in values if value[KIND] in _MADE)
        return values if len(values) == 1 else ()

    def results_of(self, file: SourceFile, scope: int, depth: int) -> Values:
        """What the function with this scope is expected to return."""
        made = [self.function_types.typed(each) for each in self.types(file, scope, depth)]
        return union([each[RESULT] for some in made for each in some if each[KIND] == CALLABLE])

    def put_into(self, file: SourceFile, holder: int, slot: int) -> Values:
        """What a container takes: as an element or value, or as the argument of a method."""
        evaluator, code = self.evaluator, file.code
        found: list[Values] = []
        is_unnamed = code[holder] == op.CALL and code[code[holder + op.CALLEE]] == op.TYPE_OF
        held = self.instances_at(file, code[holder + op.CALLEE]) if is_unnamed else evaluator.eval(file, holder)
        for value in held:
            if value[KIND] == CONTAINER and value[OWN_NAME] in KEYED:
                found += value[CONTENTS][slot : slot + 1] if slot >= 0 else value[CONTENTS][-1:]
            elif value[KIND] == CONTAINER:
                found.append(self.containers.elements((value,)))
        return union(found)

    def callees(self, file: SourceFile, call: int) -> Values:
        evaluator = self.evaluator
        if file.rules.sides == "companions":
            return self.companions.takers(file, call, self.overloads.callees(file, call))
        if file.rules.overloads != "none":
            return self.overloads.callees(file, call)
        return evaluator.eval(file, file.code[call + op.CALLEE])

    def of_argument(self, file: SourceFile, call: int, slot: int, callee: Value) -> list[WrittenType]:
        """The declared type of the parameter that an argument is passed for."""
        evaluator = self.evaluator
        function = callee
        if callee[KIND] == CLASS:
            rules = evaluator.files[callee[FILE]].rules
            name = rules.constructor
            if rules.constructors_are_named_like_classes:
                name = evaluator.program.definition(callee[FILE], callee[SYMBOL]).name
            hit = self.member_lookup.find(callee[FILE], callee[SYMBOL], name) if name else None
            instance: Value = (INST, *callee[FILE:])
            if hit is None or not hit.definitions:
                label = file.code[call + op.KEYWORDS + 2 * slot] if rules.construction.kinds else op.POSITIONAL
                return self.function_types.of_member(instance, file.strings[label]) if label >= 0 else []
            if rules.overloads != "none" and len(hit.definitions) > 1:
                makers = [(FUNC, *each, instance) for each in hit.definitions]
                return [each for maker in makers for each in self.of_argument(file, call, slot, maker)]
            function = (FUNC, *hit.definitions[-1], instance)
        if function[KIND] != FUNC:
            return []
        here = evaluator.files[function[FILE]]
        scope = here.definitions[function[SYMBOL]].scope
        rows = here.facts.parameters.get(scope, [])
        shift = self.type_variables.shift(here, function)
        row = _row(file, call, slot, rows[shift:])
        if row is None and file.rules.overloads != "none":
            row = self.behind(file, call, slot, here, rows[shift:])
        if row is None or not row.annotation:
            return []
        bound = self.type_variables.bound_by(here, function, file, call, with_functions=False)
        for value in self.annotations.typed(here, row.annotation):
            if value[KIND] == VARIABLE:
                # The variable stands for this very argument: its bound says more.
                bound.pop(value[OWN_NAME], None)
        return [WrittenType(function[FILE], row.annotation, bound)]

    def behind(
        self, file: SourceFile, call: int, slot: int, here: SourceFile, rows: list[Parameter]
    ) -> Parameter | None:
        """The parameter that a function behind a call is passed for, where its name may be left out: the only one of a
        function type that is not given, or that must be."""
        code = file.code
        if (
            code[code[call + op.ARGUMENTS + 2 * slot]] != op.FUNCTION
            or code[call + op.KEYWORDS + 2 * slot] != op.POSITIONAL
        ):
            return None
        annotations = self.annotations
        named = [code[call + op.KEYWORDS + 2 * at] for at in range(code[call + op.ARGUMENT_COUNT])]
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

    def find_expected(self, file: SourceFile, scope: int, depth: int = 0) -> Values:
        """The types expected of the object literal with this scope."""
        if file.contexts.get(scope) is None or depth > _DEEPEST:
            return ()
        return self.evaluator.compute_once(("o", file.index, scope), self._expected_of, file, scope, depth)

    def _expected_of(self, file: SourceFile, scope: int, depth: int) -> Values:
        context = file.contexts[scope]
        types = self.types(file, scope, depth)
        values = union(
            [self.type_variables.settle_variables(self.function_types.typed(each), each.bound) for each in types]
        )
        if not values and context.kind == ARGUMENT and not context.slot and context.name != NEW:
            values = self.find_component_props(file, file.code[context.expression + op.CALLEE])
        if not values and context.kind == ARGUMENT and context.name != NEW:
            callee = file.code[context.expression + op.CALLEE]
            if file.code[callee] == op.ATTRIBUTE:
                values = self.put_into(file, file.code[callee + op.HOLDER], context.slot)
        elif context.kind == RESULT_OF:
            values = self.results_of(file, context.slot, depth + 1)
        elif context.kind == OBJECT_MEMBER and not values:
            around = self.find_expected(file, context.slot, depth + 1)
            values = union(
                [v[CONTENTS][-1] for v in around if v[KIND] == CONTAINER and v[OWN_NAME] in KEYED and v[CONTENTS]]
            )
        if context.kind == DECLARED:
            promised = [v[CONTENTS][0] if v[KIND] == CONTAINER and v[OWN_NAME] == "coroutine" else (v,) for v in values]
            values = union(promised)
        for _ in range(context.inside):
            values = self.containers.elements(values)
        return values or self.annotations.typed(file, file.facts.annotations.get(scope, 0))

    def find_component_props(self, file: SourceFile, callee: int) -> Values:
        """The props of a component: a class that is called without `new`, or a function that is declared to be of a
        library's type. Their type is the first type argument."""
        evaluator = self.evaluator
        found: list[Values] = []
        for value in evaluator.eval(file, callee):
            if value[KIND] == CLASS:
                for entry in self.classes.order(value[FILE], value[SYMBOL]).entries:
                    here = evaluator.files[entry[OWNER_FILE]]
                    bases = here.facts.bases.get(entry[OWNER_SYMBOL], ())
                    found += [self.find_library_argument(here, base) for keyword, base in bases if not keyword]
            elif value[KIND] == FUNC:
                here = evaluator.files[value[FILE]]
                context = here.contexts.get(here.definitions[value[SYMBOL]].scope)
                if context is not None and context.kind == DECLARED:
                    found.append(self.find_library_argument(here, context.expression))
                elif context is not None and context.kind == ARGUMENT and not context.slot:
                    found.append(self.find_written_props(here, context.expression))
        return union(found)

    def find_written_props(self, file: SourceFile, call: int) -> Values:
        """What a function that a library's is handed receives first, as the type arguments of the call say:
        `forwardRef<HTMLElement, Props>(…)`."""
        types = file.facts.type_arguments.get(call)
        if types is None:
            return ()
        for callee in self.evaluator.eval(file, file.code[call + op.CALLEE]):
            if callee[KIND] == EXTERNAL:
                base = file.rules.library_bases.get(callee[OWN_NAME].rpartition(".")[2])
                position = next(iter(base.arguments.values()), len(types)) if base is not None else len(types)
                return self.annotations.typed(file, types[position]) if position < len(types) else ()
        return ()

    def find_library_argument(self, file: SourceFile, e: int, position: int = 0) -> Values:
        """An argument of a library's type, the first one unless said otherwise."""
        code = file.code
        annotations = self.annotations
        if code[e] != op.SUBSCRIPT or all(
            each[KIND] != EXTERNAL for each in annotations.of_type(file, code[e + op.HOLDER])
        ):
            return ()
        index = code[e + op.INDEX]
        parts = op.items_of(code, index) if code[index] == op.TUPLE else (index,)
        return annotations.typed(file, parts[position]) if position < len(parts) else ()


def _row(file: SourceFile, call: int, slot: int, rows: list[Parameter]) -> Parameter | None:
    """The parameter that an argument is passed for."""
    code = file.code
    is_last = slot == code[call + op.ARGUMENT_COUNT] - 1 and code[call + op.KEYWORDS + 2 * slot] == op.POSITIONAL
    if file.rules.closures.may_trail and is_last and code[code[call + op.ARGUMENTS + 2 * slot]] == op.FUNCTION:
        return rows[-1] if rows else None
    named = code[call + op.KEYWORDS + 2 * slot]
    if named >= 0:
        text = file.strings[named]
        return next((row for row in rows if row.name == text), None)
    if any(code[call + op.KEYWORDS + 2 * before] == op.STARRED for before in range(slot + 1)) or named != op.POSITIONAL:
        return None
    position = sum(code[call + op.KEYWORDS + 2 * before] == op.POSITIONAL for before in range(slot))
    for row in rows:
        if row.kind in ("list", "map"):
            return row if row.kind == "list" else None
        if row.kind == "keyword":
            continue
        if not position:
            return row
        position -= 1
    return None
