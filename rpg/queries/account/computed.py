"""Where code names symbols by words that it computes: no occurrence of the name stands there.

In: an index, a symbol. Out: the places that may mean it: a name of which a part is put together (`f"on_{name}"`), and
members of an enum that are read by a computed name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME
from rpg.encoder.languages.given_names import VALUES
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.account.composed import COMPOSED, LEAST, list_composed_names
from rpg.queries.account.occurrences import LinesOf, files_of, find_occurrences, find_words
from rpg.queries.account.places import LITERAL, UNRESOLVED, Left
from rpg.queries.account.placing.sought import WEB
from rpg.queries.graph.families import ancestors, is_of_object
from rpg.queries.graph.nodes import nodes_by_row
from rpg.queries.usages.usage_sites import means, word_of
from rpg.stores.index.edge_reads import list_reads_of
from rpg.stores.index.stored_graph import sites_of
from rpg.system import deadline
from rpg.text.computed_keys import key_of

if TYPE_CHECKING:
    from rpg.queries.graph.nodes import Node
    from rpg.stores.index.index import Index

OF_ENUM: Final = "reads members of its enum by a computed name"
BY_KEY: Final = "reads a member by the same computed name"
OF_VALUES: Final = "goes through the members of its enum"
NEAR: Final = 80
"""How many bytes on either side of an enum's name are looked at."""
_BEHIND: Final = (b"$", b"{", b"#", b"<", b"%", b'"', b"'", b"`")
"""What may stand behind the constant part of a name that code puts together."""
_ASKED: Final = re.compile(rb"[\w)\]]\[(?:\w+\.)*\Z")
_NAMED_READ: Final = re.compile(rb"\s*(?:\[\s*(?![\"'\])\d])|\.valueOf\b|\.from_?[sS]tr\b|::from_str\b)")
_NAMED_BEFORE: Final = re.compile(
    rb"(?:[gs]etattr|hasattr)\(\s*\Z|\bkeyof\s+typeof\s+\Z|Enum\.(?:Try)?Parse\w*[<(][^;\n]{0,40}\Z"
)
_VALUES_READ: Final = re.compile(
    rb"\s*(?:\(|\.(?:values|entries|allCases|cases|tryFrom|from|iter|choices|names|members)\b"
    rb"|::(?:values|cases|from|tryFrom|iter|options)\b)"
)
_VALUES_BEFORE: Final = re.compile(
    rb"(?:\bin|\bof|Object\.(?:values|keys|entries)\(|\b(?:list|len|set|tuple|sorted)\(|Enum\.Get\w+[<(][^;\n]{0,40}"
    rb"|EnumSet\.allOf\(|typeof\()\s*\Z"
)


def find_computed_names(index: Index, node: Node, covers: Callable[[str], bool], is_used: bool) -> list[Left]:
    """`is_used`: whether some place is known to use it."""
    language = BY_NAME.get(node.language)
    if language is None or language.is_text or language.configures:
        return []
    if language.family == WEB:
        return list(_composed_for_pages(index, node, covers))
    found: list[Left] = []
    if key_of(node.name) is not None:
        word = word_of(node)
        found += _reads_by_key(index, node, word, covers) if word.isidentifier() else ()
    elif node.kind in (*FUNCTION_KINDS, *CLASS_KINDS, *VALUES):
        found += _composed(index, node, covers)
    if node.kind in VALUES and node.parent is not None:
        (around,) = nodes_by_row(index, [node.parent]).values()
        if around.kind == "enum":
            found += _reads_of(index, around, covers, is_used)
    return found


def _reads_by_key(index: Index, node: Node, key: str, covers: Callable[[str], bool]) -> Iterator[Left]:
    """Where an object is asked for what the constant says that names it: `queries[PRISMA]()` for `[PRISMA]: ...`."""
    for found in find_occurrences(index, key, covers):
        if not means(node, found.file.language):
            continue
        lines = LinesOf(found.text)
        for offset in found.offsets:
            is_asked = _ASKED.search(found.text, max(0, offset - NEAR), offset) is not None
            if is_asked and found.text[offset + len(key) : offset + len(key) + 1] == b"]":
                yield Left(UNRESOLVED, found.file.path, *lines.place(offset), found.file.test, BY_KEY)


def _composed(index: Index, node: Node, covers: Callable[[str], bool]) -> Iterator[Left]:
    name = node.name
    paths: set[str] | None = None
    for each in list_composed_names(index, name):
        is_so = len(name) > len(each.begins + each.ends) and means(node, each.language)
        if not (is_so and covers(each.place.path)):
            continue
        if each.is_member and not _is_member_of_any(index, node):
            continue
        if each.is_own:
            paths = _paths_of_types(index, node) if paths is None else paths
            if each.place.path not in paths:
                continue
        yield each.place


def _is_member_of_any(index: Index, node: Node) -> bool:
    """Whether an object may have it, of a class or none."""
    return "." in node.qualified_name or is_of_object(index, node)


def _paths_of_types(index: Index, node: Node) -> set[str]:
    """The files of the type that it is a member of, and of the bases of that."""
    around = nodes_by_row(index, [node.parent]).get(node.parent) if node.parent is not None else None
    if around is None or around.kind not in CLASS_KINDS:
        return set()
    return {around.path, *(each.path for each in ancestors(index, around))}


def _composed_for_pages(index: Index, node: Node, covers: Callable[[str], bool]) -> Iterator[Left]:
    """Where code may put the name of a style sheet together: `btn-${kind}` for `btn-primary`."""
    for hyphen in re.finditer(r"(?<=\w)-+(?=\w)", node.name):
        beginning = node.name[: hyphen.end()]
        for found in find_occurrences(index, beginning, covers) if len(beginning) >= LEAST else ():
            language, lines = BY_NAME.get(found.file.language), LinesOf(found.text)
            if language is None or language.is_prose or language.configures or language.family == WEB:
                continue
            for offset in found.offsets:
                if found.text[offset + len(beginning) : offset + len(beginning) + 1] in _BEHIND:
                    yield Left(LITERAL, found.file.path, *lines.place(offset), found.file.test, COMPOSED)


def _reads_of(index: Index, enum: Node, covers: Callable[[str], bool], is_used: bool) -> Iterator[Left]:
    """Where an enum is asked for members that are not named."""
    sites: dict[str, set[tuple[int, int]]] = {}
    for path, written in list_reads_of(index, enum.row):
        if covers(path):
            sites.setdefault(path, set()).update(sites_of(written))
    files = {each.path: each for each in files_of(index).values()} if sites else {}
    name = enum.name.encode()
    for path, places in sites.items():
        deadline.check()
        text = index.source(path)
        lines = LinesOf(text)
        for offset in find_words(text, name):
            place, end = lines.place(offset), offset + len(name)
            if place not in places:
                continue
            before = text[max(0, offset - NEAR) : offset]
            if _NAMED_READ.match(text, end, end + NEAR) or _NAMED_BEFORE.search(before):
                yield Left(UNRESOLVED, path, *place, files[path].test, OF_ENUM)
            elif not is_used and (_VALUES_READ.match(text, end, end + NEAR) or _VALUES_BEFORE.search(before)):
                yield Left(UNRESOLVED, path, *place, files[path].test, OF_VALUES)
