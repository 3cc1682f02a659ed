"""What a method returns when it is called on a subclass: its receiver has the members of the subclass, so `return
self.make()` returns what the override makes.

In: a return expression and the receiver. Out: its values. Only calls and attributes of the receiver are evaluated
again, also through a local variable; everything else stays as it is for the method's own class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.encoder import operations as op
from rpg.encoder.resolve.evaluate.types.member_lookup import space_of
from rpg.encoder.resolve.values.mro import ENTRY_ARGUMENTS
from rpg.encoder.resolve.values.values import CLASS, FILE, INST, KIND, SYMBOL, TYPE_ARGUMENTS, Value, Values, union

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.containers.elements import Containers
    from rpg.encoder.resolve.evaluate.context import Context
    from rpg.encoder.resolve.evaluate.members.members import Members
    from rpg.encoder.resolve.evaluate.types.classes import Classes
    from rpg.encoder.resolve.evaluate.types.receivers import Receivers
    from rpg.encoder.resolve.program.source_file import SourceFile

_DEEPEST: Final = 3
"""The longest chain of local variables assigned from each other."""


class Dispatch:
    def __init__(
        self, evaluator: Context, classes: Classes, receivers: Receivers, members: Members, containers: Containers
    ) -> None:
        self.evaluator = evaluator
        self.classes = classes
        self.receivers = receivers
        self.members = members
        self.containers = containers

    def receiver_in(self, file: SourceFile, index: int, receiver: Value | None) -> Value | None:
        """The receiver as the method sees it if it is an instance of a subclass of the method's own class; else
        None."""
        if receiver is None or receiver[KIND] not in (INST, CLASS):
            return None
        scope = file.definitions[index].scope
        owner = self.receivers.of_member(file, index)
        if owner is None or owner == receiver[FILE : SYMBOL + 1] or not returns_members(file, scope):
            return None
        if all(
            entry[:ENTRY_ARGUMENTS] != owner for entry in self.classes.order(receiver[FILE], receiver[SYMBOL]).entries
        ):
            return None
        return (receiver[KIND], receiver[FILE], receiver[SYMBOL], receiver[TYPE_ARGUMENTS], True)

    def seen_by(self, file: SourceFile, scope: int, e: int, receiver: Value, depth: int = 0) -> Values:
        evaluator = self.evaluator
        code = file.code
        operation = code[e]
        if operation == op.AWAIT:
            return self.containers.await_values(self.seen_by(file, scope, code[e + op.OPERAND], receiver, depth))
        if operation == op.UNION:
            parts = op.items_of(code, e)
            return union([self.seen_by(file, scope, part, receiver, depth) for part in parts])
        if operation in (op.ATTRIBUTE, op.PATH) and _is_receiver(file, scope, code[e + op.HOLDER]):
            name = file.strings[code[e + op.MEMBER]]
            space = space_of(file.rules, receiver, False, name)
            return self.members.member_values(receiver, name, space)
        if operation == op.CALL and _is_member(file, scope, code[e + op.CALLEE]):
            name = file.strings[code[code[e + op.CALLEE] + op.MEMBER]]
            callees = self.members.member_values(receiver, name, space_of(file.rules, receiver, True, name))
            return union([evaluator.result(callee, file, e) for callee in callees])
        if operation == op.NAME and code[e + op.BINDER] == scope and depth < _DEEPEST:
            rows = file.reaching(scope, file.strings[code[e + op.WORD]], code[e + op.BYTE], True)
            if any(_mentions_receiver(file, scope, row.value) for row in rows):
                return union([self.seen_by(file, scope, row.value, receiver, depth + 1) for row in rows if row.value])
        return evaluator.eval(file, e)


def returns_members(file: SourceFile, scope: int) -> bool:
    """Whether a method's result depends on its receiver."""
    return any(_mentions_receiver(file, scope, e) for e in file.facts.returns.get(scope, ()))


def _mentions_receiver(file: SourceFile, scope: int, e: int, depth: int = 0) -> bool:
    code = file.code
    operation = code[e]
    if operation == op.AWAIT:
        return _mentions_receiver(file, scope, code[e + op.OPERAND], depth)
    if operation == op.UNION:
        return any(_mentions_receiver(file, scope, part, depth) for part in op.items_of(code, e))
    if operation == op.CALL:
        return _is_member(file, scope, code[e + op.CALLEE])
    if operation == op.NAME and code[e + op.BINDER] == scope and depth < _DEEPEST:
        rows = file.reaching(scope, file.strings[code[e + op.WORD]], code[e + op.BYTE], True)
        return any(_mentions_receiver(file, scope, row.value, depth + 1) for row in rows)
    return _is_member(file, scope, e)


def _is_member(file: SourceFile, scope: int, e: int) -> bool:
    return file.code[e] in (op.ATTRIBUTE, op.PATH) and _is_receiver(file, scope, file.code[e + op.HOLDER])


def _is_receiver(file: SourceFile, scope: int, e: int) -> bool:
    """Whether an expression reads the receiver of the method with that scope."""
    code = file.code
    if code[e] == op.THIS:
        return code[e + op.SCOPE] == scope
    if (
        code[e] != op.NAME
        or code[e + op.BINDER] != scope
        or file.strings[code[e + op.WORD]] != file.scopes[scope].receiver
    ):
        return False
    rows = file.reaching(scope, file.strings[code[e + op.WORD]], code[e + op.BYTE], True)
    return len(rows) == 1 and code[rows[0].value] == op.PARAMETER and code[rows[0].value + op.POSITION] == 0
