"""Source that the user's options leave out of a graph (`include`, `exclude`) although code in it may use a symbol.

In: an index, its header, the repository's folder, a language. Out: the files, and the options in words. The folder is
listed as if there were no such options, once for each state of the index; without it, all that is known is that there
are such options. Absent: what git ignores, what is vendored, and files of data, text and configuration.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.encoder.languages import find_language
from rpg.errors import RpgError
from rpg.queries.graph.families import find_language_family
from rpg.queries.graph.memo import memoize
from rpg.stores.index.reader import list_all_paths
from rpg.text.printable import shorten

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

LONGEST = 60
"""Characters of the options that are shown."""


class Excluded(NamedTuple):
    options: str = ""
    """`exclude=tests/`; empty if no option leaves out anything."""
    paths: tuple[str, ...] = ()
    is_counted: bool = True
    """Whether these are all; if not, none are known."""


def find_excluded(index: Index, header: Mapping[str, Any], folder: Path | None, language: str) -> Excluded:
    """The files that options leave out and whose code may use a symbol of that language."""
    every = memoize(index, "files that options exclude", lambda: _list_excluded(index, header, folder))
    return every._replace(paths=tuple(path for path in every.paths if may_use(path, language)))


def may_use(path: str, language: str) -> bool:
    """Whether such a file is code of the same family, or a template."""
    found = find_language(path)
    if found.is_template:
        return True
    return not (found.is_text or found.is_opaque or found.configures) and find_language_family(
        found.name
    ) == find_language_family(language)


def _list_excluded(index: Index, header: Mapping[str, Any], folder: Path | None) -> Excluded:
    from rpg.encoder.options import parse_options
    from rpg.encoder.source_files.listing import list_files

    recorded = header.get("options") or {}
    chosen = {name: recorded[name] for name in ("include", "exclude") if recorded.get(name)}
    if not chosen:
        return Excluded()
    shown = shorten("; ".join(f"{name}={', '.join(map(str, each))}" for name, each in chosen.items()), LONGEST)
    if folder is None:
        return Excluded(shown, (), False)
    known = set(list_all_paths(index))
    try:
        listed = list_files(folder, parse_options(recorded)._replace(include=(), exclude=()))
    except (RpgError, OSError):
        return Excluded(shown, (), False)
    return Excluded(shown, tuple(entry.path for entry in listed.entries if entry.path not in known))
