"""How a repository is built, tested and run, according to its metadata.

In: an index. Out: commands, each with its source. Nothing is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rpg.queries.packages.package_files import json_of, table, text_of, toml_of
from rpg.stores.index.reader import list_paths_at_top

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

MOST = 12


@dataclass(frozen=True, kw_only=True)
class Recipe:
    what: str
    """build, test or run."""
    command: str
    said_in: str


def recipes(index: Index) -> list[Recipe]:
    found: dict[tuple[str, str], Recipe] = {}
    for each in _recipes(index):
        found.setdefault((each.what, each.command), each)
    return list(found.values())[:MOST]


def _recipes(index: Index) -> Iterator[Recipe]:
    paths = set(list_paths_at_top(index))
    if "pyproject.toml" in paths:
        data = toml_of(index, "pyproject.toml")
        backend = str(table(data, "build-system").get("build-backend", ""))
        yield Recipe(what="build", command=f"pip install . ({backend})" if backend else "pip install .",
                     said_in="pyproject.toml")  # fmt: skip
        if "pytest" in table(data, "tool"):
            yield Recipe(what="test", command="pytest", said_in="pyproject.toml")
    elif "setup.py" in paths or "setup.cfg" in paths:
        manifest = "setup.py" if "setup.py" in paths else "setup.cfg"
        yield Recipe(what="build", command="pip install .", said_in=manifest)
    for path, command in TEST_CONFIGURATION:
        if path in paths:
            yield Recipe(what="test", command=command, said_in=path)
    if "package.json" in paths:
        scripts = table(json_of(index, "package.json"), "scripts")
        for what, names in (("build", ("build", "prepare")), ("test", ("test",)), ("run", ("start", "dev"))):
            for name in names:
                if name in scripts:
                    yield Recipe(what=what, command=f"npm run {name}", said_in="package.json")
                    break
    for path, what, command in BUILD_FILES:
        if path in paths:
            yield Recipe(what=what, command=command, said_in=path)
    if "Makefile" in paths:
        targets = re.findall(r"^([A-Za-z][\w-]*)\s*:(?!=)", text_of(index, "Makefile"), re.MULTILINE)
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
    ("Package.swift", "test", "swift test"), ("pubspec.yaml", "build", "dart pub get"),
    ("pubspec.yaml", "test", "dart test"), ("build.zig", "build", "zig build"), ("build.zig", "test", "zig build test"),
    ("Dockerfile", "run", "docker build ."),
    ("docker-compose.yml", "run", "docker compose up"), ("manage.py", "run", "python manage.py runserver"),
)  # fmt: skip
