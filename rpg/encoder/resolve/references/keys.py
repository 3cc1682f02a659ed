"""What a key names: a field of the object that is made there, if its type is known.

In: a KEY site: the key of a literal, a keyword of a call that makes an object. Out: its outcome. A key of anything else
names nothing, so that it is never an unresolved place; nor does the key of a method, which is defined there rather than
used.
"""

from __future__ import annotations

from rpg.encoder.operations import HOLDER, MEMBER, OBJECT, SCOPE
from rpg.encoder.resolve.evaluate import Evaluator
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.outcomes import NOTHING_TO_FIND, Outcome, Target, weakest
from rpg.encoder.resolve.values.values import CLASS, FILE, INST, KIND, SYMBOL, Value


def key(evaluator: Evaluator, file: SourceFile, e: int) -> Outcome:
    code = file.code
    holder, name = code[e + HOLDER], file.strings[code[e + MEMBER]]
    if code[holder] == OBJECT:
        made = list(evaluator.expected_types.expected_of(file, code[holder + SCOPE]))
    else:
        made = [value for value in evaluator.eval(file, holder) if is_made_of_fields(evaluator, value)]
    found: list[Target] = []
    for value in made:
        hit = evaluator.member_lookup.hit(value, name)
        if hit is not None:
            via = "inherited" if hit.distance else "type"
            fields = [each for each in hit.definitions if evaluator.program.definition(*each).kind != "method"]
            found += [Target(*each, via, False) for each in fields]
    return Outcome(weakest(found), "") if found else NOTHING_TO_FIND


def is_made_of_fields(evaluator: Evaluator, value: Value) -> bool:
    return value[KIND] in (CLASS, INST) and evaluator.classes.is_made_of_fields(value[FILE], value[SYMBOL])
