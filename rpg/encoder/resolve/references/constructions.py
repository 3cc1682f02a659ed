"""Constructors that code runs without naming the call: declarations, members, lists.

In: a call whose callee stands for an object of the type that is made. Out: the constructors that take what is passed,
of the class or, where it has none, of the nearest one above. Nothing is missing where there is none.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.resolve.evaluate import Evaluator
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.member_references import member
from rpg.encoder.resolve.references.outcomes import NOTHING_TO_FIND, Outcome, Target, once
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL, Owner
from rpg.encoder.resolve.values.values import FILE, INST, KIND, SYMBOL, Value
from rpg.graph import FAN_OUT_LIMIT

_ARGUMENTS: Final = re.compile(r"<.*>")
_POINTS: Final = re.compile(r"[*&]")


def find_constructors(evaluator: Evaluator, file: SourceFile, e: int) -> Outcome:
    """An element of a container may be a pointer to what its type says, and so may what is expected in the place of a
    list of fewer than two: its constructor is only possible."""
    code, made = file.code, file.code[e + op.CALLEE]
    found: list[Target] = []
    expected = find_expected_place(file, made)
    may_point = code[made] == op.ELEMENT or (expected and code[e + op.ARGUMENT_COUNT] < 2)
    via = "unique-name" if may_point else "protocol"
    values = evaluator.expected_types.instances_at(file, expected) if expected else evaluator.eval(file, made)
    for value in values:
        if value[KIND] != INST or (code[made] == op.UNION and not holds_object(evaluator, file, made, value)):
            continue
        own = list_constructors(evaluator, value[FILE : SYMBOL + 1])
        if is_copied(evaluator, file, e, value):
            own = [each for each in own if takes_object(evaluator, each, value)]
        if not own or evaluator.overloads.fits_none(file, e, own):
            continue
        taking = evaluator.overloads.taking(file, e, own)
        fitting = evaluator.overloads.best(file, e, taking)
        if len(fitting) > FAN_OUT_LIMIT:
            return Outcome((), "ambiguous")
        found += [Target(*each, via if len(fitting) == 1 else "fan-out", False) for each in fitting]
    return Outcome(once(found), "") if found else NOTHING_TO_FIND


def find_expected_place(file: SourceFile, made: int) -> int:
    """The expression for the class that is expected in a place, if an object of it is made; 0 otherwise."""
    operand = file.code[made + op.OPERAND] if file.code[made] == op.INSTANCE else 0
    return operand if operand and file.code[operand] == op.TYPE_OF and not file.code[operand + op.OPERAND] else 0


def holds_object(evaluator: Evaluator, file: SourceFile, made: int, value: Value) -> bool:
    """Whether a member is such an object itself, and does not point to one."""
    name = evaluator.program.definition(value[FILE], value[SYMBOL]).name
    for target in member(evaluator, file, file.code[made + op.ITEMS], False).targets:
        written = evaluator.program.definition(target.file, target.definition).signature
        outside = _ARGUMENTS.sub("", written)
        if _POINTS.search(outside) or (outside != written and name not in outside.split()):
            return False
    return True


def is_copied(evaluator: Evaluator, file: SourceFile, e: int, value: Value) -> bool:
    """Whether an object is made of another one of its class, or of a pointer to one."""
    code = file.code
    if code[e + op.ARGUMENT_COUNT] != 1:
        return False
    passed = evaluator.eval(file, code[e + op.ARGUMENTS])
    return any(each[KIND] == INST and each[FILE : SYMBOL + 1] == value[FILE : SYMBOL + 1] for each in passed)


def takes_object(evaluator: Evaluator, constructor: Owner, value: Value) -> bool:
    """Whether a constructor copies such an object, or takes a base of it."""
    for row in evaluator.arity.rows(constructor)[:1]:
        declared = evaluator.annotations.typed(evaluator.files[constructor[OWNER_FILE]], row.annotation)
        return evaluator.classes.is_any_of(value, declared) if declared else True
    return False


def list_constructors(evaluator: Evaluator, owner: Owner) -> list[Owner]:
    """The constructors of a class, else those of the nearest one above that has some."""
    for each in evaluator.classes.order(*owner).entries:
        name = evaluator.program.definition(each[OWNER_FILE], each[OWNER_SYMBOL]).name
        hit = evaluator.member_lookup.find(each[OWNER_FILE], each[OWNER_SYMBOL], name)
        found = [one for one in hit.definitions if evaluator.overloads.is_called(one)] if hit is not None else []
        if found:
            return found
    return []
