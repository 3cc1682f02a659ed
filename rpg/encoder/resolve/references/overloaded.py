"""Which of several symbols of one name a site means, in languages with overloads and with fields beside methods.

In: a site and its outcome. Out: the outcome with those that fit; if several fit equally well, they are possible.
"""

from __future__ import annotations

from rpg.encoder import operations as op
from rpg.encoder.facts import CALLED, EXTENSION, PARAMETERLESS, PARTIAL, SPECIALISED
from rpg.encoder.resolve.evaluate import Evaluator
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.outcomes import TARGET_VIA, Outcome, Target
from rpg.encoder.resolve.values.mro import OWNER_FILE, Owner
from rpg.graph import CLASS_KINDS, FAN_OUT_LIMIT


def narrow(evaluator: Evaluator, file: SourceFile, e: int, role: int, outcome: Outcome) -> Outcome:
    if len(outcome.targets) < 2:
        return outcome
    program = evaluator.program
    if role == CALLED and file.rules.argument_types == "deduced":
        special = tuple(each for each in outcome.targets if is_specialised(evaluator, each))
        if special:
            plain = tuple(each for each in outcome.targets if each not in special)
            generic = narrow(evaluator, file, e, role, outcome._replace(targets=plain))
            return add_special(evaluator, file, e, generic, special)
    targets = list(outcome.targets)
    taken: set[Owner] = set()
    if role == CALLED:
        called = [
            (each.file, each.definition)
            for each in targets
            if program.definition(each.file, each.definition).kind in _METHODS
            and PARAMETERLESS not in program.definition(each.file, each.definition).flags
        ]
        taking = evaluator.overloads.taking(file, e, called)
        taken = set(taking)
        missed = set(called).difference(taken) if taken else set()
        targets = [each for each in targets if (each.file, each.definition) not in missed]
        if taking and file.rules.extensions == "imported":
            targets = members_first(evaluator, file, e, targets)
    groups: dict[tuple[int, str, str, str], list[Target]] = {}
    for target in targets:
        definition = program.definition(target.file, target.definition)
        parent = program.definition(target.file, definition.parent) if definition.parent > 0 else None
        place = target.file if parent is not None and PARTIAL not in parent.flags else -1
        # Specialisations of a template, and types that differ in the number of their parameters, have one name.
        around = parent.qualified_name if parent is not None else ""
        key = (place, around, definition.owner, definition.name)
        groups.setdefault(key, []).append(target)
    if len(groups) == len(targets):
        if role == CALLED:
            targets = choose_methods(evaluator, file, e, targets)
        return outcome._replace(targets=tuple(targets))
    kept: list[Target] = []
    is_open = False
    for group in groups.values():
        methods = [each for each in group if program.definition(each.file, each.definition).kind in _METHODS]
        if role != CALLED:
            others = [each for each in group if each not in methods]
            fitting = others or methods
        elif methods and file.rules.overloads == "constructors" and has_class(evaluator, group):
            fitting = choose_beside_constructors(evaluator, file, e, group)
        elif methods:
            of_owner = {(each.file, each.definition): each for each in methods}
            owners = list(of_owner)
            overloads = evaluator.overloads
            best = overloads.best if taken.issuperset(owners) else overloads.fitting
            fitting = [of_owner[each] for each in best(file, e, owners)]
        else:
            fitting = group
        is_open = is_open or len(fitting) > 1
        kept += fitting
    if role == CALLED and len(groups) > 1:
        kept = choose_methods(evaluator, file, e, kept)
    if not is_open:
        return outcome._replace(targets=tuple(kept))
    if len(kept) > FAN_OUT_LIMIT:
        return Outcome((), "ambiguous")
    return outcome._replace(targets=tuple(each._replace(via="fan-out") for each in kept))


def is_specialised(evaluator: Evaluator, target: Target) -> bool:
    return SPECIALISED in evaluator.program.definition(target.file, target.definition).flags


def add_special(
    evaluator: Evaluator, file: SourceFile, e: int, outcome: Outcome, special: tuple[Target, ...]
) -> Outcome:
    """A call of a generic function means what it is for certain types, if it is called with these."""
    answers = {each: evaluator.conversions.is_special(file, e, each[:TARGET_VIA]) for each in special}
    meant = tuple(each for each in special if answers[each])
    if len(outcome.targets) == len(meant) == 1:
        return outcome._replace(targets=(meant[0]._replace(via=outcome.targets[0].via),))
    possible = [each for each in special if answers[each] is not False]
    if not possible:
        return outcome
    if not outcome.targets and len(meant) == 1:
        return Outcome(meant, "")
    both = [*outcome.targets, *possible]
    if len(both) > FAN_OUT_LIMIT:
        return Outcome((), "ambiguous")
    return outcome._replace(targets=tuple(each._replace(via="fan-out") for each in both))


def has_class(evaluator: Evaluator, targets: list[Target]) -> bool:
    return any(evaluator.program.definition(each.file, each.definition).kind in CLASS_KINDS for each in targets)


def choose_beside_constructors(evaluator: Evaluator, file: SourceFile, e: int, targets: list[Target]) -> list[Target]:
    """Of functions and classes of one name, those that take the arguments best. A class that says nothing of what it
    takes, as it has constructors in its body, may take them, too."""
    overloads, definition_of = evaluator.overloads, evaluator.program.definition
    made = [each for each in targets if definition_of(each.file, each.definition).kind != "interface"]
    owners = [each[:TARGET_VIA] for each in made]
    taking = overloads.taking(file, e, owners)
    if not taking:
        return made
    best = set(overloads.best(file, e, taking))
    return [each for each in made if each[:TARGET_VIA] in best]


def choose_methods(evaluator: Evaluator, file: SourceFile, e: int, targets: list[Target]) -> list[Target]:
    """Of the methods that several files add to one type, those that fit best."""
    definitions = [evaluator.program.definition(each.file, each.definition) for each in targets]
    if len({each.qualified_name for each in definitions}) > 1 or any(each.kind not in _METHODS for each in definitions):
        return targets
    fitting = evaluator.overloads.fitting(file, e, [each[:TARGET_VIA] for each in targets])
    return [each for each in targets if each[:TARGET_VIA] in fitting]


def add_included(evaluator: Evaluator, file: SourceFile, e: int, outcome: Outcome) -> Outcome:
    """A function of the file itself, or one that an included file has as an overload, if only that one takes so many
    arguments. It is only possible if the file's own takes more: its declaration may have values for them."""
    code = file.code
    callee = code[e + op.CALLEE]
    own = [each[:TARGET_VIA] for each in outcome.targets]
    if code[callee] == op.NAME:
        declared = add_declared(evaluator, file, e, file.strings[code[callee + op.WORD]], outcome)
        if declared is not None:
            return declared
    is_own = code[callee] == op.NAME and all(owner[OWNER_FILE] == file.index for owner in own)
    if not is_own or evaluator.overloads.taking(file, e, own):
        return outcome
    name = file.strings[code[callee + op.WORD]]
    declaring = {each.index: each for each in evaluator.package_names.declaring(file, name)}
    included = [declaring[index] for index in evaluator.package_names.reaches(file, declaring)]
    found = [
        (other.index, index)
        for other in included
        for index in other.children(0, name)
        if other.definitions[index].kind in _METHODS
    ]
    taking = evaluator.overloads.taking(file, e, found)
    if not taking:
        return outcome
    taking = evaluator.overloads.fitting(file, e, taking)
    targets = tuple(Target(*each, "import" if len(taking) == 1 else "fan-out", True) for each in taking)
    count = code[e + op.ARGUMENT_COUNT]
    longer = tuple(each for each in outcome.targets if evaluator.overloads.is_too_few(each[:TARGET_VIA], count))
    if longer:
        targets = tuple(each._replace(via="fan-out") for each in (*longer, *targets))
    return Outcome(targets, "")


def add_declared(evaluator: Evaluator, file: SourceFile, e: int, name: str, outcome: Outcome) -> Outcome | None:
    """The functions of the files that define what the file of a target only declares, too, if there are any."""
    found: list[Owner] = []
    for index in dict.fromkeys(each.file for each in outcome.targets):
        for other in evaluator.package_names.defining(evaluator.files[index], name):
            found += [(other.index, each) for each in other.children(0, name)]
    found = [each for each in found if evaluator.overloads.is_called(each)]
    known = [each[:TARGET_VIA] for each in outcome.targets]
    more = [each for each in found if each not in known]
    if not more:
        return None
    for index in dict.fromkeys(owner[OWNER_FILE] for owner in known):
        known += [(index, each) for each in evaluator.files[index].children(0, name) if (index, each) not in known]
    fitting = evaluator.overloads.fitting(
        file, e, [each for each in (*known, *more) if evaluator.overloads.is_called(each)]
    )
    if len(fitting) > FAN_OUT_LIMIT:
        return Outcome((), "ambiguous")
    vias = {each[:TARGET_VIA]: each.via for each in outcome.targets}
    is_one = len(fitting) == 1
    return Outcome(tuple(Target(*each, vias.get(each, "scope") if is_one else "fan-out", True) for each in fitting), "")


def members_first(evaluator: Evaluator, file: SourceFile, e: int, targets: list[Target]) -> list[Target]:
    """Of several methods of one name, those that a type has itself and that can take the arguments, before those that
    extend it."""
    definition_of = evaluator.program.definition
    if len({bool(definition_of(each.file, each.definition).owner) for each in targets}) < 2:
        return targets
    own: dict[str, list[Owner]] = {}
    for each in targets:
        here = definition_of(each.file, each.definition)
        if not here.owner:
            own.setdefault(here.qualified_name, []).append(each[:TARGET_VIA])
    hidden = {name: evaluator.overloads.fits_none(file, e, methods) for name, methods in own.items()}
    kept: list[Target] = []
    for each in targets:
        here = definition_of(each.file, each.definition)
        if hidden.get(here.qualified_name, bool(here.owner)) == bool(here.owner):
            kept.append(each)
    return kept


def doubt(evaluator: Evaluator, file: SourceFile, e: int, outcome: Outcome) -> Outcome:
    """A callee with fewer parameters than arguments, or more required ones, is not what the name means there, or not
    all of it: it is only possible, unless others fit. Among overloads, what is spread may be any number of them."""
    code, count = file.code, file.code[e + op.ARGUMENT_COUNT]
    overloads = evaluator.overloads
    spread = 0
    if file.rules.overloads != "none":
        spread = sum(1 for at in range(count) if code[e + op.KEYWORDS + 2 * at] == op.STARRED)
    needs_all = file.rules.argument_count == "all" and not spread
    fitting: list[Target] = []
    for each in outcome.targets:
        owner = each[:TARGET_VIA]
        # What a method is called on may be its first argument.
        most = count + (EXTENSION in evaluator.program.definition(*owner).flags)
        if not overloads.is_too_many(owner, count - spread) and not (needs_all and overloads.is_too_few(owner, most)):
            fitting.append(each)
    if len(fitting) == len(outcome.targets):
        return outcome
    if fitting:
        return outcome._replace(targets=tuple(fitting))
    via = "unique-name" if len(outcome.targets) == 1 else "fan-out"
    return outcome._replace(targets=tuple(each._replace(via=via) for each in outcome.targets))


_METHODS = frozenset({"method", "function"})
