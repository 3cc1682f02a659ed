"""The files of code that a list reads, by what they import, use or say.

In: an index, and names of packages or texts. Out: files with their facts, each read once. Absent: what their code means
(reading.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from rpg.encoder.parsing.packing import unpack
from rpg.queries.inventories.code_file import CodeFile
from rpg.queries.search.text.text_pattern import candidates, literal
from rpg.stores.index.reader import is_test_module
from rpg.stores.search.text_trigrams import files_with
from rpg.system.arrays import numpy
from rpg.system.compression import decompress

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


class CodeFiles:
    """The files that one list reads."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._files: dict[str, CodeFile | None] = {}

    def file(self, path: str) -> CodeFile | None:
        """The file; None if there are no facts of it."""
        if path not in self._files:
            packed = self.index.facts(path)
            test = is_test_module(self.index, path)
            self._files[path] = CodeFile(self.index, path, unpack(decompress(packed)), test) if packed else None
        return self._files[path]

    def files_that_import(self, *packages: str) -> list[CodeFile]:
        """The files whose import statements name one of these packages, or a module of it, external or in the
        repository."""
        parents = [each.rpartition(".")[0] for each in packages if "/" not in each]
        named = [*packages, *filter(None, parents)]
        words = [word for each in named for word in (each, each + ".", each + "/", each + "/", each + "0")]
        outside = self.index.rows(
            "SELECT DISTINCT s.path FROM places p JOIN symbols s ON s.id = p.source "
            "WHERE p.reason = 'external' AND s.kind = 'module' AND ("
            + " OR ".join("p.name = ? OR (p.name >= ? AND p.name < ?) OR (p.name >= ? AND p.name < ?)" for _ in named)
            + ")",
            words,
        )
        own = [
            path
            for each in packages
            for folder in ("", "src/")
            for path in (f"{folder}{each.replace('.', '/')}.py", f"{folder}{each.replace('.', '/')}/__init__.py")
        ]
        return self._files_at(outside + self._importers(own))

    def files_that_use(self, *packages: str) -> list[CodeFile]:
        """The files that import one of these packages, those that import one of these files, and those that they
        import: a framework's values may be used there under another name, or as a parameter."""
        direct = self.files_that_import(*packages)
        if not direct:
            return []
        paths = [file.path for file in direct]
        return self._files_at([*((path,) for path in paths), *self._importers(paths), *self._imported(paths)])

    def _importers(self, paths: list[str]) -> list[tuple[Any, ...]]:
        return self.index.rows(
            "SELECT DISTINCT s.path FROM symbols t JOIN edges e ON e.target = t.id AND e.kind = 'imports' "
            "JOIN symbols s ON s.id = e.source WHERE t.kind = 'module' AND t.path IN (SELECT value FROM json_each(?))",
            (orjson.dumps(paths).decode(),),
        )

    def _imported(self, paths: list[str]) -> list[tuple[Any, ...]]:
        return self.index.rows(
            "SELECT DISTINCT t.path FROM symbols s JOIN edges e ON e.source = s.id AND e.kind = 'imports' "
            "JOIN symbols t ON t.id = e.target WHERE s.kind = 'module' AND t.kind = 'module' "
            "AND s.path IN (SELECT value FROM json_each(?))",
            (orjson.dumps(paths).decode(),),
        )

    def _files_at(self, rows: list[tuple[Any, ...]]) -> list[CodeFile]:
        found = (self.file(path) for path in sorted({row[0] for row in rows}))
        return [file for file in found if file is not None]

    def files_containing(self, *texts: str, languages: frozenset[str] = frozenset()) -> list[CodeFile]:
        """The files whose source contains one of these texts; of some languages, or of all."""
        found: set[str] = set()
        for text in texts:
            some = candidates(literal(text).need, lambda hashes: files_with(self.index, hashes))
            condition = "" if some is None else "AND id IN (SELECT value FROM json_each(?))"
            numbers = () if some is None else (orjson.dumps(numpy.flatnonzero(some).tolist()).decode(),)
            for path, language in self.index.rows(
                f"SELECT path, language FROM files WHERE length(facts) > 0 {condition}", numbers
            ):
                if (not languages or language in languages) and text.encode() in self.index.source(path):
                    found.add(path)
        return self._files_at([(path,) for path in found])
