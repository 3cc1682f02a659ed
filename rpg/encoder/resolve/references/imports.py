"""The edges of import statements, and the statements that name nothing in the repository.

In: a file. Out: the ids that each statement names.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import MEMBER, NAMING, line_and_column
from rpg.encoder.resolve.evaluate import Evaluator
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.values.values import MODULE_PATH
from rpg.graph import Place

_WITHOUT_EDGE: Final = frozenset({"parent", MEMBER, *NAMING})
"""Kinds of statements without an edge."""


class Imports:
    def __init__(self, evaluator: Evaluator) -> None:
        self.program = evaluator.program
        self.modules = evaluator.modules

    def of(self, file: SourceFile) -> Iterator[tuple[list[str], int]]:
        """The files that each import statement names: the submodule if it names one, else the module."""
        for index, each in enumerate(file.facts.imports):
            if each.kind in _WITHOUT_EDGE:
                continue
            files = self.files(file, index)
            if not files:
                continue
            named: list[str] = []
            rest = not each.names
            for name in each.names:
                inside = [
                    value[MODULE_PATH] for path in files for value in self.own_submodule(path, name, path == file.path)
                ]
                named += inside
                rest = rest or not inside
            if rest:
                named += [path for path in files if not path.endswith("/") or self.program.files_in(path)]
            named = [path for path in dict.fromkeys(named) if path != file.path]
            if named:
                yield named, each.byte

    def files(self, file: SourceFile, index: int) -> tuple[str, ...] | None:
        """The files of the module, or the one that defines it within it."""
        files = self.modules.files(file, index)
        within = self.modules.within(file, index) if not files else None
        return files if within is None else (within[0],)

    def list_without_edge(self, file: SourceFile) -> Iterator[Place]:
        """Statements that name a library, or a module that should exist and does not; by the module's own name."""
        for index, each in enumerate(file.facts.imports):
            files = self.files(file, index) if each.kind not in _WITHOUT_EDGE else (file.path,)
            if not files:
                line, column = line_and_column(file.facts, each.byte)
                reason = "external" if files is None else "unresolved"
                yield Place(file.path, "." * each.level + each.module, line, column, reason, False, True)

    def named(self, file: SourceFile) -> Iterator[tuple[int, str, int]]:
        """The files that configuration names: the definition around, the file's path, and where."""
        definitions = file.definitions
        starts: list[int] = []
        for each in file.facts.imports:
            if each.kind in NAMING:
                starts = starts or [definition.start_byte for definition in definitions]
                around = max(0, bisect_right(starts, each.byte) - 1)
                while around and definitions[around].end_byte <= each.byte:
                    around = definitions[around].parent
                for path in file.rules.files_named(file.path, each):
                    if path != file.path:
                        yield around, path, each.byte

    def is_own_import(self, file: SourceFile, name: str) -> bool:
        """Whether a package leaves a name to its submodule: it does not bind it, or only by `from . import name`."""
        return all(
            row.value
            and file.code[row.value] == op.IMPORTED
            and self.modules.files(file, file.code[row.value + op.STATEMENT]) == (file.path,)
            for row in file.rows(0, name)
        )

    def own_submodule(self, path: str, name: str, itself: bool) -> tuple[tuple[int, str], ...]:
        """The submodule that a name of a package refers to, unless the package binds it to something else."""
        file = self.program.file_at(path)
        if file is not None and not itself and not self.is_own_import(file, name):
            return ()
        return self.modules.submodule(path, name)
