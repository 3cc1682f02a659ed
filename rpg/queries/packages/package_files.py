"""The text of files that say how a package is built and started: pyproject.toml, package.json, Cargo.toml and the like.

In: an index. Out: paths of such files outside tests and examples, and their contents. Missing or unreadable ones are
empty.
"""

from __future__ import annotations

import configparser
import tomllib
from typing import TYPE_CHECKING, Any

import orjson

from rpg.errors import InvalidPath, RpgError
from rpg.queries.graph.filters import is_beside
from rpg.stores.index.reader import list_paths_called

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

LARGEST = 400_000
"""The largest file that is read, in bytes."""
MOST = 100
"""The most files of one name that are read: repositories have fewer packages that people start or import."""


def files_called(index: Index, name: str) -> list[str]:
    """At the top, and of the packages below it; not of tests and examples."""
    called = list_paths_called(index, name)
    found = [path for path in called if path.count("/") <= 3 and not is_beside(path) and not _of_tests(path)]
    return [path for path in found if path.rpartition("/")[2] == name][:MOST]


def _of_tests(path: str) -> bool:
    return any(part in ("test", "tests", "__tests__", "fixtures", "testdata", "e2e") for part in path.split("/"))


def text_of(index: Index, path: str) -> str:
    try:
        return index.source(path)[:LARGEST].decode("utf-8", "replace")
    except (InvalidPath, RpgError, KeyError):
        return ""


def toml_of(index: Index, path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text_of(index, path))
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return {}


def json_of(index: Index, path: str) -> dict[str, Any]:
    try:
        found = orjson.loads(text_of(index, path) or "{}")  # refuses half a surrogate pair, which no query takes
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def console_scripts_of(index: Index, path: str) -> str:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text_of(index, path))
    except configparser.Error:
        return ""
    if not parser.has_option("options.entry_points", "console_scripts"):
        return ""
    return "console_scripts" + parser.get("options.entry_points", "console_scripts")


def table(data: dict[str, Any], name: str) -> dict[str, Any]:
    found = data.get(name)
    return found if isinstance(found, dict) else {}
