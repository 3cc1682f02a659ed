"""Libraries that are on this machine as sources, next to a repository: where they are, and their files.

In: names, and the folders in which libraries are installed: those that the user names, else the environments of the
repository itself (`.venv`, `node_modules`). Out: for each library its version and its files, under the path that the
graph shows (`site-packages/click/core.py`), and their bytes.

Invariants: `read` is the only way to a file of a library, and it opens nothing outside the folder that the library was
found in: no part of a name is followed if it is a link. Nothing is run or imported to find out what is installed.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from rpg.encoder.options import MEBIBYTE, Options
from rpg.encoder.source_files.contents import normalise, reason_to_skip
from rpg.encoder.source_files.selection import Entry, Skipped
from rpg.errors import BadRequest, InvalidPath
from rpg.system.filesystem import problem_with_name, read_below, real_folder
from rpg.system.stamp import stamp_of
from rpg.text.printable import quote_text

MOST_FILES: Final = 5_000
MOST_BYTES: Final = 64 * MEBIBYTE
"""Of one library."""
MOST_NAMES: Final = 50
_LARGEST_RECORD: Final = 8 * MEBIBYTE
_DEEPEST: Final = 24
_NOT_ENTERED: Final = frozenset({"__pycache__", "node_modules", "tests", "__tests__", ".git"})
"""Folders of a library whose files nobody outside it calls."""
_ENVIRONMENTS: Final = (".venv", "venv", "env")
"""Folders of a repository that may be an environment."""
_NAME: Final = re.compile(r"(?:@[A-Za-z0-9._-]+/)?[A-Za-z0-9_][A-Za-z0-9._-]*")


class Kind(NamedTuple):
    """One way of installing libraries."""

    shown: str
    """The folder at the root of the graph in which their files are shown."""
    suffixes: tuple[str, ...]
    """Of the files that are read."""
    described: str
    """The file of a library that says what it offers; empty if there is none."""


SITE_PACKAGES: Final = Kind("site-packages", (".py", ".pyi"), "")
NODE_MODULES: Final = Kind(
    "node_modules",
    (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"),
    "package.json",
)
KINDS: Final = (SITE_PACKAGES, NODE_MODULES)


class Library(NamedTuple):
    """A library that was found."""

    name: str
    version: str
    """Empty if nothing says it."""
    kind: Kind
    base: Path
    """The folder that nothing is read outside of."""
    within: str
    """Where the libraries are in it; empty, or ends in `/`."""
    tops: tuple[str, ...]
    """The folders and files of this one there, as `click` or `six.py`."""

    @property
    def folders(self) -> list[str]:
        """The paths in the graph that its files begin with."""
        return [f"{self.kind.shown}/{top}" for top in self.tops]


class LibraryFile(NamedTuple):
    library: Library
    entry: Entry
    """`path` is the one in the graph, `disk` the one in the library's `base`."""


def find_libraries(root: Path, options: Options) -> list[Library]:
    """The libraries that the options name, in the order of the names. BadRequest for one that is not there as sources,
    which says where it was looked for."""
    if not options.libraries:
        return []
    places = list(_list_places(root, options))
    found = []
    for name in dict.fromkeys(options.libraries):
        if not _NAME.fullmatch(name):
            raise BadRequest(f"{quote_text(name)} is no name of a library: write it as it is installed or imported")
        library = next((each for kind, base, within in places if (each := _find(name, kind, base, within))), None)
        if library is None:
            looked = ", ".join(str(base / within) for _, base, within in places) or "no folder: there is none"
            raise BadRequest(
                f"library {quote_text(name)} is not installed as sources where it was looked for ({looked}); name a "
                "site-packages, environment or node_modules with --libraries-in. Only libraries of Python, JavaScript "
                "and TypeScript are read here"
            )
        found.append(library)
    return found


def list_files(libraries: Sequence[Library]) -> list[LibraryFile]:
    """The files of libraries, sorted by their path in the graph, each once. BadRequest for a library that is too
    large."""
    found: dict[str, LibraryFile] = {}
    for library in libraries:
        size = 0
        count = 0
        for entry in _walk(library):
            size, count = size + entry.size, count + 1
            if count > MOST_FILES or size > MOST_BYTES:
                raise BadRequest(
                    f"library {quote_text(library.name)} has more than {MOST_FILES:,} files or "
                    f"{MOST_BYTES // MEBIBYTE} MiB of sources: it is not read; leave it out"
                )
            found.setdefault(entry.path, LibraryFile(library, entry))
    return [found[path] for path in sorted(found)]


def read(file: LibraryFile, most: int) -> bytes | Skipped:
    """The bytes of a library's file in the form of `normalise`, or why it is left out: the one place where files of
    libraries are opened."""
    entry = file.entry
    try:
        data = read_below(file.library.base, entry.disk, most)
    except OSError as error:
        return Skipped(entry.path, f"unreadable ({error.strerror or error.errno})")
    reason = reason_to_skip(entry.path, data)
    return Skipped(entry.path, reason) if reason else normalise(data)


def find_state(root: Path, options: Options) -> str:
    """A hash of which libraries there are and of the stamps of their files, which differs once one of them is installed
    anew; empty if the options name none. A library that is gone counts as another state."""
    if not options.libraries:
        return ""
    digest = hashlib.blake2b(digest_size=8)
    try:
        libraries = find_libraries(root, options)
        for library in libraries:
            digest.update(orjson.dumps([library.name, library.version, library.tops]))
        for file in list_files(libraries):
            digest.update(orjson.dumps([file.entry.path, *file.entry.stamp]))
    except BadRequest:
        return "gone"
    return digest.hexdigest()


# Where libraries are


def _list_places(root: Path, options: Options) -> Iterator[tuple[Kind, Path, str]]:
    """The folders in which libraries are installed: what kind, the folder that is not left, and the place in it."""
    top = real_folder(root)
    for folder in options.library_folders:
        yield from _places_in(Path(folder))
    for name in _ENVIRONMENTS:
        yield from ((SITE_PACKAGES, top, within) for within in _find_site_packages(top, f"{name}/"))
    if _is_folder(top, "node_modules"):
        yield NODE_MODULES, top, "node_modules/"


def _places_in(folder: Path) -> Iterator[tuple[Kind, Path, str]]:
    """A folder that the user names: an environment, an interpreter in one, or the folder of libraries itself. It is
    taken as it is, so that the user may name a link."""
    named = folder
    if not named.is_dir():  # an interpreter, two levels below its environment
        named = named.parent.parent
    try:
        base = real_folder(named)
    except InvalidPath as error:
        raise BadRequest(f"--libraries-in: there is no folder {quote_text(str(folder))}") from error
    if named.name == "node_modules":
        yield NODE_MODULES, base, ""
        return
    found = list(_find_site_packages(base, ""))
    if _is_folder(base, "node_modules"):
        found.append("node_modules/")
    for within in found:
        yield (NODE_MODULES if within == "node_modules/" else SITE_PACKAGES), base, within
    if not found:
        yield SITE_PACKAGES, base, ""


def _find_site_packages(base: Path, environment: str) -> Iterator[str]:
    """The folders of libraries in an environment, below the base."""
    if _is_folder(base, f"{environment}Lib/site-packages"):  # as Windows has it
        yield f"{environment}Lib/site-packages/"
    for name in _list_names(base, f"{environment}lib") if _is_folder(base, f"{environment}lib") else ():
        for last in ("site-packages", "dist-packages"):
            place = f"{environment}lib/{name}/{last}"
            if _is_folder(base, place):
                yield f"{place}/"


def _is_folder(base: Path, name: str) -> bool:
    """Whether a name below a folder is one, and no part of the name is a link."""
    place = str(base)
    for part in name.split("/"):
        place = os.path.join(place, part)
        try:
            if not stat.S_ISDIR(os.lstat(place).st_mode):
                return False
        except (OSError, ValueError):
            return False
    return True


def _is_file(base: Path, name: str) -> bool:
    folder, _, last = name.rpartition("/")
    try:
        is_regular = stat.S_ISREG(os.lstat(os.path.join(base, name)).st_mode)
    except (OSError, ValueError):
        return False
    return bool(last) and is_regular and (not folder or _is_folder(base, folder))


def _list_names(base: Path, name: str) -> list[str]:
    try:
        return sorted(os.listdir(os.path.join(base, name)))
    except OSError:
        return []


# What is installed there


def _find(name: str, kind: Kind, base: Path, within: str) -> Library | None:
    if kind is NODE_MODULES:
        if not _is_folder(base, f"{within}{name}") or not _is_file(base, f"{within}{name}/package.json"):
            return None
        version = _read_description(base, f"{within}{name}/package.json").get("version")
        return Library(name, version if isinstance(version, str) else "", kind, base, within, (name,))
    wanted = _fold(name)
    for each in _list_names(base, within):
        if each.endswith(".dist-info") and _fold(each.removesuffix(".dist-info").rpartition("-")[0]) == wanted:
            version = each.removesuffix(".dist-info").rpartition("-")[2]
            tops = tuple(_list_recorded_tops(base, within, each))
            return Library(name, version, kind, base, within, tops) if tops else None
    tops = tuple(top for top in (name, f"{name}.py") if _is_source(base, f"{within}{top}"))
    return Library(name, "", kind, base, within, tops) if tops else None


def _fold(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _list_recorded_tops(base: Path, within: str, described: str) -> list[str]:
    """The packages and modules that a distribution says to have installed."""
    try:
        text = read_below(base, f"{within}{described}/RECORD", _LARGEST_RECORD).decode("utf-8", "replace")
    except OSError:
        return []
    written = (line.split(",", 1)[0].strip('"') for line in text.splitlines())
    tops = dict.fromkeys(path.split("/", 1)[0] for path in written if path.endswith(SITE_PACKAGES.suffixes))
    return sorted(top for top in tops if not problem_with_name(top) and _is_source(base, f"{within}{top}"))


def _is_source(base: Path, name: str) -> bool:
    """Whether something is a package with sources, or a module."""
    if name.endswith(SITE_PACKAGES.suffixes):
        return _is_file(base, name)
    return _is_folder(base, name)


def _read_description(base: Path, name: str) -> dict[str, Any]:
    try:
        found = orjson.loads(read_below(base, name, MEBIBYTE))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _walk(library: Library) -> Iterator[Entry]:
    """The files of a library; no link is entered."""
    pending = [(library.within + top, top, 0) for top in library.tops]
    while pending:
        disk, path, depth = pending.pop()
        place = os.path.join(library.base, disk)
        try:
            status = os.lstat(place)
        except (OSError, ValueError):
            continue
        if stat.S_ISDIR(status.st_mode):
            if depth < _DEEPEST and (depth == 0 or path.rpartition("/")[2] not in _NOT_ENTERED):
                pending += [(f"{disk}/{name}", f"{path}/{name}", depth + 1) for name in _list_names(library.base, disk)]
        elif stat.S_ISREG(status.st_mode) and _is_read(library.kind, path) and not problem_with_name(path):
            yield Entry(f"{library.kind.shown}/{path}", status.st_size, stamp_of(status), disk)


def _is_read(kind: Kind, path: str) -> bool:
    return path.endswith(kind.suffixes) or (bool(kind.described) and path.rpartition("/")[2] == kind.described)
