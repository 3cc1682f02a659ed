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
from rpg.encoder.resolve.values.values import CLASS, FILE, INST, KIND, SYMBOL, Value, Values


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
        if not made and file.rules.labels_arguments:
            values = values or find_copied(evaluator, file, holder)
            return outcome_of([target for value in values for target in fields_in_header(evaluator, value, name)])
    return outcome_of([target for value in made for target in fields_named(evaluator, value, name)])


def find_copied(evaluator: Evaluator, file: SourceFile, callee: int) -> Values:
    """The objects whose `copy` is called, which the compiler makes for classes of fields."""
    code = file.code
    if code[callee] != op.ATTRIBUTE or file.strings[code[callee + op.MEMBER]] != file.rules.copies:
        return ()
    return evaluator.eval(file, code[callee + op.HOLDER])


def fields_in_header(evaluator: Evaluator, value: Value, name: str) -> list[Target]:
    """The field that a class declares as a parameter of its constructor, if a label names it; or any field of a type
    whose constructor is made of its fields."""
    if value[KIND] not in (CLASS, INST):
        return []
    here = evaluator.files[value[FILE]]
    rules, around = here.rules, here.definitions[value[SYMBOL]]
    if value[KIND] == INST and not rules.copies:
        return []
    members = [here.definitions[each] for each in here.children(value[SYMBOL], name)]
    if any(each.kind == "method" for each in members) and value[KIND] == INST:
        return []
    constructors = [here.definitions[each] for each in here.children(value[SYMBOL], rules.constructor or around.name)]
    is_plain = around.kind in rules.made_of_fields and not constructors
    return [
        Target(value[FILE], index, "type", False)
        for index in here.children(value[SYMBOL], name)
        if (field := here.definitions[index]).kind in ("field", "property")
        and (
            is_plain
            or field.start_byte < around.body_byte
            or any(each.start_byte <= field.start_byte < each.body_byte for each in constructors)
        )
    ]


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
