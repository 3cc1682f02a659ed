"""Members that no longer override what they say to override, and classes that lack what they must have.

In: a file before and after. Out: findings. What a class has from outside the repository is not known, so that nothing
is said of what it may have from there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import line_and_column
from rpg.encoder.resolve.breakage.findings import MISSING, OVERRIDING, Finding
from rpg.encoder.resolve.breakage.sides import Side
from rpg.encoder.resolve.breakage.signatures import words_before_name
from rpg.encoder.resolve.breakage.types.overridden import OVERRIDDEN, Member, find_misfit
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.values.mro import ENTRY_ARGUMENTS, OWNER_FILE, OWNER_SYMBOL, Owner
from rpg.graph import CLASS_KINDS, OVERRIDE

_MEMBERS: Final = frozenset({"method", "property"})
_OTHER_MEMBERS: Final = frozenset({"field", "constant", "type"})
_LOOKAHEAD: Final = 80
_BARE_ACCESSORS: Final = re.compile(rb"\{\s*(?:(?:get|set|init)\s*;\s*)+\}")
_CONTRACTS: Final = frozenset({"interface", "trait"})


class Inheritance:
    def __init__(
        self, before: Side, after: Side, words: Set[str] = frozenset(), are_others_alike: bool = False
    ) -> None:
        """`words`: the names of what came, went or looks different. `are_others_alike`: no file but one that says so
        itself has another class than before."""
        self.are_others_alike = are_others_alike
        self.before = before
        self.after = after
        self.words = words

    def find(self, old: SourceFile, new: SourceFile) -> Iterator[Finding]:
        for index, definition in enumerate(new.definitions):
            if definition.kind in _MEMBERS:
                says_so = self.says_so(new, index)
                if says_so:
                    yield from self.overriding(old, new, index)
                if definition.name in self.words and new.rules.overrides_fit != "loosely":
                    yield from self.unfitting(old, new, index, says_so)
            elif definition.kind in CLASS_KINDS and new.facts.bases.get(index):
                if self.are_others_alike and old.facts is new.facts:
                    continue  # nothing that it has or must have is another
                yield from self.missing(old, new, index)

    def says_so(self, file: SourceFile, index: int) -> bool:
        """Whether a member says that it overrides one."""
        definition = file.definitions[index]
        if OVERRIDE in definition.modifiers:
            return True
        marks = file.rules.override_marks
        return any(each.lstrip("@").partition("(")[0].rpartition(".")[2] in marks for each in definition.decorators)

    def overriding(self, old: SourceFile, new: SourceFile, index: int) -> Iterator[Finding]:
        definition = new.definitions[index]
        earlier = self.before.named(old.path, definition.qualified_name)
        if not earlier:
            return
        was = self.overridden(self.before, old, earlier[0])
        if not was or self.overridden(self.after, new, index):
            return
        if all(self.is_of_what_is_gone(each) for each in was):
            return
        line, column = line_and_column(new.facts, definition.name_byte)
        symbol = self.before.id_of(*was[0])
        yield Finding(new.path, line, column, True, OVERRIDING, definition.name, symbol)

    def unfitting(self, old: SourceFile, new: SourceFile, index: int, says_so: bool) -> Iterator[Finding]:
        """A member that does not fit any more what it overrides, where it must."""
        definition = new.definitions[index]
        earlier = self.before.named(old.path, definition.qualified_name)
        if len(earlier) != 1 or len(self.after.named(new.path, definition.qualified_name)) != 1:
            return  # one of several may be another's
        was, now = self.overridden(self.before, old, earlier[0]), self.overridden(self.after, new, index)
        if len(was) != 1 or len(now) != 1 or self.before.id_of(*was[0]) != self.after.id_of(*now[0]):
            return
        base_file = self.after.program.files[now[0][0]]
        if len(self.after.named(base_file.path, base_file.definitions[now[0][1]].qualified_name)) != 1:
            return
        had = Member(old, earlier[0]), Member(self.before.program.files[was[0][0]], was[0][1])
        has = Member(new, index), Member(base_file, now[0][1])
        if not says_so and new.rules.overrides_fit == "exactly":
            is_demanded = self.is_abstract(had[1].file, had[1].number) or self.is_abstract(base_file, now[0][1])
            if not is_demanded and OVERRIDE not in definition.signature.rpartition(")")[2].split():
                return  # one of another signature is one of its own
        found = find_misfit(had, has, self.words - {definition.name})
        if found is not None:
            line, column = line_and_column(new.facts, definition.name_byte)
            symbol = self.after.id_of(*now[0])
            detail = found.detail.replace(OVERRIDDEN, symbol)
            yield Finding(new.path, line, column, found.certain, OVERRIDING, definition.name, symbol, detail)

    def is_of_what_is_gone(self, member: Owner) -> bool:
        """Whether the class of a member is gone, too: that has uses of its own."""
        file, index = member
        around = self.before.program.definition(file, self.before.program.definition(file, index).parent)
        return not self.after.has(self.before.program.files[file].path, around.qualified_name)

    def overridden(self, side: Side, file: SourceFile, index: int) -> list[Owner]:
        """The members of the repository that a member overrides or implements."""
        evaluator = side.world.evaluator
        evaluator.start()
        owner = evaluator.receivers.of_member(file, index)
        if owner is None:
            return []
        name = file.definitions[index].name
        lookup = evaluator.member_lookup
        hits = [lookup.find(*owner, name, owner)]
        hits += [lookup.find(*each, name) for each in self.contracts(side, owner)]
        return [each for hit in hits if hit is not None for each in hit.definitions if each != (file.index, index)]

    def contracts(self, side: Side, owner: Owner) -> list[Owner]:
        """The interfaces that a class and those above it declare to implement."""
        classes = side.world.evaluator.classes
        found: dict[Owner, None] = {}
        for entry in classes.order(*owner).entries:
            place = entry[:ENTRY_ARGUMENTS]
            for each in classes.contracts(side.program.files[place[0]], place[1]):
                found.update(dict.fromkeys(part[:ENTRY_ARGUMENTS] for part in classes.order(*each).entries))
        return list(found)

    # What a class must have

    def missing(self, old: SourceFile, new: SourceFile, index: int) -> Iterator[Finding]:
        definition = new.definitions[index]
        earlier = self.before.named(old.path, definition.qualified_name)
        if not earlier or self.is_open(new, index):
            return
        lacks = self.lacking(self.after, new, index)
        if not lacks:
            return
        lacked = self.lacking(self.before, old, earlier[0])
        for name, (file, each) in lacks.items():
            if name not in lacked:
                symbol = self.after.id_of(file, each)
                around = self.after.program.definition(file, self.after.program.definition(file, each).parent)
                line, column = line_and_column(new.facts, self.place_of(new, index, around.name))
                is_demanded = new.rules.demands_members == "of classes"
                certain = is_demanded and not self.has_others(self.before, lacked, around.qualified_name)
                follows = self.is_lacked_above(new, index, name)
                yield Finding(new.path, line, column, certain, MISSING, definition.name, symbol, name, follows)

    def place_of(self, file: SourceFile, index: int, base: str) -> int:
        """Where a class names one above it, if that is apart from the class itself; else its own name."""
        definition, code = file.definitions[index], file.code
        for _, e in file.facts.bases.get(index, ()):
            is_apart = not definition.start_byte <= code[e + op.BYTE] < definition.end_byte
            if (
                is_apart
                and code[e] in (op.NAME, op.ATTRIBUTE, op.PATH)
                and file.strings[op.find_name_word(code, e)] == base
            ):
                return code[e + op.BYTE]
        return definition.name_byte

    def has_others(self, side: Side, lacked: dict[str, Owner], contract: str) -> bool:
        """Whether a class lacked members of the same contract before, which it may have in a way that is not seen."""
        owners = (
            side.program.definition(file, side.program.definition(file, each).parent) for file, each in lacked.values()
        )
        return any(each.qualified_name == contract for each in owners)

    def is_lacked_above(self, file: SourceFile, index: int, name: str) -> bool:
        """Whether a class above lacks a member, too, which it must have itself."""
        for entry in self.after.world.evaluator.classes.order(file.index, index).entries[1:]:
            number, each = entry[:ENTRY_ARGUMENTS]
            here = self.after.program.files[number]
            if not self.is_open(here, each) and name in self.lacking(self.after, here, each):
                return True
        return False

    def is_open(self, file: SourceFile, index: int) -> bool:
        """Whether a class need not have everything: it is abstract itself."""
        definition = file.definitions[index]
        if definition.kind in _CONTRACTS or "abstract" in definition.modifiers:
            return True
        if file.rules.bodiless_is_abstract and "abstract" in words_before_name(definition):
            return True
        return any(
            "abstract" in each.modifiers and each.kind in _MEMBERS for each in file.definitions if each.parent == index
        )

    def lacking(self, side: Side, file: SourceFile, index: int) -> dict[str, Owner]:
        """The members without a body that a class has from above, and nothing that implements them, by name."""
        evaluator = side.world.evaluator
        evaluator.start()
        order = evaluator.classes.order(file.index, index)
        if order.external or order.unknown:
            return {}
        places = [entry[:ENTRY_ARGUMENTS] for entry in order.entries]
        above = list(dict.fromkeys([*places[1:], *self.contracts(side, (file.index, index))]))
        found: dict[str, Owner] = {}
        for place in above:
            here = side.program.files[place[0]]
            for member, definition in enumerate(here.definitions):
                if definition.parent != place[OWNER_SYMBOL] or definition.name in found:
                    continue
                if definition.kind not in _MEMBERS and definition.kind not in _OTHER_MEMBERS:
                    continue
                if not self.is_abstract(here, member) or self.is_optional(here, member):
                    continue
                hit = evaluator.member_lookup.find(file.index, index, definition.name)
                having = (
                    [] if hit is None else [each for each in hit.definitions if not self.is_abstract_at(side, each)]
                )
                if not having and not (hit is not None and not hit.definitions):
                    found[definition.name] = (place[0], member)
        return found

    def is_abstract_at(self, side: Side, owner: Owner) -> bool:
        return self.is_abstract(side.program.files[owner[OWNER_FILE]], owner[OWNER_SYMBOL])

    def is_abstract(self, file: SourceFile, index: int) -> bool:
        definition = file.definitions[index]
        if "abstract" in definition.modifiers:
            return True
        if file.rules.is_without_body(definition.signature):
            return True
        around = file.definitions[definition.parent]
        if definition.kind in _OTHER_MEMBERS:
            return around.kind in _CONTRACTS and self.is_promise(file, index)
        if "static" in definition.modifiers:
            return False
        if around.kind not in _CONTRACTS:
            is_left_out = file.rules.bodiless_is_abstract and definition.body_byte >= definition.end_byte
            return is_left_out and definition.kind == "method" and "abstract" in words_before_name(around)
        if definition.kind == "property" and definition.body_byte < definition.end_byte:
            text = self.after.program.read(file.path) if file is self.after.file(file.path) else b""
            text = text or self.before.program.read(file.path)
            return _BARE_ACCESSORS.fullmatch(text[definition.body_byte : definition.end_byte].strip()) is not None
        return definition.body_byte >= definition.end_byte

    def is_promise(self, file: SourceFile, index: int) -> bool:
        """Whether a contract only says that there is such a field, constant or type."""
        definition = file.definitions[index]
        side = self.after if file is self.after.file(file.path) else self.before
        text = side.program.read(file.path)[definition.start_byte : definition.end_byte + _LOOKAHEAD]
        return file.rules.is_promise(definition.kind, text.decode(errors="replace"))

    def is_optional(self, file: SourceFile, index: int) -> bool:
        definition = file.definitions[index]
        return file.rules.is_optional(definition.name, definition.signature)
