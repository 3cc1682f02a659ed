"""Uses of what is there still, in a way in which it cannot be used any more.

In: a site that is the same before and after. Out: a finding where what it means became

- a property, and is called; or a method, and is read as the property that it was
- a class of which no objects can be made, or whose constructor cannot be seen from there, and an object is made
- a class that none can inherit from, and one does
- a function with another number of results than the statement takes (Go)
- what the text around the site must show (written/)
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import ANONYMOUS, BASE, CALLED, CREATED, READ, UPDATED, Definition
from rpg.encoder.resolve.breakage.findings import HIDDEN, MISFIT, Finding
from rpg.encoder.resolve.breakage.inheritance import Inheritance
from rpg.encoder.resolve.breakage.sides import Side, Site
from rpg.encoder.resolve.breakage.signatures import words_before_name
from rpg.encoder.resolve.breakage.written.literals import Type
from rpg.encoder.resolve.breakage.written.texts import Texts
from rpg.encoder.resolve.breakage.written.written import Written
from rpg.encoder.resolve.program.arguments_taken import find_closing, split_arguments
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.outcomes import Target
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL
from rpg.graph import CLASS_KINDS

_CONTRACTS: Final = frozenset({"interface", "trait"})
_FUNCTIONS: Final = frozenset({"function", "method"})
_LONGEST: Final = 2_000
"""The most of a text around a call that is read."""
_ABSTRACT_BASE: Final = re.compile(r"\bABC\b|\bABCMeta\b")
_CALLEE: Final = re.compile(r"[\w.]*\Z")
_ASSIGNING: Final = re.compile(r"(?:^|[;{}]|\b(?:if|switch|for|var)\b)\s*([^;{}()\n=]*?)\s*:?=\Z", re.MULTILINE)
_ALONE: Final = re.compile(r"(?:^|[;{}]|\bgo\b|\bdefer\b)\s*\Z", re.MULTILINE)
_RETURNED: Final = re.compile(r"\breturn\s*\Z")


class Pair(NamedTuple):
    """A definition before and after."""

    had: Definition
    has: Definition
    before: tuple[SourceFile, int]
    after: tuple[SourceFile, int]


class Manners:
    def __init__(self, before: Side, after: Side, texts: Texts) -> None:
        self.before = before
        self.after = after
        self.written = Written(before, after, texts)
        self.above_before, self.above_after = Inheritance(before, before), Inheritance(after, after)

    def find(self, old: SourceFile, site: Site, new: SourceFile, now: Site) -> Finding | None:
        was = self.before.certain_targets(old, self.before.outcome(old, site))
        pair = self.pair(was[0]) if len(was) == 1 else None
        if pair is None or (pair.before[0].facts is pair.after[0].facts and pair.had.kind not in CLASS_KINDS):
            return None
        kind, detail = MISFIT, self.of_property(new, now, pair)
        if not detail and pair.had.kind in CLASS_KINDS:
            if now.role == BASE:
                detail = self.of_base(new, pair)
            elif now.role in (CALLED, CREATED) and not self.is_of_super(new, now):
                detail = self.of_object(new, now, pair)
                if not detail and self.is_private_construction(new, pair):
                    kind, detail = HIDDEN, "constructor"
        detail = detail or self.of_results(new, now, pair)
        if not detail:
            return self.written.find(new, now, Type(*pair.before), Type(*pair.after))
        symbol = self.after.id_of(pair.after[0].index, pair.after[1])
        return Finding(new.path, now.line, now.column, True, kind, now.name, symbol, detail)

    def pair(self, target: Target) -> Pair | None:
        """What a site meant, then and now; None if it is gone, or there are several of its name."""
        path, had = self.before.path_of(target), self.before.definition(target)
        file, found = self.after.file(path), self.after.named(path, had.qualified_name)
        if file is None or len(found) != 1 or not target.definition:
            return None
        old = self.before.program.files[target.file]
        return Pair(had, file.definitions[found[0]], (old, target.definition), (file, found[0]))

    # Properties and methods

    def of_property(self, new: SourceFile, now: Site, pair: Pair) -> str:
        if not new.rules.tells_properties_from_methods or new.code[now.named] not in (op.ATTRIBUTE, op.PATH):
            return ""
        if (pair.had.kind, pair.has.kind) == ("method", "property") and now.role == CALLED:
            return "is a property now: without parentheses"
        if (pair.had.kind, pair.has.kind) == ("property", "method") and now.role in (READ, UPDATED):
            return "is a method now: with parentheses"
        return ""

    # Classes

    def of_base(self, new: SourceFile, pair: Pair) -> str:
        rules = new.rules
        was, now = words_before_name(pair.had), words_before_name(pair.has)
        return "cannot be inherited from any more" if rules.closing.is_said_now(was, now) else ""

    def of_object(self, new: SourceFile, now: Site, pair: Pair) -> str:
        if self.is_abstract(self.above_before, self.before, *pair.before):
            return ""
        if not self.is_abstract(self.above_after, self.after, *pair.after) or self.is_extended_there(new, now):
            return ""
        return "is abstract now"

    def is_abstract(self, above: Inheritance, side: Side, file: SourceFile, index: int) -> bool:
        """Whether no object can be made of a class itself."""
        definition = file.definitions[index]
        if definition.kind in _CONTRACTS or "abstract" in definition.modifiers:
            return True
        if file.rules.demands_members != "of objects":
            return False
        own = [each for each in file.definitions if each.parent == index and "abstract" in each.modifiers]
        if not own and not above.lacking(side, file, index):
            return False
        side.world.evaluator.start()
        entries = side.world.evaluator.classes.order(file.index, index).entries
        owners = [side.program.definition(entry[OWNER_FILE], entry[OWNER_SYMBOL]) for entry in entries]
        return any(_ABSTRACT_BASE.search(each.signature) for each in owners)

    def is_extended_there(self, new: SourceFile, now: Site) -> bool:
        """Whether the object is one of a nameless class with a body of its own."""
        if not any(ANONYMOUS in each.flags and each.kind in CLASS_KINDS for each in new.definitions):
            return False
        text, closing = self.call_text(new, now)
        return closing >= 0 and text[closing + 1 :].lstrip().startswith("{")

    def is_of_super(self, new: SourceFile, now: Site) -> bool:
        code = new.code
        return code[now.named] in (op.ATTRIBUTE, op.PATH) and code[code[now.named + op.HOLDER]] == op.SUPER

    def is_private_construction(self, new: SourceFile, pair: Pair) -> bool:
        words = new.rules.hiding.that_say_so
        if not words or pair.after[0].path == new.path:
            return False
        had, has = self.constructors(self.before, *pair.before), self.constructors(self.after, *pair.after)
        if not had or not has or any(not words.isdisjoint(words_before_name(each)) for each in had):
            return False
        return all(not words.isdisjoint(words_before_name(each)) for each in has)

    def constructors(self, side: Side, file: SourceFile, index: int) -> list[Definition]:
        definition = file.definitions[index]
        rules = file.rules
        name = definition.name if rules.constructors_are_named_like_classes else rules.constructor
        return [each for each in file.definitions if each.parent == index and each.name == name != ""]

    # Results

    def of_results(self, new: SourceFile, now: Site, pair: Pair) -> str:
        if new.rules.spreads != "results" or now.role != CALLED or new.code[now.expression] != op.CALL:
            return ""
        if pair.had.kind not in _FUNCTIONS or pair.has.kind not in _FUNCTIONS:
            return ""
        had, has = count_results(pair.had), count_results(pair.has)
        if had == has:
            return ""
        text = self.after.program.read(new.path)
        begin = new.code[now.expression + op.BYTE]
        start = text.rfind(b"\n", 0, begin) + 1
        before = _CALLEE.sub("", text[start:begin].decode(errors="replace"))
        rest, closing = self.call_text(new, now)
        if closing < 0 or before.endswith((")", "]")):
            return ""  # a chain, of which the text does not tell where it begins
        behind = rest[closing + 1 :].lstrip(" \t")[:1]
        given = f"gives {has} result{'' if has == 1 else 's'} now"
        is_whole = behind in ("", "\n", ";", "{", "}", "/")
        if _ALONE.search(before) and is_whole:
            return ""
        assigned = _ASSIGNING.search(before.rstrip())
        if assigned is not None and is_whole:
            taken = len(split_arguments(assigned[1], False))
            return f"{given}, {taken} taken" if taken == had != has else ""
        if _RETURNED.search(before) and is_whole:
            around = new.definitions[now.maker]
            return given if around.kind in _FUNCTIONS and count_results(around) == had else ""
        if (before.rstrip().endswith("(") and behind == ")") or (not before.strip() and behind in (")", ",")):
            return ""  # its results may be the arguments of another call
        return given if had == 1 and (behind != "." or has != 1) else ""

    def call_text(self, file: SourceFile, site: Site) -> tuple[str, int]:
        """The text from the name of what is called on, and where its parentheses close in it; -1 if they do not."""
        begin = file.code[site.expression + op.BYTE]
        text = self.after.program.read(file.path)[begin : begin + _LONGEST].decode(errors="replace")
        opening = text.find("(")
        return text, find_closing(text, opening, False) if opening >= 0 else -1


def count_results(definition: Definition) -> int:
    """How many results a function says that it has (Go)."""
    results = definition.returns
    if results.startswith("(") and find_closing(results, 0) == len(results) - 1:
        return len(split_arguments(results[1:-1]))
    return 1 if results else 0
