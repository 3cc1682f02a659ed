"""What a name means that a type and an object beside it share: the type, or what calling the object runs.

In: a site and its outcome. Out: the outcome without the objects that stand beside a type that is meant; with what a
call names. For languages whose `Rules.sides` are `companions`.
"""

from __future__ import annotations

from rpg.encoder.facts import CALLED, CALLED_BY_NAME, READ
from rpg.encoder.resolve.evaluate import Evaluator
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.outcomes import TARGET_VIA, UNKNOWN, Outcome, Target, once
from rpg.graph import CLASS_KINDS, FAN_OUT_LIMIT


def filter_called_by_name(evaluator: Evaluator, targets: list[Target]) -> list[Target]:
    """Of overloads that are only named, those that are called so."""
    flags = [evaluator.program.definition(*each[:TARGET_VIA]).flags for each in targets]
    found = [each for each, own in zip(targets, flags, strict=True) if not CALLED_BY_NAME.isdisjoint(own)]
    return found or targets


def resolve_companions(evaluator: Evaluator, file: SourceFile, e: int, role: int, outcome: Outcome) -> Outcome:
    companions = evaluator.companions
    targets = [each for each in outcome.targets if not companions.is_companion(each[:TARGET_VIA])]
    if not targets:
        return outcome
    if role == READ and len(targets) > 1:
        targets = filter_called_by_name(evaluator, targets)
    is_open = role != CALLED
    if role == CALLED:
        found: list[Target] = []
        for each in targets:
            owner = each[:TARGET_VIA]
            if not each.call or evaluator.program.definition(*owner).kind not in CLASS_KINDS:
                found.append(each)
                continue
            called = companions.called(file, e, owner)
            via = each.via if called == [owner] else "type"
            found += [Target(*method, via, True) for method in called]
        if not found:
            return UNKNOWN
        is_open = len(found) > 1 and found != targets
        targets = [each._replace(via="fan-out") for each in found] if is_open else found
    if len(targets) > FAN_OUT_LIMIT and is_open:  # what is called may be told by its arguments
        return Outcome((), "ambiguous")
    return outcome._replace(targets=once(targets))


def add_named(evaluator: Evaluator, named: tuple[Target, ...], called: Outcome) -> Outcome:
    """A call that runs a method of the object that it names (`Ok(1)` runs `Ok.apply`) mentions the object."""
    if not called.targets:
        return called
    known = {each[:TARGET_VIA] for each in called.targets}
    added = tuple(
        each._replace(call=False)
        for each in named
        if each.call
        and each[:TARGET_VIA] not in known
        and not evaluator.companions.is_companion(each[:TARGET_VIA])
        and evaluator.program.definition(*each[:TARGET_VIA]).kind in CLASS_KINDS
    )
    return called._replace(targets=once([*called.targets, *added])) if added else called
