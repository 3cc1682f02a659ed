"""Packages that files declare: what their names mean in other files, and which files an import names.

In: the package that each file declares, and the names that it declares for the package. Out: files. For languages
with `Rules.has_packages`; the location of files does not matter, except to choose between several that declare one
name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from rpg.components import components
from rpg.encoder import operations as op
from rpg.encoder.facts import (
    CONSTANT,
    DECLARED_BESIDE,
    FOR_ALL,
    PACKAGE_NAMES,
    SHORTENED,
    SIDE_EFFECT,
    Import,
    strip_marks,
)
from rpg.encoder.languages import BY_NAME
from rpg.encoder.resolve.evaluate.lookup.libraries import Libraries
from rpg.encoder.resolve.evaluate.lookup.platforms import filter_by_platform
from rpg.encoder.resolve.values.values import EXTERNAL, KIND, Values
from rpg.graph import CLASS_KINDS

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.lookup.partial_types import PartialTypes
    from rpg.encoder.resolve.program.program import Program
    from rpg.encoder.resolve.program.source_file import SourceFile

MOST: Final = 5
"""Files that equally declare one name; of more it is not known which is meant."""
MOST_HOLDING: Final = 50
"""Files with constants of one name, in namespaces; those of more are not looked into."""


class PackageNames:
    def __init__(self, program: Program, partial_types: PartialTypes, limit: Callable[[SourceFile, str], None]) -> None:
        self.program = program
        self.partial_types = partial_types
        self.libraries = Libraries(program, limit)
        self._by_name: dict[str, list[int]] | None = None
        self._files: dict[str, list[int]] | None = None
        self._seen: dict[int, dict[str, int]] = {}
        self._included: dict[int, list[int]] = {}
        self._units: dict[int, list[int]] = {}
        self._open = 0
        """The files that include another of the repository, as they say, which is not there, as bits."""
        self._reached: dict[int, int] = {}
        """File -> the files that it includes, directly or not, as bits: sets would take the square of their number."""
        self._declaring: dict[tuple[int, str], list[int]] = {}

    @property
    def by_name(self) -> dict[str, list[int]]:
        """Name -> indexes of the files that declare it for their package, by path."""
        if self._by_name is None:
            self._by_name = self.program.surveyed(PACKAGE_NAMES, self._make_by_name)
        return self._by_name

    def _make_by_name(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for file in self.program.files:
            for name in file.facts.exports.get(PACKAGE_NAMES, ()):
                found.setdefault(name, []).append(file.index)
        return found

    @property
    def files(self) -> dict[str, list[int]]:
        """Family and package, separated by a space -> indexes of its files, by path."""
        if self._files is None:
            self._files = self.program.surveyed("packages", self._make_files)
        return self._files

    def _make_files(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for file in self.program.files:
            if file.rules.has_packages:
                found.setdefault(f"{family_of(file)} {file.facts.package}", []).append(file.index)
        return found

    def seen_by(self, file: SourceFile) -> dict[str, int]:
        """The packages whose names a file sees without an import of the name -> how late they are looked into."""
        seen = self._seen.get(file.index)
        if seen is None:
            stars = [self._package(file, each) for each in file.facts.imports if each.kind == "star"]
            seen = {}
            for package in (
                *file.rules.packages_seen(file.facts.package),
                *stars,
                *file.rules.packages_imported(file.path),
            ):
                seen.setdefault(package, len(seen))
            self._seen[file.index] = seen
        return seen

    def declaring(self, file: SourceFile, name: str) -> list[SourceFile]:
        """The files that declare a name which a file does not bind: several if it is not known which one is meant."""
        inside = [self.program.files[index] for index in self.units(file)]
        inside = [other for other in inside if other.rows(0, name)]
        if inside:
            return inside[:MOST]
        candidates = self.by_name.get(name)
        if candidates is None:
            return []
        key = (file.index, name)
        known = self._declaring.get(key)
        if known is None:
            if file.rules.imports == "libraries":
                candidates = [index for index in candidates if self.libraries.sees(file, name, index)]
            if file.rules.is_in_headers(strip_marks(name)) and self.includes_are_known(file):
                reached = self.reaches(file, candidates)
                files = self.program.files
                candidates = [each for each in candidates if each in reached or file.rules.is_unit(files[each].path)]
            seen = self.seen_by(file)
            family = family_of(file)
            ranked: dict[int, list[int]] = {}
            for index in candidates:
                other = self.program.files[index]
                rank = seen.get(other.facts.package)
                if (
                    rank is not None
                    and other is not file
                    and family_of(other) == family
                    and (index, name) not in self.partial_types.elsewhere
                ):
                    ranked.setdefault(rank, []).append(index)
            first = ranked[min(ranked)] if ranked else []
            for_all = self.by_name.get(name + FOR_ALL, ())
            found = self.nearest(file, [index for index in first if index in for_all] or first, name)
            known = self._declaring[key] = [] if self.is_elsewhere(file, name, found) else found
        return [self.program.files[index] for index in known]

    def holding(self, file: SourceFile, name: str) -> list[SourceFile]:
        """The files, among them the file itself, with a constant of that name in a namespace that others may open."""
        if file.rules.owners != "spaces":
            return []
        others = (self.program.files[index] for index in self.by_name.get(name + CONSTANT, ()))
        family = family_of(file)
        found = [each for each in others if family_of(each) == family and (file.in_test or not each.in_test)]
        return found if len(found) <= MOST_HOLDING else []

    def are_rivals(self, files: list[SourceFile], name: str) -> bool:
        """Whether files that declare a name each declare a type, for builds of their own."""
        if len(files) < 2 or files[0].rules.types_of_one_name != "rivals":
            return False
        return all(any(each.definitions[i].kind in CLASS_KINDS for i in each.children(0, name)) for each in files)

    def find_by_full_name(self, file: SourceFile, e: int) -> list[SourceFile]:
        """The files that declare the `Name` of `package.Name`, where nothing else is known of the package's name. It
        may begin in a package that the file sees."""
        code = file.code
        candidates = self.by_name.get(file.strings[code[e + op.MEMBER]])
        path = _dotted(file, code[e + op.HOLDER]) if candidates else ""
        if not candidates or not path:
            return []
        family = family_of(file)
        around = [each for each in file.rules.packages_seen(file.facts.package) if each]
        for package in (path, *(f"{each}.{path}" for each in around)):
            inside = self.files.get(f"{family} {package}", ())
            found = [index for index in candidates if index in inside]
            if found:
                return [self.program.files[index] for index in self.nearest(file, found)]
        return []

    def is_outside(self, file: SourceFile, name: str) -> bool:
        """Whether a name that a file does not bind is a constant that nothing in the repository declares."""
        if not file.rules.constants_are_capitalised or not name[:1].isupper() or name in self.by_name:
            return False
        return name + SHORTENED not in self.by_name and name + CONSTANT not in self.by_name

    def is_constant_outside(self, file: SourceFile, e: int) -> bool:
        """Whether an expression is such a constant, or one within it, as `Library::Base` is."""
        if not file.rules.constants_are_capitalised:
            return False
        code = file.code
        while code[e] in (op.ATTRIBUTE, op.UNION):
            if code[e] == op.UNION:
                e = op.items_of(code, e)[0]
            elif file.strings[code[e + op.MEMBER]][:1].isupper():
                e = code[e + op.HOLDER]
            else:
                return False
        return (
            code[e] == op.NAME and code[e + op.BINDER] == -1 and self.is_outside(file, file.strings[code[e + op.WORD]])
        )

    def is_elsewhere(self, file: SourceFile, name: str, found: list[int]) -> bool:
        """Whether a name means none of the files that declare it, because none of them is included, and a library
        declares it too, or it is a type of the file itself."""
        rules = file.rules
        if not found or rules.argument_count != "most" or self.reaches(file, found):
            return False
        own = file.children(0, strip_marks(name))
        return name in rules.builtins or any(file.definitions[index].kind in CLASS_KINDS for index in own)

    def nearest(self, file: SourceFile, indexes: list[int], name: str = "") -> list[int]:
        """Among files that declare one name in one package, those that a file may mean: no tests outside tests, and the
        nearest ones."""
        found = [index for index in indexes if file.in_test or not self.program.files[index].in_test]
        if file.rules.unknown_is_outside:
            # Scripts run others as programs; only those that they source share their names.
            reached = self.reaches(file, found)
            found = [index for index in found if index in reached or not self.program.files[index].in_test]
        if file.rules.imports == "libraries":
            found = self.reaches(file, found)
        if len(found) < 2:
            return found
        if file.rules.imports != "packages":
            included = self.reaches(file, found)
            if included:
                return included if len(included) <= MOST else []
        if name and self.program.files[found[0]].rules.types_of_one_name == "platforms":
            declared = [(index, each) for index in found for each in self.program.files[index].children(0, name)]
            seen = {index for index, _ in filter_by_platform(self.program, file, declared)}
            found = [index for index in found if index in seen] or found
        here = file.path.split("/")[:-1]
        shared = {index: common(here, self.program.files[index].path.split("/")[:-1]) for index in found}
        most = max(shared.values())
        found = [index for index in found if shared[index] == most]
        return found if len(found) <= MOST else []

    def reaches(self, file: SourceFile, indexes: Iterable[int]) -> list[int]:
        """Those of the files that a file includes, or that they include or export."""
        if file.rules.imports == "libraries":
            seen = self.libraries.seen(file)
            return [index for index in indexes if index in seen]
        known = self._reached.get(file.index)
        if known is None:
            self._reach(file.index)
            known = self._reached[file.index]
        return [index for index in indexes if known >> index & 1]

    def _reach(self, start: int) -> None:
        """Finds what a file includes, and all files that it includes. Files that include each other reach the same."""

        def following(index: int) -> list[int]:
            return [each for each in self.included(self.program.files[index]) if each not in self._reached]

        for component in components((start,), following):
            reached = 0
            for index in component:
                for other in self.included(self.program.files[index]):
                    reached |= 1 << other
                    if other not in component:
                        reached |= self._reached[other]
            for index in component:
                self._reached[index] = reached

    def defining(self, file: SourceFile, name: str) -> list[SourceFile]:
        """The files that define functions which a file only declares, beside others of that name that it defines."""
        if name not in file.facts.exports.get(DECLARED_BESIDE, ()):
            return []
        others = [self.program.files[index] for index in self.by_name.get(name, ()) if index != file.index]
        return [other for other in others if self.reaches(other, (file.index,))][:MOST]

    def includes_are_known(self, file: SourceFile) -> bool:
        """Whether all is known that a file includes: what is no unit also sees what its includers have included."""
        if not file.rules.is_unit(file.path):
            return False
        self.reaches(file, ())
        return not (self._reached[file.index] | 1 << file.index) & self._open

    def units(self, file: SourceFile) -> list[int]:
        """The files that a file includes although they are compiled by themselves: it sees all of them."""
        known = self._units.get(file.index)
        if known is None:
            known = self._units[file.index] = [
                index for index in self.included(file) if file.rules.is_unit(self.program.files[index].path)
            ]
        return known

    def included(self, file: SourceFile) -> list[int]:
        """The files that a file itself includes."""
        known = self._included.get(file.index)
        if known is None:
            known = self._included[file.index] = []
            for statement in file.facts.imports:
                paths = file.rules.module(file.path, statement.module, statement.level)
                if paths is None and statement.kind == SIDE_EFFECT:
                    self._open |= 1 << file.index
                for path in paths or ():
                    index = self.program.number_of(path)
                    if index >= 0:
                        known.append(index)
        return known

    def _package(self, file: SourceFile, statement: Import) -> str:
        """The package that an import names."""
        for around in file.rules.packages_around(file.facts.package):
            package = f"{around}.{statement.module}" if around else statement.module
            if f"{family_of(file)} {package}" in self.files:
                return package
        return statement.module

    def imported(self, file: SourceFile, statement: Import) -> tuple[str, ...] | None:
        """What an import names: for a package the folders of its files, for a name the files that declare it; empty if
        the package is in the repository and has no such name, None for a library."""
        family = family_of(file)
        inside = self.files.get(f"{family} {self._package(file, statement)}")
        if inside is None:
            return None
        if statement.kind == "star":
            paths = [self.program.files[index].path for index in inside]
            return tuple(dict.fromkeys(path[: path.rfind("/") + 1] or "./" for path in paths))
        found: dict[str, None] = {}
        for name in statement.names:
            candidates = self.by_name.get(name.partition(".")[0], ())
            within = [index for index in candidates if index in inside]
            if not within and file.rules.extensions == "imported":
                extending = self.program.table("extending", _extending).get(name, ())
                within = [index for index in dict.fromkeys(extending) if index in inside]
            for index in self.nearest(file, within, name.partition(".")[0]):
                found[self.program.files[index].path] = None
        return tuple(found)


def _extending(file: SourceFile) -> Iterator[tuple[str, int]]:
    """The names of what a file adds to types that are elsewhere."""
    for definition in file.definitions:
        if definition.owner and definition.parent == 0:
            yield definition.name, file.index


def is_known(values: Values) -> bool:
    """Whether something of the repository is among values."""
    return any(value[KIND] != EXTERNAL for value in values)


def _dotted(file: SourceFile, e: int) -> str:
    """`a.b` for names that the file does not bind; empty for all else."""
    code = file.code
    parts: list[str] = []
    while code[e] == op.ATTRIBUTE:
        holder = code[e + op.HOLDER]
        if code[holder] == op.UNION:
            e = op.items_of(code, holder)[-1]  # a bare name, which may be a member of the classes around
            break
        parts.append(file.strings[code[e + op.MEMBER]])
        e = holder
    if code[e] != op.NAME or code[e + op.BINDER] != -1:
        return ""
    parts.append(file.strings[code[e + op.WORD]])
    return ".".join(reversed(parts))


def family_of(file: SourceFile) -> str:
    return BY_NAME[file.facts.language].family


def common(one: list[str], other: list[str]) -> int:
    """How many folders two paths share from the root on."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count
