"""Guesses: what a member of an unknown receiver may be, by its name alone. Possible edges, never certain ones.

A name is only guessed among members of classes in the same family of languages, never for a name that builtin types
bear too, and never from code outside tests into tests. A name that nothing in the repository bears is external.
"""

from __future__ import annotations

from rpg.encoder.facts import ATTRIBUTE, CALLED, PATH
from rpg.encoder.languages import BY_NAME
from rpg.encoder.resolve.infer import Inference
from rpg.encoder.resolve.targets import OUTSIDE, Outcome, Target
from rpg.encoder.resolve.test_files import is_test
from rpg.encoder.resolve.unit import Unit
from rpg.encoder.resolve.values import CLASS, FUNC, INST
from rpg.graph import FAN_OUT_LIMIT


class Guesses:
    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.program = inference.program
        self.units = inference.units

    @property
    def by_name(self) -> dict[tuple[str, str], list[tuple[int, int]]]:
        """(family, name) -> members of classes of that name; functions of modules are never guessed."""
        return self.program.surveyed("members", self._make_by_name)  # type: ignore[no-any-return]

    def _make_by_name(self) -> dict[tuple[str, str], list[tuple[int, int]]]:
        names: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for unit in self.units:
            family = BY_NAME[unit.facts.language].family
            for index, definition in enumerate(unit.definitions):
                if (
                    definition.kind in ("method", "property")
                    and "overload" not in definition.flags
                    and "setter" not in definition.flags
                ):
                    names.setdefault((family, definition.name), []).append((unit.index, index))
        return names

    def guess(self, unit: Unit, outcomes: list[Outcome]) -> None:
        """Unresolved calls of members: every class member of that name, where they are few; marked as possible."""
        family = BY_NAME[unit.facts.language].family
        sites, code = unit.facts.sites, unit.code
        in_test = is_test(unit.path)
        for site, outcome in enumerate(outcomes):
            if outcome.reason != "unresolved":
                continue
            e = sites[3 * site]
            call = sites[3 * site + 1] == CALLED
            if call:
                e = code[e + 2]
            if code[e] not in (ATTRIBUTE, PATH):
                continue
            name = unit.strings[code[e + 3]]
            if outcome.misfit:
                candidates = self.below(unit, e, name) if call else []
            else:
                candidates = self.by_name.get((family, name), [])
                if not in_test:
                    candidates = [each for each in candidates if not is_test(self.units[each[0]].path)]
                if not candidates and name not in self.names:
                    outcomes[site] = OUTSIDE
                    continue
                if not call or name in unit.rules.builtin_members:
                    continue
            if not candidates:
                continue
            if len(candidates) > FAN_OUT_LIMIT:
                outcomes[site] = Outcome((), "ambiguous")
                continue
            via = "unique-name" if len(candidates) == 1 else "fan-out"
            calls = [self.program.definition(*each).kind in ("method", "function") for each in candidates]
            outcomes[site] = Outcome(
                tuple(Target(*each, via, is_call) for each, is_call in zip(candidates, calls, strict=True)), ""
            )

    @property
    def names(self) -> frozenset[str]:
        """Every name that some symbol of the repository bears."""
        return self.program.surveyed("names", self._make_names)  # type: ignore[no-any-return]

    def _make_names(self) -> frozenset[str]:
        return frozenset(definition.name for unit in self.units for definition in unit.definitions)

    def below(self, unit: Unit, e: int, name: str) -> list[tuple[int, int]]:
        """A member that `self` lacks: of the classes below its own, which may be what `self` is."""
        found: dict[tuple[int, int], None] = {}
        self.inference.start()
        for value in self.inference.eval(unit, unit.code[e + 2]):
            if value[0] in (INST, CLASS) and value[4]:
                for owner in self.inference.classes.subclasses.get(value[1:3], ()):
                    hit = self.inference.classes.find(*owner, name)
                    if hit is None:
                        continue
                    for definition in hit.definitions:
                        if self.program.definition(*definition).kind in ("method", "property"):
                            found[definition] = None
                    for held in self.inference.members.member_values((INST, *owner, (), True), name):
                        if held[0] == FUNC:
                            found[held[1], held[2]] = None
        return sorted(found)
