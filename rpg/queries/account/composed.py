"""Which names code may make of parts to reach a member by them: `f"on_{kind}"`, `"on" + kind`, a variable or the result
of a function that is one.

In: the texts of all code. Out: for each name that is made, where, what it begins and ends with, and on what it is
looked up. One rule for all languages: a name that is made of parts is followed within its file, through variables,
fields and results of functions, to what looks up a member by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from rpg.encoder.languages import BY_NAME
from rpg.queries.account.literals import REFLECTS
from rpg.queries.account.occurrences import LinesOf, files_of, find_words
from rpg.queries.account.places import UNRESOLVED, Left
from rpg.queries.account.placing.sought import WEB
from rpg.queries.graph.memo import memoize
from rpg.stores.search.trigrams import files_among
from rpg.system import deadline

if TYPE_CHECKING:
    from rpg.encoder.languages.rules.attribute_types import MembersRead
    from rpg.stores.index.index import Index

COMPOSED: Final = "a name that begins or ends so is put together there"
LEAST: Final = 2
"""How long the constant parts of a name must be to tell it from others."""
_QUOTES: Final = ("'", '"', "`")
LINES_BEFORE: Final = 2
"""How far before what looks it up a name is put together without a variable that says so."""
NEAR: Final = 120
"""How many bytes on either side of a name are looked at, in its line."""
REACH: Final = 4_000
"""How many bytes behind it a variable is followed."""
ROUNDS: Final = 3
"""How often a name is followed from a variable to the next."""
MOST_NAMES: Final = 50
MOST_MENTIONS: Final = 500
"""How many names of a file are followed in a round, and to how many places each."""
_REACHING: Final = (
    "getattr", "methodcaller", "__dict__", "globals()", "public_send", "__send__", "send(", "send ", "method(",
    "define_method",
    "instance_variable_", "respond_to?", "getMethod", "GetMethod", "MethodByName", "FieldByName", "call_user_func",
    "method_exists", "Reflect.", "->$", "->{", "[$this", "NSSelectorFromString", "Selector(", "apply(", "getDeclared",
)  # fmt: skip
"""Words of which a file that reaches members by names has one, in a language whose indexes do not."""
_PUT_TOGETHER: Final = (
    rb"""(?P<quote>["'`])(?P<first>\w*)(?:\$\{|\#\{|\{|%%[sdv@]|%%\(\w+\)s|\$\w|\\\()"""
    rb"""(?:[^"'`\n]*?(?:\}|%%[sdv@]|%%\(\w+\)s|\)))?(?P<last>\w*)(?P=quote)"""
    rb"""|(?<![\w"'`])["'`](?P<begins>[A-Za-z_]\w*)["'`]\s*(?:%(joined)s)\s*(?=[\w$(@])"""
    rb"""|(?<=[\w)\]])\s*(?:%(joined)s)\s*["'`](?P<ends>\w+)["'`]"""
    rb"""|["'`](?P<between>\w*)["'`]\.join\(\s*[\[(]\s*["'](?P<joined>\w+)["']\s*,"""
    rb"""|\[\s*["'`](?P<listed>\w+)["'`]\s*,[^\]\n]*\]\.join\(["'`](?P<glue>\w*)["'`]\)"""
    rb"""|["'`](?P<added>\w+)["'`]\.concat\("""
)
"""A name of which a part is computed: `f"on_{name}"`, `"on_" + name`, `name + "_handler"`."""
_CONSTANT: Final = re.compile(
    rb"(?<![\w.\[(])(?P<name>[A-Za-z_]\w*)\s*(?::\s*&?(?:'static\s+)?\w+\s*)?(?:=|:=)\s*@?[rbu]?"
    rb"([\"'`])(?P<value>\w{2,})\2(?=\s*(?:[;,\n#/]|\Z))"
)
"""What a constant is that a name may begin with: `PREFIX = "on_"`."""
_WITH_NAME: Final = (
    rb"(?<![\w.])(?:(?:self|this|cls|Self)(?:\.|::))?(?P<plain>[A-Za-z_]\w*+)\s*(?:%(joined)s)\s*(?=[\w$(@])"
    rb"|[\"'`][$#]?\{(?:self\.|this\.)?(?P<held>\w+)\}[$#%%]?\{"
)
"""A name that begins with what a variable has."""
_OWN: Final = re.compile(
    rb"(?:[gs]etattr|hasattr)\(\s*(?:self|cls)\b|\b(?:this|self)\s*\[|\$this->|\b(?:public_)?send\b[ \t(]*[\"':]"
    rb"|\b__send__\b|\[\s*\$this\b"
)
"""A member of the object whose method stands there is reached."""
_IN_INDEX: Final = re.compile(rb"(?<=[\w)\]])(?:\?\.)?\[[^\[\]\n]*\Z")
_INDEX_ENDS: Final = re.compile(rb"[^\[\]\n]*\](?!\s*(?:=(?![=>])|\+\+|--|[-+*/|&]=))")
"""A member is read, and not written, by an index."""
_OWN_INDEX: Final = re.compile(rb"\b(?:this|self)\s*\[[^\[\]\n]*\Z")
_GLOBAL: Final = re.compile(rb"\b(?:window|globalThis|global|root|exports|_G|_ENV)\s*\[")
"""An object that has what a script or module defines."""
_LOOKED_UP: Final = re.compile(rb"(?:->|::)\s*\{?\s*\$?\Z|\[\s*(?:\$\w+|[\w\\]+::class)\s*,[^\[\]\n]*\Z")
_ASSIGNED: Final = re.compile(
    rb"(?<![=!<>])\b(?P<name>[A-Za-z_]\w*)\s*(?::\s*[\w.<>?]+\s*)?(?::=|=|\+=|\.=)(?![=>~])[^\n]{0,80}\Z"
)
_RETURNED: Final = re.compile(rb"(?:\breturn\b|=>|\)\s*=|->|\bdo\b|\n)[^=;\n]{0,60}\Z")
_FUNCTION: Final = re.compile(
    rb"\b(?:def|defp|function|func|fun|fn|sub)\s+(?:self\.|\([^()\n]*\)\s*)?(?P<one>[A-Za-z_]\w*)"
    rb"|\b(?P<two>[A-Za-z_]\w*)\s*\([^()\n]*\)\s*(?::\s*[\w<>]+\s*)?(?:\{|=>)"
    rb"|\b(?P<three>[A-Za-z_]\w*)\s*[:=]\s*(?:async\s*)?\(?[\w\s,:]*\)?\s*=>"
)
_NO_NAMES: Final = frozenset((b"if", b"for", b"while", b"switch", b"catch", b"return", b"self", b"this", b"super"))
FARTHEST: Final = 600
"""How far before what it returns the header of a function is looked for."""


class Composed(NamedTuple):
    """A member that is reached by a name of which the beginning or the end is constant."""

    place: Left
    language: str
    begins: str
    ends: str
    is_own: bool
    """It is reached on the object whose method stands there."""
    is_member: bool
    """Only a member of an object is reached so, by an index."""


class Made(NamedTuple):
    """A name that is put together at a place of a text."""

    start: int
    end: int
    begins: bytes
    ends: bytes


class Lookup(NamedTuple):
    is_own: bool
    is_member: bool


_Named: TypeAlias = dict[bytes, dict[tuple[Made, int, int], None]]
"""By the name of a variable or function, the names that it has, and from where to where."""


def list_composed_names(index: Index, name: str) -> list[Composed]:
    """Those that may be a name: a text begins or ends as it does. A file is read once for all names."""
    if len(name) < LEAST:
        return []
    files = memoize(index, "files that reach members by names", lambda: _files_that_reach(index))
    needles = [quote + name[:LEAST] for quote in _QUOTES] + [name[-LEAST:] + quote for quote in _QUOTES]
    some = {id for needle in needles for id in files_among(index, needle, files)}
    read: dict[int, list[Composed]] = memoize(index, "names that are put together", dict)
    found: list[Composed] = []
    for id in sorted(some):
        if id not in read:
            read[id] = list(_composed_in(index, id))
        found += read[id]
    return [each for each in found if name.startswith(each.begins) and name.endswith(each.ends)]


def _files_that_reach(index: Index) -> list[int]:
    """The files of code that may look up a member by a name that they compute."""
    files = files_of(index)
    some = {id for word in _REACHING for id in files_among(index, word, list(files))}
    found: list[int] = []
    for id, file in files.items():
        language = BY_NAME.get(file.language)
        if language is None or language.is_text or language.configures or language.family == WEB:
            continue
        if id in some or language.rules.members_read.by_index:
            found.append(id)
    return found


def _composed_in(index: Index, id: int) -> Iterator[Composed]:
    deadline.check()
    file = files_of(index)[id]
    packed = index.read_packed_sources([id])
    text = index.unpacked(*packed[id]) if id in packed else b""
    lines = LinesOf(text)
    for made, lookup in _Names(text, BY_NAME[file.language].rules.members_read).find():
        place = Left(UNRESOLVED, file.path, *lines.place(made.start), file.test, COMPOSED)
        yield Composed(place, file.language, made.begins.decode(), made.ends.decode(), *lookup)


@cache
def _pattern_of(joined_by: bytes) -> re.Pattern[bytes]:
    return re.compile(_PUT_TOGETHER % {b"joined": joined_by})


@cache
def _with_name(joined_by: bytes) -> re.Pattern[bytes]:
    return re.compile(_WITH_NAME % {b"joined": joined_by})


class _Names:
    """The names that one text makes, and what looks members up by them."""

    def __init__(self, text: bytes, reads: MembersRead) -> None:
        self._text = text
        self._reads = reads

    def find(self) -> Iterator[tuple[Made, Lookup]]:
        text = self._text
        if not self._reads.by_index and REFLECTS.search(text) is None:
            return
        made = sorted({*self._put_together(), *self._with_constants()})
        found: set[tuple[Made, Lookup]] = set()
        for begin, end, is_index in _windows(text) if made else ():
            is_member = is_index and self._reads.by_index and _GLOBAL.search(text, begin, end) is None
            lookup = Lookup(_OWN.search(text, begin, end) is not None, is_member)
            found.update((each, lookup) for each in made if begin <= each.start < end)
        named: _Named = {}
        for each in made:
            found.update((each, lookup) for lookup in self._lookups(each.start, each.end))
            self._name(named, [each], each.start)
        done: set[bytes] = set()
        for _ in range(ROUNDS):
            new = [name for name in named if name not in done][:MOST_NAMES]
            done.update(new)
            for name in new:
                found.update(self._follow(named, name))
        yield from sorted(found)

    def _put_together(self) -> Iterator[Made]:
        for found in _pattern_of(self._reads.joined_by).finditer(self._text):
            begins = found["begins"] or found["first"] or found["added"] or b""
            if found["joined"] is not None:
                begins = found["joined"] + found["between"]
            elif found["listed"] is not None:
                begins = found["listed"] + found["glue"]
            ends = found["ends"] or found["last"] or b""
            if len(begins) + len(ends) >= LEAST:
                yield Made(found.start(), found.end(), begins, ends)

    def _with_constants(self) -> Iterator[Made]:
        """Names that begin with a constant of the file: `PREFIX + kind`, `f"{PREFIX}{kind}"`."""
        values = {found["name"]: found["value"] for found in _CONSTANT.finditer(self._text)}
        for found in _with_name(self._reads.joined_by).finditer(self._text) if values else ():
            value = values.get(found["plain"] or found["held"])
            if value is not None:
                yield Made(found.start(), found.end(), value, b"")

    def _follow(self, named: _Named, name: bytes) -> Iterator[tuple[Made, Lookup]]:
        """Where a variable that holds such names, or a function that returns them, is named."""
        held = list(named[name])
        for start in find_words(self._text, name)[:MOST_MENTIONS]:
            here = [made for made, first, last in held if first <= start < last]
            if not here:
                continue
            lookups = list(self._lookups(start, start + len(name)))
            for made in here:
                yield from ((made, lookup) for lookup in lookups)
            if not lookups:
                self._name(named, here, start)

    def _lookups(self, start: int, end: int) -> Iterator[Lookup]:
        """What looks a member up by the name that stands there."""
        text = self._text
        first = max(text.rfind(b"\n", 0, start) + 1, start - NEAR)
        before = text[first:start]
        if self._reads.by_index and _IN_INDEX.search(before) is not None and _INDEX_ENDS.match(text, end) is not None:
            yield Lookup(_OWN_INDEX.search(before) is not None, _GLOBAL.search(before) is None)
        elif _LOOKED_UP.search(before) is not None or _is_argument(before):
            yield Lookup(_OWN.search(before) is not None, False)

    def _name(self, named: _Named, made: Sequence[Made], start: int) -> None:
        """Adds the variable that gets what stands there, or the function that returns it, with where that is seen."""
        text = self._text
        first = max(text.rfind(b"\n", 0, start) + 1, start - NEAR)
        before = text[first:start]
        assigned = _ASSIGNED.search(before)
        if assigned is not None:
            is_kept = before[: assigned.start()].endswith((b".", b"@", b"->")) or assigned["name"].isupper()
            span = (0, len(text)) if is_kept else (start, start + REACH)
            named.setdefault(assigned["name"], {}).update(dict.fromkeys((each, *span) for each in made))
        if _RETURNED.search(text, max(0, first - 1), start) is not None:
            headers = list(_FUNCTION.finditer(text, max(0, start - FARTHEST), start))
            names = [each["one"] or each["two"] or each["three"] for each in headers]
            names = [each for each in names if each not in _NO_NAMES]
            if names:
                named.setdefault(names[-1], {}).update(dict.fromkeys((each, 0, len(text)) for each in made))


def _is_argument(before: bytes) -> bool:
    """Whether a call that reaches a member by its name stands in front, in the same line."""
    return any(b")" not in before[found.end() :] for found in REFLECTS.finditer(before) if found[0][-1:] != b"]")


def _windows(text: bytes) -> Iterator[tuple[int, int, bool]]:
    """The lines that reach a member by its name, with those before each; whether an index does."""
    passed = 0
    for found in REFLECTS.finditer(text):
        end = text.find(b"\n", found.end())
        begin = found.start()
        for _ in range(LINES_BEFORE + 1):
            begin = max(0, text.rfind(b"\n", 0, begin))
        begin = max(begin, passed)
        passed = end if end >= 0 else len(text)
        if begin < passed:
            yield begin, passed, found[0][:1] == b"]" or found[0][-1:] == b"["
