"""The built-in embedding as search uses it: sums in whole numbers that mean what arithmetic on fractions would."""

from __future__ import annotations

import math
import random
from collections import Counter
from pathlib import Path

import numpy
import pytest
from vectors import of_code

from rpg.errors import ModelUnavailable
from rpg.models import embedding_table
from rpg.models.embedding import LARGEST_IN_CODE, LENGTH, Near, Row, StaticTable
from rpg.models.embedding_table import load_built_in, read_built_in, read_table, write_table
from rpg.stores.search.vectors import Sample, Vectors
from rpg.text import words
from rpg.text.term_frequencies import NAME

DIMENSIONS = 128
LARGEST_FILE = 1_500_000


def row(numbers: list[int], in_code: int = 10, in_questions: int = 20) -> Row:
    return Row(bytes(number & 255 for number in numbers), in_code, in_questions, 1.0, ())


def random_row(dice: random.Random) -> Row:
    numbers = [dice.randint(-127, 127) for _ in range(DIMENSIONS)]
    return row(numbers, dice.randint(1, LARGEST_IN_CODE), dice.randint(1, 8_000))


@pytest.fixture
def table() -> StaticTable:
    dice = random.Random(1)
    return StaticTable("of chance", DIMENSIONS, {f"term{i}": random_row(dice) for i in range(50)})


def numbers(vector: bytes) -> list[int]:
    return memoryview(vector).cast("b").tolist()


def summed(table: StaticTable, weights: dict[str, float]) -> list[float]:
    """The vector of code, in fractions, of length 1."""
    total = [0.0] * table.dimensions
    for term, weight in weights.items():
        known = table.known[term]
        for i, number in enumerate(numbers(known.numbers)):
            total[i] += weight * known.in_code * number
    length = math.hypot(*total)
    return [each / length for each in total]


def of_names(table: StaticTable, segments: list[dict[str, int]]) -> list[bytes]:
    """Vectors of segments, given by term how often it stands in their names, which count 3."""
    vectors = Vectors(table)
    stands = [(i, vectors.rows.get(term, -1), n) for i, counts in enumerate(segments) for term, n in counts.items()]
    segment, row, count = numpy.array(stands).T
    sums = vectors.nothing(len(segments))
    vectors.add(sums, segment, row, vectors.tenths(numpy.full(len(stands), NAME), count))
    return vectors.build_vectors(sums)


def test_a_sum_of_rows_is_the_vector_that_fractions_would_give(table: StaticTable) -> None:
    segments = [{"term1": 3, "term2": 1, "term30": 7}, {"term4": 1, "unheard": 5}, {"term1": 1, "term2": 1}]
    for vector, counts in zip(of_names(table, segments), segments, strict=True):
        weights = {term: math.log1p(3 * (1 + math.log(n))) for term, n in counts.items() if term in table.known}

        assert numbers(vector) == pytest.approx([LENGTH * each for each in summed(table, weights)], abs=3.0)


@pytest.mark.parametrize("times", [1, 10, 1_000, 1_000_000])
def test_all_vectors_have_one_length_however_often_their_terms_stand(table: StaticTable, times: int) -> None:
    (vector,) = of_names(table, [{"term1": times, "term2": times, "term30": times}])

    assert math.hypot(*numbers(vector)) == pytest.approx(LENGTH, rel=0.01)


def test_the_largest_sum_does_not_run_over() -> None:
    """A thousand terms, each counted as often as it can be, all in one direction."""
    signs = [1 if i % 2 else -1 for i in range(DIMENSIONS)]
    largest = row([127 * sign for sign in signs], LARGEST_IN_CODE)
    table = StaticTable("large", DIMENSIONS, {f"x{i}": largest for i in range(1_000)})
    (vector,) = of_names(table, [dict.fromkeys(table.known, 60000)])

    assert numbers(vector) == [round(LENGTH / math.sqrt(DIMENSIONS)) * sign for sign in signs]


def test_what_the_table_does_not_know_has_no_vector(table: StaticTable) -> None:
    assert of_names(table, [{"unheard": 1}, {"term3": 1}])[0] == b""
    assert table.query([("unheard", 1)]) == b""
    assert table.query([("unheard", 1), ("term3", 1)]) == table.query([("term3", 1)]) != b""


def test_a_term_counts_in_questions_by_a_weight_of_its_own() -> None:
    axes = {"a": [100] + [0] * 127, "b": [0, 100] + [0] * 126}
    table = StaticTable("axes", DIMENSIONS, {"a": row(axes["a"], 10, 300), "b": row(axes["b"], 10, 100)})
    question = numbers(table.query([("a", 1), ("b", 1)]))
    code = numbers(of_names(table, [{"a": 1, "b": 1}])[0])

    assert question[0] == pytest.approx(3 * question[1], abs=3)
    assert code[0] == code[1]


def test_mean_and_covariance_are_those_of_the_vectors() -> None:
    dice = random.Random(2)
    vectors = [bytes(dice.randint(0, 255) for _ in range(8)) for _ in range(40)]
    gone, rest = Sample.of(vectors[:7], 8), Sample.of([*vectors[:7], *vectors[7:30]], 8)
    kept = rest.but_for(gone, Sample.of(vectors[30:], 8))
    mean, covariance = Sample.unpacked(kept.packed()).spread()
    columns = [[each / LENGTH for each in column] for column in zip(*map(numbers, vectors[7:]), strict=True)]
    means = [sum(column) / len(column) for column in columns]
    expected = [
        [
            sum((x - p) * (y - q) for x, y in zip(a, b, strict=True)) / len(a)
            for b, q in zip(columns, means, strict=True)
        ]
        for a, p in zip(columns, means, strict=True)
    ]

    assert mean == pytest.approx(means)
    for known, wanted in zip(covariance, expected, strict=True):
        assert known == pytest.approx(wanted)
    assert not Sample.of([], 8).spread()[0].any()


def test_a_table_reads_as_it_was_written(tmp_path: Path) -> None:
    dice = random.Random(3)
    rows = {term: random_row(dice) for term in ("cart", "basket", "order")}
    rows["cart"] = rows["cart"]._replace(telling=1.5, near=(Near("basket", 0.8), Near("order", 0.2)))
    write_table(tmp_path / "table.bin", "three", DIMENSIONS, rows)
    table = read_table(tmp_path / "table.bin")

    assert (table.name, table.dimensions, list(table.known)) == ("three", DIMENSIONS, ["basket", "cart", "order"])
    assert table.known["order"] == rows["order"]
    assert (table.known["cart"].telling, table.known["cart"].numbers) == (1.5, rows["cart"].numbers)
    assert [near.term for near in table.known["cart"].near] == ["basket", "order"]
    assert [near.likeness for near in table.known["cart"].near] == pytest.approx([0.8, 0.2], abs=0.01)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda whole: whole[:-1], "truncated"),
        (lambda whole: b"rpg-table-1\n" + whole[12:], "not a table of this version"),
        (lambda whole: b"", "not a table of this version"),
    ],
)
def test_a_damaged_table_is_refused(damage: object, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.bin"
    write_table(path, "one", DIMENSIONS, {"cart": random_row(random.Random(4))})
    path.write_bytes(damage(path.read_bytes()))  # type: ignore[operator]
    monkeypatch.setattr(embedding_table, "TABLE", path)

    with pytest.raises(ModelUnavailable, match=f"{says}.*install rpg again"):
        read_built_in()


def test_the_table_that_is_shipped_is_small_and_its_weights_stay_in_bounds() -> None:
    table = load_built_in()
    rows = table.known.values()

    assert embedding_table.TABLE.stat().st_size < LARGEST_FILE
    assert table.dimensions == DIMENSIONS
    assert max(row.in_code for row in rows) <= LARGEST_IN_CODE
    assert all(near.term in table.known for row in rows for near in row.near)


@pytest.mark.parametrize(
    ("question", "better", "worse"),
    [
        ("erase a file from the disk", "unlink_path", "open_path"),
        ("turn text into bytes", "encode_string", "parse_header"),
        ("wait until the thread has finished", "join_worker", "spawn_worker"),
    ],
)
def test_the_table_that_is_shipped_knows_what_programmers_mean(question: str, better: str, worse: str) -> None:
    table = load_built_in()
    asked = table.query((term, 1) for term in words.text_terms(question) if words.is_word(term))

    assert cosine(asked, of_code(table, Counter(words.text_terms(better)))) > cosine(
        asked, of_code(table, Counter(words.text_terms(worse)))
    )


def cosine(a: bytes, b: bytes) -> float:
    x, y = numbers(a), numbers(b)
    return sum(p * q for p, q in zip(x, y, strict=True)) / (math.hypot(*x) * math.hypot(*y))
