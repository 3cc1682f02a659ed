"""What the names of a package, as importers write them, lead to in the repository that defines it.

In: the index of that repository. Out: definitions. Names are followed through imports and re-exports of modules; a name
that leads to nothing, or to two definitions, has no result.

Absent: members of values, and packages whose files are not named as their modules are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import FileFacts
from rpg.encoder.languages import BY_NAME, Rules
from rpg.encoder.parsing.packing import unpack
from rpg.queries.packages.manifests import Package
from rpg.stores.index.reader import has_file, list_paths
from rpg.stores.index.symbol_reads import list_places_qualified
from rpg.system.compression import decompress

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

DEEPEST = 12
"""The most re-exports that are followed for one name."""
LONGEST_NAME = 50
"""The most nested members that are followed."""
SOURCE_FOLDERS = ("src/", "", "lib/")
WHOLE, DEFAULT = "=", "default"
"""Names of what a module exports as a whole: `module.exports = …`, `export default …`."""


class Place(NamedTuple):
    path: str
    qualified_name: str
    """Empty: the module itself."""


class Definer:
    """A repository that defines packages."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._facts: dict[str, FileFacts | None] = {}
        self._rules: dict[str, Rules] = {}
        self._found: dict[tuple[str, tuple[str, ...]], Place | None] = {}
        """Results by module and name. The common exports of modules that export one another are looked up once."""

    def leads_to(self, package: Package, language: str, parts: tuple[str, ...], *, is_import: bool) -> set[Place]:
        """What a name stands for: the module that an import names, then members. If a module exports a single thing as
        a whole, its name stands for that, and an import is about both."""
        if BY_NAME[language].module_separator == ".":
            return self.dotted(package, parts)
        found: set[Place] = set()
        for path in self.modules(language, "", parts[0]):
            if path.endswith("/"):
                found |= self.find_in_folder(path, language, parts[1:])
            else:
                found |= {Place(path, "")} if is_import and len(parts) == 1 else set()
                found |= keep_known({self.value(path, parts[1:], 0)})
        return found

    def dotted(self, package: Package, parts: tuple[str, ...]) -> set[Place]:
        """For a language in which nested modules are written like members."""
        roots = [package.folder + each for each in SOURCE_FOLDERS]
        for length in range(len(parts), 0, -1):
            if path := self.module(roots, parts[:length]):
                return keep_known({self.member(path, parts[length:], 0)})
        return set()

    def modules(self, language: str, importer: str, module: str) -> tuple[str, ...]:
        """The files, or the folder, that an import refers to."""
        if language not in self._rules:
            self._rules[language] = BY_NAME[language].rules(IndexedFiles(self.index))
        return self._rules[language].module(importer, module, 0) or ()

    def facts(self, path: str) -> FileFacts | None:
        if path not in self._facts:
            packed = self.index.facts(path)
            self._facts[path] = unpack(decompress(packed)) if packed else None
        return self._facts[path]

    def find_in_folder(self, folder: str, language: str, parts: tuple[str, ...]) -> set[Place]:
        """For a language in which the files of a folder are one module; there may be a file for each platform."""
        rows = list_places_qualified(self.index, ".".join(parts), language)
        inside = "" if folder == "./" else folder
        return {Place(path, name) for path, name in rows if path[: path.rfind("/") + 1] == inside}

    # Modules that export names

    def value(self, path: str, parts: tuple[str, ...], depth: int) -> Place | None:
        """A member of a module; without a name what it exports as a whole."""
        if (path, parts) not in self._found:
            self._found[path, parts] = None  # modules may export one another: a nested look-up gets this result
            self._found[path, parts] = self.exported(path, parts, depth)
        return self._found[path, parts]

    def exported(self, path: str, parts: tuple[str, ...], depth: int) -> Place | None:
        facts = self.facts(path)
        if facts is None or depth > DEEPEST:
            return None
        names: dict[str, int] = facts.exports.get("names", {})
        name, rest = (parts[0], parts[1:]) if parts else (WHOLE, ())
        if name == DEFAULT and name not in names:
            name = WHOLE
        if name in names:
            return self.find_expressed(facts, names[name], rest, depth)
        if name == WHOLE:
            return None if rest else Place(path, "")
        found = {self.imported(facts, number, parts, depth) for number in facts.exports.get("stars", ())}
        if WHOLE in names:
            found.add(self.find_expressed(facts, names[WHOLE], parts, depth))
        return only(found)

    def find_expressed(self, facts: FileFacts, e: int, rest: tuple[str, ...], depth: int) -> Place | None:
        """What an expression of a module stands for, or a member of it."""
        code = facts.code
        while code[e] == op.ATTRIBUTE and len(rest) < LONGEST_NAME:
            rest = (facts.strings[code[e + op.MEMBER]], *rest)
            e = code[e + op.HOLDER]
        if code[e] == op.NAME:
            name = facts.strings[code[e + op.WORD]]
            if op.binding_scope(code[e + op.BINDER]) != 0:
                return None
            rows = [each.value for each in facts.bindings if each.scope == 0 and each.name == name and each.value]
            return only({self.bound(facts, value, (name, *rest), depth) for value in rows})
        return self.bound(facts, e, ("", *rest), depth)

    # Modules whose names are members

    def module(self, roots: Collection[str], parts: tuple[str, ...]) -> str:
        """The file of a dotted module, below one of the folders; empty if there is none."""
        stem = "/".join(parts)
        for root in roots:
            for path in (f"{root}{stem}/__init__.py", f"{root}{stem}.py") if stem else (f"{root}__init__.py",):
                if has_file(self.index, path):
                    return path
        return ""

    def member(self, path: str, parts: tuple[str, ...], depth: int) -> Place | None:
        if not parts:
            return Place(path, "")
        if (path, parts) not in self._found:
            self._found[path, parts] = None  # as in `value`
            self._found[path, parts] = self.find_contained(path, parts, depth)
        return self._found[path, parts]

    def find_contained(self, path: str, parts: tuple[str, ...], depth: int) -> Place | None:
        facts = self.facts(path)
        if facts is None or depth > DEEPEST:
            return None
        rows = [each for each in facts.bindings if each.scope == 0 and each.name == parts[0] and each.value]
        found = {self.bound(facts, row.value, parts, depth) for row in rows}
        if not rows:
            found = {self.inside(path, parts, depth)} | {
                self.imported(facts, number, parts, depth)
                for number, each in enumerate(facts.imports)
                if each.kind == "star" and each.scope == 0
            }
        return only(found)

    def inside(self, path: str, parts: tuple[str, ...], depth: int) -> Place | None:
        """A submodule of a package that does not name it."""
        if not path.endswith("/__init__.py"):
            return None
        inner = self.module([path.removesuffix("__init__.py")], parts[:1])
        return self.member(inner, parts[1:], depth + 1) if inner else None

    # Both

    def bound(self, facts: FileFacts, value: int, parts: tuple[str, ...], depth: int) -> Place | None:
        """What the first name stands for, which is bound to that value, then members."""
        code = facts.code
        if code[value] == op.DEFINITION:
            return self.defined(facts, code[value + op.DEFINED], parts[1:])
        if code[value] == op.IMPORTED:
            inner = (facts.strings[code[value + op.MEMBER]], *parts[1:])
            return self.imported(facts, code[value + op.STATEMENT], inner, depth)
        if code[value] == op.IMPORT:
            return self.imported(facts, code[value + op.STATEMENT], parts[1:], depth)
        number = next(
            (n for n, each in enumerate(facts.definitions) if each.parent == 0 and each.name == parts[0]), None
        )
        return None if number is None else self.defined(facts, number, parts[1:])

    def defined(self, facts: FileFacts, number: int, parts: tuple[str, ...]) -> Place | None:
        for part in parts:
            inner = [n for n, each in enumerate(facts.definitions) if each.parent == number and each.name == part]
            if not inner:
                return None
            number = inner[-1]
        return Place(facts.path, facts.definitions[number].qualified_name)

    def imported(self, facts: FileFacts, number: int, parts: tuple[str, ...], depth: int) -> Place | None:
        """From an import statement of the package itself."""
        statement = facts.imports[number]
        if BY_NAME[facts.language].module_separator != ".":
            paths = self.modules(facts.language, facts.path, statement.module)
            return self.value(paths[0], parts, depth + 1) if len(paths) == 1 else None
        module = tuple(filter(None, statement.module.split(".")))
        if statement.level:
            around = facts.path.split("/")[: -statement.level]
            roots = ["/".join(around) + "/" if around else ""]
        else:
            roots = [facts.path[: facts.path.find("/" + module[0] + "/") + 1], *SOURCE_FOLDERS] if module else []
        path = self.module(roots, module)
        return self.member(path, parts, depth + 1) if path else None


def keep_known(found: Iterable[Place | None]) -> set[Place]:
    return {each for each in found if each is not None}


def only(found: Iterable[Place | None]) -> Place | None:
    places = keep_known(found)
    return next(iter(places)) if len(places) == 1 else None


class IndexedFiles:
    """The files of an index, as rules of a language ask for them."""

    roots: tuple[str, ...] = ()

    def __init__(self, index: Index) -> None:
        self._index = index
        self._paths = list_paths(index)
        self._known = frozenset(self._paths)

    def exists(self, path: str) -> bool:
        return path in self._known

    def paths(self) -> list[str]:
        return self._paths

    def read(self, path: str) -> bytes:
        return self._index.source(path) if path in self._known else b""

    def has_file(self, path: str) -> bool:
        return path in self._known or (path.endswith("/") and any(each.startswith(path) for each in self._paths))

    def rules_of(self, language: str) -> Rules | None:
        return None
