"""Where code loads modules by paths that it computes, or hands on a module as a whole: whatever the file offers may be
used there.

In: an index, a symbol. Out: the places that may load its file: a folder of its path is named there in a string, or the
file itself. They are looked for once for each graph.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from rpg.encoder.languages import BY_NAME
from rpg.queries.account.occurrences import LinesOf, files_of
from rpg.queries.account.places import UNRESOLVED, Left
from rpg.queries.graph.memo import memoize
from rpg.queries.usages.usage_sites import means
from rpg.stores.index.import_reads import list_files_led_to
from rpg.stores.index.stored_graph import sites_of
from rpg.stores.search.trigrams import files_among
from rpg.system import deadline

if TYPE_CHECKING:
    from rpg.queries.graph.nodes import Node
    from rpg.stores.index.index import Index

LINES_BEFORE: Final = 12
"""How far before it a path may be put together."""
NEAREST: Final = 2
"""In how many of the folders around a file it may be."""
HANDED_ON: Final = "its file is loaded there and handed on as a whole"
MOST_LOADS: Final = 200
FILES_AT_ONCE: Final = 64
_STRING: Final = re.compile(rb"[\"'`]([^\"'`\s]*)[\"'`]")
_COMPUTED: Final = re.compile(rb"\$?\{[^}]*\}|%\w|\*+")
"""Parts of a string that are computed."""
_KEY: Final = re.compile(rb"\[\s*[fF]?[\"']([^\"'\n]*)[\"']\s*\]")
_FOLDER: Final = re.compile(rb"\w[\w-]+")
_ARGUMENT: Final = re.compile(rb"\(\s*[fF]?([\"'`]?)([\w./$]*)")
"""What is loaded, from the parenthesis on: the begin of a string, or a variable."""
_WITHIN: Final = re.compile(rb"[./]*\w[\w-]*(?:[./]\w[\w-]*)*[./]\Z")
_DATA: Final = re.compile(rb"\.(?:json5?|ya?ml|toml|txt|css|html|node)[\"'`][\s);,]*\Z")
"""The end of a path of something that is no source."""


class Load(NamedTuple):
    place: Left
    language: str
    paths: frozenset[tuple[str, ...]]
    """What strings there name that may be folders, one in the other."""


def loads_of(index: Index, node: Node, covers: Callable[[str], bool]) -> list[Left]:
    """For what its file offers to others."""
    if not node.exported or node.qualified_name != node.name:
        return []
    *folders, name = node.path.split("/")
    parts = {*folders, name.partition(".")[0]}
    near = folders[max(len(folders) - NEAREST, min(1, len(folders) - 1)) :]
    loads = memoize(index, "loads by computed paths", lambda: _loads(index))
    return [
        each.place
        for each in loads
        if means(node, each.language)
        and covers(each.place.path)
        and any(path[-1] in near and parts.issuperset(path) for path in each.paths)
    ]


def hand_overs_of(index: Index, node: Node, covers: Callable[[str], bool]) -> list[Left]:
    """Where its file is loaded as a whole, for what that offers to others."""
    if not node.exported or node.qualified_name != node.name or node.language not in BY_NAME:
        return []
    if BY_NAME[node.language].rules.members_read.by_path is None:
        return []
    found = memoize(index, "modules that are handed on", lambda: _handed_on(index))
    return [each for each in found.get(node.path, ()) if covers(each.path)]


def reads_of_names(index: Index, node: Node, covers: Callable[[str], bool]) -> list[Left]:
    """Where its file goes through the names that it defines."""
    pattern = BY_NAME[node.language].rules.members_read.of_own_module if node.language in BY_NAME else None
    if pattern is None or node.qualified_name != node.name or not covers(node.path):
        return []
    text = index.source(node.path)
    lines = LinesOf(text)
    name = node.name.encode()
    found = [lines.place(match.start()) for match in pattern.finditer(text) if _may_compute(text, match.end(), name)]
    return [
        Left(UNRESOLVED, node.path, *place, bool(node.test), "its file goes through its own names") for place in found
    ]


def _may_compute(text: bytes, begin: int, name: bytes) -> bool:
    """Whether a name may come out of what stands in the index behind a place: `globals()[f"_{name}"]`."""
    key = _KEY.match(text, begin)
    if key is None:
        return True
    first, *_, last = _COMPUTED.split(key[1]) if _COMPUTED.search(key[1]) else (key[1], key[1])
    return name.startswith(first) and name.endswith(last)


def _loads(index: Index) -> list[Load]:
    files = [each for each in files_of(index).values() if _pattern(each.language) is not None]
    found: list[Load] = []
    for at in range(0, len(files), FILES_AT_ONCE):
        deadline.check()
        some = files[at : at + FILES_AT_ONCE]
        packed = index.read_packed_sources([each.id for each in some])
        for file in some:
            text = index.unpacked(*packed[file.id]) if file.id in packed else b""
            pattern = _pattern(file.language)
            lines = LinesOf(text)
            for match in pattern.finditer(text) if pattern is not None else ():
                line, column = lines.place(match.start())
                parts = _parts_of_paths(text, match.start(), match.end())
                named = {tuple(word.decode() for word in _FOLDER.findall(piece)) for piece in parts}
                place = Left(UNRESOLVED, file.path, line, column, file.test, "loads files by a computed path")
                found.append(Load(place, file.language, frozenset(named - {()})))
                if len(found) >= MOST_LOADS:
                    return found
    return found


def _parts_of_paths(text: bytes, start: int, end: int) -> list[bytes]:
    """The constant parts of the paths that a call may load: those of its argument, if that begins with folders, else
    of all strings near it. Nothing if it loads data."""
    begin = start
    for _ in range(LINES_BEFORE):
        begin = max(0, text.rfind(b"\n", 0, begin))
    last = text.find(b"\n", end)
    near = text[begin : last if last >= 0 else len(text)]
    argument = _ARGUMENT.search(text, start, last if last >= 0 else len(text))
    written = text[argument.start() : end] if argument is not None else b""
    if argument is not None and not argument[1]:
        assigned = re.findall(rb"(?<![\w.])" + re.escape(argument[2]) + rb"\s*=(?![=>])([^\n]*)", near)
        written = assigned[-1] if argument[2] and assigned else written
    if _DATA.search(written):
        return []
    if argument is not None and argument[1] and _WITHIN.match(argument[2].partition(b"$")[0]):
        near = text[argument.start() : last if last >= 0 else len(text)]
    return [piece for each in _STRING.findall(near) for piece in _COMPUTED.split(each)]


def _handed_on(index: Index) -> dict[str, list[Left]]:
    """By the file that is loaded. Where the graph says what is taken of it, nothing else is."""
    files = files_of(index)
    found: dict[str, list[Left]] = {}
    for id in sorted(files_among(index, "import(", list(files)), key=lambda each: files[each].path):
        file = files[id]
        pattern = BY_NAME[file.language].rules.members_read.by_path if file.language in BY_NAME else None
        if pattern is None:
            continue
        deadline.check()
        text = index.source(file.path)
        lines = LinesOf(text)
        places = [lines.place(match.start(1)) for match in pattern.finditer(text)]
        leads = _leads_of(index, file.path) if places else {}
        for place in places:
            imported, taken = leads.get(place, (set(), set()))
            for path in imported if not taken else ():
                found.setdefault(path, []).append(Left(UNRESOLVED, file.path, *place, file.test, HANDED_ON))
    return found


def _leads_of(index: Index, path: str) -> dict[tuple[int, int], tuple[set[str], set[str]]]:
    """By place in a file, the files that are imported there, and those of which a symbol is used there."""
    found: dict[tuple[int, int], tuple[set[str], set[str]]] = {}
    for target, kind, sites in list_files_led_to(index, path):
        for place in sites_of(sites):
            found.setdefault(place, (set(), set()))[kind == "references"].add(target)
    return found


def _pattern(language: str) -> re.Pattern[bytes] | None:
    return BY_NAME[language].rules.loads_by_path if language in BY_NAME and not BY_NAME[language].is_text else None
