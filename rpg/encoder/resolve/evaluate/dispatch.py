"""What a method returns where it is called on another class than its own: members of its receiver are those of that
class, so that `return self.make()` gives what the override makes.

In: a return expression and the receiver. Out: its values. Only the receiver's own calls and attributes are seen anew,
also through a local variable; everything else is what it is for the method's own class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder.facts import ATTRIBUTE, AWAIT, CALL, NAME, PARAMETER, PATH, THIS, UNION
from rpg.encoder.resolve.values.values import CLASS, INST, Value, Values, union

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.evaluator import Inference
    from rpg.encoder.resolve.program.unit import Unit

_DEEPEST: Final = 3
"""Local variables assigned from each other."""


def receiver_in(inference: Inference, unit: Unit, index: int, receiver: Value | None) -> Value | None:
    """The receiver as the method sees it, where it is of a class below the method's own; else None."""
    if receiver is None or receiver[0] not in (INST, CLASS):
        return None
    scope = unit.definitions[index].scope
    owner = inference.receivers.of_member(unit, index)
    if owner is None or owner == receiver[1:3] or not returns_members(unit, scope):
        return None
    if all(entry[:2] != owner for entry in inference.classes.order(receiver[1], receiver[2]).entries):
        return None
    return (receiver[0], receiver[1], receiver[2], receiver[3], True)


def seen_by(inference: Inference, unit: Unit, scope: int, e: int, receiver: Value, depth: int = 0) -> Values:
    code = unit.code
    operation = code[e]
    if operation == AWAIT:
        return inference.containers.awaited(seen_by(inference, unit, scope, code[e + 2], receiver, depth))
    if operation == UNION:
        parts = code[e + 3 : e + 3 + code[e + 2]]
        return union([seen_by(inference, unit, scope, part, receiver, depth) for part in parts])
    if operation in (ATTRIBUTE, PATH) and _is_receiver(unit, scope, code[e + 2]):
        return inference.members.member_values(receiver, unit.strings[code[e + 3]])
    if operation == CALL and _is_member(unit, scope, code[e + 2]):
        callees = inference.members.member_values(receiver, unit.strings[code[code[e + 2] + 3]])
        return union([inference.calls.result(callee, unit, e) for callee in callees])
    if operation == NAME and code[e + 3] == scope and depth < _DEEPEST:
        rows = unit.reaching(scope, unit.strings[code[e + 2]], code[e + 1], True)
        if any(_mentions_receiver(unit, scope, row.value) for row in rows):
            return union([seen_by(inference, unit, scope, row.value, receiver, depth + 1) for row in rows if row.value])
    return inference.eval(unit, e)


def returns_members(unit: Unit, scope: int) -> bool:
    """Whether what a method returns hangs on its receiver."""
    return any(_mentions_receiver(unit, scope, e) for e in unit.facts.returns.get(scope, ()))


def _mentions_receiver(unit: Unit, scope: int, e: int, depth: int = 0) -> bool:
    code = unit.code
    operation = code[e]
    if operation == AWAIT:
        return _mentions_receiver(unit, scope, code[e + 2], depth)
    if operation == UNION:
        return any(_mentions_receiver(unit, scope, part, depth) for part in code[e + 3 : e + 3 + code[e + 2]])
    if operation == CALL:
        return _is_member(unit, scope, code[e + 2])
    if operation == NAME and code[e + 3] == scope and depth < _DEEPEST:
        rows = unit.reaching(scope, unit.strings[code[e + 2]], code[e + 1], True)
        return any(_mentions_receiver(unit, scope, row.value, depth + 1) for row in rows)
    return _is_member(unit, scope, e)


def _is_member(unit: Unit, scope: int, e: int) -> bool:
    return unit.code[e] in (ATTRIBUTE, PATH) and _is_receiver(unit, scope, unit.code[e + 2])


def _is_receiver(unit: Unit, scope: int, e: int) -> bool:
    """Whether an expression reads the receiver of the method whose scope that is."""
    code = unit.code
    if code[e] == THIS:
        return code[e + 2] == scope
    if code[e] != NAME or code[e + 3] != scope or unit.strings[code[e + 2]] != unit.scopes[scope].receiver:
        return False
    rows = unit.reaching(scope, unit.strings[code[e + 2]], code[e + 1], True)
    return len(rows) == 1 and code[rows[0].value] == PARAMETER and code[rows[0].value + 3] == 0
