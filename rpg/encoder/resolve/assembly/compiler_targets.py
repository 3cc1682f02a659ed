"""What a compiler says that sites refer to, in place of what rpg resolved.

In: what an index says of the files that match it (rpg/encoder/scip/), and the outcome of a site. Out: the outcome with
the compiler's targets. What overrides such a target stays beside it, as the compiler names one method and any of them
may run; so does what flows through a variable that the compiler names. Everything else is contradicted, and goes. A
name of another package takes guesses away, but nothing that was resolved: that package may be in the repository, too.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import (
    ANNOTATION,
    BASE,
    CALLED,
    CALLED_BY_NAME,
    CREATED,
    DECORATOR,
    DELETED,
    HANDLED,
    KEY,
    RAISED,
    READ,
    UPDATED,
    WRITE,
    Lines,
    strip_marks,
)
from rpg.encoder.resolve.assembly.identities import Identities
from rpg.encoder.resolve.evaluate import Evaluator
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.outcomes import OUTSIDE, TARGET_VIA, Outcome, Target, is_callable
from rpg.encoder.resolve.values.mro import ENTRY_ARGUMENTS, Owner
from rpg.encoder.scip import Compiled, Named
from rpg.graph import CLASS_KINDS, COMPILER

_SPELLED: Final = frozenset(
    {READ, WRITE, UPDATED, DELETED, CALLED, DECORATOR, BASE, ANNOTATION, RAISED, HANDLED, CREATED, KEY}
)
"""Roles of sites at which the source has the name of what they refer to."""
_NAMES: Final = frozenset({op.NAME, op.ATTRIBUTE, op.PATH})

Uses = dict[tuple[int, int], list[Named]]


class CompilerTargets:
    def __init__(self, evaluator: Evaluator, identities: Identities, compiled: Compiled) -> None:
        self.evaluator = evaluator
        self.program = evaluator.program
        self.identities = identities
        self.compiled = compiled
        self.known_definitions: dict[int, dict[tuple[int, int], list[int]]] = {}

    def uses(self, file: SourceFile) -> Uses | None:
        """What the compiler names in a file, by line and column; None if the index is of another text."""
        rows = self.compiled.files.get(file.path)
        if rows is None:
            return None
        found: Uses = {}
        for line, column, number in rows:
            found.setdefault((line, column), []).append(self.compiled.named[number])
        return found

    def outcome(
        self, file: SourceFile, expression: int, role: int, lines: Lines, uses: Uses, known: Outcome,
        certain: frozenset[str],
    ) -> Outcome:  # fmt: skip
        """`known`: the outcome without the compiler; `certain`: the rules whose edges are."""
        code = file.code
        named = code[expression + op.CALLEE] if code[expression] == op.CALL and role == CALLED else expression
        if role not in _SPELLED or code[named] not in _NAMES or expression in file.followed_by_types:
            return known
        said = uses.get(lines.place(code[expression + op.BYTE]))
        if said is None:
            return known
        word = strip_marks(file.strings[op.find_name_word(code, named)])
        said = [each for each in said if each.word == word]
        targets = [each for name in said for each in self.find_targets(name, known)]
        if targets:
            return self.replace(file, role, known, list(dict.fromkeys(targets)))
        if said and all(each.is_outside for each in said):
            kept = tuple(each for each in known.targets if each.via in certain)
            if not kept and (known.targets or known.reason):
                return OUTSIDE
            return known if len(kept) == len(known.targets) else known._replace(targets=kept)
        return known

    def find_targets(self, named: Named, known: Outcome) -> list[tuple[int, int]]:
        """The symbols that a name refers to, as files and definitions."""
        found: list[tuple[int, int]] = []
        resolved = {target[:TARGET_VIA] for target in known.targets}
        for path, line, column in named.places:
            number = self.program.number_of(path)
            for index in self.definitions(number).get((line, column), ()) if number >= 0 else ():
                definition = self.program.definition(number, index)
                around = self.program.definition(number, max(0, definition.parent))
                # A class stands for its constructor, if the source writes its name.
                is_of_class = around.kind in CLASS_KINDS and around.name == named.word
                if is_of_class and (definition.name != named.word or (number, definition.parent) in resolved):
                    index = definition.parent
                if index not in self.identities.nameless(number):
                    found.append((number, self.identities.parts(number).get(index, index)))
        return found

    def definitions(self, number: int) -> dict[tuple[int, int], list[int]]:
        """The definitions of a file by the line and column of their names."""
        known = self.known_definitions.get(number)
        if known is None:
            known = self.known_definitions[number] = {}
            file = self.program.files[number]
            lines = Lines(file.facts)
            for index, definition in enumerate(file.definitions):
                if index:
                    known.setdefault(lines.place(definition.name_byte), []).append(index)
        return known

    def replace(self, file: SourceFile, role: int, known: Outcome, targets: list[tuple[int, int]]) -> Outcome:
        wholes = {self.whole(each): each for each in known.targets}
        # One symbol may be of several definitions, as of functions of one name in different branches.
        targets = [each for each in targets if each in wholes] or targets
        made = [
            Target(*each, COMPILER, wholes[each].call if each in wholes else self.is_call(role, each))
            for each in targets
        ]
        calls = any(each.call for each in made)
        kept = [
            each
            for whole, each in wholes.items()
            if whole not in targets
            and ((each.via == "value" and not calls) or any(self.overrides(whole, target) for target in targets))
        ]
        return Outcome((*made, *kept), "")

    def whole(self, target: Target) -> tuple[int, int]:
        parts = self.identities.parts(target.file)
        return target.file, parts.get(target.definition, target.definition)

    def is_call(self, role: int, target: tuple[int, int]) -> bool:
        definition = self.program.definition(*target)
        if role == RAISED:
            return definition.kind in CLASS_KINDS
        if role == READ:
            return not CALLED_BY_NAME.isdisjoint(definition.flags)
        return role in (CALLED, DECORATOR) and is_callable(self.evaluator, *target)

    def overrides(self, above: tuple[int, int], target: tuple[int, int]) -> bool:
        """Whether a member overrides another one: it has its name, in a class derived from the other's."""
        if self.program.definition(*above).name != self.program.definition(*target).name:
            return False
        derived, base = self.owner(*above), self.owner(*target)
        if derived is None or base is None or derived == base:
            return False
        return any(entry[:ENTRY_ARGUMENTS] == base for entry in self.evaluator.classes.order(*derived).entries)

    def owner(self, file: int, index: int) -> Owner | None:
        return self.evaluator.receivers.of_member(self.program.files[file], index)
