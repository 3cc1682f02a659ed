"""Guesses what a member of an unknown receiver may be, by its name alone. The edges are possible, never certain.

A name is guessed only among members of classes in the same language family, never if builtin types have it too, and
never from code outside tests into tests. A class whose objects only a library makes counts only where code may have
such an object. A name that nothing in the repository has is external.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ARITY, CALLED, CONSTANT, MIXIN, ROLE, SITE_WORDS, strip_marks
from rpg.encoder.languages import BY_NAME
from rpg.encoder.languages.rules.attribute_types import ADDED_BY_NAME
from rpg.encoder.resolve.evaluate import Evaluator, Hit, is_closed, space_of
from rpg.encoder.resolve.program.arguments_taken import count_arguments, count_taken, is_sure_to_count
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.outcomes import OUTSIDE, UNKNOWN, Outcome, Target
from rpg.encoder.resolve.values.mro import OWNER_FILE, Owner
from rpg.encoder.resolve.values.values import CLASS, FILE, FUNC, INST, KIND, PARENT, SYMBOL
from rpg.graph import FAN_OUT_LIMIT

_MOST_LOOKED_INTO: Final = 10_000
"""Classes searched for one member of an object's subclasses, with those above each; beyond that the member is
unknown."""
_NAMED: Final = (op.NAME, op.UNION)
MEMBERS: Final = "members"
"""The part of the survey that has the members of classes by name."""
MISSED: Final = "members that classes lack"
"""The part of the survey that says which files have a place that a further subclass may change."""


class NameFallback:
    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.program = evaluator.program
        self.files = evaluator.files
        self.missed: dict[str, dict[int, None]] = {}
        """Class and member, by name and joined by a dot -> the files in which the class, and those above it, were seen
        to lack the member, so that one below was looked for."""
        self._taken: dict[tuple[int, int], tuple[int, int | None]] = {}

    @property
    def by_name(self) -> dict[str, list[list[int]]]:
        """Family and name, separated by a space -> members of classes with that name, in JSON types; functions of
        modules are never guessed."""
        return self.program.table(MEMBERS, _members_of)

    def guess(self, file: SourceFile, outcomes: list[Outcome], chosen: Sequence[int] | None = None) -> None:
        """Resolves unresolved member calls to every class member of that name, if there are few, and marks them as
        possible. `chosen`: only these sites."""
        family = BY_NAME[file.facts.language].family
        sites, code = file.facts.sites, file.code
        in_test, names = file.in_test, self.names
        adds_by_name = file.rules.extensions in ADDED_BY_NAME
        known: dict[str, list[tuple[int, int]]] = {}
        for site in range(len(outcomes)) if chosen is None else chosen:
            outcome = outcomes[site]
            is_added = adds_by_name and outcome.reason == "external"
            if outcome.reason != "unresolved" and not outcome.misfit and not is_added:
                continue
            e = sites[SITE_WORDS * site]
            call = sites[SITE_WORDS * site + ROLE] == CALLED
            if call:
                e = code[e + op.CALLEE]
            if code[e] not in (op.ATTRIBUTE, op.PATH):
                continue
            name = file.strings[code[e + op.MEMBER]]
            if ARITY in name:
                name = strip_marks(name)
            if outcome.targets:
                if name not in names:
                    outcomes[site] = Outcome(outcome.targets, "")
                continue
            if adds_by_name and name in names and not is_bare(file, code[e + op.HOLDER]):
                added = self.added(file, sites[SITE_WORDS * site], e, name, call, outcome)
                if added:
                    outcomes[site] = self.possible(added, call)
                    continue
            if outcome.reason == "external" and not outcome.misfit:
                continue
            if outcome.reason == "external":
                is_below, candidates = self.below(file, e, name, in_test, call) if name in names else (False, [])
                if not candidates:
                    is_open = is_below or (name in names and self.is_open(file, e, name))
                    outcomes[site] = UNKNOWN if is_open else OUTSIDE
                    continue
            elif outcome.misfit:
                is_below, candidates = self.below(file, e, name, in_test, call)
                if not is_below and self.is_of_parent(file, e, name):
                    outcomes[site] = OUTSIDE
                    continue
                if is_below and not candidates:
                    # It may be a member of a subclass: the place counts as unresolved.
                    outcomes[site] = UNKNOWN
                    continue
            else:
                if name not in known:
                    known[name] = self.members_named(file, f"{family} {name}")
                candidates = known[name]
                if not candidates and name not in names:
                    outcomes[site] = OUTSIDE
                    continue
                if not call or name in file.rules.builtin_members:
                    continue
                if file.rules.holders_are_named and code[code[e + op.HOLDER]] in _NAMED:
                    continue
            if not candidates:
                if call and name in names:
                    outcomes[site] = UNKNOWN  # the code works, so the object has members that are not known
                continue
            if call and len(candidates) <= FAN_OUT_LIMIT:
                candidates = self.fitting(file, sites[SITE_WORDS * site], candidates)
                if not candidates:
                    outcomes[site] = UNKNOWN
                    continue
            outcomes[site] = self.possible(candidates, call)

    def possible(self, candidates: list[tuple[int, int]], call: bool) -> Outcome:
        """The outcome of a site that may mean any of these."""
        if len(candidates) > FAN_OUT_LIMIT:
            return Outcome((), "ambiguous")
        via = "unique-name" if len(candidates) == 1 else "fan-out"
        calls = [call and self.program.definition(*each).kind in ("method", "function") for each in candidates]
        return Outcome(tuple(Target(*each, via, is_call) for each, is_call in zip(candidates, calls, strict=True)), "")

    def added(
        self, file: SourceFile, site: int, e: int, name: str, call: bool, outcome: Outcome
    ) -> list[tuple[int, int]]:
        """The members that a file sees and that are added to types by their names, where the object is known, though
        not whether it is of such a type."""
        family = BY_NAME[file.facts.language].family
        candidates = [
            (other, index)
            for other, index in self.by_name.get(f"{family} {name}", ())
            if self.program.definition(other, index).owner
            and (self.program.definition(other, index).kind == "method") == call
            and (file.in_test or not self.files[other].in_test)
        ]
        if not candidates:
            return []
        evaluator = self.evaluator
        evaluator.start()
        values = evaluator.eval(file, file.code[e + op.HOLDER])
        if not values and outcome.reason != "external" and name not in file.rules.builtin_members:
            return []  # it may be any member of the name
        extensions = evaluator.extensions
        candidates = [each for each in candidates if extensions.may_mean(file, values, each, name)]
        return self.fitting(file, site, candidates) if call else candidates

    def fitting(self, file: SourceFile, e: int, candidates: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Those that take as many arguments as a call passes."""
        if file.code[e] != op.CALL or not is_sure_to_count(file.rules, file.path):
            return candidates
        number = count_arguments(file, e)
        return candidates if number < 0 else [each for each in candidates if self.takes(file, each, number)]

    def takes(self, file: SourceFile, candidate: tuple[int, int], number: int) -> bool:
        of = self.files[candidate[0]]
        if of.facts.language != file.facts.language:
            return True
        known = self._taken.get(candidate)
        if known is None:
            is_counted = of.definitions[candidate[1]].kind in ("method", "function")
            is_counted = is_counted and is_sure_to_count(of.rules, of.path)
            known = self._taken[candidate] = count_taken(of, candidate[1]) if is_counted else (0, None)
        least, most = known
        return least <= number and (most is None or number <= most)

    def members_named(self, file: SourceFile, family_and_name: str) -> list[tuple[int, int]]:
        """The members that a name may mean in a file."""
        definition = self.program.definition
        found = [each for each in self.by_name.get(family_and_name, ()) if definition(*each).kind != "constant"]
        if file.rules.extensions == "imported":
            name = family_and_name.rpartition(" ")[2]
            is_seen = self.evaluator.extensions.is_seen
            found = [each for each in found if not definition(*each).owner or is_seen(file, (each[0], each[1]), name)]
        if file.in_test:
            return [(other, index) for other, index in found]
        has_any_object = file.rules.is_run_by_library(file.path)
        return [
            (other, index)
            for other, index in found
            if not self.files[other].in_test
            and (has_any_object or not self.is_made_by_library(self.files[other], index))
        ]

    def is_made_by_library(self, file: SourceFile, index: int) -> bool:
        parent = file.definitions[index].parent
        return parent > 0 and file.rules.is_made_by_library(file.path, file.definitions[parent].name)

    @property
    def names(self) -> dict[str, list[int]]:
        """The word that stands for each symbol in the code of the repository -> the files of these symbols."""
        return self.program.table("names", _names_of)

    def is_of_parent(self, file: SourceFile, e: int, name: str) -> bool:
        """Whether `super()` ends at a member that every object has."""
        values = self.evaluator.eval(file, file.code[e + op.HOLDER])
        return any(
            value[KIND] == PARENT and self.evaluator.object_members.is_of_any_object(value, name) for value in values
        )

    def is_open(self, file: SourceFile, e: int, name: str) -> bool:
        """Whether the object may be something unknown: not if it can only be of builtin types all of whose members are
        known, or of classes of the repository that have the member from a base outside it. Where a file adds members to
        the types that all files see, it may have added this one, and so may code that mixes a class in.
        """
        evaluator = self.evaluator
        if name in evaluator.global_names.added_members or self.is_mixed_in(file, name):
            return True
        evaluator.start()
        values = evaluator.eval(file, file.code[e + op.HOLDER])
        return not values or not all(value[KIND] in (INST, CLASS) or is_closed(file.rules, value) for value in values)

    def is_mixed_in(self, file: SourceFile, name: str) -> bool:
        """Whether a class that may be mixed into any other has the member."""
        return f"{BY_NAME[file.facts.language].family} {name}" in self.program.table("mixed in", _mixed_in)

    def below(
        self, file: SourceFile, e: int, name: str, in_test: bool, call: bool
    ) -> tuple[bool, list[tuple[int, int]]]:
        """For a member that an object's class lacks: whether subclasses have it, one of which may be the object's real
        class, and which symbols it may be."""
        found: dict[tuple[int, int], None] = {}
        written = file.strings[file.code[e + op.MEMBER]]
        if written.endswith(CONSTANT):
            name = written
        is_below = False
        looked_into = 0
        evaluator = self.evaluator
        evaluator.start()
        for value in evaluator.eval(file, file.code[e + op.HOLDER]):
            if value[KIND] in (PARENT, INST, CLASS):
                of = self.program.definition(value[FILE], value[SYMBOL]).name
                self.missed.setdefault(f"{of}.{name}", {})[file.index] = None
            if value[KIND] == PARENT:
                found |= dict.fromkeys(evaluator.object_members.sibling_members(value, name))
            elif value[KIND] in (INST, CLASS):
                for owner in evaluator.classes.subclasses.get(value[FILE : SYMBOL + 1], ()):
                    if not in_test and self.files[owner[OWNER_FILE]].in_test:
                        continue
                    looked_into += len(evaluator.classes.order(*owner).entries)
                    if looked_into > _MOST_LOOKED_INTO:
                        return True, []
                    space = space_of(file.rules, value, call, name)
                    hit = evaluator.member_lookup.hit((value[KIND], *owner, (), False), name, space)
                    if hit is not None:
                        is_below = True
                        found |= dict.fromkeys(self.held(hit, owner, name) if call else hit.definitions)
        return is_below or bool(found), sorted(found)

    def held(self, hit: Hit, owner: Owner, name: str) -> Iterator[tuple[int, int]]:
        for definition in hit.definitions:
            if self.program.definition(*definition).kind in ("method", "property"):
                yield definition
        for value in self.evaluator.members.member_values((INST, *owner, (), True), name):
            if value[KIND] == FUNC:
                yield value[FILE], value[SYMBOL]


def is_bare(file: SourceFile, holder: int) -> bool:
    """Whether a name stands alone, and may be a member of an object around."""
    code = file.code
    return bool(code[holder] == op.UNION and code[op.items_of(code, holder)[-1]] == op.NAME)


def _members_of(file: SourceFile) -> Iterator[tuple[str, list[int]]]:
    family = BY_NAME[file.facts.language].family
    for index, definition in enumerate(file.definitions):
        if (
            (definition.kind in ("method", "property") or (definition.owner and definition.kind == "constant"))
            and "overload" not in definition.flags
            and "setter" not in definition.flags
        ):
            yield f"{family} {definition.name}", [file.index, index]


def _mixed_in(file: SourceFile) -> Iterator[tuple[str, int]]:
    family, definitions = BY_NAME[file.facts.language].family, file.definitions
    for name in dict.fromkeys(
        each.name for each in definitions if each.parent > 0 and MIXIN in definitions[each.parent].flags
    ):
        yield f"{family} {name}", file.index


def _names_of(file: SourceFile) -> Iterator[tuple[str, int]]:
    if BY_NAME[file.facts.language].configures:
        return
    word_of = file.rules.word_of
    for name in dict.fromkeys(word_of(definition.name) for definition in file.definitions):
        yield name, file.index
