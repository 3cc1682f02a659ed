"""All files together: files, modules by path, and the results of surveys of all files.

Nothing is inferred here. A file is known by its index, a definition by (file index, definition index).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from rpg.encoder.facts import Definition, FileFacts, aliases
from rpg.encoder.languages import BY_NAME, Rules, folders_of
from rpg.encoder.resolve.program.source_file import SourceFile

Definitions = list[tuple[int, int]]
Entry = Any
"""An entry of a table in a survey: the index of a file, or a tuple that begins with one."""
Survey = dict[str, Any]
"""Results of surveys of all files, by name: tables from names, classes and so on to definitions."""

_APART: Final = (1 << 32) + 0x9E3779B1
"""Distance between the numbers of one file's expressions and the next's: more than a file has (see AS_TYPE), and odd,
so that in a table of all of them not every file's numbers fall on the same slots."""


ANYWHERE: Final = "::"
"""The place of types whose methods may be defined in any file; no path."""


class SourceFiles:
    """The files by index, which is their position in the order of paths; each is built from its facts when first
    used."""

    def __init__(self, make: Callable[[int], SourceFile], count: int) -> None:
        self._make = make
        self._made: list[SourceFile | None] = [None] * count

    def __getitem__(self, index: int) -> SourceFile:
        file = self._made[index]
        if file is None:
            file = self._made[index] = self._make(index)
        return file

    def __len__(self) -> int:
        return len(self._made)

    def __iter__(self) -> Iterator[SourceFile]:
        return map(self.__getitem__, range(len(self._made)))

    def made(self) -> list[SourceFile]:
        """Those that have been used."""
        return [file for file in self._made if file is not None]

    def clear(self) -> None:
        self._made.clear()


class Program:
    """The repository as resolution sees it."""

    def __init__(
        self,
        languages: Mapping[str, str],
        facts: Callable[[str], FileFacts],
        read: Callable[[str], bytes],
        roots: tuple[str, ...] = (),
        surveyed: Callable[[str], Any] | None = None,
        before: Program | None = None,
        texts: Collection[str] = (),
        order: Sequence[str] = (),
    ) -> None:
        """`languages` maps the paths of all files with facts. `surveyed` returns parts of an earlier survey, None for
        what it lacks. `before` has the same files, some of them with other contents, but no change that requires
        reading a configuration. `texts`: paths of the files without facts that matter here. `order`: the paths by
        index, if they are not to be sorted; what `languages` lacks of them is not there, and has empty facts."""
        self.roots = roots
        self.read_bytes = read
        self.facts = facts
        self.languages = languages
        self.earlier = surveyed
        self.survey: Survey = before.survey if before is not None else {}
        self.moves: Mapping[int, Callable[[int], int | None]] = {}
        """Edited file -> where a definition of it went, if the survey describes the files before the edit."""
        self.amended: Survey = {}
        """Parts of the survey that changed."""
        self.order = order or sorted(languages)
        """The paths by index, also of files that are not there."""
        self._paths = [path if path in languages else "" for path in order] if order else list(self.order)
        self._numbers = {path: number for number, path in enumerate(self._paths) if path}
        self._rules: dict[str, Rules] = before._rules if before is not None else {}
        for language in sorted(set(languages.values())):
            self.rules(language)
        self.files = SourceFiles(self._unit, len(self._paths))
        self._texts = texts
        self._folders: set[str] | None = None
        self._directories: dict[str, list[int]] | None = None
        self._owned: dict[tuple[str, str, str], Definitions] | None = None
        self._owned_names: dict[tuple[str, str], set[str]] | None = None

    def _unit(self, index: int) -> SourceFile:
        facts = self.facts(self.order[index])
        return SourceFile(index, facts, self.rules(facts.language), index * _APART)

    def file_at(self, path: str) -> SourceFile | None:
        """The file at that path, if it has facts."""
        number = self._numbers.get(path)
        return self.files[number] if number is not None else None

    def files_there(self) -> Iterator[SourceFile]:
        """All files but those of `order` that are not there."""
        return (self.files[number] for number, path in enumerate(self._paths) if path)

    def surveyed(self, name: str, make: Callable[[], Any]) -> Any:
        """The result of a survey of all files, computed once."""
        found = self.survey.get(name)
        if found is None:
            found = self.earlier(name) if self.earlier is not None else None
            found = self.survey[name] = make() if found is None else found
        return found

    def table(self, name: str, of: Callable[[SourceFile], Iterable[tuple[Any, Entry]]]) -> dict[Any, list[Entry]]:
        """A part of the survey to which each file contributes entries: key -> entries, in the order of files. A key may
        be the place of a definition."""
        found = self.survey.get(name)
        if found is None:
            found = self.earlier(name) if self.earlier is not None else None
            if found is None:
                found = {}
                for file in self.files_there():
                    for key, entry in of(file):
                        found.setdefault(key, []).append(entry)
            elif self.moves:
                found = self.amended[name] = self._amended(found, of)
            self.survey[name] = found
        return found

    def _amended(
        self, table: dict[Any, list[Entry]], of: Callable[[SourceFile], Iterable[tuple[Any, Entry]]]
    ) -> dict[Any, list[Entry]]:
        """The same table with what the edited files contribute now."""
        amended: dict[Any, list[Entry]] = {}
        moves = self.moves
        for key, entries in table.items():
            if isinstance(key, tuple) and key[0] in moves:
                index = moves[key[0]](key[1])
                if index is None:
                    continue
                key = key[0], index
            kept = [each for each in entries if (each if isinstance(each, int) else each[0]) not in moves]
            if kept:
                amended[key] = kept
        for file in sorted(self.moves):
            if not self._paths[file]:
                continue
            own: dict[Any, list[Entry]] = {}
            for key, entry in of(self.files[file]):
                own.setdefault(key, []).append(entry)
            for key, entries in own.items():
                others = amended.get(key, [])
                at = bisect_left(others, file, key=_file_of)
                amended[key] = [*others[:at], *entries, *others[at:]]
        return amended

    def number_of(self, path: str) -> int:
        """The index of the file at that path; -1 if there is none."""
        return self._numbers.get(path, -1)

    def rules(self, language: str) -> Rules:
        rules = self._rules.get(language)
        if rules is None:
            rules = self._rules[language] = BY_NAME[language].rules(self)
        return rules

    def all_rules(self) -> list[Rules]:
        return [self._rules[name] for name in sorted(self._rules)]

    def is_test(self, path: str) -> bool:
        """Whether a file with facts is a test file or test support."""
        return self._rules[self.languages[path]].is_test(path)

    def edited(self, before: Program, moves: Mapping[int, Callable[[int], int | None]]) -> None:
        """Brings the survey of the program `before` up to date with what edited files contribute."""
        self.survey = {}
        self.amended = {}
        self.earlier = before.known
        self.moves = moves
        self._owned = None
        self._owned_names = None

    def known(self, name: str) -> Any:
        """A part of the survey, if it was ever computed."""
        found = self.survey.get(name)
        if found is None and self.earlier is not None:
            found = self.earlier(name)
            if found is not None:
                self.survey[name] = found
        return found

    # What a language may ask (languages.Project)

    def exists(self, path: str) -> bool:
        return path in self._numbers

    def paths(self) -> list[str]:
        return self._paths

    def read(self, path: str) -> bytes:
        return self.read_bytes(path)

    def has_file(self, path: str) -> bool:
        if path.endswith("/"):
            if self._folders is None:
                self._folders = folders_of([*self._numbers, *self._texts])
            return path[:-1] in self._folders
        return path in self._numbers or path in self._texts

    def rules_of(self, language: str) -> Rules | None:
        return self._rules.get(language)

    @property
    def directories(self) -> dict[str, list[int]]:
        """Indexes of the files directly in a directory (`/`-terminated, the root empty)."""
        if self._directories is None:
            self._directories = self._make_directories()
        return self._directories

    def _make_directories(self) -> dict[str, list[int]]:
        directories: dict[str, list[int]] = {}
        for index, path in enumerate(self._paths):
            if path:
                directories.setdefault(path[: path.rfind("/") + 1], []).append(index)
        return directories

    def files_in(self, folder: str) -> list[SourceFile]:
        """Files directly in the directory with that id."""
        return [self.files[index] for index in self.directories.get("" if folder == "./" else folder, ())]

    def files_sharing_scope(self, file: SourceFile) -> list[SourceFile]:
        """The files that share a file's top-level scope, including itself."""
        if not file.rules.shares_package_scope:
            return [file]
        return [self.files[index] for index in self.directories[self.package_of(file)]]

    @property
    def owned(self) -> dict[tuple[str, str, str], Definitions]:
        """Methods defined outside their type: (directory or path, type name) and method name -> definitions."""
        if self._owned is None:
            self._owned = self.table("owned", self._owned_of)
        return self._owned

    @property
    def owned_names(self) -> dict[tuple[str, str], set[str]]:
        """The names of the methods defined outside their type, by its place and name as in `owned`."""
        if self._owned_names is None:
            self._owned_names = {}
            for place, owner, name in self.owned:
                self._owned_names.setdefault((place, owner), set()).add(name)
        return self._owned_names

    def _owned_of(self, file: SourceFile) -> Iterator[tuple[tuple[str, str, str], tuple[int, int]]]:
        for index, definition in enumerate(file.definitions):
            if definition.owner:
                place = self.place_of_owner(file, definition.owner)
                yield (place, definition.owner, definition.name), (file.index, index)
                for alias in aliases(definition) if definition.flags else ():
                    yield (place, definition.owner, alias), (file.index, index)

    def place_of_owner(self, file: SourceFile, owner: str) -> str:
        """Where the type of a method is that is defined outside it: as `package_of`, but only in its own file if that
        defines such a type."""
        if file.rules.owners == "beside" and file.defines_class(owner):
            return file.path
        return self.package_of(file)

    def package_of(self, file: SourceFile) -> str:
        """What a file shares its top-level scope with: its directory, or only itself; a word for all files, if methods
        may be defined anywhere."""
        if file.rules.owners_anywhere:
            return ANYWHERE
        return file.path[: file.path.rfind("/") + 1] if file.rules.shares_package_scope else file.path

    def definition(self, file: int, index: int) -> Definition:
        return self.files[file].definitions[index]

    def is_constructor(self, file: int, index: int) -> bool:
        """Whether a method has the name of its class, in a language where that makes it a constructor."""
        definitions = self.files[file].definitions
        parent = definitions[index].parent
        return (
            self.files[file].rules.constructors_are_named_like_classes
            and parent > 0
            and definitions[index].kind == "method"
            and definitions[parent].name == definitions[index].name
        )


def _file_of(found: Entry) -> int:
    return int(found) if isinstance(found, int) else int(found[0])
