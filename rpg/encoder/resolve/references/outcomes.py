"""What references resolve to: targets with the rule that found them; what calling or using a value runs.

In: values. Out: targets.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import DELETED, WRITE
from rpg.encoder.languages.standard_library import Protocols
from rpg.encoder.resolve.evaluate import Evaluator, Named
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.values.values import (
    CALLABLE,
    CLASS,
    CLOSURE,
    FILE,
    FUNC,
    INST,
    KIND,
    MODULE,
    OBJECT_AT,
    OF_VALUE,
    PARTIAL,
    SYMBOL,
    TYPE_OF_VARIABLE,
    VARIABLE,
    Values,
)
from rpg.graph import CLASS_KINDS

RUNNING: Final = frozenset({op.ENTERED, op.ELEMENT, op.SUBSCRIPT, op.OPERATION})
"""Operations that run methods of their operands."""
_ASSUMING: Final = {
    "scope": 0,
    "import": 0,
    "self": 1,
    "super": 1,
    "constructor": 2,
    "type": 3,
    "inherited": 4,
    "protocol": 5,
}
"""How much a rule assumes; rules that are not listed assume more."""
_HIDDEN: Final = frozenset({CLOSURE, TYPE_OF_VARIABLE, VARIABLE})
"""Values that are known but are not symbols."""


class Target(NamedTuple):
    file: int
    definition: int
    via: str
    call: bool
    """Whether the reference calls it rather than mentions it."""


TARGET_VIA: Final = 2
"""Position of a target's rule, after its Owner: `target[:TARGET_VIA]`."""


class Outcome(NamedTuple):
    """The outcome of one site."""

    targets: tuple[Target, ...]
    reason: str
    """Empty if there are targets or there was nothing to find; else external, unresolved or ambiguous."""
    misfit: bool = False
    """Unresolved although the receiver is known and has no such member, or external although it may be something that a
    library was passed: if a symbol has the name, name_fallback.py decides whether the place counts. With targets: they
    answer for missing members, so that the place counts as well."""


def once(targets: list[Target]) -> tuple[Target, ...]:
    """Each target once."""
    return tuple(targets) if len(targets) < 2 else tuple(dict.fromkeys(targets))


NOTHING_TO_FIND: Final = Outcome((), "")
OUTSIDE: Final = Outcome((), "external")
UNKNOWN: Final = Outcome((), "unresolved")
GIVEN: Final = Outcome((), "external", True)


def is_callable(evaluator: Evaluator, file: int, index: int) -> bool:
    definition = evaluator.program.definition(file, index)
    if definition.kind in CLASS_KINDS:
        return evaluator.files[file].rules.classes_are_called
    return definition.kind in ("function", "method")


def targets_of(evaluator: Evaluator, named: list[Named], via: str, call: bool) -> Iterator[Target]:
    """The symbols that a module's name denotes."""
    for kind, file, index in named:
        if kind == "definition" or (kind == "module" and not call):
            yield Target(file, index, via, call and is_callable(evaluator, file, index))


def constructors_among(evaluator: Evaluator, named: list[Named], via: str) -> Iterator[Target]:
    """A constant with an interface of the same name is a class in two parts: calling it creates an instance."""
    for kind, file, index in named:
        if kind == "definition" and evaluator.program.definition(file, index).kind == "interface":
            yield Target(file, index, via, True)


def resolve_values(evaluator: Evaluator, values: Values, via: str) -> Outcome:
    """The outcome of calling any of these values."""
    found: list[Target] = []
    external = hidden = is_of_type = False
    for value in values:
        kind: int = value[KIND]
        while kind == PARTIAL:
            value = value[OF_VALUE]
            kind = value[KIND]
        if kind in (FUNC, CLASS):
            if kind == FUNC or evaluator.files[value[FILE]].rules.classes_are_called:
                found.append(Target(value[FILE], value[SYMBOL], via, True))
            else:
                found.append(Target(value[FILE], value[SYMBOL], via, False))
        elif kind == INST:
            called_as = evaluator.files[value[FILE]].rules.protocols.call
            hit = evaluator.member_lookup.find(value[FILE], value[SYMBOL], called_as) if called_as else None
            if hit is not None:
                found += [Target(*each, "protocol", True) for each in hit.definitions]
            elif evaluator.calls.by_signature(value):
                hidden = True
            elif evaluator.members.is_external_member(value):
                external = True
        elif kind in _HIDDEN:
            hidden = True
        elif kind == CALLABLE:
            is_of_type = True
        elif kind not in (MODULE, OBJECT_AT):
            external = True
    if found:
        return Outcome(once(found), "")
    if external:
        # Which function a type stands for is unknown, whatever a library's type beside it has.
        return UNKNOWN if is_of_type else OUTSIDE
    return NOTHING_TO_FIND if hidden else UNKNOWN


def protocol(evaluator: Evaluator, file: SourceFile, e: int, role: int) -> Outcome:
    """What `with`, `for`, an index or an operator runs on its operand."""
    code, protocols = file.code, file.rules.protocols
    holder, other = code[e + op.OPERAND], 0
    names: tuple[str, ...]
    if code[e] == op.OPERATION:
        holder, other = code[e + op.LEFT], code[e + op.RIGHT]
        names = protocols.operators.get(file.strings[code[e + op.WORD]], ())
    elif code[e] == op.SUBSCRIPT:
        names = protocols.read_item
        if role in (WRITE, DELETED):
            names = protocols.write_item if role == WRITE else protocols.delete_item
    elif code[e] == op.ELEMENT:
        names = tuple(protocols.iterators)
    else:
        names = protocols.context
    found = protocol_targets(evaluator, protocols, evaluator.eval(file, holder), names, code[e] == op.ELEMENT)
    if not found and other and len(names) == 1 and names[0] in protocols.reflected:
        reflected = (protocols.reflected[names[0]],)
        found = protocol_targets(evaluator, protocols, evaluator.eval(file, other), reflected, False)
    return Outcome(once(found), "")


def protocol_targets(
    evaluator: Evaluator, protocols: Protocols, values: Values, names: tuple[str, ...], iterates: bool
) -> list[Target]:
    """The methods of some values that run: for a context manager all, else the first that exists."""
    found: list[Target] = []
    classes, member_lookup = evaluator.classes, evaluator.member_lookup
    all_run = names == protocols.context
    for value in values:
        if value[KIND] not in (INST, OBJECT_AT):
            continue
        first = len(found)
        for name in names:
            hit = member_lookup.hit(value, name)
            if hit is None or not hit.definitions:
                continue
            if (
                name != names[0] == protocols.contains
                and value[KIND] == INST
                and classes.order(value[FILE], value[SYMBOL]).external
            ):
                # `in`: an external base, such as a mapping, answers this itself and iterates over nothing.
                continue
            found += [Target(*each, "protocol", iterates) for each in hit.definitions]
            if iterates and name in protocols.iterators:
                for iterator in evaluator.calls.method_result(value, name):
                    if iterator[KIND] in (INST, OBJECT_AT):
                        step = member_lookup.hit(iterator, protocols.iterators[name][0])
                        found += [Target(*each, "protocol", True) for each in (step.definitions if step else ())]
            if not all_run:
                break
        if iterates and first == len(found) and value[KIND] == INST and protocols.item:
            hit = member_lookup.find(value[FILE], value[SYMBOL], protocols.item)
            found += [Target(*each, "protocol", True) for each in (hit.definitions if hit else ())]
    return found


def weakest(targets: list[Target]) -> tuple[Target, ...]:
    """Each target once; if several rules found it, with the one that assumes most."""
    if len(targets) < 2:
        return tuple(targets)
    best: dict[tuple[int, int, bool], Target] = {}
    for target in targets:
        key = (target.file, target.definition, target.call)
        known = best.get(key)
        if known is None or _ASSUMING.get(target.via, 9) > _ASSUMING.get(known.via, 9):
            best[key] = target
    return tuple(best.values())
