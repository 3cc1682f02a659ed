"""The file of the built-in table, made by bin/developer/train-embedding; its card is docs/embedding.md.

MAGIC, a line of JSON (name, dimensions, terms sorted and separated by blanks), then for each term
    16 bits each: its weight in code, its weight in questions
    16 bits each: numbers of NEAR other terms
    bytes: how informative it is (in steps of 1 / TELLING_STEPS), NEAR similarities (of 255; 0: none)
    int8: its vector
each of the four for all terms before the next. Little-endian.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import accumulate
from pathlib import Path

import orjson

from rpg.errors import ModelUnavailable
from rpg.models.embedding import InCode, Near, Row, StaticTable
from rpg.text.term_frequencies import little

TABLE = Path(__file__).with_name("code_table.bin")
MAGIC = b"rpg-table-2\n"
NEAR = 5
"""How many near terms are stored for each term."""
TELLING_STEPS = 64


@cache
def load_built_in() -> StaticTable:
    """The table that comes with rpg, read once. Raises as read_built_in does."""
    return read_built_in()


def read_built_in() -> StaticTable:
    """The table that comes with rpg. Raises ModelUnavailable if the installation lacks it."""
    try:
        return read_table(TABLE)
    except (OSError, ValueError) as error:
        raise ModelUnavailable(f"the embedding table {TABLE} cannot be read ({error}): install rpg again") from error


def read_table(path: Path) -> StaticTable:
    """Raises ValueError if it is not a table of this version, OSError if it cannot be read."""
    content = path.read_bytes()
    if not content.startswith(MAGIC):
        raise ValueError("it is not a table of this version")
    end = content.index(b"\n", len(MAGIC))
    head = orjson.loads(content[len(MAGIC) : end])
    return _Table(
        head["name"], head["dimensions"], _Rows(head["terms"].split(" "), head["dimensions"], content[end + 1 :])
    )


class _Table(StaticTable):
    def __init__(self, name: str, dimensions: int, rows: _Rows) -> None:
        super().__init__(name, dimensions, rows)
        self._rows = rows

    def in_code(self) -> InCode:
        return self._rows.in_code()


class _Rows(Mapping[str, Row]):
    """Rows by term, each unpacked when requested: a query needs a few out of thousands."""

    def __init__(self, terms: list[str], dimensions: int, content: bytes) -> None:
        count = len(terms)
        ends = list(accumulate((4 * count, 2 * NEAR * count, (1 + NEAR) * count, dimensions * count)))
        if len(content) != ends[-1]:
            raise ValueError("it is truncated")
        self._terms = terms
        self._numbers = {term: i for i, term in enumerate(terms)}
        self._dimensions = dimensions
        self._weights = _shorts(content[: ends[0]])
        self._near = _shorts(content[ends[0] : ends[1]])
        self._bytes = content[ends[1] : ends[2]]
        self._vectors = content[ends[2] :]

    def __getitem__(self, term: str) -> Row:
        i = self._numbers[term]
        telling, *likenesses = self._bytes[i * (1 + NEAR) : (i + 1) * (1 + NEAR)]
        others = self._near[i * NEAR : (i + 1) * NEAR]
        near = tuple(
            Near(self._terms[other], likeness / 255)
            for other, likeness in zip(others, likenesses, strict=True)
            if likeness
        )
        vector = self._vectors[i * self._dimensions : (i + 1) * self._dimensions]
        return Row(vector, self._weights[2 * i], self._weights[2 * i + 1], telling / TELLING_STEPS, near)

    def in_code(self) -> InCode:
        return InCode(self._numbers, self._vectors, self._weights[::2])

    def __iter__(self) -> Iterator[str]:
        return iter(self._terms)

    def __len__(self) -> int:
        return len(self._terms)


def _shorts(content: bytes) -> array[int]:
    values: array[int] = array("H")
    values.frombytes(content)
    return little(values)


def write_table(path: Path, name: str, dimensions: int, rows: Mapping[str, Row]) -> None:
    """The inverse of `read_table`."""
    terms = sorted(rows)
    number = {term: i for i, term in enumerate(terms)}
    shorts = array("H", [weight for term in terms for weight in (rows[term].in_code, rows[term].in_questions)])
    tail = bytearray()
    for term in terms:
        near = rows[term].near[:NEAR]
        shorts.extend([number[each.term] for each in near] + [0] * (NEAR - len(near)))
        tail.append(min(255, round(rows[term].telling * TELLING_STEPS)))
        tail.extend([max(1, min(255, round(each.likeness * 255))) for each in near] + [0] * (NEAR - len(near)))
    for term in terms:
        tail += rows[term].numbers
    head = orjson.dumps({"name": name, "dimensions": dimensions, "terms": " ".join(terms)})
    path.write_bytes(MAGIC + head + b"\n" + little(shorts).tobytes() + tail)
