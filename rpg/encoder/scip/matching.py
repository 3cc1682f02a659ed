"""Which documents of an index are of the files as they are now, and what their occurrences name.

In: the bytes of an index, the paths of the encoded files with their hashes, and the text of a file. Out: `Compiled`.

Indexes have no hashes, and few have texts. A document with its text is of a file with that text. Any other is of a file
in which each occurrence is one or more whole words, and where something is defined, its name: a line that was added
or a name that was changed shifts or breaks some of them. Of a file that matches, an occurrence counts only if the name
of its symbol is written there: indexers confuse what several names reach (`scip-python` takes `package.Second` for
`package.First` if both come from other modules), and under another name it may be anything.

Paths are those of files below the folder of the index or below the repository's root: where more of them exist.
"""

from __future__ import annotations

import re
import string
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Final, NamedTuple

from rpg.encoder.hashes import content_hash
from rpg.encoder.scip.compiled import Compiled, Named
from rpg.encoder.source_files.contents import normalise

if TYPE_CHECKING:
    from rpg.encoder.scip.scip_pb2 import Document, Occurrence

Texts = Callable[[str], bytes | None]
"""The text of a file."""

_DEFINITION, _IMPORT = 0x1, 0x2
_UTF8, _UTF32 = 1, 3
_LOCAL: Final = "local "
_LONGEST: Final = 1_000
"""Of a symbol, and of what is written for one."""
_NAMESPACES: Final = ("/", "/__init__:")
_SIMPLE: Final = string.ascii_letters + string.digits + "_+-$"
"""What names consist of that are not between backticks."""
_MAKING: Final = frozenset({"<constructor>", "<init>", ".ctor"})
"""What indexers call a constructor that the source names by its class."""
_OWN_WORDS: Final = frozenset({"constructor", "super", "this", "base"})
"""What else sources write for a constructor."""
_ACCESSORS: Final = ("<get>", "<set>")
_IDENTIFIER: Final = re.compile(r"[^\W\d]\w*")
_WORD: Final = re.compile(r"\w")


class _Use(NamedTuple):
    line: int
    column: int
    word: str
    symbol: str


class _Read(NamedTuple):
    """What a document says of a text; lines and columns from 1, in code points."""

    definitions: list[tuple[str, int, int]]
    """Symbol, line and column."""
    uses: list[_Use]


class _Index:
    """What all documents say."""

    def __init__(self) -> None:
        self.definitions: dict[str, list[tuple[str, int, int]]] = {}
        """By symbol: path, line and column in files that match."""
        self.elsewhere: set[str] = set()
        """Symbols that are defined in other files too."""
        self.packages: set[str] = set()
        """Those of which something is defined."""
        self.uses: dict[str, list[_Use]] = {}
        """Of files that match."""

    def add(self, document: Document, path: str, found: _Read | None) -> None:
        self.packages.update(map(_package, _list_defined(document)))
        if found is None:
            self.elsewhere.update(_list_defined(document))
            return
        self.uses[path] = found.uses
        for symbol, line, column in found.definitions:
            self.definitions.setdefault(symbol, []).append((path, line, column))

    def named(self, symbol: str, word: str) -> Named:
        if symbol in self.elsewhere:
            return Named(word, False, [])
        places = sorted(set(self.definitions.get(symbol, ())))
        is_outside = not places and not symbol.startswith(_LOCAL) and _package(symbol) not in self.packages
        return Named(word, is_outside, places)


def compile_index(data: bytes, folder: str, hashes: Mapping[str, str], texts: Texts) -> Compiled:
    """`folder`: that of the index, ending in `/` or empty; `hashes` by path, of files that refer to something."""
    from rpg.encoder.scip.reading import Damaged, read_documents

    index = _Index()
    described: set[str] = set()
    try:
        below = _choose_folder(data, folder, hashes)
        for document in read_documents(data):
            path = below + _normal(document.relative_path)
            is_first = path in hashes and path not in described
            index.add(document, path, _match(document, path, hashes[path], texts) if is_first else None)
            if is_first:
                described.add(path)
    except Damaged as error:
        return Compiled({}, [], [], str(error))
    return _build_compiled(index, sorted(described - index.uses.keys()))


def is_of_text(data: bytes, folder: str, known: Collection[str], path: str, hash: str, source: bytes) -> bool:
    """Whether the index describes a file with that text; `known`: the paths of all files that refer to something."""
    from rpg.encoder.scip.reading import Damaged, read_documents, read_paths

    try:
        below = _choose_folder(data, folder, known)
        for number, described in enumerate(read_paths(data)):
            if below + _normal(described) == path:
                document = next(islice(read_documents(data), number, None))
                return _match(document, path, hash, lambda _: source) is not None
    except Damaged:
        pass
    return False


def _build_compiled(index: _Index, other: list[str]) -> Compiled:
    named: list[Named] = []
    numbers: dict[tuple[str, str], int] = {}
    files: dict[str, list[tuple[int, int, int]]] = {}
    for path in sorted(index.uses):
        rows: set[tuple[int, int, int]] = set()
        for use in index.uses[path]:
            number = numbers.setdefault((use.symbol, use.word), len(named))
            if number == len(named):
                named.append(index.named(use.symbol, use.word))
            if named[number].places or named[number].is_outside:
                rows.add((use.line, use.column, number))
        files[path] = sorted(rows)
    return Compiled(files, named, other)


def _choose_folder(data: bytes, folder: str, known: Collection[str]) -> str:
    """The folder that the documents' paths begin at."""
    from rpg.encoder.scip.reading import read_paths

    if not folder:
        return ""
    paths = [*map(_normal, read_paths(data))]
    return folder if sum(folder + path in known for path in paths) > sum(path in known for path in paths) else ""


def _normal(path: str) -> str:
    return unicodedata.normalize("NFC", path.replace("\\", "/").removeprefix("./"))


def _match(document: Document, path: str, hash: str, texts: Texts) -> _Read | None:
    """None if the document is of another text."""
    source = texts(path)
    if source is None or (document.text and content_hash(normalise(document.text.encode("utf-8", "replace"))) != hash):
        return None
    columns = _Columns(source.decode("utf-8", "replace").split("\n"), document.position_encoding)
    definitions: list[tuple[str, int, int]] = []
    uses: list[_Use] = []
    is_defined: dict[tuple[int, int], bool] = {}
    for occurrence in document.occurrences:
        place = columns.place(occurrence)
        if place is None:
            return None
        line, start, end = place
        symbol = occurrence.symbol
        if not symbol or len(symbol) > _LONGEST or not 0 < end - start <= _LONGEST:
            continue
        text = columns.lines[line]
        if _cuts_word(text, start) or _cuts_word(text, end):
            return None
        word = text[start:end]
        is_local = symbol.startswith(_LOCAL)
        name = "" if is_local else _name(symbol)
        is_named = is_local or _is_name(symbol, name, word)
        if is_local:
            symbol = f"{symbol} {path}"
        if occurrence.symbol_roles & _DEFINITION:
            definitions.append((symbol, line + 1, start + 1))
            if not symbol.endswith(_NAMESPACES) and _IDENTIFIER.fullmatch(name):
                # Of what is defined there together, such as a property and what reads it, one has the name.
                is_defined[line, start] = is_named or is_defined.get((line, start), False)
        elif is_named and not occurrence.symbol_roles & _IMPORT:
            uses.append(_Use(line + 1, start + 1, word, symbol))
    return _Read(definitions, uses) if all(is_defined.values()) else None


class _Columns:
    """Columns of a text as an index counts them."""

    def __init__(self, lines: list[str], encoding: int) -> None:
        self.lines = lines
        self.encoding = encoding
        self.starts: dict[int, list[int]] = {}
        """By line with more than ASCII: the column at which each character begins, and the end."""

    def place(self, occurrence: Occurrence) -> tuple[int, int, int] | None:
        """Line, and first and last column, from 0, in code points; the same column twice for what has more than one
        line. None if the text has no such place."""
        bounds = list(occurrence.range[:5])
        if len(bounds) == 4 and bounds[0] != bounds[2]:
            return (bounds[0], 0, 0) if 0 <= bounds[0] < bounds[2] <= len(self.lines) else None
        if len(bounds) == 4:
            del bounds[2]
        if len(bounds) != 3 or not 0 <= bounds[0] < len(self.lines) or not 0 <= bounds[1] <= bounds[2]:
            return None
        start, end = self.character(bounds[0], bounds[1]), self.character(bounds[0], bounds[2])
        return (bounds[0], start, end) if start >= 0 and end >= 0 else None

    def character(self, line: int, column: int) -> int:
        """The code point at a column of the index; -1 if there is none. An index that does not say how it counts
        counts as JavaScript does, as those do that say nothing."""
        text = self.lines[line]
        if self.encoding == _UTF32 or text.isascii():
            return column if column <= len(text) else -1
        starts = self.starts.get(line)
        if starts is None:
            width = _width_in_utf8 if self.encoding == _UTF8 else _width_in_utf16
            starts = self.starts[line] = [0, *accumulate(map(width, text))]
        number = bisect_left(starts, column)
        return number if number < len(starts) and starts[number] == column else -1


def _width_in_utf8(character: str) -> int:
    return len(character.encode("utf-8", "surrogatepass"))


def _width_in_utf16(character: str) -> int:
    return 2 if ord(character) > 0xFFFF else 1


def _cuts_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and bool(_WORD.match(text[at]) and _WORD.match(text[at - 1]))


def _is_name(symbol: str, name: str, word: str) -> bool:
    """Whether a word is how the source writes a symbol of that name."""
    if name in _MAKING:
        return word in _OWN_WORDS or _name(symbol[: symbol.rindex(name)].removesuffix("`")) == word
    for accessor in _ACCESSORS:
        name = name.removeprefix(accessor)
    # scip-typescript numbers the members of types without a name.
    return word == name or (symbol.endswith(":") and word == name.rstrip(string.digits))


def _name(symbol: str) -> str:
    """That of the last descriptor: of a type, term, namespace, method, parameter or type parameter."""
    if symbol.endswith(")."):
        before = symbol[: symbol.rfind("(")]
    elif symbol.endswith((")", "]")):
        before = symbol[:-1]
    else:
        before = symbol[:-1] if symbol.endswith(tuple("#./:!")) else symbol
    if before.endswith("`"):
        return before[before.rfind("`", 0, -1) + 1 : -1]
    return before[len(before.rstrip(_SIMPLE)) :]


def _list_defined(document: Document) -> Iterator[str]:
    for each in document.occurrences:
        if each.symbol_roles & _DEFINITION and not each.symbol.startswith(_LOCAL):
            yield each.symbol


def _package(symbol: str) -> str:
    """Scheme, manager and name of a symbol's package, between spaces; a space in one of them is written twice."""
    at = 0
    for _ in range(3):
        at = symbol.find(" ", at) + 1
        while at and symbol[at : at + 1] == " ":
            at = symbol.find(" ", at + 1) + 1
        if not at:
            return symbol
    return symbol[:at]
