"""Who uses a symbol from another repository: what leads there from imports of the package that defines it.

In: the index that defines the symbol, one that may use it, and the manifests of both. Out: uses with their places. The
name that is used is followed from its import, in the facts of the using file, through what the defining package
exports, to a definition; a name that leads to no definition, or to another one, is no use. No edge is written into a
graph.

A use is certain (via `package`) if both manifests agree: the one around the using file requires the package by its
name, in a version that the defining one has. It is possible if only the name does, and where another value may be
bound to the imported name.

Absent: members of values that a library made, and packages whose files are not named as their modules are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from rpg.compression import decompress
from rpg.encoder.facts import (
    ANNOTATION,
    BASE,
    CALLED,
    CREATED,
    DECORATOR,
    DELETED,
    HANDLED,
    MAKER,
    RAISED,
    ROLE,
    SITE_WORDS,
    UPDATED,
    WRITE,
    FileFacts,
    line_and_column,
)
from rpg.encoder.languages import BY_NAME
from rpg.encoder.operations import (
    ATTRIBUTE,
    BINDER,
    BYTE,
    CALL,
    CALLEE,
    DEFINED,
    DEFINITION,
    HOLDER,
    IMPORT,
    IMPORTED,
    LITERAL,
    MEMBER,
    NAME,
    PATH,
    STATEMENT,
    WORD,
    binding_scope,
)
from rpg.encoder.parsing.packing import unpack
from rpg.queries.graph.nodes import Node
from rpg.queries.packages import Package, agrees, normalised, package_around, packages

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

ROLE_NAMES = {
    CALLED: ("calls",), CREATED: ("calls", "instantiates"), DECORATOR: ("calls", "decorates"),
    RAISED: ("references", "raises"), HANDLED: ("references", "catches"), BASE: ("inherits",),
    ANNOTATION: ("references", "annotates"), WRITE: ("references", "writes"), UPDATED: ("references", "writes"),
    DELETED: ("references", "deletes"),
}  # fmt: skip
"""What a site is a use as: the kind of edge that it would be, then what it does."""
READS = ("references", "reads")
DEEPEST = 12
"""Re-exports that are followed for one name."""
SOURCE_FOLDERS = ("src/", "", "lib/")


class PackageUse(NamedTuple):
    path: str
    line: int
    column: int
    source: str
    """The symbol that uses it, by its name in that file."""
    kind: str
    is_certain: bool
    why: str
    """What the manifests say."""
    test: bool


class Definer:
    """What dotted names lead to in the repository that defines a package."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._facts: dict[str, FileFacts | None] = {}

    def facts(self, path: str) -> FileFacts | None:
        if path not in self._facts:
            packed = self.index.facts(path)
            self._facts[path] = unpack(decompress(packed)) if packed else None
        return self._facts[path]

    def module(self, roots: Collection[str], parts: tuple[str, ...]) -> str:
        """The file of a dotted module, below one of the folders; empty if there is none."""
        stem = "/".join(parts)
        for root in roots:
            for path in (f"{root}{stem}/__init__.py", f"{root}{stem}.py") if stem else (f"{root}__init__.py",):
                if self.index.value("SELECT 1 FROM files WHERE path = ? AND skipped = ''", (path,)):
                    return path
        return ""

    def leads_to(self, package: Package, parts: tuple[str, ...]) -> tuple[str, str] | None:
        """The path and the qualified name (empty: the module itself) that a dotted name stands for."""
        roots = [package.folder + each for each in SOURCE_FOLDERS]
        for length in range(len(parts), 0, -1):
            if path := self.module(roots, parts[:length]):
                return self.member(path, parts[length:], 0)
        return None

    def member(self, path: str, parts: tuple[str, ...], depth: int) -> tuple[str, str] | None:
        if not parts:
            return path, ""
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
        known = found - {None}
        return next(iter(known)) if len(known) == 1 else None

    def bound(self, facts: FileFacts, value: int, parts: tuple[str, ...], depth: int) -> tuple[str, str] | None:
        code = facts.code
        if code[value] == DEFINITION:
            return self.defined(facts, code[value + DEFINED], parts[1:])
        if code[value] == IMPORTED:
            inner = (facts.strings[code[value + MEMBER]], *parts[1:])
            return self.imported(facts, code[value + STATEMENT], inner, depth)
        if code[value] == IMPORT:
            return self.imported(facts, code[value + STATEMENT], parts[1:], depth)
        number = next(
            (n for n, each in enumerate(facts.definitions) if each.parent == 0 and each.name == parts[0]), None
        )
        return None if number is None else self.defined(facts, number, parts[1:])

    def defined(self, facts: FileFacts, number: int, parts: tuple[str, ...]) -> tuple[str, str] | None:
        for part in parts:
            inner = [n for n, each in enumerate(facts.definitions) if each.parent == number and each.name == part]
            if not inner:
                return None
            number = inner[-1]
        return facts.path, facts.definitions[number].qualified_name

    def imported(self, facts: FileFacts, number: int, parts: tuple[str, ...], depth: int) -> tuple[str, str] | None:
        """From an import statement of the package itself."""
        statement = facts.imports[number]
        module = tuple(filter(None, statement.module.split(".")))
        if statement.level:
            around = facts.path.split("/")[: -statement.level]
            roots = ["/".join(around) + "/" if around else ""]
        else:
            roots = [facts.path[: facts.path.find("/" + module[0] + "/") + 1], *SOURCE_FOLDERS] if module else []
        path = self.module(roots, module)
        return self.member(path, parts, depth + 1) if path else None

    def inside(self, path: str, parts: tuple[str, ...], depth: int) -> tuple[str, str] | None:
        """A submodule of a package that does not name it."""
        if not path.endswith("/__init__.py"):
            return None
        inner = self.module([path.removesuffix("__init__.py")], parts[:1])
        return self.member(inner, parts[1:], depth + 1) if inner else None


def package_uses(definer: Definer, node: Node, index: Index, kinds: Collection[str]) -> list[PackageUse]:
    """In order of the places. `node` is defined in the definer's repository, `index` is of another one."""
    package = package_around(packages(definer.index), node.path)
    top = top_module(package, node.path) if package is not None else ""
    if package is None or not top or node.kind == "directory":
        return []
    own = packages(index)
    wanted = (node.path, "" if node.is_file or node.kind == "module" else node.qualified_name)
    found: dict[tuple[str, int, int], PackageUse] = {}
    for path, module in index.rows(
        "SELECT DISTINCT s.path, s.language FROM places p JOIN symbols s ON s.id = p.source "
        "WHERE p.reason = 'external' AND s.language = ? AND (p.name = ? OR p.name GLOB ?) ORDER BY s.path",
        (node.language, top, f"{top}.*"),
    ):
        if BY_NAME[module].module_separator != ".":
            continue
        packed = index.facts(path)
        if not packed:
            continue
        facts = unpack(decompress(packed))
        around = required_by(own, path, package)
        why, agree = said(around, package)
        tests: dict[str, int] = dict(index.rows("SELECT qualified_name, test FROM symbols WHERE path = ?", (path,)))
        for parts, byte, maker, names, is_sure in external_names(facts, top):
            if definer.leads_to(package, parts) != wanted:
                continue
            kind = next((name for name in (*names[1:], names[0]) if name in kinds), "")
            if not kind:
                continue
            source = facts.definitions[maker].qualified_name if maker else "(module)"
            line, column = line_and_column(facts, byte)
            kind = names[0] if names[0] in kinds else kind
            is_test = bool(tests.get(source, tests.get(path, 0)))
            use = PackageUse(path, line, column, source, kind, agree and is_sure, why, is_test)
            found.setdefault((path, line, column), use)
    return list(found.values())


def top_module(package: Package, path: str) -> str:
    """The module that others import to reach a file of the package."""
    inner = path.removeprefix(package.folder)
    for folder in SOURCE_FOLDERS:
        if folder and inner.startswith(folder):
            inner = inner.removeprefix(folder)
            break
    return inner.partition("/")[0].removesuffix(".py") if inner.endswith(".py") else ""


def required_by(own: Collection[Package], path: str, package: Package) -> tuple[Package, str] | None:
    """The manifest around a file, or above it, that requires the package, and in which version."""
    name = normalised(package.name)
    around = sorted((each for each in own if path.startswith(each.folder)), key=lambda each: -len(each.folder))
    for each in around:
        for required, version in each.requires:
            if normalised(required) == name:
                return each, version
    return None


def said(required: tuple[Package, str] | None, package: Package) -> tuple[str, bool]:
    has = f"{package.name} is {package.version or 'of no version that its manifest says'}"
    if required is None:
        return f"no manifest around it requires {package.name}", False
    manifest, version = required
    answer = agrees(package.version, version)
    wants = f"{manifest.manifest} requires {package.name} {version}".rstrip()
    return (wants, True) if answer and not version else (f"{wants}, {has}", bool(answer))


Used = tuple[tuple[str, ...], int, int, tuple[str, ...], bool]
"""Dotted name, place, the definition that uses it, kinds, and whether nothing else may be bound to the name."""


def external_names(facts: FileFacts, top: str) -> Iterator[Used]:
    """Every use of a name that was imported from that module or one below it, and the imports of the modules."""
    code, sites = facts.code, facts.sites
    bound: dict[tuple[int, str], tuple[set[tuple[str, ...]], bool]] = {}
    for row in facts.bindings:
        parts = imported_parts(facts, row.value, row.name)
        known, is_sure = bound.get((row.scope, row.name), (set(), True))
        if parts is not None and parts[0] == top:
            known.add(parts)
        elif not (row.value and code[row.value] == LITERAL):  # `name = None` where the import fails
            is_sure = False
        bound[row.scope, row.name] = known, is_sure
    for each in facts.imports:
        parts = tuple(each.module.split("."))
        if not each.level and parts[0] == top and each.kind != "parent":
            yield parts, each.byte, 0, ("imports",), True
            for name in each.names:
                yield (*parts, name), each.byte, 0, ("imports",), True
    for at in range(0, len(sites), SITE_WORDS):
        e = sites[at]
        role = sites[at + ROLE]
        if code[e] == CALL:
            e = code[e + CALLEE]
        for parts, is_sure in dotted(facts, e, bound):
            yield parts, code[e + BYTE], sites[at + MAKER], ROLE_NAMES.get(role, READS), is_sure


def imported_parts(facts: FileFacts, value: int, name: str) -> tuple[str, ...] | None:
    code = facts.code
    if not value or code[value] not in (IMPORT, IMPORTED):
        return None
    statement = facts.imports[code[value + STATEMENT]]
    if statement.level:
        return None
    parts = tuple(statement.module.split("."))
    return (*parts, facts.strings[code[value + MEMBER]]) if code[value] == IMPORTED else parts


def dotted(
    facts: FileFacts, e: int, bound: dict[tuple[int, str], tuple[set[tuple[str, ...]], bool]]
) -> list[tuple[tuple[str, ...], bool]]:
    code = facts.code
    if code[e] == NAME:
        scope = binding_scope(code[e + BINDER])
        known, is_sure = bound.get((scope, facts.strings[code[e + WORD]]), (set(), False))
        return [(parts, is_sure and len(known) == 1) for parts in known]
    if code[e] in (ATTRIBUTE, PATH):
        member = facts.strings[code[e + MEMBER]]
        return [((*parts, member), is_sure) for parts, is_sure in dotted(facts, code[e + HOLDER], bound)]
    return []
