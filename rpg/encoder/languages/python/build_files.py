"""Which folder a build file says that a package is in: `package_dir` of setuptools, `from` of Poetry, and their like.

In: the folder of a project, and the bytes of its build files. Out: dotted package -> folder, `/`-terminated; the empty
package is the folder that all others are below.

Absent: whatever a build script computes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

BUILD_FILES: Final = ("pyproject.toml", "setup.py", "setup.cfg")
_OF_SCRIPT: Final = re.compile(rb"\bpackage_dir\s*=\s*(?:\{([^{}]*)\}|dict\(([^()]*)\))")
_PAIR: Final = re.compile(rb"(?:[\"']([\w.]*)[\"']\s*:|(\w+)\s*=)\s*[\"']([\w./-]*)[\"']")
_FOUND_IN: Final = re.compile(rb"\bfind_(?:namespace_)?packages\(\s*(?:where\s*=\s*)?[\"']([\w./-]+)[\"']")
_OF_SETTINGS: Final = re.compile(rb"^package_dir[ \t]*=[ \t]*((?:.*\n?)(?:[ \t]+\S.*\n?)*)", re.MULTILINE)
_LINE: Final = re.compile(rb"^[ \t]*([\w.]*)[ \t]*=[ \t]*([\w./-]+)[ \t]*\r?$", re.MULTILINE)
_WHERE: Final = re.compile(rb"^\[options\.packages\.find\][^\[]*?^where[ \t]*=[ \t]*([\w./-]+)", re.MULTILINE)
_SAYS_WHERE: Final = re.compile(rb"package-dir|\bfrom\b|\bsources\b|\bwhere\b|python-source|module-root|\bsource-dir\b")
_PARTS: Final = re.compile(r"[\w.-]+(?:/[\w.-]+)*")


def find_folders_of_packages(folder: str, read: Callable[[str], bytes]) -> dict[str, str]:
    """`read`: the bytes of a file by its path, empty if there is none."""
    found: dict[str, str] = {}
    for package, place in (
        *_in_script(read(f"{folder}setup.py")),
        *_in_settings(read(f"{folder}setup.cfg")),
        *_in_project(read(f"{folder}pyproject.toml")),
    ):
        name = place.strip().removeprefix("./").rstrip("/")
        if name in ("", "."):
            found[package] = folder
        elif _PARTS.fullmatch(name) and ".." not in name.split("/"):
            found[package] = f"{folder}{name}/"
    return found


def _in_script(data: bytes) -> Iterator[tuple[str, str]]:
    for each in _FOUND_IN.finditer(data):
        yield "", each[1].decode()
    for each in _OF_SCRIPT.finditer(data):
        for pair in _PAIR.finditer(each[1] or each[2] or b""):
            yield (pair[1] or pair[2] or b"").decode(), pair[3].decode()


def _in_settings(data: bytes) -> Iterator[tuple[str, str]]:
    for each in _WHERE.finditer(data):
        yield "", each[1].decode()
    for each in _OF_SETTINGS.finditer(data):
        for line in _LINE.finditer(each[1]):
            yield line[1].decode(), line[2].decode()


def _in_project(data: bytes) -> Iterator[tuple[str, str]]:
    if not _SAYS_WHERE.search(data):
        return
    import tomllib  # takes 15 ms, which repositories without such a file save

    try:
        tool = _table(tomllib.loads(data.decode("utf-8-sig", "replace").replace("\r\n", "\n")), "tool")
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return
    setuptools = _table(tool, "setuptools")
    find = _table(_table(setuptools, "packages"), "find")
    wheel = _table(_table(_table(tool, "hatch"), "build"), "targets")
    for place in _texts(find.get("where")):
        yield "", place
    for holder, key in (
        (_table(_table(tool, "pdm"), "build"), "package-dir"),
        (_table(tool, "maturin"), "python-source"),
        (_table(_table(tool, "uv"), "build-backend"), "module-root"),
    ):
        yield from (("", place) for place in _texts(holder.get(key)))
    sources = _table(wheel, "wheel").get("sources")
    for place in _texts(sources):
        yield "", place
    rows: list[tuple[Any, Any]] = [(package, place) for package, place in _table(setuptools, "package-dir").items()]
    rows += [(package, place) for place, package in sources.items()] if isinstance(sources, dict) else []
    for each in _tables(_table(tool, "poetry").get("packages")):
        included, around = each.get("include"), each.get("from")
        if isinstance(included, str) and isinstance(around, str):
            rows.append((included, f"{around.rstrip('/')}/{included}"))
    for package, place in rows:
        if isinstance(place, str) and isinstance(package, str) and re.fullmatch(r"[\w./]*", package):
            yield package.replace("/", "."), place


def _table(holder: dict[str, Any], key: str) -> dict[str, Any]:
    found = holder.get(key)
    return found if isinstance(found, dict) else {}


def _tables(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _texts(value: Any) -> list[str]:
    found = value if isinstance(value, list) else [value]
    return [each for each in found if isinstance(each, str)]
