"""Every row of the tables of inventories is needed: some source is read by it, and each source is read as it should be.

The sources are those of inventory_sources.py, in one repository that is encoded once; the entries that should be found
in them stand in inventory_entries.txt. Each test walks a table and names the rows that no source needs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from inventory_sources import SOURCES
from repositories import write

from rpg.encoder.frameworks.http import annotations, rails, resources, servers
from rpg.encoder.frameworks.http.servers import Framework
from rpg.encoder.languages.environment import READ_BY
from rpg.encoder.options import Options
from rpg.queries.inventories import registration_tables
from rpg.queries.inventories.entry import Entry
from rpg.queries.inventories.environment import FUNCTIONS, MAPPINGS, READERS, SETTINGS, environment
from rpg.queries.inventories.lists import LISTS
from rpg.queries.inventories.reading import Code
from rpg.queries.inventories.registration_tables import Row
from rpg.queries.inventories.registrations import (
    constants,
    find_by_annotation,
    find_by_base,
    find_by_call,
    find_by_decorator,
)
from rpg.queries.inventories.routes import laravel
from rpg.queries.inventories.routes.annotated import find_annotated_routes
from rpg.queries.inventories.routes.router_calls import Registrations
from rpg.repository import encode
from rpg.stores.index.index import Index

ROOT = Path(__file__).parents[3]
ENTRIES = Path(__file__).parent / "inventory_entries.txt"
WALKED = ("routes", "commands", "tasks", "signals", "models", "environment")
READ_BY_TABLE: dict[str, Callable[[Code, tuple[Row, ...]], Iterator[Entry]]] = {
    "DECORATORS": find_by_decorator,
    "CALLS": find_by_call,
    "ANNOTATIONS": find_by_annotation,
    "BASES": find_by_base,
    "MADE": constants,
}
TABLES = {
    name: table
    for name, table in vars(registration_tables).items()
    if isinstance(table, tuple) and table and isinstance(table[0], Row)
}

LIST_OF = {"TASK": "tasks", "EVENT": "signals", "SIGNALS": "signals", "MODEL": "models"}
SPOKEN = {
    "cron": "robfig/cron",
    "manage.py": "management commands of Django",
    **dict.fromkeys(("process", "signal", "signal.Notify"), "signals of the operating system"),
}
"""What docs/commands.md calls a row whose own name says little there."""
IN_NO_TABLE: dict[str, set[str]] = {
    "routes": {
        "Quart",
        "Starlette",
        "Django",
        "Django REST framework",
        "Laravel",
        "Rails",
        "Spring functional",
        "Symfony",
        "Axum",
        "Actix",
        "Rocket",
        "Next.js",
        "Nuxt",
        "SvelteKit",
        "Remix",
        "Astro",
    },
    "tasks": set(),
    "signals": set(),
    "models": {"GORM", "Prisma"},
    "commands": {"scripts of package metadata", "Artisan", "Symfony"},
}
"""What stands in the table under another name, or has rules of its own."""


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("frameworks")
    encode(write(folder / "repo", dict(SOURCES)), folder / "repo.graph.json", Options())
    opened = Index.open_read_only(folder / "repo.graph.db")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def code(index: Index) -> Code:
    return Code(index)


def shown(of: str, entry: Entry) -> str:
    handler = entry.handler.rpartition("::")[2]
    path = entry.places[0].rpartition(":")[0]
    return " ".join(filter(None, (of, path, entry.by, entry.kind, entry.name, handler and f"({handler})")))


def found_in(index: Index) -> list[str]:
    return sorted(shown(of, entry) for of in WALKED for entry in LISTS[of](index))


def test_each_form_that_a_framework_documents_is_read(index: Index) -> None:
    assert found_in(index) == ENTRIES.read_text(encoding="utf-8").splitlines()


@pytest.mark.invariant(
    "answers",
    "each word of the tables of routes, tasks, events and models is needed by an example, and "
    "docs/commands.md names the frameworks of these tables and no others",
)
@pytest.mark.parametrize("name", TABLES)
def test_every_row_of_registrations_has_a_source(code: Code, name: str) -> None:
    read = READ_BY_TABLE[name.partition("_")[2]]

    def finds(row: Row) -> bool:
        return any(True for _ in read(code, (row,)))

    missing = [
        (row.by, word) for row in TABLES[name] for word in row.last if not finds(row._replace(last=frozenset({word})))
    ]
    missing += [
        (row.by, package)
        for row in TABLES[name]
        for package in row.packages
        if not finds(row._replace(packages=(package,)))
    ]
    assert missing == []


def test_every_place_of_migrations_has_a_source() -> None:
    first = {
        next((by for by, pattern in registration_tables.MIGRATIONS if pattern.search(path)), "") for path in SOURCES
    }
    assert {by for by, _ in registration_tables.MIGRATIONS} <= first


def without(whole: Any, part: str) -> Any:
    """A table without one of its rows."""
    if isinstance(whole, dict):
        return {name: row for name, row in whole.items() if name != part}
    return type(whole)(each for each in whole if each != part) or type(whole)(["nowhere"])


def parts(row: Any, *fields: str) -> Iterator[tuple[str, str, Any]]:
    """Each part of a framework, with the framework that lacks just that."""
    for field in fields:
        for part in getattr(row, field):
            yield field, part, row._replace(**{field: without(getattr(row, field), part)})


PECULIARITIES = (
    "holder_of_path",
    "paths_are_text",
    "mounting_replaces_prefix",
    "handlers_are_views",
    "methods_are_apart",
)


def ordinary(framework: Framework, field: str) -> Framework:
    """A framework without one of its peculiarities."""
    return framework._replace(**{field: Framework._field_defaults[field]})


@pytest.mark.invariant(
    "answers",
    "each word of the tables of routes, tasks, events and models is needed by an example, and "
    "docs/commands.md names the frameworks of these tables and no others",
)
@pytest.mark.parametrize("framework", servers.FRAMEWORKS, ids=lambda framework: framework.name)
def test_every_word_of_a_framework_of_routers_has_a_source(code: Code, framework: Framework) -> None:
    known = Registrations(code, framework).entries()
    needless = [
        (field, part)
        for field, part, less in parts(framework, "packages", "routers", "actions", "receivers")
        if Registrations(code, less).entries() == known
    ]
    needless += [
        (field, "")
        for field in PECULIARITIES
        if getattr(framework, field) and Registrations(code, ordinary(framework, field)).entries() == known
    ]
    assert needless == []


@pytest.mark.parametrize("framework", annotations.SERVED, ids=lambda framework: framework.name)
def test_every_word_of_a_framework_of_annotations_has_a_source(code: Code, framework: annotations.Annotated) -> None:
    known = find_annotated_routes(code, (framework,))
    needless = [
        (field, part)
        for field, part, less in parts(framework, "packages", "paths", "verbs", "classes", "not_on", "keywords")
        if find_annotated_routes(code, (less,)) == known
    ]
    assert needless == []


def test_every_word_of_laravel_has_a_source() -> None:
    sources = "\n".join(source for path, source in SOURCES.items() if path.startswith("laravel/"))
    assert [word for word in (*laravel.VERBS, *laravel.RESOURCES) if f"Route::{word}(" not in sources] == []
    assert [action.name for action in resources.OF_LARAVEL if f"function {action.name}(" not in sources] == []


def test_every_word_of_rails_has_a_source() -> None:
    sources = "\n".join(source for path, source in SOURCES.items() if path.startswith("rails/"))
    assert [word for word in rails.VERBS if not re.search(rf"^ *{word}\b", sources, re.MULTILINE)] == []
    assert [action.name for action in resources.OF_RAILS if f"def {action.name}\n" not in sources] == []


def test_every_reader_of_the_environment_has_a_source(code: Code) -> None:
    found = {entry.by for entry in environment(code)}
    said = "\n".join(SOURCES.values())
    assert {row.by for row in READ_BY} | set(MAPPINGS.values()) | set(FUNCTIONS.values()) | set(SETTINGS) <= found
    assert [word for word in READERS if f".{word}(" not in said] == []


@pytest.mark.invariant(
    "answers",
    "each word of the tables of routes, tasks, events and models is needed by an example, and "
    "docs/commands.md names the frameworks of these tables and no others",
)
@pytest.mark.parametrize("of", IN_NO_TABLE)
def test_the_docs_name_each_framework_and_no_other(index: Index, of: str) -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    found = re.search(rf"^  - `{of}`[^:]*: ([^;]*?)(?:;[^\n]*)?\n(?=  - )", page, re.MULTILINE)
    named = re.split(r",\s+", found[1].replace("`", "")) if found else []
    rows = [row.by for name, table in TABLES.items() if LIST_OF[name.partition("_")[0]] == of for row in table]
    if of == "routes":
        rows = [framework.name for framework in (*servers.FRAMEWORKS, *annotations.SERVED)]

    if of == "commands":
        rows = [entry.kind if entry.kind == "manage.py" else entry.by for entry in LISTS[of](index)]

    assert sorted(named) == sorted({SPOKEN.get(by, by) for by in rows} | IN_NO_TABLE[of])
