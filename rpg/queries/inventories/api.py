"""The public names of a package: what users of it import.

In: an index. Out: entries. In Python, what the packages' `__init__` files define and import from their modules; in
ECMAScript, what the entry of the package exports; in other languages, what the language itself makes public.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rpg.encoder import operations as op
from rpg.encoder.languages import LANGUAGES
from rpg.queries.graph.filters import is_beside
from rpg.queries.inventories.code_file import CodeFile, Value
from rpg.queries.inventories.entry import Entry
from rpg.queries.inventories.reading import Code
from rpg.queries.overview.entry_points import entry_points
from rpg.stores.index.symbol_reads import list_exported, list_package_files

MOST = 5_000
KINDS = ("class", "interface", "enum", "struct", "trait", "type", "function", "constant")
_PRIVATE = re.compile(
    r"(^|/)(_(?!_init__)[^/]*|internal|private|testing|testdata|vendor|cmd|migrations|management|t|tests?)(/|$|\.)"
)
_BY_MODULES = (".py", ".js", ".ts", ".tsx")
BY_RULE = tuple(
    language.name
    for language in LANGUAGES
    if not (language.is_text or language.configures or language.is_markup or language.has_regions)
    and not set(language.suffixes) & set(_BY_MODULES)
)
"""Languages with a rule for what other packages see."""


def api(code: Code) -> list[Entry]:
    found = [*_of_packages(code), *_of_entries(code), *_by_rule(code)]
    return list({(each.name, *each.places): each for each in found}.values())[:MOST]


def _of_packages(code: Code) -> Iterator[Entry]:
    """The names of each package that no other package contains; those of top-level modules if there is no package."""
    paths = [path for path in list_package_files(code.index, "/__init__.py") if not is_beside(path)]
    inits = {path for path in paths if path.endswith("/__init__.py")}
    for path in sorted(inits):
        folder = path.removesuffix("/__init__.py")
        above = folder.rpartition("/")[0]
        if f"{above}/__init__.py" in inits or _PRIVATE.search(path):
            continue
        file = code.file(path)
        found = list(_of_init(code, file, folder.rpartition("/")[2])) if file else []
        yield from found or _of_modules(code, folder)


def _of_init(code: Code, file: CodeFile, package: str) -> Iterator[Entry]:
    listed = file.facts.exports.get("all")
    seen = set()
    for binding in file.facts.bindings:
        name = binding.name
        if binding.scope or not binding.value or name in seen:
            continue
        if name not in listed if listed else name.startswith("_"):
            continue
        found = code.value(file, binding.value)
        of_package = file.code[binding.value] == op.IMPORTED and (found.definition > 0 or found.file.path != file.path)
        defined = found.definition > 0 and found.file.path == file.path
        if listed or of_package or defined:
            seen.add(name)
            yield _entry(f"{package}.{name}", found, file)


def _of_modules(code: Code, folder: str) -> Iterator[Entry]:
    yield from _public(code, "s.path >= ? AND s.path < ? AND s.path LIKE '%.py'", (folder + "/", folder + "0"))


def _of_entries(code: Code) -> Iterator[Entry]:
    for each in entry_points(code.index):
        file = code.file(each.target) if each.kind == "exports" else None
        for name, found, at in _list_exported(code, file, 0) if file else ():
            yield _entry(f"{each.name}.{name}" if name != "default" else each.name, found, at)


def _list_exported(code: Code, file: CodeFile, depth: int) -> Iterator[tuple[str, Value, CodeFile]]:
    names = file.facts.exports.get("names") or {}
    for name, e in names.items():
        if e:
            yield ("default" if name == "=" else name), code.value(file, e), file
    for number in (file.facts.exports.get("stars") or ()) if depth < 8 else ():
        statement = file.facts.imports[number]
        for path in file.imported.get(file.line_of(statement.byte), ()):
            other = code.file(path)
            if other is not None and other.path != file.path:
                yield from _list_exported(code, other, depth + 1)


def _entry(name: str, found: Value, at: CodeFile) -> Entry:
    if found.definition > 0:
        definition = found.file.facts.definitions[found.definition]
        return Entry(name=name, kind=definition.kind, by=at.facts.language,
                     handler=f"{found.file.path}::{definition.qualified_name}",
                     places=[f"{found.file.path}:{definition.start_line}"])  # fmt: skip
    line = found.file.line(found.expression) if found.expression else 1
    return Entry(name=name, by=at.facts.language, places=[f"{found.file.path}:{line}"])


def _by_rule(code: Code) -> Iterator[Entry]:
    yield from _public(code, f"s.language IN ({', '.join(map(repr, BY_RULE))})", ())


def _public(code: Code, condition: str, parameters: tuple[str, ...]) -> Iterator[Entry]:
    for name, kind, path, line, language in list_exported(code.index, condition, parameters, KINDS):
        if not is_beside(path) and not _PRIVATE.search(path):
            yield Entry(name=name, kind=kind, by=language, handler=f"{path}::{name}", places=[f"{path}:{line}"])
