"""What the functional view knows of a file: its path, what it is for, and two kinds of coarse numbers.

In: symbols and edges of a graph, whole or of some files. Out: a `Sketch` of each file. A number is kept as a step, so
that ordinary edits leave it as it is.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Final, NamedTuple

import orjson

from rpg.encoder.languages import BY_NAME
from rpg.encoder.languages.prose.examples import FOLDERS
from rpg.encoder.languages.tests import remove_package_folders
from rpg.graph import POSSIBLE_VIAS, Edge, Symbol
from rpg.system.compression import compress, decompress

CODE: Final = "code"
BESIDE: Final = "beside"
"""Data and other text beside code."""
TESTS: Final = "tests"
EXAMPLES: Final = "examples"
DOCS: Final = "docs"
PROJECT: Final = "project"
"""How the project is built, checked and published."""

_TEST_FOLDERS: Final = frozenset({"test", "tests", "__tests__", "spec", "specs", "testdata", "e2e", "fixtures"})
_TOP_TEST_FOLDERS: Final = _TEST_FOLDERS | {"t"}
TOOL_FOLDERS: Final = frozenset({"scripts", "script", "tools", "ci", "hack", "packaging", "docker"})
_EXAMPLE_FOLDERS: Final = FOLDERS | {"benchmark", "benchmarks", "bench", "playground", "playgrounds"}
_DOC_FOLDERS: Final = frozenset({"doc", "docs", "documentation", "website"})
_PACKAGES: Final = frozenset({"packages", "apps"})
"""Folders at the top of a monorepo, below which its parts stand."""
_TOOLING: Final = frozenset(
    {"setup", "noxfile", "conftest", "tasks", "fabfile", "gulpfile", "gruntfile", "mvnw", "gradlew"}
)
_USES: Final = frozenset({"imports", "calls", "inherits", "references", "overrides"})


MOST_OF_PAGE: Final = 32
"""The most symbols that a page or style counts for: it has one for each element and rule."""
SKETCHES: Final = "sketches"
"""The name of the row that keeps them."""


class Sketch(NamedTuple):
    path: str
    role: str
    size: int
    """Step of the number of its symbols, two steps to a factor of two."""
    uses: tuple[tuple[str, int], ...]
    """Other files that it certainly depends on, with the step of the number of edges, one step to a factor of two."""


def sketches(symbols: Iterable[Symbol], edges: Iterable[Edge], paths: Container[str]) -> list[Sketch]:
    """Of the files among `symbols`, in the order of their paths. `paths` are those of all files of the graph."""
    files: dict[str, Symbol] = {}
    counts: dict[str, int] = {}
    for symbol in symbols:
        path = symbol.path
        if symbol.id == path and symbol.kind != "directory":
            files[path] = symbol
        counts[path] = counts.get(path, 0) + 1
    uses: dict[str, dict[str, int]] = {path: {} for path in files}
    known: dict[str, str] = {}
    for edge in edges:
        if edge.kind not in _USES or edge.via in POSSIBLE_VIAS:
            continue
        source, target = edge.source, edge.target
        if source not in known:
            known[source] = file_of(source, paths)
        if target not in known:
            known[target] = file_of(target, paths)
        of, to = known[source], known[target]
        if of != to and to and of in uses:
            used = uses[of]
            used[to] = used.get(to, 0) + 1
    found = []
    for path in sorted(files):
        used = uses[path]
        steps = tuple([(to, used[to].bit_length()) for to in sorted(used)])
        number = min(MOST_OF_PAGE, counts[path]) if is_page(files[path]) else counts[path]
        found.append(Sketch(path, role_of(path, files[path]), (number**2).bit_length(), steps))
    return found


def pack_sketches(found: Iterable[Sketch]) -> bytes:
    """Sketches as they are stored for the next edit: files that others use are named by their position in the list."""
    sketched = list(found)
    place = {each.path: number for number, each in enumerate(sketched)}
    rows = [
        [each.path, each.role, each.size, *[part for to, step in each.uses for part in (place[to], step)]]
        for each in sketched
    ]
    return compress(orjson.dumps(rows))


def unpack_sketches(data: bytes) -> list[Sketch]:
    """Raises what damaged data raises: BrokenBlock, ValueError and the like."""
    rows = orjson.loads(decompress(data))
    paths = [row[0] for row in rows]
    return [
        Sketch(path, role, size, tuple([(paths[uses[at]], uses[at + 1]) for at in range(0, len(uses), 2)]))
        for path, role, size, *uses in rows
    ]


def file_of(id: str, paths: Container[str]) -> str:
    """The file of a symbol; empty for a directory."""
    if id in paths:
        return id
    end = id.find("::")
    while end >= 0:
        if id[:end] in paths:
            return id[:end]
        end = id.find("::", end + 2)
    return ""


def is_page(file: Symbol) -> bool:
    """Whether it is a page or a style."""
    return file.kind == "module" and BY_NAME[file.language].is_markup


def role_of(path: str, file: Symbol) -> str:
    """What it is for, judged by its path. Tests of tests are tests, and examples in docs are examples."""
    folders = remove_package_folders(path).lower().split("/")[:-1]
    is_code = file.kind == "module" and not BY_NAME[file.language].configures
    if file.test or (folders and (folders[0] in _TOP_TEST_FOLDERS or folders[0].startswith("test-"))):
        return TESTS
    if any(folder in _EXAMPLE_FOLDERS for folder in folders):
        return EXAMPLES
    if folders and folders[folders[0] in _PACKAGES and len(folders) > 1] in _DOC_FOLDERS:
        return DOCS
    if any(folder.startswith(".") for folder in folders) or (folders and folders[0] in TOOL_FOLDERS):
        return PROJECT
    if is_code:
        return CODE if folders or not _is_tooling(path) else PROJECT
    if any(folder in _TEST_FOLDERS for folder in folders):
        return TESTS
    if not folders and file.language and BY_NAME[file.language].is_prose:
        return DOCS
    return BESIDE if folders else PROJECT


def _is_tooling(path: str) -> bool:
    """Scripts at the top that run the project's tools."""
    name = path.lower().partition(".")[0]
    return name in _TOOLING or ".config." in path
