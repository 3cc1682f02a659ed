"""Asks whether what a site uses still gives what the statement around it takes.

In: a site that is the same before and after. Out: a finding, or None.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import ANNOTATION, BASE, CALLED, CREATED, KEY, READ, WRITE, Definition
from rpg.encoder.resolve.breakage.findings import MISFIT, Finding
from rpg.encoder.resolve.breakage.given import taken
from rpg.encoder.resolve.breakage.given.assigned import Refused, find_assigned, find_positional
from rpg.encoder.resolve.breakage.given.effects import find_lacking
from rpg.encoder.resolve.breakage.given.passed import find_other_number
from rpg.encoder.resolve.breakage.given.type_arguments import find_other_count
from rpg.encoder.resolve.breakage.given.types_said import (
    count_parts,
    count_returned,
    is_no_list,
    is_number,
    may_stand_for,
    type_given,
)
from rpg.encoder.resolve.breakage.sides import Side, Site
from rpg.encoder.resolve.breakage.written.statements import gives_nothing
from rpg.encoder.resolve.breakage.written.texts import Texts
from rpg.encoder.resolve.incremental.fingerprints import expressions
from rpg.encoder.resolve.program.arguments_taken import shape_of
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.outcomes import Target
from rpg.graph import CLASS_KINDS

_FUNCTIONS: Final = frozenset({"function", "method"})
_NAMING: Final = frozenset({ANNOTATION, BASE, CALLED, CREATED, KEY, READ, WRITE})


class Pair(NamedTuple):
    had: Definition
    has: Definition
    before: SourceFile
    after: SourceFile
    was: int
    number: int
    """Its numbers in these files."""
    was_parts: int
    parts: int


class Said(NamedTuple):
    detail: str
    certain: bool


class Given:
    def __init__(self, before: Side, after: Side, texts: Texts) -> None:
        self.before = before
        self.after = after
        self.texts = texts
        self._arguments: dict[int, dict[int, str]] = {}
        self._pairs: dict[tuple[str, str], Pair | None] = {}

    def find(self, old: SourceFile, site: Site, new: SourceFile, now: Site) -> Finding | None:
        if now.role not in _NAMING:
            return None
        was = self.before.certain_targets(old, self.before.outcome(old, site))
        pair = self.pair(was[0]) if len(was) == 1 and was[0].definition else None
        if pair is None:
            return None
        found = self.judge(new, now, pair)
        if found is None:
            return None
        symbol = self.after.id_of(pair.after.index, pair.number)
        return Finding(new.path, now.line, now.column, found.certain, MISFIT, now.name, symbol, found.detail)

    def pair(self, target: Target) -> Pair | None:
        """What a site meant, then and now, if that says something else of what it gives."""
        path, had = self.before.path_of(target), self.before.definition(target)
        key = (path, had.qualified_name)
        if key not in self._pairs:
            self._pairs[key] = self.make_pair(target, path, had)
        return self._pairs[key]

    def make_pair(self, target: Target, path: str, had: Definition) -> Pair | None:
        old, new = self.before.program.files[target.file], self.after.file(path)
        if new is None or old.facts is new.facts or len(self.before.named(path, had.qualified_name)) != 1:
            return None
        found = self.after.named(path, had.qualified_name)
        if len(found) != 1 or new.definitions[found[0]].kind != had.kind:
            return None
        has = new.definitions[found[0]]
        parts = self.parts(old, had), self.parts(new, has)
        is_same = had.signature == has.signature and parts[0] == parts[1]
        if is_same and had.kind not in CLASS_KINDS:
            return None
        return Pair(had, has, old, new, target.definition, found[0], *parts)

    def parts(self, file: SourceFile, definition: Definition) -> int:
        """How many parts what a function gives has; 0: it gives nothing; -1: that is not known."""
        if definition.kind in _FUNCTIONS and not definition.returns and file.rules.awaiting == "strict":
            return count_returned(file.facts, definition)
        return count_parts(type_given(definition, file.rules))

    def judge(self, new: SourceFile, now: Site, pair: Pair) -> Said | None:
        text = self.texts.of(self.after, new)
        begin = new.code[now.named + op.BYTE]
        if text[begin : begin + len(now.name)] != now.name:
            return None
        source = self.after.program.read(new.path)
        if now.role in (WRITE, KEY):
            if now.role == KEY and new.rules.labels == "of fields":
                return None  # an argument of a call, which is judged as one
            types = type_given(pair.had, pair.before.rules), type_given(pair.has, pair.after.rules)
            refused = find_assigned(text, source, begin + len(now.name), *types, new.rules)
            return self.of_literal(refused, new)
        if pair.has.kind in CLASS_KINDS:
            if new.rules.literals_need == "all fields if none is named" and now.role in (CREATED, ANNOTATION):
                types_of = fields_of(pair.before, pair.was), fields_of(pair.after, pair.number)
                refused = find_positional(text, source, begin, begin + len(now.name), *types_of, new.rules)
                if refused is not None:
                    return self.of_literal(refused, new)
            detail = find_other_count(text, begin + len(now.name), pair.had, pair.has)
            detail = detail or self.of_construction(text, new, now, pair)
            return Said(detail, True) if detail else None
        is_call = now.role == CALLED and new.code[now.expression] == op.CALL
        if now.role == READ and pair.has.kind in _FUNCTIONS:
            return self.of_passed(new, now, pair)
        if now.role not in (CALLED, READ) or is_call != (pair.has.kind in _FUNCTIONS):
            return None
        place = taken.find_place(text, begin, len(now.name), is_call)
        if place is None:
            return None
        if lacking := find_lacking(pair.had, pair.has, place, new, now.maker):
            return Said(lacking, True)
        return self.of_types(new, place, pair)

    def of_literal(self, refused: Refused | None, new: SourceFile) -> Said | None:
        if refused is None:
            return None
        is_told = new.rules.demands_members != "of objects"
        return Said(f"takes `{_short(refused.declared)}` where {refused.literal[:40]} is given", is_told)

    def of_passed(self, new: SourceFile, now: Site, pair: Pair) -> Said | None:
        """Of a function that is an argument of a call."""
        if now.expression not in self.arguments(new):
            return None
        is_bound = new.code[now.named] == op.ATTRIBUTE and pair.has.kind == "method"
        was, has = shape_of(pair.before, pair.was, is_bound), shape_of(pair.after, pair.number, is_bound)
        detail = find_other_number(was, has, new.rules)
        return Said(detail, False) if detail else None

    def arguments(self, file: SourceFile) -> dict[int, str]:
        """The arguments of calls -> the names of what is called."""
        known = self._arguments.get(file.index)
        if known is None:
            known = self._arguments[file.index] = {}
            code = file.code
            for e in expressions(code):
                if code[e] != op.CALL:
                    continue
                callee = code[e + op.CALLEE]
                is_named = code[callee] in (op.NAME, op.ATTRIBUTE, op.PATH)
                name = file.strings[op.find_name_word(code, callee)] if is_named else ""
                for at in range(code[e + op.ARGUMENT_COUNT]):
                    known[code[e + op.ARGUMENTS + 2 * at]] = name
        return known

    def of_construction(self, text: str, new: SourceFile, now: Site, pair: Pair) -> str:
        """Of a call of a class, what its only constructor needs now."""
        if now.role != CALLED or not new.rules.call_marks:
            return ""
        made = [
            [file.definitions[each] for each in file.children(index, file.rules.constructor)]
            for file, index in ((pair.before, pair.was), (pair.after, pair.number))
        ]
        place = taken.find_place(text, new.code[now.named + op.BYTE], len(now.name), True)
        if [len(each) for each in made] != [1, 1] or place is None:
            return ""
        return find_lacking(made[0][0], made[1][0], place, new, now.maker)

    def of_types(self, new: SourceFile, place: taken.Place, pair: Pair) -> Said | None:
        rules = new.rules
        was, has = type_given(pair.had, rules), type_given(pair.has, rules)
        is_told = rules.demands_members == "of classes" and rules.always_checks_arguments
        is_one = has != "" and is_no_list(has, rules)
        count = taken.count_taken(place)
        is_fewer = 1 < pair.parts < count <= pair.was_parts
        is_other = is_fewer if rules.leaves_parts else 0 < count == pair.was_parts != pair.parts > 1
        if count >= 0 and pair.was_parts > 1 and (is_one or is_other):
            return Said(f"gives {f'`{has}`' if is_one else f'{pair.parts} parts'} now, and is taken apart", True)
        if pair.parts == 0 != pair.was_parts and self.gave(pair) and self.is_used(place, count):
            return Said("gives nothing now", True)
        if not has or was == has or gives_nothing(pair.has):
            return None  # that is told of a call as a whole
        if taken.is_indexed(place):
            if pair.was_parts > 1 and is_one:
                return Said(f"gives `{_short(has)}` now, and a part of it is taken", True)
            if self.is_list(was, new) and self.is_unindexed(has, new):
                return Said(f"gives `{_short(has)}` now, and an element of it is taken by number", is_told)
        if rules.may_be_nothing is not None and was:
            return self.of_nothing(new, place, pair, was, has, is_told)
        return self.of_variable(new, place, was, has, is_told)

    def of_nothing(
        self, new: SourceFile, place: taken.Place, pair: Pair, was: str, has: str, is_told: bool
    ) -> Said | None:
        """Where the value may be nothing now."""
        rules = new.rules
        pattern = rules.may_be_nothing
        if pattern is None or not pattern.search(has) or pattern.search(was):
            return self.of_variable(new, place, was, has, is_told)
        is_certain = is_told and pair.has.kind in _FUNCTIONS
        member = taken.member_taken(place)
        if member and member not in rules.object_members and member not in rules.on_any_object:
            # What holds a value, or may be extended, may have members of that name.
            is_own = not is_told or member not in rules.builtin_members
            if is_own or has.endswith("?"):
                return Said(f"gives `{_short(has)}` now, and `{member}` is taken of it", is_certain and is_own)
        if taken.is_computed_with(place, is_number(was, rules)) or taken.declared_type(place, rules.types_stand) == was:
            return Said(f"gives `{_short(has)}` now, and `{_short(was)}` is needed", is_certain)
        return None

    def of_variable(self, new: SourceFile, place: taken.Place, was: str, has: str, is_told: bool) -> Said | None:
        """Where a variable is declared with the type that the value had."""
        rules = new.rules
        declared = taken.declared_type(place, rules.types_stand)
        if declared != was or may_stand_for(has, declared, rules) or rules.owners == "beside":
            return None
        return Said(f"gives `{_short(has)}` now, and `{_short(was)}` is needed", is_told)

    def gave(self, pair: Pair) -> bool:
        """Whether a function gave something, and still does what it is for: it is not left to others."""
        if pair.had.returns:
            return not pair.before.facts.yields.get(pair.had.scope)
        if not pair.before.facts.returns.get(pair.had.scope) or pair.has.decorators:
            return False
        body = self.after.program.read(pair.after.path)[pair.has.body_byte : pair.has.end_byte]
        return b"raise" not in body and body.strip() not in (b"...", b"pass")

    def is_used(self, place: taken.Place, count: int) -> bool:
        """Whether something is done with the value that nothing does not have."""
        is_taken = bool(taken.member_taken(place)) or taken.is_indexed(place) or count >= 0
        return is_taken or taken.is_looped_over(place)

    def is_list(self, declared: str, new: SourceFile) -> bool:
        return declared.endswith("[]") or declared.partition("[")[0].partition("<")[0] in new.rules.counted_types

    def is_unindexed(self, declared: str, new: SourceFile) -> bool:
        return declared.partition("[")[0].partition("<")[0].rpartition(".")[2] in new.rules.uncounted_types


def fields_of(file: SourceFile, index: int) -> list[str]:
    """The types of the fields of a type, in their order; embedded ones are not known."""
    if file.facts.bases.get(index):
        return []
    return [type_given(each, file.rules) for each in file.definitions if each.parent == index and each.kind == "field"]


def _short(declared: str) -> str:
    return declared if len(declared) <= 60 else f"{declared[:60]}…"
