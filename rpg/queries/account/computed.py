"""Where code names symbols by words that it computes: no occurrence of the name stands there.

In: an index, a symbol. Out: the places that may mean it: a name of which a part is put together (`f"on_{name}"`), and
members of an enum that are read by a computed name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from rpg.encoder.languages import BY_NAME
from rpg.encoder.languages.given_names import VALUES
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.account.literals import REFLECTS
from rpg.queries.account.occurrences import LinesOf, files_of, find_occurrences, find_words
from rpg.queries.account.places import LITERAL, UNRESOLVED, Left
from rpg.queries.account.placing.sought import WEB
from rpg.queries.graph.families import ancestors
from rpg.queries.graph.memo import memoize
from rpg.queries.graph.nodes import nodes_by_row
from rpg.queries.usages.usage_sites import means
from rpg.stores.index.edge_reads import list_reads_of
from rpg.stores.index.stored_graph import sites_of
from rpg.stores.search.trigrams import files_among
from rpg.system import deadline

if TYPE_CHECKING:
    from rpg.queries.graph.nodes import Node
    from rpg.stores.index.index import Index

COMPOSED: Final = "a name that begins or ends so is put together there"
OF_ENUM: Final = "reads members of its enum by a computed name"
BY_KEY: Final = "reads a member by the same computed name"
OF_VALUES: Final = "goes through the members of its enum"
NEAR: Final = 80
"""How many bytes on either side of an enum's name are looked at."""
LINES_BEFORE: Final = 2
LEAST: Final = 2
"""How long the constant parts of a name must be to tell it from others."""
_BEHIND: Final = (b"$", b"{", b"#", b"<", b"%", b'"', b"'", b"`")
"""What may stand behind the constant part of a name that code puts together."""
_REACHING: Final = (
    "getattr", "methodcaller", "__dict__", "globals()", "public_send", "__send__", "send(", "send ", "method(",
    "define_method",
    "instance_variable_", "respond_to?", "getMethod", "GetMethod", "MethodByName", "FieldByName", "call_user_func",
    "method_exists", "Reflect.", "->$", "->{", "NSSelectorFromString", "this[", "prototype[", "](", "] (",
)  # fmt: skip
"""Words of which a file that reaches members by names has one."""
_PUT_TOGETHER: Final = re.compile(
    rb"""(?P<quote>["'`])(?P<first>\w*)(?:\$\{|\#\{|\{|%s|%d|%\(\w+\)s)(?:[^"'`\n]*?(?:\}|%s|%d|%\(\w+\)s))?"""
    rb"""(?P<last>\w*)(?P=quote)"""
    rb"""|(?<![\w"'`])["'`](?P<begins>[A-Za-z_]\w*)["'`]\s*[+.~]\s*(?=[\w$(@])"""
    rb"""|(?<=[\w)\]])\s*[+.~]\s*["'`](?P<ends>\w+)["'`]"""
)
"""A name of which a part is computed: `f"on_{name}"`, `"on_" + name`, `name + "_handler"`."""
_OWN: Final = re.compile(
    rb"(?:[gs]etattr|hasattr)\(\s*(?:self|cls)\b|\b(?:this|self)\s*\[|\$this->|\b(?:public_)?send\b[ \t(]*[\"':]"
    rb"|\b__send__\b|\[\s*\$this\b"
)
"""A member of the object whose method stands there is reached."""
_COMPUTED_KEY: Final = re.compile(r"\[(?!Symbol\.)(?:\w+\.)*(\w+)\]")
"""The name of a member that a constant has."""
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


class Composed(NamedTuple):
    """A member that is reached by a name of which the beginning or the end is constant."""

    place: Left
    language: str
    begins: str
    ends: str
    is_own: bool
    """It is reached on the object whose method stands there."""


def find_computed_names(index: Index, node: Node, covers: Callable[[str], bool], is_used: bool) -> list[Left]:
    """`is_used`: whether some place is known to use it."""
    language = BY_NAME.get(node.language)
    if language is None or language.is_text or language.configures:
        return []
    if language.family == WEB:
        return list(_composed_for_pages(index, node, covers))
    found: list[Left] = []
    if key := _COMPUTED_KEY.fullmatch(node.name):
        found += _reads_by_key(index, node, key[1], covers)
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
    for each in memoize(index, "names that are put together", lambda: list(_all_composed(index))):
        is_so = name.startswith(each.begins) and name.endswith(each.ends) and len(name) > len(each.begins + each.ends)
        if not (is_so and means(node, each.language) and covers(each.place.path)):
            continue
        if each.is_own:
            paths = _paths_of_types(index, node) if paths is None else paths
            if each.place.path not in paths:
                continue
        yield each.place


def _paths_of_types(index: Index, node: Node) -> set[str]:
    """The files of the type that it is a member of, and of the bases of that."""
    around = nodes_by_row(index, [node.parent]).get(node.parent) if node.parent is not None else None
    if around is None or around.kind not in CLASS_KINDS:
        return set()
    return {around.path, *(each.path for each in ancestors(index, around))}


def _all_composed(index: Index) -> Iterator[Composed]:
    files = files_of(index)
    some = {id for word in _REACHING for id in files_among(index, word, list(files))}
    for id in sorted(some, key=lambda each: files[each].path):
        file = files[id]
        language = BY_NAME.get(file.language)
        if language is None or language.is_text or language.configures or language.family == WEB:
            continue
        deadline.check()
        (packed,) = index.read_packed_sources([id]).values()
        text = index.unpacked(*packed)
        lines = LinesOf(text)
        for begin, end, is_own in _windows(text):
            for found in _PUT_TOGETHER.finditer(text, begin, end):
                begins, ends = found["begins"] or found["first"] or b"", found["ends"] or found["last"] or b""
                if len(begins) + len(ends) >= LEAST:
                    place = Left(UNRESOLVED, file.path, *lines.place(found.start()), file.test, COMPOSED)
                    yield Composed(place, file.language, begins.decode(), ends.decode(), is_own)


def _windows(text: bytes) -> Iterator[tuple[int, int, bool]]:
    """The lines that reach a member by its name, with those before each; whether it is one of the object itself."""
    passed = 0
    for found in REFLECTS.finditer(text):
        end = text.find(b"\n", found.end())
        begin = found.start()
        for _ in range(LINES_BEFORE + 1):
            begin = max(0, text.rfind(b"\n", 0, begin))
        begin = max(begin, passed)
        passed = end if end >= 0 else len(text)
        if begin < passed:
            yield begin, passed, _OWN.search(text, begin, passed) is not None


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
