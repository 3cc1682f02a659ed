"""Which of a folder's names are input, and why the others are not.

In: names, and a way to ask for their status. Out: a `Listing`. Absent on purpose: any access to a disk or to git, so
that one set of rules applies to the work tree, a walk and a revision.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from rpg.encoder.options import Options
from rpg.encoder.patterns import compile_patterns
from rpg.encoder.source_files.contents import (
    BINARY,
    BINARY_SUFFIXES,
    BUNDLE,
    BUNDLED_SUFFIXES,
    MINIFIED,
    NAMED_SUFFIXES,
)
from rpg.encoder.source_files.own_files import MADE
from rpg.graph import is_left_out
from rpg.system.filesystem import is_git_folder, problem_with_name
from rpg.system.stamp import NO_STAMP, Stamp

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

LARGE = "larger than max_bytes"
LOCK = "lock file"
VENDORED = "vendored"
CACHE = "build cache"
EXCLUDED = "excluded by option"
SUBMODULE = "a git repository of its own"
LINK = "symlink to a listed file"
LINK_OUT = "symlink to outside the repository"
LINK_LOOP = "symlink in a loop"
LINK_BROKEN = "symlink to a missing or unlisted file"
ODD = "not a regular file"
NAME = "file name is not UTF-8"
TWIN = "same name as another file but for case or accents"
ABSENT = "missing from this partial clone"
UNSAFE = "unsafe file name"
"""Followed by what is wrong with it, as in `unsafe name: is absolute`. Git's index and trees may contain such names."""
NO_CODE = frozenset({
    BINARY, BUNDLE, CACHE, EXCLUDED, LINK, LINK_BROKEN, LINK_LOOP, LINK_OUT, LOCK, MADE, MINIFIED, ODD, SUBMODULE,
    TWIN, VENDORED,
})  # fmt: skip
"""Reasons to leave out files that are not code of the repository, are made from it, or were not asked for."""

LONGEST_FOLDER = 1000
"""In characters: a deeper file cannot be opened everywhere, and patterns take long to match its name."""

_VENDORED = frozenset({
    "node_modules", "bower_components", "jspm_packages", "site-packages", "dist-packages", "vendor", "vendored",
    "_vendor", "_vendored", "third_party", "third-party", "thirdparty", "ThirdParty", "3rdparty", "Godeps", "Pods",
    "Carthage", ".yarn", ".pnpm-store", ".venv",
})  # fmt: skip
_INSTALLED = frozenset({"node_modules", "site-packages", "dist-packages", ".venv"})
"""Vendored trees that are left out even if vendored trees are included: they are not part of any repository's own code.
"""
_STATE = frozenset({
    ".git", ".hg", ".svn", ".bzr", ".jj", ".rpg", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache",
    ".hypothesis", ".import_linter_cache", ".tox", ".nox", ".eggs", ".ipynb_checkpoints", ".gradle", ".terraform",
    ".next", ".nuxt", ".svelte-kit", ".turbo", ".parcel-cache", ".nyc_output", ".dart_tool", ".stack-work",
})  # fmt: skip
_LOCKS = frozenset({
    "bun.lock", "cargo.lock", "composer.lock", "deno.lock", "flake.lock", "gemfile.lock", "go.sum", "gradle.lockfile",
    "mix.lock", "npm-shrinkwrap.json", "package-lock.json", "package.resolved", "packages.lock.json", "pdm.lock",
    "pipfile.lock", "pnpm-lock.yaml", "podfile.lock", "poetry.lock", "pubspec.lock", "pylock.toml", "uv.lock",
    "yarn.lock",
})  # fmt: skip
"""Lower-case names of lock files, in which tools list what they installed."""
_MARKERS = {"pyvenv.cfg": VENDORED, "CACHEDIR.TAG": CACHE}
"""Files that mark their folder as an environment or a cache, whatever its name."""
_OWN = re.compile(r"\.graph\.(?:json(?:\.zst)?|db)(?:(?:-\w+)+|\.(?:.*\.)?(?:tmp|lock|part))?$")
_SILENT = "state"
_LINKS_FOLLOWED = 40


class Entry(NamedTuple):
    path: str
    """NFC, '/'-separated, relative to the root."""
    size: int
    """Bytes on disk or in git, before `normalise`."""
    stamp: Stamp
    """`NO_STAMP` in a revision."""
    disk: str
    """The path as the file system or git spells it."""
    blob: str = ""
    """Object id in a revision."""


class Skipped(NamedTuple):
    path: str
    """Path of a file, or of a whole tree, which ends in '/'."""
    reason: str


class Listing(NamedTuple):
    """No path is in it twice."""

    entries: list[Entry]
    """Sorted by path."""
    skipped: list[Skipped]
    """Likewise."""
    source: str
    """git, walk (if git does not answer for this folder), or the commit id of a revision."""
    note: str = ""
    """Why it was walked although git was asked. May name this machine's folders: not for the graph."""
    left_out: Mapping[str, str] = MappingProxyType({})
    """Files that only the options exclude, by path, as the file system or git spells them."""


class Status(NamedTuple):
    kind: str
    """file, link, or the reason why it is neither."""
    size: int = 0
    stamp: Stamp = NO_STAMP
    blob: str = ""
    inode: tuple[int, int] | None = None


class NameSource(NamedTuple):
    """Where names come from: the work tree or a revision. A name that ends in '/' is a nested repository."""

    names: list[str]
    status: Callable[[str], Status | None]
    """None if the name does not exist after all."""
    target: Callable[[str], str]
    """The target of a symlink."""
    is_real: Callable[[str], bool]
    """Whether it is a real folder, not a symlink in its place."""


class Rules:
    """The options, prepared for checking many names."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self._include = _spec(options.include)
        self._exclude = _spec(options.exclude)
        self._exclude_trees = not any(pattern.startswith("!") for pattern in options.exclude)

    def tree_reason(self, folder: str) -> str:
        """Why a whole folder, written with its final '/', is left out; '' to enter it."""
        name = folder[folder.rfind("/", 0, -1) + 1 : -1]
        if name in _STATE:
            return _SILENT
        if name[:1] in ".gG" and is_git_folder(name):
            return f"{UNSAFE}: lies in git's own folder"
        if name in _VENDORED and not (self.options.vendored and name not in _INSTALLED):
            return VENDORED
        if self._exclude and self._exclude_trees and self._exclude.match_file(folder):
            return EXCLUDED
        return ""

    def is_left_out(self, path: str) -> bool:
        """Whether a file is excluded by the options, belongs to an installation, or is left behind by tools."""
        parts = path.split("/")[:-1]
        return self.is_excluded(path) or any(part in _INSTALLED or part in _STATE for part in parts)

    def is_wanted(self, path: str) -> bool:
        """Whether the options include it. Files that they do not include are not recorded: the options show that."""
        return self._include is None or self._include.match_file(path)

    def is_excluded(self, path: str) -> bool:
        return self._exclude is not None and self._exclude.match_file(path)


def select(place: NameSource, rules: Rules, source: str, skipped: Iterable[Skipped] = (), note: str = "") -> Listing:
    """Judges every name. `skipped`: records made earlier, while the names were being found."""
    entries: list[Entry] = []
    left_out: dict[str, str] = {}
    records = list(skipped)
    links: list[tuple[str, str]] = []
    trees = _Trees(place, rules)
    spellings: dict[str, tuple[str, Status]] = {}
    folder, is_out = "", False
    at_top = True
    for path, disk in _choose_spellings(place.names, records):
        slash = disk.rfind("/", 0, -1) + 1
        if disk[:slash] != folder:  # names of one folder usually come together
            folder = disk[:slash]
            at_top = not folder
            fault = "" if at_top else problem_with_name(folder[:-1])
            if fault or slash > LONGEST_FOLDER:
                records.append(Skipped(_readable(folder), f"{UNSAFE}: {fault or 'is too long'}"))
                is_out = True
            else:
                is_out = trees.is_out(folder)
        if is_out:
            continue
        name = path[path.rfind("/", 0, -1) + 1 :]
        # Nothing else can be wrong with the last part of a name.
        if (at_top or name[:1] in ".gG" or not name.isascii()) and (fault := problem_with_name(disk.removesuffix("/"))):
            records.append(Skipped(_readable(disk), f"{UNSAFE}: {fault}"))
            continue
        if name.endswith("/"):
            if not trees.is_out(disk):
                records.append(Skipped(path, SUBMODULE))
            continue
        if is_written_by_rpg(name):
            continue
        if not rules.is_wanted(path):
            left_out[path] = disk
            continue
        if (status := place.status(disk)) is None:
            continue
        if status.kind == "link":
            links.append((path, disk))
        elif reason := _file_reason(path, name, status, rules):
            records.append(Skipped(path, reason))
            if reason == EXCLUDED:
                left_out[path] = disk
        elif _is_twin(path, status, spellings):
            records.append(Skipped(path, TWIN))
        else:
            entries.append(Entry(path, status.size, status.stamp, disk, status.blob))
    if links:
        records += _judge_links(links, place)
    if any("::" in entry.path for entry in entries):
        entries, ambiguous = _without_ids(entries)
        records += ambiguous
    return Listing(entries, _once(records + trees.records, entries), source, note, left_out)


def _without_ids(entries: list[Entry]) -> tuple[list[Entry], list[Skipped]]:
    """The entries but those whose paths may be ids of symbols in other entries, as `shop.py::price` is beside
    `shop.py`, and their records."""
    paths = {entry.path for entry in entries}
    kept: list[Entry] = []
    records: list[Skipped] = []
    for entry in entries:
        befores = (entry.path[: match.start()] for match in re.finditer("(?=::)", entry.path))
        if paths.isdisjoint(befores):
            kept.append(entry)
        else:
            records.append(Skipped(entry.path, f"{UNSAFE}: reads like a symbol of another file"))
    return kept, records


def find_marker_reason(entries: Iterable[str]) -> str:
    """Why a folder with these names in it is left out."""
    return next((reason for name, reason in _MARKERS.items() if name in entries), "")


def is_written_by_rpg(name: str) -> bool:
    """Whether this program writes files with that name: graphs, indexes and what they are made from."""
    return ".graph." in name and _OWN.search(name) is not None


def is_state(path: str) -> bool:
    """Whether it is in a folder that tools create and remove. A graph must not depend on that, so it gets no record."""
    return not _STATE.isdisjoint(path.split("/")[:-1])


def build_records(folder: str, reason: str) -> list[Skipped]:
    """The record of a tree that is left out; none for tool state."""
    return [] if reason == _SILENT else [Skipped(_readable(folder), reason)]


class _Trees:
    """The decision about each folder, and one record for each that is left out."""

    def __init__(self, place: NameSource, rules: Rules) -> None:
        self.records: list[Skipped] = []
        self._rules = rules
        self._is_real = place.is_real
        self._out: dict[str, bool] = {"": False}
        self._marked = {
            name[: name.rfind("/") + 1]: _MARKERS[name[name.rfind("/") + 1 :]]
            for name in place.names
            if name.endswith(tuple(_MARKERS)) and name[name.rfind("/") + 1 :] in _MARKERS
        }

    def is_out(self, folder: str) -> bool:
        out = self._out.get(folder)
        if out is not None:
            return out
        around = self._out.get(folder[: folder.rfind("/", 0, -1) + 1])
        at, out = 0, around or False
        if around is False:
            out = self._decide(folder)
        while around is None and not out and (at := folder.find("/", at) + 1):
            out = self._decide(folder[:at])
        self._out[folder] = out
        return out

    def _decide(self, folder: str) -> bool:
        """Decides about a folder inside one that is entered."""
        if folder not in self._out:
            reason = self._rules.tree_reason(_readable(folder)) or self._marked.get(folder, "")
            if reason:
                self.records += build_records(folder, reason)
            self._out[folder] = bool(reason) or not self._is_real(folder)
        return self._out[folder]


def _choose_spellings(names: Iterable[str], records: list[Skipped]) -> list[tuple[str, str]]:
    """(path, name on disk) sorted by path, one per path: the name that is already NFC, else the first."""
    names = list(names)
    if all(map(str.isascii, names)):
        return [(name, name) for name in sorted(set(names))]
    spelled: list[tuple[str, bool, str]] = []
    for name in names:
        if name.isascii():
            spelled.append((name, False, name))
        elif _is_text(name):
            path = unicodedata.normalize("NFC", name)
            spelled.append((path, path != name, name))
        else:
            records.append(Skipped(_readable(name), NAME))
    spelled.sort()
    kept: list[tuple[str, str]] = []
    for path, _, name in spelled:
        if kept and kept[-1][0] == path:
            if kept[-1][1] != name:
                records.append(Skipped(name.encode("ascii", "backslashreplace").decode(), TWIN))
        else:
            kept.append((path, name))
    return kept


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _readable(name: str) -> str:
    """NFC, with bytes and halves of code points that are no text escaped."""
    if name.isascii():
        return name
    try:
        raw = name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # as Windows names files
        raw = name.encode("utf-8", "surrogatepass")
    return unicodedata.normalize("NFC", raw.decode("utf-8", "backslashreplace"))


def _file_reason(path: str, name: str, status: Status, rules: Rules) -> str:
    """Cheapest checks first, without reading the file."""
    if rules.is_excluded(path):
        return EXCLUDED
    if status.kind != "file":
        return status.kind
    if name.lower() in _LOCKS:
        return LOCK
    suffix = name[name.rfind(".") :].lower() if "." in name else ""
    if suffix in BINARY_SUFFIXES:
        return "" if suffix in NAMED_SUFFIXES else BINARY
    if suffix in BUNDLED_SUFFIXES and name.lower().endswith((".min" + suffix, "-min" + suffix)):
        return MINIFIED
    return LARGE if status.size > rules.options.most_bytes(path) else ""


def _is_twin(path: str, status: Status, spellings: dict[str, tuple[str, Status]]) -> bool:
    """On a file system that ignores case, git's README.md and readme.md are one file."""
    folded = path.casefold()
    other = spellings.setdefault(folded, (path, status))
    return other[0] != path and status.inode is not None and other[1].inode == status.inode


def _judge_links(links: list[tuple[str, str]], place: NameSource) -> list[Skipped]:
    """Judged only by their text, so that a link means the same on every machine: an absolute link leads out."""
    targets = {disk: place.target(disk) for _, disk in links}
    known = set(place.names)
    for name in place.names:
        known.update(name[: match.start()] for match in re.finditer("/", name))
    return [Skipped(path, _link_reason(disk, targets, known)) for path, disk in links]


def _link_reason(link: str, targets: dict[str, str], known: set[str]) -> str:
    at = link.split("/")[:-1]
    if targets[link].startswith("/"):
        return LINK_OUT
    pending = targets[link].split("/")[::-1]
    followed = 1
    while pending:
        part = pending.pop()
        if part in ("", "."):
            continue
        if part == "..":
            if not at:
                return LINK_OUT
            at.pop()
            continue
        at.append(part)
        target = targets.get("/".join(at))
        if target is None:
            continue
        followed += 1
        if target.startswith("/"):
            return LINK_OUT
        if followed > _LINKS_FOLLOWED:
            return LINK_LOOP
        at.pop()
        pending += target.split("/")[::-1]
    end = "/".join(at)
    if not end or link.startswith(f"{end}/"):
        return LINK_LOOP  # its own folder, or one around it
    return LINK if end in known else LINK_BROKEN


def _once(records: list[Skipped], entries: list[Entry]) -> list[Skipped]:
    """One record per path, none for an entry."""
    taken = {entry.path for entry in entries}
    kept: dict[str, Skipped] = {}
    for record in sorted(records):
        if record.path not in taken and is_left_out(*record):
            kept.setdefault(record.path, record)
    return list(kept.values())


def _spec(patterns: tuple[str, ...]) -> GitIgnoreSpec | None:
    if not patterns:
        return None
    return compile_patterns(patterns)
