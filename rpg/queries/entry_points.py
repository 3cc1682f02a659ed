"""Where execution begins, and how a repository is built, tested and run, as its metadata and its code say.

In: an index. Out: entry points and commands, each with where it is said. Only files that the index holds are read, as
text; nothing is run, and what cannot be read says nothing.
"""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rpg.errors import InvalidPath, RpgError
from rpg.queries.graph.filters import is_beside
from rpg.queries.graph.nodes import nodes

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

LARGEST = 400_000
"""Bytes of a metadata file that is read."""
OF_A_KIND = 6
"""Entry points of one kind that are listed."""


@dataclass(frozen=True, kw_only=True)
class EntryPoint:
    kind: str
    """script, module, main, exports, command, route or task."""
    name: str
    target: str
    """What it runs or where it is."""
    more: int = 0
    """How many others of the kind are not listed."""


@dataclass(frozen=True, kw_only=True)
class Recipe:
    what: str
    """build, test or run."""
    command: str
    said_in: str


def entry_points(index: Index) -> list[EntryPoint]:
    found = {(each.kind, each.name): each for each in (*_of_metadata(index), *_of_code(index))}
    by_kind: dict[str, list[EntryPoint]] = {}
    for each in found.values():
        by_kind.setdefault(each.kind, []).append(each)
    listed = []
    for of_kind in by_kind.values():
        listed += of_kind[:OF_A_KIND]
        if len(of_kind) > OF_A_KIND:
            last = listed[-1]
            listed[-1] = EntryPoint(kind=last.kind, name=last.name, target=last.target, more=len(of_kind) - OF_A_KIND)
    return listed


def _of_metadata(index: Index) -> Iterator[EntryPoint]:
    for path in _files_called(index, "pyproject.toml"):
        data = _toml(index, path)
        project = _table(data, "project")
        for scripts in (_table(project, "scripts"), _table(project, "gui-scripts")):
            yield from _scripts(scripts)
        yield from _scripts(_table(_table(_table(data, "tool"), "poetry"), "scripts"))
    for path in _files_called(index, "setup.cfg"):
        yield from _console_scripts(_cfg(index, path))
    for path in _files_called(index, "setup.py"):
        yield from _console_scripts(_text(index, path))
    for path in _files_called(index, "package.json"):
        data = _json(index, path)
        if data.get("private") is True and path.count("/") > 0 and not data.get("bin"):
            continue
        folder = path.rpartition("/")[0]
        name = str(data.get("name", ""))
        bins = data.get("bin")
        if isinstance(bins, str):
            yield EntryPoint(kind="script", name=name, target=_joined(folder, bins))
        yield from _scripts(bins if isinstance(bins, dict) else {}, folder)
        main = data.get("main") or data.get("module") or _main_by_default(index, folder)
        if isinstance(main, str) and name:
            yield EntryPoint(kind="exports", name=name, target=_joined(folder, main))
    for path in _files_called(index, "Cargo.toml"):
        data = _toml(index, path)
        bins = data.get("bin")
        for each in bins if isinstance(bins, list) else []:
            if isinstance(each, dict) and isinstance(each.get("name"), str):
                target = _joined(path.rpartition("/")[0], str(each.get("path", "src/main.rs")))
                yield EntryPoint(kind="script", name=each["name"], target=target)


def _main_by_default(index: Index, folder: str) -> str | None:
    """What Node.js loads of a package that names no file."""
    path = f"{folder}/index.js" if folder else "index.js"
    return "index.js" if index.rows("SELECT 1 FROM files WHERE path = ? AND skipped = ''", (path,)) else None


def _of_code(index: Index) -> Iterator[EntryPoint]:
    for (path,) in index.rows(
        "SELECT path FROM symbols WHERE kind = 'module' AND test = 0 AND (path LIKE '%/\\_\\_main\\_\\_.py' ESCAPE '\\'"
        " OR path = '__main__.py') ORDER BY length(path), path"
    ):
        if not is_beside(path):
            yield EntryPoint(kind="module", name=path.rpartition("/")[0].rpartition("/")[2] or path, target=path)
    mains = nodes(
        index,
        "s.name IN ('main', 'Main') AND s.kind IN ('function', 'method') AND s.test = 0 AND NOT EXISTS"
        " (SELECT 1 FROM edges e JOIN symbols c ON c.id = e.source WHERE e.target = s.id AND e.kind = 'calls'"
        " AND c.kind != 'module' AND c.test = 0) ORDER BY length(s.path), s.id LIMIT 40",
    )
    for node in mains:
        if not is_beside(node.path):
            yield EntryPoint(kind="main", name=node.label, target=f"{node.path}:{node.name_line}")
    for kind, pattern in DECORATED:
        for name, path, line in index.rows(
            "SELECT qualified_name, path, name_line FROM symbols WHERE test = 0 AND extra LIKE ? ORDER BY id LIMIT 60",
            (f"%{pattern}%",),
        ):
            if not is_beside(path):
                yield EntryPoint(kind=kind, name=name, target=f"{path}:{line}")


DECORATED = (("command", ".command("), ("route", ".route("), ("task", ".task("), ("task", "shared_task"))
"""What frameworks call, by a decorator."""


def recipes(index: Index) -> list[Recipe]:
    found: dict[tuple[str, str], Recipe] = {}
    for each in _recipes(index):
        found.setdefault((each.what, each.command), each)
    return list(found.values())[: 2 * OF_A_KIND]


def _recipes(index: Index) -> Iterator[Recipe]:
    paths = {path for (path,) in index.rows("SELECT path FROM files WHERE skipped = '' AND instr(path, '/') = 0")}
    if "pyproject.toml" in paths:
        data = _toml(index, "pyproject.toml")
        backend = str(_table(data, "build-system").get("build-backend", ""))
        yield Recipe(what="build", command=f"pip install . ({backend})" if backend else "pip install .",
                     said_in="pyproject.toml")  # fmt: skip
        if "pytest" in _table(data, "tool"):
            yield Recipe(what="test", command="pytest", said_in="pyproject.toml")
    elif "setup.py" in paths or "setup.cfg" in paths:
        said = "setup.py" if "setup.py" in paths else "setup.cfg"
        yield Recipe(what="build", command="pip install .", said_in=said)
    for path, command in TEST_CONFIGURATION:
        if path in paths:
            yield Recipe(what="test", command=command, said_in=path)
    if "package.json" in paths:
        scripts = _table(_json(index, "package.json"), "scripts")
        for what, names in (("build", ("build", "prepare")), ("test", ("test",)), ("run", ("start", "dev"))):
            for name in names:
                if name in scripts:
                    yield Recipe(what=what, command=f"npm run {name}", said_in="package.json")
                    break
    for path, what, command in BUILD_FILES:
        if path in paths:
            yield Recipe(what=what, command=command, said_in=path)
    if "Makefile" in paths:
        targets = re.findall(r"^([A-Za-z][\w-]*)\s*:(?!=)", _text(index, "Makefile"), re.MULTILINE)
        for what in ("build", "test", "run"):
            if what in targets:
                yield Recipe(what=what, command=f"make {what}", said_in="Makefile")


TEST_CONFIGURATION = (("pytest.ini", "pytest"), ("tox.ini", "tox"), ("noxfile.py", "nox"))
BUILD_FILES = (
    ("go.mod", "build", "go build ./..."), ("go.mod", "test", "go test ./..."), ("Cargo.toml", "build", "cargo build"),
    ("Cargo.toml", "test", "cargo test"), ("pom.xml", "build", "mvn package"), ("pom.xml", "test", "mvn test"),
    ("build.gradle", "build", "gradle build"), ("build.gradle.kts", "build", "gradle build"),
    ("CMakeLists.txt", "build", "cmake -B build && cmake --build build"),
    ("composer.json", "build", "composer install"),
    ("Gemfile", "build", "bundle install"), ("mix.exs", "build", "mix compile"), ("mix.exs", "test", "mix test"),
    ("build.sbt", "build", "sbt compile"), ("build.sbt", "test", "sbt test"), ("Package.swift", "build", "swift build"),
    ("Package.swift", "test", "swift test"), ("Dockerfile", "run", "docker build ."),
    ("docker-compose.yml", "run", "docker compose up"), ("manage.py", "run", "python manage.py runserver"),
)  # fmt: skip


def _scripts(table: dict[str, Any], folder: str = "") -> Iterator[EntryPoint]:
    for name, target in table.items():
        said = target.get("reference", "") if isinstance(target, dict) else target
        if isinstance(said, str):
            yield EntryPoint(kind="script", name=str(name), target=_joined(folder, said))


def _console_scripts(text: str) -> Iterator[EntryPoint]:
    if "console_scripts" not in text:
        return
    behind = text[text.index("console_scripts") :][:4_000]
    for name, target in re.findall(r"([\w.-]+)\s*=\s*([\w.]+:[\w.]+)", behind):
        yield EntryPoint(kind="script", name=name, target=target)


def _files_called(index: Index, name: str) -> list[str]:
    """At the top, and of the packages below it; not of tests and examples."""
    rows = index.rows(
        "SELECT path FROM files WHERE skipped = '' AND (path = ? OR path LIKE ?) ORDER BY length(path), path LIMIT 30",
        (name, f"%/{name}"),
    )
    found = [path for (path,) in rows if path.count("/") <= 3 and not is_beside(path) and not _of_tests(path)]
    return [path for path in found if path.rpartition("/")[2] == name]


def _of_tests(path: str) -> bool:
    return any(part in ("test", "tests", "__tests__", "fixtures", "testdata", "e2e") for part in path.split("/"))


def _joined(folder: str, path: str) -> str:
    return f"{folder}/{path.removeprefix('./')}" if folder else path.removeprefix("./")


def _text(index: Index, path: str) -> str:
    try:
        return index.source(path)[:LARGEST].decode("utf-8", "replace")
    except (InvalidPath, RpgError, KeyError):
        return ""


def _toml(index: Index, path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(index, path))
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return {}


def _json(index: Index, path: str) -> dict[str, Any]:
    try:
        found = json.loads(_text(index, path) or "{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _cfg(index: Index, path: str) -> str:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(_text(index, path))
    except configparser.Error:
        return ""
    if not parser.has_option("options.entry_points", "console_scripts"):
        return ""
    return "console_scripts" + parser.get("options.entry_points", "console_scripts")


def _table(data: dict[str, Any], name: str) -> dict[str, Any]:
    found = data.get(name)
    return found if isinstance(found, dict) else {}
