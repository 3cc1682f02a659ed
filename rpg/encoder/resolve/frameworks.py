"""Knowledge of frameworks: conventions by which one reaches a program without naming it. Plug-ins, not rules of a
language; one never fires inside its own framework's repository.

pytest: a test's parameter is what the fixture of that name returns; the nearest conftest wins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpg.encoder.resolve.values import FUNC, Values

if TYPE_CHECKING:
    from rpg.encoder.resolve.infer import Inference
    from rpg.encoder.resolve.program import Unit

_FIXTURES = ("fixture", "yield_fixture")


class Frameworks:
    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.fixtures = self._fixtures() if not inference.program.exists("src/_pytest/fixtures.py") else {}

    def _fixtures(self) -> dict[str, list[tuple[int, int]]]:
        """By name: the functions decorated as pytest fixtures, in order of path."""
        found: dict[str, list[tuple[int, int]]] = {}
        for unit in self.inference.units:
            for index in unit.facts.decorators:
                definition = unit.definitions[index]
                for text in definition.decorators:
                    head = text.partition("(")[0].rpartition(".")[2]
                    if head in _FIXTURES:
                        name = _given_name(text) or definition.name
                        found.setdefault(name, []).append((unit.index, index))
        return found

    def fixture(self, unit: Unit, scope: int, name: str) -> tuple[int, int] | None:
        """The fixture that a parameter of a test or fixture asks for: of the same file, else the nearest conftest."""
        candidates = self.fixtures.get(name)
        if not candidates:
            return None
        definition = unit.definitions[unit.scopes[scope].definition]
        is_fixture = any(text.partition("(")[0].rpartition(".")[2] in _FIXTURES for text in definition.decorators)
        if not is_fixture and not definition.name.startswith("test"):
            return None
        best: tuple[int, tuple[int, int]] | None = None
        for other_unit, index in candidates:
            other = self.inference.units[other_unit]
            if other is unit:
                if index != unit.scopes[scope].definition:
                    return other_unit, index
                continue
            folder = other.path[: other.path.rfind("/") + 1]
            if other.path.rsplit("/", 1)[-1] == "conftest.py" and unit.path.startswith(folder):
                rank = len(folder)
                if best is None or rank > best[0]:
                    best = rank, (other_unit, index)
        return best[1] if best is not None else None

    def parameter(self, unit: Unit, scope: int, name: str) -> Values:
        """What the fixture of that name gives, or nothing."""
        if not self.fixtures:
            return ()
        found = self.fixture(unit, scope, name)
        if found is None:
            return ()
        values = self.inference.calls.returned((FUNC, *found, None))
        here = self.inference.units[found[0]]
        if here.definitions[found[1]].scope in here.facts.yields:
            return self.inference.containers.elements(values)
        return values


def _given_name(text: str) -> str:
    """`name="..."` in a decorator as written."""
    _, mark, rest = text.partition("name=")
    return rest[1:].split(rest[0], 1)[0] if mark and rest[:1] in ("'", '"') else ""
