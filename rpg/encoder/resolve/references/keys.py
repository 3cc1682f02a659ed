"""What a key or a position names: a field of the object that is made, indexed or matched there, if its type is known.

In: a KEY site: the key of a literal, a keyword of a call that makes an object, a constant index; a position in a
pattern. Out: its outcome. A key of anything else names nothing, so that it is never an unresolved place; nor does the
key of a method, which is defined there rather than used.
"""

from __future__ import annotations

from rpg.encoder import operations as op
from rpg.encoder.resolve.evaluate import Evaluator
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.outcomes import NOTHING_TO_FIND, Outcome, Target, weakest
from rpg.encoder.resolve.values.values import CLASS, FILE, FUNC, INST, KIND, SYMBOL, Value, Values
from rpg.graph import CLASS_KINDS


def key(evaluator: Evaluator, file: SourceFile, e: int) -> Outcome:
    code = file.code
    if code[e] == op.SUBSCRIPT:
        return index(evaluator, file, e)
    holder, name = code[e + op.HOLDER], file.strings[code[e + op.MEMBER]]
    if code[holder] == op.OBJECT:
        made = list(evaluator.expected_types.find_expected(file, code[holder + op.SCOPE]))
    else:
        values = evaluator.eval(file, holder)
        made = [value for value in values if is_made_of_fields(evaluator, value)]
        if not made and file.rules.labels == "of fields":
            values = values or find_copied(evaluator, file, holder)
            return outcome_of([target for value in values for target in fields_in_header(evaluator, value, name)])
    return outcome_of([target for value in made for target in fields_named(evaluator, value, name)])


def find_copied(evaluator: Evaluator, file: SourceFile, callee: int) -> Values:
    """The objects whose `copy` is called, which the compiler makes for classes of fields."""
    code = file.code
    if code[callee] != op.ATTRIBUTE or file.strings[code[callee + op.MEMBER]] != file.rules.construction.copies:
        return ()
    return evaluator.eval(file, code[callee + op.HOLDER])


def fields_in_header(evaluator: Evaluator, value: Value, name: str) -> list[Target]:
    """The field that a parameter of the constructor is, or sets, if a label names it; or any field of a type whose
    constructor is made of its fields."""
    if value[KIND] == FUNC:
        return fields_of_constructor(evaluator, value[FILE], value[SYMBOL], name)
    if value[KIND] not in (CLASS, INST):
        return []
    here = evaluator.files[value[FILE]]
    rules, around = here.rules, here.definitions[value[SYMBOL]]
    if value[KIND] == INST and not rules.construction.copies:
        return []
    fields, constructors = [], []
    for index in here.children(value[SYMBOL], name):
        if here.definitions[index].kind == "method" and value[KIND] == INST:
            return []
        fields += [index] if here.definitions[index].kind in ("field", "property") else []
    constructors = here.children(value[SYMBOL], rules.constructor or around.name)
    if not constructors and rules.constructor and value[KIND] == CLASS:
        hit = evaluator.member_lookup.find(value[FILE], value[SYMBOL], rules.constructor)
        inherited = hit.definitions if hit is not None else ()
        if inherited:
            return [each for made in inherited for each in fields_of_constructor(evaluator, *made, name)]
    found = [each for made in constructors for each in fields_of_constructor(evaluator, value[FILE], made, name)]
    is_plain = around.kind in rules.construction.kinds and not constructors
    return found or [
        Target(value[FILE], index, "type", False)
        for index in fields
        if is_plain or here.definitions[index].start_byte < around.body_byte
    ]


def fields_of_constructor(evaluator: Evaluator, file: int, made: int, name: str) -> list[Target]:
    """The field that a parameter of a constructor declares, or to which it gives its value (`this.name`, or
    `super.name`, if a constructor of the base says the same)."""
    here = evaluator.files[file]
    constructor = here.definitions[made]
    around = constructor.parent
    if here.definitions[around].kind not in CLASS_KINDS:
        return []
    declared = [
        Target(file, index, "type", False)
        for index in here.children(around, name)
        if constructor.start_byte <= here.definitions[index].start_byte < constructor.body_byte
        and here.definitions[index].kind in ("field", "property")
    ]
    if declared or not stands_for_field(here, made, name):
        return declared
    hit = evaluator.member_lookup.find(file, around, name)
    if hit is None or (hit.distance and not any(is_set_at_construction(evaluator, *each) for each in hit.definitions)):
        return []
    return [Target(*each, "inherited" if hit.distance else "type", False) for each in hit.definitions]


def is_set_at_construction(evaluator: Evaluator, file: int, field: int) -> bool:
    """Whether a constructor of its class has a parameter that stands for a field."""
    here = evaluator.files[file]
    name, around = here.definitions[field].name, here.definitions[field].parent
    return any(
        each.parent == around and each.kind == "method" and stands_for_field(here, index, name)
        for index, each in enumerate(here.definitions)
    )


def stands_for_field(file: SourceFile, made: int, name: str) -> bool:
    """Whether a parameter of that name gives its value to a member of the object."""
    scope, code = file.definitions[made].scope, file.code
    row = file.only_row(scope, name)
    if row is None or not row.value or code[row.value] != op.ATTRIBUTE or code[code[row.value + op.HOLDER]] != op.THIS:
        return False
    return any(each.name == name for each in file.facts.parameters.get(scope, ()))


def index(evaluator: Evaluator, file: SourceFile, e: int) -> Outcome:
    """A constant index of a dictionary whose keys a class declares."""
    name = file.strings[file.code[file.code[e + op.INDEX] + op.WORD]]
    instances = [each for each in evaluator.eval(file, file.code[e + op.HOLDER]) if each[KIND] == INST]
    typed = [each for each in instances if evaluator.classes.is_typed_dict(each[FILE], each[SYMBOL])]
    return outcome_of([target for value in typed for target in fields_named(evaluator, value, name)])


def position(evaluator: Evaluator, file: SourceFile, e: int) -> Outcome:
    """The member that a pattern of a class matches by position."""
    found: list[Target] = []
    part = file.code[e + op.PART]
    for value in evaluator.eval(file, file.code[e + op.OPERAND]):
        names = evaluator.containers.list_matched_fields(value) if value[KIND] == INST else []
        found += fields_named(evaluator, value, names[part]) if part < len(names) else ()
    return outcome_of(found)


def fields_named(evaluator: Evaluator, value: Value, name: str) -> list[Target]:
    hit = evaluator.member_lookup.hit(value, name)
    if hit is None:
        return []
    via = "inherited" if hit.distance else "type"
    fields = [each for each in hit.definitions if evaluator.program.definition(*each).kind != "method"]
    return [Target(*each, via, False) for each in fields]


def outcome_of(found: list[Target]) -> Outcome:
    return Outcome(weakest(found), "") if found else NOTHING_TO_FIND


def is_made_of_fields(evaluator: Evaluator, value: Value) -> bool:
    return value[KIND] in (CLASS, INST) and evaluator.classes.is_made_of_fields(value[FILE], value[SYMBOL])
