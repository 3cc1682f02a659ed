"""Which rule found a member through a value: depends on the receiver, where it was made, and where the member is
defined.

In: a receiver, its value and the hit. Out: the name of a rule (`via`).
"""

from __future__ import annotations

from rpg.encoder import operations as op
from rpg.encoder.resolve.evaluate import Evaluator, Hit
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.values.values import CLASS, FILE, FUNC, INST, IS_SELF, KIND, KNOWN_BY, PARENT, SYMBOL, Value


def rule(evaluator: Evaluator, file: SourceFile, holder: int, value: Value, hit: Hit) -> str:
    """Which rule found a member through a value."""
    kind: int = value[KIND]
    if kind == PARENT:
        return "super"
    if kind == INST and len(value) > KNOWN_BY:
        return str(value[KNOWN_BY])
    if kind == CLASS and file.code[holder] == op.DEFINITION:
        # `this` in a static block or in the value of a static field.
        return "self" if hit.distance == 0 else "inherited"
    if kind in (INST, CLASS) and value[IS_SELF]:
        return "self" if hit.distance == 0 else "inherited"
    if hit.distance:
        return "inherited"
    if kind == INST and is_constructed_in_view(evaluator, file, holder, value):
        return "constructor"
    return "type"


def is_constructed_in_view(evaluator: Evaluator, file: SourceFile, e: int, value: Value) -> bool:
    """Whether the receiver is a call of the class, here or where the variable was assigned."""
    code = file.code
    if code[e] == op.NAME and code[e + op.BINDER] >= 0:
        rows = file.reaching(code[e + op.BINDER], file.strings[code[e + op.WORD]], code[e + op.BYTE], True)
        if len(rows) != 1 or not rows[0].value:
            return False
        e = rows[0].value
    if code[e] == op.INSTANCE:
        return any(
            each[FILE : SYMBOL + 1] == value[FILE : SYMBOL + 1]
            for each in evaluator.eval(file, e)
            if each[KIND] == INST
        )
    if code[e] != op.CALL:
        return False
    made = evaluator.eval(file, code[e + op.CALLEE])
    return any(each[KIND] in (CLASS, FUNC) and each[FILE : SYMBOL + 1] == value[FILE : SYMBOL + 1] for each in made)


def is_import(evaluator: Evaluator, file: SourceFile, e: int) -> bool:
    """Whether an import bound this name to a module as a single value."""
    code = file.code
    if code[e] != op.NAME or code[e + op.BINDER] == -1:
        return code[e] == op.IMPORT
    scope = op.binding_scope(code[e + op.BINDER])
    rows = file.reaching(scope, file.strings[code[e + op.WORD]], code[e + op.BYTE], code[e + op.BINDER] >= 0)
    return len(rows) == 1 and code[rows[0].value] == op.IMPORT


def is_promise(evaluator: Evaluator, file: SourceFile, holder: int, name: str) -> bool:
    """Whether an awaited value is the only possibility: a promise lacks the member, so something else must be possible
    there too."""
    if name in file.rules.methods.awaitable:
        return True
    callees = evaluator.eval(file, file.code[holder + op.CALLEE]) if file.code[holder] == op.CALL else ()
    functions = [evaluator.program.definition(value[FILE], value[SYMBOL]) for value in callees if value[KIND] == FUNC]
    return (
        bool(callees)
        and len(functions) == len(callees)
        and all("async" in each.modifiers or each.returns for each in functions)
    )
