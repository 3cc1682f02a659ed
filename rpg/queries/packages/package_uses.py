"""Who uses a symbol from another repository, through imports of the package that defines it.

In: the index that defines the symbol, one that may use it, and the manifests of both. Out: uses with their places. The
name that is used is followed from its import, in the facts of the using file, through what the defining package exports
(package_exports.py), to a definition; a name that leads to no definition, or to another one, is not a use. No edge is
added to a graph.

A use is certain (via `package`) if both manifests agree: the one around the using file requires the package by its
name, in a version that the defining one has. It is possible if only the name does, and where another value may be
bound to the imported name.

Absent: members of values that a library made.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from rpg.encoder import operations as op
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
    Import,
    line_and_column,
)
from rpg.encoder.languages import BY_NAME
from rpg.encoder.parsing.packing import unpack
from rpg.queries.graph.nodes import Node
from rpg.queries.packages.manifests import Package, normalise_name, package_around, packages, requiring, satisfies
from rpg.queries.packages.package_exports import LONGEST_NAME, SOURCE_FOLDERS, Definer, Place
from rpg.stores.index.place_reads import list_files_naming_external
from rpg.stores.index.symbol_reads import list_test_marks
from rpg.system.compression import decompress

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

ROLE_NAMES = {
    CALLED: ("calls",), CREATED: ("calls", "instantiates"), DECORATOR: ("calls", "decorates"),
    RAISED: ("references", "raises"), HANDLED: ("references", "catches"), BASE: ("inherits",),
    ANNOTATION: ("references", "annotates"), WRITE: ("references", "writes"), UPDATED: ("references", "writes"),
    DELETED: ("references", "deletes"),
}  # fmt: skip
"""The kinds of use at a site: the kind of edge that it would be, then its roles."""
READS = ("references", "reads")
IMPORTS = ("imports",)


class PackageUse(NamedTuple):
    path: str
    line: int
    column: int
    source: str
    """The symbol that uses it, by its name in that file."""
    kind: str
    is_certain: bool
    why: str
    """What the manifests say about the package."""
    test: bool


def package_uses(definer: Definer, node: Node, index: Index, kinds: Collection[str]) -> list[PackageUse]:
    """Uses in the order of their places. `node` is defined in the definer's repository, `index` is of another one."""
    language = BY_NAME[node.language]
    manifests = language.rules.named_in if language.refers else ()
    package = package_around(packages(definer.index), node.path, manifests) if manifests else None
    if package is None or node.kind == "directory":
        return []
    is_dotted = language.module_separator == "."
    top = top_module(package, node.path) if is_dotted else package.name
    if not top:
        return []
    own = requiring(index)
    wanted = Place(node.path, "" if node.is_file or node.kind == "module" else node.qualified_name)
    found: dict[tuple[str, int, int], PackageUse] = {}
    for path, spoken in list_files_naming_external(index, top, f"{top}{'.' if is_dotted else '/'}*"):
        if BY_NAME[spoken].family != language.family:
            continue
        packed = index.facts(path)
        if not packed:
            continue
        facts = unpack(decompress(packed))
        around = find_requirement(own, path, package)
        why, agree = version_evidence(around, package)
        tests: dict[str, int] = dict(list_test_marks(index, path))
        for parts, byte, maker, names, is_sure in external_names(facts, top):
            if wanted not in definer.leads_to(package, node.language, parts, is_import=names == IMPORTS):
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


def find_requirement(own: Collection[Package], path: str, package: Package) -> tuple[Package, str] | None:
    """The manifest around a file, or above it, that requires the package, and in which version."""
    name = normalise_name(package.name)
    around = sorted((each for each in own if path.startswith(each.folder)), key=lambda each: -len(each.folder))
    for each in around:
        for required, version in each.requires:
            if normalise_name(required) == name:
                return each, version
    return None


def version_evidence(required: tuple[Package, str] | None, package: Package) -> tuple[str, bool]:
    statement = f"{package.name} is {package.version or 'of no version that its manifest says'}"
    if required is None:
        return f"no manifest around it requires {package.name}", False
    manifest, version = required
    answer = satisfies(package, version)
    wants = f"{manifest.manifest} requires {package.name} {version}".rstrip()
    return (wants, True) if answer and not (version and package.version) else (f"{wants}, {statement}", bool(answer))


Used = tuple[tuple[str, ...], int, int, tuple[str, ...], bool]
"""Name (the module, then members; where modules are dotted, each part by itself), place, the definition that uses it,
kinds, and whether nothing else may be bound to the name."""


def external_names(facts: FileFacts, top: str) -> Iterator[Used]:
    """Every use of a name that was imported from that module or one below it, and the imports of the modules."""
    code, sites = facts.code, facts.sites
    bound: dict[tuple[int, str], tuple[set[tuple[str, ...]], bool]] = {}
    for row in facts.bindings:
        parts = find_imported_parts(facts, row.value)
        known, is_sure = bound.get((row.scope, row.name), (set(), True))
        if parts is not None and is_of(parts, top):
            known.add(parts)
        elif not (row.value and code[row.value] == op.LITERAL):  # `name = None` where the import fails
            is_sure = False
        bound[row.scope, row.name] = known, is_sure
    for each in facts.imports:
        parts = module_parts(facts, each)
        if is_of(parts, top) and each.kind != "parent":
            yield parts, each.byte, 0, IMPORTS, True
            for name in each.names:
                yield (*parts, name), each.byte, 0, IMPORTS, True
    for at in range(0, len(sites), SITE_WORDS):
        e = sites[at]
        role = sites[at + ROLE]
        if code[e] == op.CALL:
            e = code[e + op.CALLEE]
        for parts, is_sure in find_dotted_names(facts, e, bound):
            if not is_of(parts, top):
                continue
            yield parts, code[e + op.BYTE], sites[at + MAKER], ROLE_NAMES.get(role, READS), is_sure


def find_imported_parts(facts: FileFacts, value: int) -> tuple[str, ...] | None:
    code = facts.code
    if not value or code[value] not in (op.IMPORT, op.IMPORTED):
        return None
    parts = module_parts(facts, facts.imports[code[value + op.STATEMENT]])
    return (*parts, facts.strings[code[value + op.MEMBER]]) if parts and code[value] == op.IMPORTED else parts or None


def module_parts(facts: FileFacts, statement: Import) -> tuple[str, ...]:
    """Empty for a module of the repository itself."""
    if statement.level:
        return ()
    is_dotted = BY_NAME[facts.language].module_separator == "."
    return tuple(statement.module.split(".")) if is_dotted else (statement.module,)


def is_of(parts: tuple[str, ...], top: str) -> bool:
    """Whether a module is that module or one within it."""
    return bool(parts) and (parts[0] == top or parts[0].startswith(f"{top}/"))


def find_dotted_names(
    facts: FileFacts, e: int, bound: dict[tuple[int, str], tuple[set[tuple[str, ...]], bool]]
) -> list[tuple[tuple[str, ...], bool]]:
    code = facts.code
    members: list[str] = []
    while code[e] in (op.ATTRIBUTE, op.PATH) and len(members) < LONGEST_NAME:
        members.append(facts.strings[code[e + op.MEMBER]])
        e = code[e + op.HOLDER]
    rest = tuple(reversed(members))
    if code[e] == op.NAME:
        scope = op.binding_scope(code[e + op.BINDER])
        known, is_sure = bound.get((scope, facts.strings[code[e + op.WORD]]), (set(), False))
        return [((*parts, *rest), is_sure and len(known) == 1) for parts in known]
    if (parts := find_imported_parts(facts, e)) is not None:
        return [((*parts, *rest), True)]
    return []
