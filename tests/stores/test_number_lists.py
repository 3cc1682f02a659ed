"""Lists of numbers as the index writes them: in the shortest way, the same whether made in bulk or one by one."""

from __future__ import annotations

from array import array

import apsw
import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpg.stores.index.rows import parse_hash
from rpg.stores.search import build
from rpg.stores.search.numbers import pack, unpack
from rpg.stores.search.tables import postings
from rpg.system.compression import join_bytes, split_bytes

LISTS = st.lists(st.integers(0, 800) | st.integers(0, 200_000), unique=True, max_size=300).map(sorted)


@given(LISTS)
def test_a_list_comes_out_as_it_went_in(numbers: list[int]) -> None:
    assert unpack(pack(array("I", numbers))).tolist() == numbers


@given(st.lists(LISTS, min_size=1, max_size=5))
def test_postings_in_bulk_are_those_of_one_term_at_a_time(lists: list[list[int]]) -> None:
    terms = [term for term, numbers in enumerate(lists) for _ in numbers]
    numbers = [number for each in lists for number in each]
    levels = [number % 256 for number in numbers]
    blobs = build._blobs(
        numpy.array(terms, numpy.uint32), numpy.array(numbers, numpy.uint32), numpy.array(levels, numpy.uint8),
        len(lists),
    )  # fmt: skip
    for blob, expected in zip(blobs, lists, strict=True):
        assert blob == pack(array("I", expected)) + bytes(number % 256 for number in expected)
        found, level = postings(blob)
        assert (found.tolist(), list(level)) == (expected, [number % 256 for number in expected])


@pytest.mark.parametrize(
    ("numbers", "size"), [(range(100), 1 + 4 + 100), ([70_000], 1 + 4), ([7, 60_000], 1 + 4), ([], 0)]
)
def test_a_list_takes_the_least_room(numbers: list[int], size: int) -> None:
    assert len(pack(array("I", numbers))) == size


@given(st.lists(st.integers(0, (1 << 32) - 1), max_size=50))
def test_numbers_that_were_split_by_bytes_are_joined_again(numbers: list[int]) -> None:
    packed = array("I", numbers).tobytes()

    assert join_bytes(split_bytes(packed, 4), 4) == packed
    assert join_bytes(memoryview(split_bytes(packed, 2)), 2) == packed


def test_high_bytes_stand_together() -> None:
    assert split_bytes(bytes((1, 0, 0, 0, 2, 0, 0, 0)), 4) == bytes((1, 2, 0, 0, 0, 0, 0, 0))


@pytest.mark.parametrize("hash", ["0123456789abcdef", "ffffffffffffffff", "8000000000000000", "0000000000000000"])
def test_a_hash_is_read_as_it_was_written(hash: str) -> None:
    number = parse_hash(hash)

    assert apsw.Connection(":memory:").execute("SELECT format('%016x', ?)", (number,)).get == hash


@pytest.mark.parametrize(
    "hash", ["", "abc", "0123456789ABCDEF", "0x23456789abcdef", "+123456789abcdef", "0123_456789abcde"]
)
def test_a_hash_that_is_written_otherwise_is_no_number(hash: str) -> None:
    assert parse_hash(hash) is None
