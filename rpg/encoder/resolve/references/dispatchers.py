"""Functions that dispatchers and signals of a library call: those that are registered with the same one, under the name
that is dispatched.

In: a call of a method. Out: what it runs. Where the dispatcher comes from elsewhere, or the name is not known, nothing.
"""

from __future__ import annotations

from rpg.encoder import operations as op
from rpg.encoder.resolve.evaluate import Evaluator
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.outcomes import Target, resolve_values
from rpg.encoder.resolve.values.values import FILE, INST, KIND, LITERAL_AT, SPELLING, SYMBOL, TEXT, Values, union

REGISTERED: str = "on "
"""Begins the name of a member that stands for what is registered under a name."""


def find_dispatched(evaluator: Evaluator, file: SourceFile, callee: int, call: int) -> tuple[Target, ...]:
    code = file.code
    name = file.strings[code[callee + op.MEMBER]]
    position = file.rules.dispatching[name]
    keys: Values | None = None
    if position >= 0:
        if code[call + op.ARGUMENT_COUNT] <= position:
            return ()
        keys = evaluator.eval(file, code[call + op.ARGUMENTS + 2 * position])
        if not keys:
            return ()
    found: list[Values] = []
    for value in evaluator.eval(file, code[callee + op.HOLDER]):
        if value[KIND] == LITERAL_AT:
            found.append(evaluator.containers.registered(value, keys))
        elif value[KIND] == INST and keys is not None and evaluator.member_lookup.hit(value, name) is None:
            texts = [each[SPELLING] for each in keys if each[KIND] == TEXT]
            owner = value[FILE : SYMBOL + 1]
            found += [evaluator.stored_on(owner, f"{REGISTERED}{text}") for text in texts]
    return resolve_values(evaluator, union(found), "value").targets
