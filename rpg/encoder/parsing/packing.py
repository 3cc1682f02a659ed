"""Packs facts into a block of bytes and unpacks them: the form in which they are stored, and come from workers.

In: facts. Out: a block, and back. No pickle: see `pack`.
"""

from __future__ import annotations

import sys
from array import array
from itertools import accumulate, chain
from operator import attrgetter, sub
from sys import intern
from typing import Any, Final, NamedTuple

import orjson

from rpg.encoder import operations as op
from rpg.encoder.facts import Binding, Definition, FileFacts, Import, Parameter, Scope
from rpg.system.compression import join_bytes, split_bytes

_ARRAYS: Final = ("blocks", "sites", "code", "line_starts", "wide")


def pack(facts: FileFacts) -> bytes:
    """One block: the length of a JSON head, the head, then the arrays as 32-bit little-endian integers, each split by
    bytes; of the lines' starts the differences.

    JSON and plain integers rather than pickle: an index that came with a repository must not be able to run code.
    """
    head = plain(facts)
    head["line_starts"] = _lengths(facts.line_starts)
    arrays = [head.pop(name) for name in _ARRAYS]
    head["arrays"] = [len(each) for each in arrays]
    encoded = orjson.dumps(head, tuple, orjson.OPT_NON_STR_KEYS)
    return b"".join(
        (len(encoded).to_bytes(4, "little"), encoded, *(split_bytes(_little(each).tobytes(), 4) for each in arrays))
    )


def _lengths(starts: array[int]) -> array[int]:
    """Differences of ascending numbers: compressed, they take half the room."""
    return array("i", map(sub, starts, chain((0,), starts)))


def plain(facts: FileFacts) -> dict[str, Any]:
    """By field, in JSON's types, except arrays and NamedTuples."""
    fields = facts._asdict()
    for name, row in _ROWS.items():
        fields[name] = list(map(row, fields[name]))
    return fields


def unpack(block: bytes) -> FileFacts:
    """The facts that `pack` wrote. Raises ValueError if the block is not one."""
    size = int.from_bytes(block[:4], "little")
    head = orjson.loads(memoryview(block)[4 : 4 + size])
    start = 4 + size
    for name, length in zip(_ARRAYS, head.pop("arrays"), strict=True):
        values: array[int] = array("i")
        values.frombytes(join_bytes(memoryview(block)[start : start + 4 * length], 4))
        start += 4 * length
        head[name] = _little(values)
    head["line_starts"] = array("i", accumulate(head["line_starts"]))
    if start != len(block):
        raise ValueError("the facts were cut short")
    head["strings"] = list(map(intern, head["strings"]))
    head["definitions"] = _definitions(head["definitions"])
    head["scopes"] = _scopes(head["scopes"])
    head["bindings"] = _bindings(head["bindings"])
    head["imports"] = _imports(head["imports"])
    for name in ("members", "items", "comments"):
        head[name] = list(map(tuple, head[name]))
    for name in (
        "parameters",
        "returns",
        "yields",
        "bases",
        "decorators",
        "annotations",
        "fields",
        "type_parameters",
        "type_arguments",
    ):
        head[name] = {int(key): value for key, value in head[name].items()}
    head["parameters"] = {key: _parameters(rows) for key, rows in head["parameters"].items()}
    for name in ("bases", "fields"):
        head[name] = {key: list(map(tuple, rows)) for key, rows in head[name].items()}
    return FileFacts(**head)


class Declarations(NamedTuple):
    """The declarations of a file, without its code."""

    package: str
    bases: dict[str, list[str]]
    """By the qualified name of a class, the last parts of the names of its bases; empty for one that is computed."""


_OF_TYPES: Final = frozenset(("", "implements"))
"""Keywords of bases that are types above a class."""


def declarations(block: bytes) -> Declarations:
    """The declared names of packed facts, without unpacking the rest: several times as fast as `unpack`."""
    size = int.from_bytes(block[:4], "little")
    head = orjson.loads(memoryview(block)[4 : 4 + size])
    bases: dict[str, list[str]] = {}
    if head["bases"]:
        lengths = dict(zip(_ARRAYS, head["arrays"], strict=True))
        start = 4 + size + 4 * (lengths["blocks"] + lengths["sites"])
        code: array[int] = array("i")
        code.frombytes(join_bytes(memoryview(block)[start : start + 4 * lengths["code"]], 4))
        code = _little(code)
        for number, rows in head["bases"].items():
            named = [_last_part(code, head["strings"], e) for keyword, e in rows if keyword in _OF_TYPES]
            bases[_definitions(head["definitions"][int(number) : int(number) + 1])[0].qualified_name] = named
    return Declarations(head["package"], bases)


class Places:
    """What a file has where, read from packed facts part by part: unpacking the rest would cost ten times as much."""

    def __init__(self, block: bytes) -> None:
        size = int.from_bytes(block[:4], "little")
        self._head = block[4 : 4 + size]
        lengths = dict(zip(_ARRAYS, orjson.loads(self._late_part("arrays", "}")), strict=True))
        start = 4 + size + 4 * (lengths["blocks"] + lengths["sites"])
        self.code = join_bytes(memoryview(block)[start : start + 4 * lengths["code"]], 4)
        """The expressions: 32-bit little-endian integers."""

    def comments(self) -> list[tuple[int, int]]:
        return [(begin, end) for begin, end in orjson.loads(self._late_part("comments", ',"problems":'))]

    def imports(self) -> list[int]:
        """The bytes at which imports name their modules, by number of the import."""
        return [row[2] for row in orjson.loads(self._part("imports", ',"exports":'))]

    def modules(self) -> list[str]:
        """The modules that they name."""
        return [row[0] for row in orjson.loads(self._part("imports", ',"exports":'))]

    def bindings(self) -> list[tuple[int, str, int]]:
        """Scope, name and value of each binding."""
        return [(row[0], row[1], row[2]) for row in orjson.loads(self._part("bindings", ',"parameters":'))]

    def definitions(self) -> frozenset[int]:
        """The bytes at which definitions are named."""
        return frozenset([row[_NAME_BYTE] for row in orjson.loads(self._part("definitions", ',"scopes":'))])

    def lambdas(self) -> list[tuple[int, int]]:
        """Where functions without a name begin and end."""
        rows = orjson.loads(self._part("scopes", ',"bindings":'))
        return [(row[_START], row[_END]) for row in rows if row[_KIND] == "lambda"]

    def literals(self) -> dict[int, int]:
        """Where objects begin that are literals, modules or attributes of an element, by their scope."""
        rows = orjson.loads(self._part("scopes", ',"bindings":'))
        return {number: row[_START] for number, row in enumerate(rows) if row[_KIND] == "object"}

    def problems(self) -> list[str]:
        """What was not understood, as `line: message`."""
        found: list[str] = orjson.loads(self._late_part("problems", ',"package":'))
        return found

    def strings(self) -> list[str]:
        """What the operands of expressions that are strings are indexes of."""
        found: list[str] = orjson.loads(self._late_part("strings", ',"comments":'))
        return found

    def _part(self, name: str, behind: str) -> bytes:
        """The JSON of a field before those whose keys are names of the source. A quote within a text is escaped, so
        that no text looks like a field's name."""
        start = self._head.index(f'"{name}":'.encode()) + len(name) + 3
        return self._head[start : self._head.index(behind.encode(), start)]

    def _late_part(self, name: str, behind: str) -> bytes:
        """The JSON of a field behind them."""
        start = self._head.rindex(f'"{name}":'.encode()) + len(name) + 3
        return self._head[start : self._head.rindex(behind.encode())]


_NAME_BYTE: Final = 10
"""The place of `name_byte` in the row of a definition."""
_KIND: Final = 0
_START: Final = 3
_END: Final = 4
"""Those of a scope's kind and ends in its row."""


def _last_part(code: array[int], strings: list[str], e: int) -> str:
    while code[e] in (op.SUBSCRIPT, op.CALL):
        e = code[e + op.HOLDER] if code[e] == op.SUBSCRIPT else code[e + op.CALLEE]
    if code[e] == op.NAME:
        return strings[code[e + op.WORD]]
    return strings[code[e + op.MEMBER]] if code[e] in (op.ATTRIBUTE, op.IMPORTED) else ""


_ROWS: Final[dict[str, Any]] = {
    "definitions": attrgetter(
        "kind", "name", "qualified_name", "parent", "owner", "scope", "start_byte", "end_byte", "start_line",
        "end_line", "name_byte", "body_byte", "signature", "doc", "exported", "decorators", "modifiers", "returns",
        "flags", "hash", "symbol",
    ),
    "scopes": attrgetter("kind", "parent", "definition", "start_byte", "end_byte", "receiver"),
    "bindings": attrgetter("scope", "name", "value", "byte", "block", "kind"),
}  # fmt: skip
"""How objects that are not tuples are written: as the rows that they are rebuilt from."""

# Words that recur are stored once, for all files.


def _definitions(rows: list[list[Any]]) -> list[Definition]:
    found: list[Definition] = []
    for cells in rows:
        (
            kind, name, qualified_name, parent, owner, scope, start_byte, end_byte, start_line, end_line, name_byte,
            body_byte, signature, doc, exported, decorators, modifiers, returns, flags, hash, symbol,
        ) = cells  # fmt: skip
        found.append(
            Definition(
                kind=intern(kind),
                name=intern(name),
                qualified_name=intern(qualified_name),
                parent=parent,
                owner=owner,
                scope=scope,
                start_byte=start_byte,
                end_byte=end_byte,
                start_line=start_line,
                end_line=end_line,
                name_byte=name_byte,
                body_byte=body_byte,
                signature=signature,
                doc=doc,
                exported=exported,
                decorators=_words(decorators),
                modifiers=_words(modifiers),
                returns=intern(returns),
                flags=_words(flags),
                hash=hash,
                symbol=symbol,
            )
        )
    return found


def _scopes(rows: list[list[Any]]) -> list[Scope]:
    found: list[Scope] = []
    for cells in rows:
        kind, parent, definition, start_byte, end_byte, receiver = cells
        found.append(Scope(intern(kind), parent, definition, start_byte, end_byte, intern(receiver)))
    return found


def _bindings(rows: list[list[Any]]) -> list[Binding]:
    found: list[Binding] = []
    for cells in rows:
        scope, name, value, byte, block, kind = cells
        found.append(Binding(scope, intern(name), value, byte, block, intern(kind)))
    return found


def _imports(rows: list[list[Any]]) -> list[Import]:
    found: list[Import] = []
    for cells in rows:
        module, level, byte, scope, kind, names = cells
        found.append(Import(intern(module), level, byte, scope, intern(kind), _words(names)))
    return found


def _parameters(rows: list[list[Any]]) -> list[Parameter]:
    found: list[Parameter] = []
    for cells in rows:
        name, kind, annotation, default = cells
        found.append(Parameter(intern(name), intern(kind), annotation, default))
    return found


def _words(cells: list[str]) -> tuple[str, ...]:
    return tuple(map(intern, cells)) if cells else ()


def _little(values: array[int]) -> array[int]:
    if sys.byteorder == "big":
        values = array("i", values)
        values.byteswap()
    return values
