"""The names of files under a folder where git cannot list them: every folder, with its .gitignore files applied.

In: a folder and a callback that decides which folders to enter. Out: paths relative to it, as the file system spells
them, and folders that could not be read. Absent on purpose: sizes, contents, following symlinks.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from rpg.encoder import patterns
from rpg.errors import EncodeFailed
from rpg.system import filesystem
from rpg.text.printable import quote_text

_LARGEST_IGNORE_FILE = 1 << 20


class Walked(NamedTuple):
    names: list[str]
    unreadable: list[tuple[str, OSError]]


class _Rules(NamedTuple):
    """One .gitignore, and those of the folders above it."""

    folder: str
    spec: patterns.Ignored
    around: _Rules | None
    number: int
    """Number of patterns, including those above."""


def walk(root: Path, enter: Callable[[str, Mapping[str, bool]], bool]) -> Walked:
    """Every file that no .gitignore between it and `root` ignores, in no particular order.

    `enter(folder, entries)` decides whether a folder is entered; it gets the path with a final '/' and for each name in
    it whether that is a folder.
    """
    names: list[str] = []
    unreadable: list[tuple[str, OSError]] = []
    known: dict[bytes, patterns.Ignored] = {}
    pending: list[tuple[str, _Rules | None]] = [("", None)]
    while pending:
        folder, rules = pending.pop()
        try:
            with os.scandir(os.path.join(root, folder)) as found:
                entries = {entry.name: entry.is_dir(follow_symlinks=False) for entry in found}
        except OSError as error:
            unreadable.append((folder, error))
            continue
        if folder and not enter(folder, entries):
            continue
        if ".gitignore" in entries:
            rules = _rules(root, folder, rules, known)
        for name, is_folder in entries.items():
            if name == ".git":
                continue  # in a work tree beside its repository it is a file
            path = f"{folder}{name}/" if is_folder else folder + name
            if rules is not None and _is_ignored(path, rules):
                continue
            if is_folder:
                pending.append((path, rules))
            else:
                names.append(path)
    return Walked(names, unreadable)


def ignores(root: Path, path: str) -> bool:
    """Whether a .gitignore between `root` and a file below it ignores that file, or one of its folders."""
    rules: _Rules | None = None
    folder = ""
    while True:
        rules = _rules(root, folder, rules, {})
        end = path.find("/", len(folder))
        inner = path[: end + 1] if end >= 0 else path
        if rules is not None and _is_ignored(inner, rules):
            return True
        if end < 0:
            return False
        folder = inner


def _is_ignored(path: str, rules: _Rules | None) -> bool:
    """The innermost file with a matching pattern decides, and in it the last one."""
    while rules is not None:
        verdict = rules.spec.verdict(path[len(rules.folder) :])
        if verdict is not None:
            return verdict
        rules = rules.around
    return False


def _rules(root: Path, folder: str, around: _Rules | None, known: dict[bytes, patterns.Ignored]) -> _Rules | None:
    """`known`: rules by file content. EncodeFailed for more patterns than can be tried: either the ignored files are
    left out or nothing is done."""
    name = f"{folder}.gitignore"
    try:
        data = filesystem.read_below(root, name, _LARGEST_IGNORE_FILE)
    except OSError:
        return around
    spec = known.get(data)
    if spec is None:
        text = data.decode("utf-8-sig", errors="surrogateescape").replace("\r\n", "\n")
        lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
        if sum(each.number for each in known.values()) + len(lines) > patterns.MOST_IN_ALL:
            raise _too_many(name, patterns.MOST_IN_ALL, "all .gitignore files together have")
        if patterns.number_of(lines) > patterns.MOST_AT_A_NAME:
            raise _too_many(name, patterns.MOST_AT_A_NAME, "it has")
        spec = known[data] = patterns.Ignored(lines)
    if not spec.number:
        return around
    number = spec.number + (around.number if around else 0)
    if number > patterns.MOST_AT_A_NAME:
        raise _too_many(name, patterns.MOST_AT_A_NAME, "together with those of the folders above, it has")
    return _Rules(folder, spec, around, number)


def _too_many(name: str, most: int, what: str) -> EncodeFailed:
    return EncodeFailed(
        f"{quote_text(name)}: {what} more than {most:,} patterns, which is slow at every file: "
        "shorten it, leave out the "
        "folder that it is in, or make this folder a repository of git, which reads them itself"
    )
