"""The files of code that a list reads, by what they import, use or say.

In: an index, and names of packages or texts. Out: files with their facts, each read once. Absent: what their code means
(reading.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rpg.encoder.parsing.packing import unpack
from rpg.queries.inventories.code_file import CodeFile
from rpg.queries.search.text.text_pattern import candidates, literal
from rpg.stores.index.import_reads import list_imported, list_importers
from rpg.stores.index.place_reads import list_modules_importing_packages
from rpg.stores.index.reader import is_test_module, list_files_with_facts
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
        outside = list_modules_importing_packages(self.index, named)
        own = [
            path
            for each in packages
            for folder in ("", "src/")
            for path in (f"{folder}{each.replace('.', '/')}.py", f"{folder}{each.replace('.', '/')}/__init__.py")
        ]
        return self._files_at([*outside, *list_importers(self.index, own)])

    def files_that_use(self, *packages: str) -> list[CodeFile]:
        """The files that import one of these packages, those that import one of these files, and those that they
        import: a framework's values may be used there under another name, or as a parameter."""
        direct = self.files_that_import(*packages)
        if not direct:
            return []
        paths = [file.path for file in direct]
        return self._files_at([*paths, *list_importers(self.index, paths), *list_imported(self.index, paths)])

    def _files_at(self, paths: Iterable[str]) -> list[CodeFile]:
        found = (self.file(path) for path in sorted(set(paths)))
        return [file for file in found if file is not None]

    def files_containing(self, *texts: str, languages: frozenset[str] = frozenset()) -> list[CodeFile]:
        """The files whose source contains one of these texts; of some languages, or of all."""
        found: set[str] = set()
        for text in texts:
            some = candidates(literal(text).need, lambda hashes: files_with(self.index, hashes))
            numbers = None if some is None else numpy.flatnonzero(some).tolist()
            for path, language in list_files_with_facts(self.index, numbers):
                if (not languages or language in languages) and text.encode() in self.index.source(path):
                    found.add(path)
        return self._files_at(found)
