"""Methods that the language runs beside what code names: those of descriptors where an attribute is read or written,
the metaclass's where a class is called, a base's where a class is derived from it.

In: the outcome of a site. Out: the same with these methods, which are mentioned and not called: the call is one of what
is named.
"""

from __future__ import annotations

from rpg.encoder import operations as op
from rpg.encoder.facts import BASE, CALLED, DELETED, UPDATED, WRITE
from rpg.encoder.resolve.evaluate import Evaluator
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.outcomes import NOTHING_TO_FIND, TARGET_VIA, Outcome, Target
from rpg.encoder.resolve.values.mro import Owner
from rpg.graph import CLASS_KINDS


def add_special_methods(evaluator: Evaluator, file: SourceFile, e: int, role: int, outcome: Outcome) -> Outcome:
    code, protocols = file.code, file.rules.protocols
    is_member = code[code[e + op.CALLEE] if role == CALLED else e] in (op.ATTRIBUTE, op.PATH)
    if role in (WRITE, DELETED):
        kept = tuple(each for each in outcome.targets if not answers(evaluator, each))
        if not kept:
            return NOTHING_TO_FIND
        outcome = outcome._replace(targets=kept)
    found: list[Owner] = []
    for target in outcome.targets:
        definition = evaluator.program.definition(target.file, target.definition)
        owner = target[:TARGET_VIA]
        if definition.kind in CLASS_KINDS:
            if role == CALLED and target.call:
                found += evaluator.classes.run_by_metaclass(owner, protocols.call)
            elif role == BASE:
                hit = evaluator.member_lookup.find(*owner, protocols.derived)
                found += hit.definitions if hit is not None else ()
        elif is_member and definition.parent > 0 and target.via != "value" and may_be_object(evaluator, target):
            names = (protocols.set,) if role == WRITE else (protocols.delete,) if role == DELETED else (protocols.get,)
            for name in (*names, protocols.set) if role == UPDATED else names:
                found += evaluator.descriptors.run_by(owner, name)
    if not found:
        return outcome
    known = {target[:TARGET_VIA] for target in outcome.targets}
    added = tuple(Target(*each, "protocol", False) for each in dict.fromkeys(found) if each not in known)
    return outcome._replace(targets=outcome.targets + added)


def may_be_object(evaluator: Evaluator, target: Target) -> bool:
    """Whether a member may be something else than a plain method."""
    file = evaluator.files[target.file]
    return file.definitions[target.definition].kind != "method" or target.definition in file.facts.decorators


def answers(evaluator: Evaluator, target: Target) -> bool:
    """Whether a target is there only because it answers for a member that is missing, which nothing but reading asks
    for."""
    if target.via != "protocol":
        return False
    missing = evaluator.files[target.file].rules.protocols.missing
    return evaluator.program.definition(target.file, target.definition).name == missing
