"""Files that come or go with an edit: which other files may find them, or no longer find them, by their place.

In: the program before and after, and the sources of all files. Out: the files that may have looked for such a place,
and the names by which they know it; or NotIncremental where a file may be found without being named, or where others
are looked for in other folders now.

A file is found by its folder and its name there, as its language says (`Rules.placed`), and so is a folder that is new
or gone. What others see of the file without looking for it, file_difference.py finds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import NAMING
from rpg.encoder.languages import BY_NAME, Language, Naming, Placed, folders_of, may_configure
from rpg.encoder.resolve.evaluate import Evaluator
from rpg.encoder.resolve.incremental.file_difference import NotIncremental
from rpg.encoder.resolve.program.program import Program
from rpg.encoder.resolve.program.source_file import SourceFile


class _Sought(NamedTuple):
    """One place, and how text names it."""

    place: Placed
    family: str
    is_text: bool
    file_name: bytes
    """Empty for a folder."""
    naming: Naming | None
    package: int
    """The file that makes a package of the folder, if there is one; else -1."""
    word: re.Pattern[bytes]
    path: re.Pattern[bytes]
    """Behind the folder."""


class Moved:
    """The files that are there in one of two programs only."""

    def __init__(self, before: Program, after: Program, texts: Collection[str]) -> None:
        """`texts`: the paths of those without facts."""
        self._before, self._after = before, after
        had, has = set(filter(None, before.paths())), set(filter(None, after.paths()))
        self.numbers = frozenset(number for number, path in enumerate(before.order) if (path in had) != (path in has))
        self._names = {path.rpartition("/")[2].encode() for path in texts}
        self._sought: dict[tuple[str, Placed], _Sought] = {}
        if any(map(may_configure, texts)):
            raise NotIncremental("configuration of others came or went")
        for path in sorted(had ^ has):
            self._seek_file(path)
        self._seek_folders(had, has)

    def _seek_file(self, path: str) -> None:
        program = self._after if self._after.exists(path) else self._before
        language = BY_NAME[program.languages[path]]
        rules = program.rules(language.name)
        name = path.rpartition("/")[2]
        if language.configures or name in rules.configuration_files or name in rules.manifests or rules.offer(path):
            raise NotIncremental("configuration of others came or went")
        placed = rules.placed(path)
        if placed is None:
            raise NotIncremental(f"{language.name} may find a file without naming it")
        self._seek(language, placed, name)

    def _seek_folders(self, had: Collection[str], has: Collection[str]) -> None:
        """Adds the folders that have files of a language in one program only, somewhere in them or directly."""
        for name in sorted(set(self._after.languages.values())):
            rules = self._after.rules(name)
            if not rules.finds_alike(self._before.rules(name)):
                raise NotIncremental("files are looked for in other folders")
            if not rules.module_objects.are_folders:
                continue
            old, new = (
                [path for path in paths if program.languages[path] == name]
                for program, paths in ((self._before, had), (self._after, has))
            )
            for folder in sorted((folders_of(old) ^ folders_of(new)) | (_find_parents(old) ^ _find_parents(new))):
                placed = rules.placed(f"{folder}/") if folder else None
                if placed is not None:
                    self._seek(BY_NAME[name], placed, "")

    def _seek(self, language: Language, placed: Placed, file_name: str) -> None:
        key = (language.family, placed)
        if key in self._sought:
            return
        package, naming = -1, None
        if not placed.is_found_alone:
            if self._before.exists(placed.maker):
                package = self._before.number_of(placed.maker)
            naming = self._before.rules(language.name).naming(placed.maker, [placed.name])
        name, folder = (re.escape(each.encode()) for each in (placed.name, placed.folder[:-1].rpartition("/")[2]))
        self._sought[key] = _Sought(
            placed,
            language.family,
            language.is_text,
            file_name.encode(),
            naming,
            package,
            re.compile(rb"(?<!\w)" + name + rb"(?!\w)"),
            re.compile(rb"(?<!\w)" + folder + rb"\s*[./\\:]+\s*" + name + rb"(?!\w)"),
        )

    def find_seekers(
        self, sources: Iterable[tuple[int, bytes]], importing: Callable[[int], Iterable[int]]
    ) -> Iterator[tuple[int, set[str]]]:
        """The files that may have looked for one of the places, and the names of these."""
        importers = {each.package: frozenset(importing(each.package)) for each in self._sought.values() if each.naming}
        for number, source in sources:
            path = self._before.order[number]
            language = BY_NAME[self._before.languages[path]]
            names = {
                each.place.name
                for each in self._sought.values()
                if each.place.name.encode() in source and self._finds(each, path, language, source, number, importers)
            }
            if names or any(name in source for name in self._names):
                yield number, names

    def list_changed_imports(self, number: int) -> list[int]:
        """The imports of a file that mean something else now."""
        old, new = self._before.files[number], self._after.files[number]
        before, after = self._evaluators
        found = []
        for at, each in enumerate(old.facts.imports):
            if each.kind in NAMING:
                continue
            had, has = before.modules.files(old, at), after.modules.files(new, at)
            if had != has or any(
                old.rules.submodule(path, name) != new.rules.submodule(path, name)
                for path in had or ()
                for name in each.names
            ):
                found.append(at)
        return found

    @property
    def _evaluators(self) -> tuple[Evaluator, Evaluator]:
        if not hasattr(self, "_made"):
            self._made = (Evaluator(self._before), Evaluator(self._after))
        return self._made

    def _finds(
        self,
        sought: _Sought,
        path: str,
        language: Language,
        source: bytes,
        number: int,
        importers: dict[int, frozenset[int]],
    ) -> bool:
        place = sought.place
        is_family = language.family == sought.family and not sought.is_text
        if sought.file_name and not is_family and sought.file_name in source:
            return True
        if sought.is_text:
            return language.is_text and sought.word.search(source) is not None
        if place.is_found_alone or path.startswith(place.folder):
            return sought.word.search(source) is not None
        naming = sought.naming if is_family else None
        if naming is not None and naming.may_see(source, number in importers[sought.package]):
            return True
        return sought.path.search(source) is not None


def find_bound_names(file: SourceFile, statements: Collection[int]) -> tuple[set[str], set[str]]:
    """The names of some imports of a file: those of what they take and bind anywhere, and those that the module binds.
    Raises NotIncremental if it takes everything from something."""
    found: set[str] = set()
    own: set[str] = set()
    code = file.code
    for number in statements:
        each = file.facts.imports[number]
        if each.kind == "star":
            raise NotIncremental("a star import means another file")
        found.update(each.names)
    for binding in file.facts.bindings if statements else ():
        value = binding.value
        if code[value] in (op.IMPORT, op.IMPORTED) and code[value + op.STATEMENT] in statements:
            found.add(binding.name)
            if binding.scope == 0:
                own.add(binding.name)
    return found, own


def _find_parents(paths: Iterable[str]) -> set[str]:
    return {path.rpartition("/")[0] for path in paths}
