"""Modules that import everything of each other: which of them a name comes from.

In: a module. Out: its circle, if so many star imports lead around in it that following them for each name would cost
the square of the code: which names its modules bind, and where its star imports lead out of it. Absent: what a name
means; modules.py asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rpg.components import components

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.lookup.modules import Modules
    from rpg.encoder.resolve.program.source_file import SourceFile

MOST_STARS: Final = 400
"""Star imports within a circle that are followed one by one for each name."""
MOST_OUTSIDE: Final = 400
"""Modules that star imports of a circle lead to, outside it."""
MOST_BINDING: Final = 8
"""Modules of a circle that bind one name. If there are more, it is unknown which one is meant."""
REASON: Final = f"more than {MOST_STARS} star imports form a circle: names that several of its modules bind are unknown"


class StarCircle:
    """A strongly connected component of the star imports, large enough to be costly."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.binding: dict[str, list[str]] = {}
        """Name -> the modules that bind it themselves and let others have it."""
        self.outside: list[str] = []
        """Where star imports lead out of the circle."""


class StarCircles:
    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.program = modules.program
        self._of: dict[str, StarCircle | None] = {}
        self._count = 0

    def of(self, file: SourceFile) -> StarCircle | None:
        """The circle of a module, if it is a costly one."""
        if file.path not in self._of:
            self._find(file.path)
        return self._of[file.path]

    def _find(self, path: str) -> None:
        leading: dict[str, list[str]] = {}

        def following(each: str) -> list[str]:
            found = leading[each] = self._leading(each)
            return [other for other in found if other not in self._of]

        for component in components((path,), following):
            count = sum(other in component for each in component for other in leading[each])
            circle = self._made(component, leading) if count > MOST_STARS else None
            for each in component:
                self._of[each] = circle

    def _leading(self, path: str) -> list[str]:
        """The modules that a module's star imports lead to."""
        found: dict[str, None] = {}
        for file in self.modules.units_of(path):
            for index in reversed(file.facts.exports.get("stars", file.stars)):
                found |= dict.fromkeys(self.modules.files(file, index) or ())
        return list(found)

    def _made(self, component: set[str], leading: dict[str, list[str]]) -> StarCircle:
        self._count += 1
        circle = StarCircle(self._count)
        outside: dict[str, None] = {}
        is_limited = any("all" in file.facts.exports for path in component for file in self.modules.units_of(path))
        for path in sorted(component):
            outside |= dict.fromkeys(each for each in leading[path] if each not in component)
            for file in self.modules.units_of(path):
                self.modules.evaluator.limit(file, REASON)
                names = file.facts.exports.get("names")
                bound = names if names is not None else {row.name for row in file.facts.bindings if not row.scope}
                for name in bound if not is_limited else ():
                    if names is not None or self.modules.is_public(path, name):
                        circle.binding.setdefault(name, []).append(path)
        circle.outside = list(outside) if len(outside) <= MOST_OUTSIDE and not is_limited else []
        return circle
