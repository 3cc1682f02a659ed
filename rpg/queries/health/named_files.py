"""Files of code that something else than code names: builds, workflows, manifests, lists of routes, scripts.

In: the index, paths of files. Out: for each that is named, where. A name is a path as one would write it, with or
without the folders above (`src/worker.ts`, `./worker.ts`, `dist/../worker.ts`), a path without its ending that has a
folder (`handlers/worker`), or a dotted one (`shop.worker`, `com.acme.Worker`). Prose names files without using them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME, find_language
from rpg.stores.index.reader import each_packed_file
from rpg.system import deadline

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

_NAME: Final = re.compile(rb"[\w@$.-]+(?:/[\w@$.-]+)*")
_MEMBER: Final = re.compile(rb":[A-Za-z_]")
"""Behind a module of which one member alone is meant: `shop.cli:main`."""
_LONGEST: Final = 400
_NO_FOLDERS: Final = frozenset({"", ".", ".."})


def find_named_files(index: Index, paths: Iterable[str]) -> dict[str, str]:
    """By path, where it is named."""
    wanted: dict[str, list[str]] = {}
    for path in paths:
        for last in {path.rpartition("/")[2], _stem(path)}:
            wanted.setdefault(last, []).append(path)
    found: dict[str, str] = {}
    # Configuration and scripts, whose commands are outside, and what no parser reads.
    languages = [name for name, language in BY_NAME.items() if language.rules.unknown_is_outside] + [
        find_language("").name
    ]
    for at, source, size in each_packed_file(index, languages):
        deadline.check()
        text = index.unpacked(at, source, size)
        for hit in _NAME.finditer(text):
            if hit.end() - hit.start() > _LONGEST or _MEMBER.match(text, hit.end()):
                continue
            written = hit[0].decode("utf-8", "replace")
            for path in _meant(written, wanted):
                if path != at and path not in found:
                    line = text.count(b"\n", 0, hit.start()) + 1
                    found[path] = f"{at}:{line}"
    return found


def _meant(written: str, wanted: dict[str, list[str]]) -> list[str]:
    """The files that a written name may mean."""
    parts = [part for part in written.split("/") if part not in _NO_FOLDERS]
    if not parts:
        return []
    last = parts[-1].rstrip(".")
    found = [path for path in wanted.get(last, ()) if _fits([*parts[:-1], last], path, "." in last)]
    if not found and "/" not in written and "." in last:
        dotted = last.split(".")
        found = [path for path in wanted.get(dotted[-1], ()) if _fits(dotted, path, False)]
    return found


def _fits(parts: list[str], path: str, is_whole: bool) -> bool:
    """Whether a path ends with parts; one without its ending needs a folder, too."""
    if not is_whole and len(parts) < 2:
        return False
    own = path.split("/") if is_whole else [*path.split("/")[:-1], _stem(path)]
    return own[-len(parts) :] == parts


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]
