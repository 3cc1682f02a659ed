"""Training of the built-in embedding, on trees small enough to be read here."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest
from training.__main__ import main
from training.learning import code_weights
from training.pairs import Pair, pairs
from training.sentences import first_sentence
from vectors import of_code

from rpg.encoder.options import DEFAULT
from rpg.models.embedding import StaticTable
from rpg.models.embedding_table import load_built_in, read_table
from rpg.repository.encoding.encode import encode
from rpg.repository.locations import index_path
from rpg.stores.index.index import Index
from rpg.text import words

MEANINGS = {
    "basket": "cart",
    "purchase": "order",
    "refund": "repay",
    "courier": "shipping",
    "voucher": "discount",
    "warehouse": "stock",
}
"""In Python comments say the first and code the second, in Go the other way round: never do both stand together."""
VERBS = ("load", "store", "remove", "print", "check", "count", "copy", "move")


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two trees in two languages, in which code and comments have different words for the same things."""
    python, go = (tmp_path_factory.mktemp("sources") / name for name in ("shop-1", "depot-2"))
    for said, name in MEANINGS.items():
        functions = [
            f'def {verb}_{name}(x):\n    """{verb.capitalize()} the {said} that was given."""\n    return {verb}(x)\n'
            for verb in VERBS
        ]
        (python / "shop").mkdir(parents=True, exist_ok=True)
        (python / "shop" / f"{name}.py").write_text("\n\n".join(functions), "utf-8")
        functions = [
            f"// {verb.capitalize()}{said.capitalize()} will {verb} one {name}.\n"
            f"func {verb.capitalize()}{said.capitalize()}(x []int) int {{\n\treturn len(x)\n}}\n"
            for verb in VERBS
        ]
        (go / "depot").mkdir(parents=True, exist_ok=True)
        (go / "depot" / f"{said}.go").write_text("package depot\n\n" + "\n".join(functions), "utf-8")
    (python / "tests").mkdir()
    (python / "tests" / "test_cart.py").write_text('def test_it():\n    """Says zebra in a test."""\n', "utf-8")
    return [python, go]


@pytest.fixture(scope="module")
def table(trees: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "table.bin"
    assert main([*map(str, trees), "--output", str(path)]) == 0
    return path


def test_the_same_trees_give_the_same_bytes_in_whatever_order_they_are_named(
    trees: list[Path], table: Path, tmp_path: Path
) -> None:
    again, other = tmp_path / "again.bin", tmp_path / "other.bin"
    assert main([*map(str, reversed(trees)), "--output", str(again)]) == 0
    assert main([*map(str, trees), "--output", str(other), "--seed", "1"]) == 0

    assert again.read_bytes() == table.read_bytes()
    assert other.read_bytes() != table.read_bytes()
    assert read_table(other).name != read_table(table).name


@pytest.mark.parametrize("said", MEANINGS)
def test_a_word_finds_first_the_code_that_has_another_word_for_it(table: Path, said: str) -> None:
    known = read_table(table)
    question = known.query(Counter(words.text_terms(said)).items())
    codes = {name: in_code(known, name) for name in MEANINGS.values()}

    assert max(codes, key=lambda name: likeness(question, codes[name])) == MEANINGS[said]


@pytest.mark.parametrize("said", MEANINGS)
def test_words_that_stand_for_each_other_are_near(table: Path, said: str) -> None:
    [term], [other] = words.text_terms(said), words.text_terms(MEANINGS[said])

    assert other in [near.term for near in read_table(table).known[term].near]


def test_what_one_project_alone_calls_something_is_not_learned(trees: list[Path], table: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone-3"
    alone.mkdir()
    functions = [f'def {verb}_quokka():\n    """{verb.capitalize()} the quokka of a cart."""\n' for verb in VERBS]
    (alone / "zoo.py").write_text("\n\n".join(functions), "utf-8")
    path = tmp_path / "table.bin"
    assert main([*map(str, trees), str(alone), "--output", str(path)]) == 0

    assert read_table(path).known.keys() == read_table(table).known.keys()


def test_tests_teach_nothing(table: Path, trees: list[Path]) -> None:
    assert "zebra" not in {term for pair in pairs(trees[0]) for term in pair.sentence}
    assert "zebra" not in read_table(table).known


def in_code(table: StaticTable, text: str) -> bytes:
    return of_code(table, Counter(words.text_terms(text)))


def likeness(a: bytes, b: bytes) -> float:
    x, y = memoryview(a).cast("b").tolist(), memoryview(b).cast("b").tolist()
    return sum(p * q for p, q in zip(x, y, strict=True)) / (math.hypot(*x) * math.hypot(*y))


def test_code_is_weighed_as_the_index_weighs_it(trees: list[Path], tmp_path: Path) -> None:
    known = load_built_in()
    path = tmp_path / "shop.graph.json"
    encode(trees[0], path, DEFAULT, workers=1)
    index = Index.open_read_only(index_path(path))
    [(indexed,)] = index.rows(
        "SELECT u.vector FROM search_units u JOIN symbols s ON s.id = u.symbol WHERE s.symbol = ?",
        ("shop/cart.py::load_cart",),
    )
    index.close()
    pair = next(iter(pairs(trees[0])))
    trained = of_code(known, code_weights(pair.code))

    assert likeness(bytes(indexed), trained) > 0.999


def test_a_pair_is_the_first_sentence_and_the_code_without_it(trees: list[Path]) -> None:
    pair = next(pair for pair in pairs(trees[1]) if "cart" in pair.sentence)
    in_the_code = {term for level in pair.code for counts in level.values() for term in counts}

    assert isinstance(pair, Pair)
    assert (pair.source, pair.language) == ("depot-2", "go")
    assert "basket" in in_the_code
    assert "cart" not in in_the_code


@pytest.mark.parametrize(
    ("path", "source", "said"),
    [
        (
            "src/shop.rs",
            "/// Empties the basket.\n#[inline]\npub fn clear(cart: &mut Cart) { cart.lines = 0 }\n",
            "clear",
        ),
        ("src/shop.rs", "impl<T> Cart<T> {\n    /// Empties the basket.\n    fn clear(&self) {}\n}\n", "Cart.clear"),
        ("Shop.java", "class Cart {\n  /** Empties the basket. */\n  void clear() { lines = 0; }\n}\n", "Cart.clear"),
    ],
)
def test_languages_that_the_encoder_does_not_know_teach_as_well(
    tmp_path: Path, path: str, source: str, said: str
) -> None:
    file = tmp_path / path
    file.parent.mkdir(exist_ok=True)
    file.write_text(source, "utf-8")
    [pair] = pairs(tmp_path)
    names = {term for level in pair.code for counts in level.values() for term in counts}

    assert set(pair.sentence) == {"empti", "basket"}
    assert set(words.text_terms(said.replace(".", " "))) <= names
    assert "basket" not in names


@pytest.mark.parametrize(
    ("doc", "name", "sentence"),
    [
        ("Adds it to the cart. Then saves.", "", "Adds it to the cart."),
        ("Add puts it into the cart", "Add", "puts it into the cart"),
        ("Puts `it` into\nthe {@link Cart#lines cart}\n\nand more", "", "Puts it into the Cart#lines cart"),
        ("@param it what\n@returns nothing at all", "", ""),
        ("Parameters\n----------\nit : int\n    The one to add.", "", "it : int The one to add."),
        ("The name.", "", ""),
        ("See the other function for that.", "", ""),
        ("", "", ""),
    ],
)
def test_what_a_doc_comment_says_first(doc: str, name: str, sentence: str) -> None:
    assert first_sentence(doc, name) == sentence


def test_trees_without_a_documented_definition_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bare-1").mkdir()
    (tmp_path / "bare-1" / "shop.py").write_text("def add(x):\n    return x\n", "utf-8")

    assert main([str(tmp_path / "bare-1"), "--output", str(tmp_path / "table.bin")]) == 2
    assert "name more trees" in capsys.readouterr().err
    assert not (tmp_path / "table.bin").exists()


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "nowhere"), "--output", str(tmp_path / "table.bin")]) == 2
    assert "nowhere" in capsys.readouterr().err
