"""What import statements draw edges to, and which of them name nothing that is here."""

from __future__ import annotations

from collections.abc import Iterator

from rpg.encoder.facts import IMPORTED, line_and_column
from rpg.encoder.resolve.evaluate import Inference
from rpg.encoder.resolve.program.unit import Unit
from rpg.graph import Place


class Imports:
    def __init__(self, inference: Inference) -> None:
        self.program = inference.program
        self.modules = inference.modules

    def of(self, unit: Unit) -> Iterator[tuple[list[str], int]]:
        """The files that each import statement names: the submodule where it names one, else the module."""
        for index, each in enumerate(unit.facts.imports):
            if each.kind == "parent":
                continue
            files = self.modules.files(unit, index)
            if not files:
                continue
            named: list[str] = []
            rest = not each.names
            for name in each.names:
                inside = [value[1] for path in files for value in self.own_submodule(path, name, path == unit.path)]
                named += inside
                rest = rest or not inside
            if rest:
                named += [path for path in files if not path.endswith("/") or self.program.units_in(path)]
            named = [path for path in dict.fromkeys(named) if path != unit.path]
            if named:
                yield named, each.byte

    def without_edge(self, unit: Unit) -> Iterator[Place]:
        """Statements that name a library, or a module that should be here and is not; by the module's own name."""
        for index, each in enumerate(unit.facts.imports):
            files = self.modules.files(unit, index) if each.kind != "parent" else (unit.path,)
            if not files:
                line, column = line_and_column(unit.facts, each.byte)
                reason = "external" if files is None else "unresolved"
                yield Place(unit.path, "." * each.level + each.module, line, column, reason, False, True)

    def is_own_import(self, unit: Unit, name: str) -> bool:
        """Whether a package leaves a name to its submodule: binds it not at all, or by `from . import name`."""
        return all(
            row.value
            and unit.code[row.value] == IMPORTED
            and self.modules.files(unit, unit.code[row.value + 2]) == (unit.path,)
            for row in unit.rows(0, name)
        )

    def own_submodule(self, path: str, name: str, itself: bool) -> tuple[tuple[int, str], ...]:
        """The submodule that a package's name stands for, unless the package binds it to something else."""
        unit = self.program.unit_at(path)
        if unit is not None and not itself and not self.is_own_import(unit, name):
            return ()
        return self.modules.submodule(path, name)
