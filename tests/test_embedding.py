"""The built-in embedding as search uses it: sums in whole numbers that mean what arithmetic on fractions would."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest

from rpg import words
from rpg.errors import ModelUnavailable
from rpg.models import embedding_table
from rpg.models.embedding import LARGEST_IN_CODE, LENGTH, Near, Row, StaticTable, built_in, spread
from rpg.models.embedding_table import read_built_in, read_table, write_table

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


def summed(table: StaticTable, weights: dict[str, int]) -> list[float]:
    """The vector of code, in fractions, of length 1."""
    total = [0.0] * table.dimensions
    for term, weight in weights.items():
        known = table.known[term]
        for i, number in enumerate(numbers(known.numbers)):
            total[i] += weight * known.in_code * number
    length = math.hypot(*total)
    return [each / length for each in total]


def test_a_sum_of_rows_is_the_vector_that_fractions_would_give(table: StaticTable) -> None:
    weights = {"term1": 3, "term2": 1, "term30": 7}
    rows = dict(zip(weights, table.rows(list(weights)), strict=True))
    vector = table.vector(sum(rows[term] * weight for term, weight in weights.items()))

    assert numbers(vector) == pytest.approx([LENGTH * each for each in summed(table, weights)], abs=1.0)


@pytest.mark.parametrize("times", [1, 10, 100, 1_000])
def test_all_vectors_have_one_length_however_much_was_summed(table: StaticTable, times: int) -> None:
    vector = numbers(table.vector(times * sum(table.rows(["term1", "term2", "term30"]))))

    assert math.hypot(*vector) == pytest.approx(LENGTH, rel=0.01)


def test_lanes_do_not_run_over_into_one_another() -> None:
    """The largest sum that the index makes: three bags of 500 terms, each counted 27 times, none against another."""
    signs = [1 if i % 2 else -1 for i in range(DIMENSIONS)]
    table = StaticTable("large", DIMENSIONS, {"x": row([127 * sign for sign in signs], LARGEST_IN_CODE)})
    vector = numbers(table.vector(3 * 500 * 27 * table.rows(["x"])[0]))

    assert vector == [round(LENGTH / math.sqrt(DIMENSIONS)) * sign for sign in signs]


def test_what_the_table_does_not_know_has_no_vector(table: StaticTable) -> None:
    assert table.rows(["unheard"]) == [0]
    assert table.vector(0) == b""
    assert table.query([("unheard", 1)]) == b""
    assert table.query([("unheard", 1), ("term3", 1)]) == table.query([("term3", 1)]) != b""


def test_a_term_counts_in_questions_by_a_weight_of_its_own() -> None:
    axes = {"a": [100] + [0] * 127, "b": [0, 100] + [0] * 126}
    table = StaticTable("axes", DIMENSIONS, {"a": row(axes["a"], 10, 300), "b": row(axes["b"], 10, 100)})
    question = numbers(table.query([("a", 1), ("b", 1)]))
    code = numbers(table.vector(sum(table.rows(["a", "b"]))))

    assert question[0] == pytest.approx(3 * question[1], abs=3)
    assert code[0] == code[1]


def test_mean_and_covariance_are_those_of_the_vectors() -> None:
    dice = random.Random(2)
    vectors = [bytes(dice.randint(0, 255) for _ in range(8)) for _ in range(40)]
    mean, covariance = spread(iter(vectors))
    columns = [[each / LENGTH for each in column] for column in zip(*map(numbers, vectors), strict=True)]
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
    assert spread([]) == ([], [])


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
        (lambda whole: whole[:-1], "cut short"),
        (lambda whole: b"rpg-table-1\n" + whole[12:], "no table of this version"),
        (lambda whole: b"", "no table of this version"),
    ],
)
def test_a_damaged_table_is_refused(damage: object, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.bin"
    write_table(path, "one", DIMENSIONS, {"cart": random_row(random.Random(4))})
    path.write_bytes(damage(path.read_bytes()))  # type: ignore[operator]
    monkeypatch.setattr(embedding_table, "TABLE", path)

    with pytest.raises(ModelUnavailable, match=f"{says}.*install rpg again"):
        read_built_in()


def test_the_table_that_is_shipped_is_small_and_its_weights_stay_in_their_lanes() -> None:
    table = built_in()
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
    table = built_in()
    asked = table.query((term, 1) for term in words.text_terms(question) if words.is_word(term))

    assert cosine(asked, code(table, better)) > cosine(asked, code(table, worse))


def code(table: StaticTable, name: str) -> bytes:
    return table.vector(sum(table.rows(words.text_terms(name))))


def cosine(a: bytes, b: bytes) -> float:
    x, y = numbers(a), numbers(b)
    return sum(p * q for p, q in zip(x, y, strict=True)) / (math.hypot(*x) * math.hypot(*y))
