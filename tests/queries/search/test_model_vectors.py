"""Vectors of a user's model beside the index: what is embedded, when again, and what search makes of them.

The model is one of a few lines that keeps to the protocol; the real one is in test_embedder_llm.py.
"""

from __future__ import annotations

import shutil
import sqlite3
from array import array
from collections.abc import Callable
from pathlib import Path

import pytest
from shop import write_repository

from rpg.encoder.options import options_for
from rpg.errors import BadRequest, ModelUnavailable
from rpg.queries.search.hits import Wanted
from rpg.queries.search.search import search
from rpg.repository import Locked, embed, encode, forget, index_path, measure_embedded
from rpg.stores.index.index import Index
from rpg.stores.search.model_vectors import ModelVectors, key_of, vectors_path

SOUGHT = "where is it decided that nothing more can be had"


class Model:
    """Finds the text that has `word` like the question, and every other one unlike it."""

    name = "toy@1"

    def __init__(self, word: str = "cart cart total", fails_after: int = 10_000) -> None:
        self.word = word
        self.texts: list[str] = []
        self._left = fails_after

    def vectors(self, texts: list[str]) -> list[bytes]:
        if self._left < len(texts):
            raise ModelUnavailable("the model was taken away")
        self._left -= len(texts)
        self.texts += texts
        alike = [text.startswith(self.word) or text == SOUGHT for text in texts]
        return [bytes((100, 0, 0, 5)) if each else bytes((0, 100, 0, i % 90)) for i, each in enumerate(alike)]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return write_repository(tmp_path / "shop")


def encoded(root: Path, model: Model) -> Path:
    graph = root.parent / "shop.graph.json"
    encode(root, graph, options_for(root, {"embedder": model.name}), workers=1)
    return graph


def names(graph: Path, model: Model | None) -> tuple[list[str], str]:
    index = Index.open_read_only(index_path(graph))
    try:
        answer = search(index, Wanted(query=SOUGHT), model)
        return [hit.node.qualified_name for hit in answer.hits], answer.note
    finally:
        index.close()


def test_what_the_model_finds_like_the_question_is_found(shop: Path) -> None:
    model = Model()
    graph = encoded(shop, model)
    embed(index_path(graph), model)

    assert names(graph, model) == (["Cart.total", *names(graph, model)[0][1:]], "")


def test_who_interrupts_it_goes_on_from_there(shop: Path) -> None:
    (shop / "shop/many.py").write_text("".join(f"def number_{i}():\n    return {i}\n\n\n" for i in range(80)))
    graph = encoded(shop, Model())
    whole = Model()
    everything = embed(index_path(graph), whole)
    vectors_path(index_path(graph)).unlink()

    first, rest = Model(fails_after=everything - 1), Model()
    with pytest.raises(ModelUnavailable):
        embed(index_path(graph), first)
    kept = len(ModelVectors(index_path(graph), Model.name).known())

    assert kept == len(first.texts) > 0
    assert embed(index_path(graph), rest) == everything - kept
    assert not set(rest.texts) & set(first.texts)


@pytest.mark.invariant(
    "written texts and vectors",
    "a vector is made once for each text, in the background of a server, and used as soon as it is there",
)
def test_only_what_changed_is_embedded_again_and_what_went_is_forgotten(shop: Path) -> None:
    graph = encoded(shop, Model())
    embed(index_path(graph), Model())
    before = ModelVectors(index_path(graph), Model.name).known()
    file = shop / "shop/base.py"
    file.write_text(file.read_text() + "\n\ndef later():\n    return 1\n")
    encoded(shop, Model())

    again = Model()
    assert embed(index_path(graph), again) == 1
    assert again.texts == ["base later. def. return"]
    assert len(ModelVectors(index_path(graph), Model.name).known()) == len(before) + 1


def test_what_is_read_of_a_symbol_is_its_name_signature_doc_and_the_first_words_of_its_body(shop: Path) -> None:
    (shop / "shop/prices.py").write_text(
        "class PriceList:\n"
        "    def lowerBy(self, percent):\n"
        '        """Makes everything cheaper."""\n'
        "        for item in self.items:\n"
        "            item.amount -= item.amount * percent / 100\n"
    )
    graph, model = encoded(shop, Model()), Model()
    embed(index_path(graph), model)

    (read,) = (text for text in model.texts if "lower" in text.split(".")[0])
    assert read == "prices price list lower by. def self percent. Makes everything cheaper.. for item items amount"
    assert model.texts[model.texts.index(read) + 1] == "Makes everything cheaper."


def test_what_a_symbol_says_of_itself_is_half_of_its_vector(shop: Path) -> None:
    (shop / "shop/prices.py").write_text(
        f'def lower():\n    """{SOUGHT}. In words\n    that nobody asks for."""\n\n\ndef raise_them():\n    return 1\n'
    )
    graph, model = encoded(shop, Model()), Model()
    model.word = f"{SOUGHT}."
    embed(index_path(graph), model)
    index = Index.open_read_only(index_path(graph))
    try:
        keys = {name: key_of(*of) for name, *of in index.rows("SELECT name, path, qualified_name, hash FROM symbols")}
    finally:
        index.close()
    found = dict(ModelVectors(index_path(graph), Model.name).each())

    across, along, *_ = array("b", found[keys["lower"]])
    assert min(across, along) > 80
    assert array("b", found[keys["raise_them"]])[0] == 0


def test_short_texts_come_first_and_tests_last(shop: Path) -> None:
    lines = "".join(f"    price_{i} = {i}\n" for i in range(30))
    (shop / "shop/a.py").write_text(f"def long():\n{lines}\n\ndef short():\n    return 1\n")
    (shop / "tests").mkdir(exist_ok=True)
    (shop / "tests/test_a.py").write_text("def test_it():\n    pass\n")
    graph, model = encoded(shop, Model()), Model()
    embed(index_path(graph), model)

    first = [text.split(".")[0] for text in model.texts]
    assert first.index("a short") < first.index("a long") < first.index("test a test it")


def test_how_far_it_is_is_told_and_one_process_at_a_time_makes_them(shop: Path) -> None:
    graph = encoded(shop, Model())
    index = Index.open_read_only(index_path(graph))

    class Asking(Model):
        def vectors(self, texts: list[str]) -> list[bytes]:
            with pytest.raises(Locked):
                embed(index_path(graph), Model())
            return super().vectors(texts)

    try:
        before = measure_embedded(index, Model.name)
        embed(index_path(graph), Asking())
        after = measure_embedded(index, Model.name)
    finally:
        index.close()
    assert before.ready == 0
    assert after.ready == after.wanted == before.wanted > 5


def test_vectors_of_a_graph_that_changes_meanwhile_are_those_of_its_new_texts(shop: Path) -> None:
    graph = encoded(shop, Model())
    file = shop / "shop/base.py"

    class Editing(Model):
        def vectors(self, texts: list[str]) -> list[bytes]:
            if not self.texts:
                file.write_text("# moved\n\n\n" + file.read_text() + "\n\ndef later():\n    return 1\n")
                encoded(shop, Model())
            return super().vectors(texts)

    model = Editing()
    embed(index_path(graph), model)
    again = Model()
    embed(index_path(graph), again)

    assert "base later. def. return" in model.texts
    assert again.texts == []


def test_vectors_are_removed_with_the_graph_and_a_repository_names_no_model(shop: Path) -> None:
    graph = encoded(shop, Model())
    embed(index_path(graph), Model())
    assert vectors_path(index_path(graph)) in forget(graph)
    assert not vectors_path(index_path(graph)).exists()

    (shop / "rpg.toml").write_text('embedder = "toy@1"\n')
    with pytest.raises(BadRequest, match="unknown 'embedder'"):
        options_for(shop)


def another(shop: Path, monkeypatch: pytest.MonkeyPatch, vectors: Callable[[], None]) -> None:
    """Vectors of everything, made on another machine, which then come with the repository."""
    graph = shop.parent / "shop.graph.json"
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("RPG_DATA", str(shop.parent / "of another"))
        encoded(shop, Model("cart cart add"))
        embed(index_path(graph), Model("cart cart add"))
        vectors()
    checked_out(vectors_path(index_path(graph)))


def checked_out(path: Path) -> None:
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content)


def test_vectors_that_another_installation_made_are_not_read_and_are_made_again(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    another(shop, monkeypatch, lambda: None)
    model = Model()
    graph = encoded(shop, model)

    found, note = names(graph, model)
    assert found == names(graph, None)[0]
    assert "another installation or version of rpg made them; `rpg encode --embedder FILE` makes them again" in note

    assert embed(index_path(graph), model) == len(ModelVectors(index_path(graph), Model.name).known()) > 5
    assert names(graph, model) == (["Cart.total", *names(graph, model)[0][1:]], "")
    assert embed(index_path(graph), model) == 0


def test_vectors_that_were_given_away_and_given_back_are_not_read(shop: Path) -> None:
    graph = encoded(shop, Model())
    embed(index_path(graph), Model())
    checked_out(vectors_path(index_path(graph)))

    assert ModelVectors(index_path(graph), Model.name).known() == set()
    assert "another installation or version of rpg made them" in names(graph, Model())[1]
    assert embed(index_path(graph), Model()) > 5
    assert names(graph, Model())[1] == ""


@pytest.mark.parametrize("ending", ["-wal", "-journal"])
def test_a_log_that_came_with_vectors_is_not_played_back(shop: Path, ending: str) -> None:
    graph = encoded(shop, Model())
    embed(index_path(graph), Model())
    path = vectors_path(index_path(graph))
    copy = shop.parent / "copy.db"
    shutil.copy(path, copy)
    connection = sqlite3.connect(copy)
    connection.execute(f"PRAGMA journal_mode = {'WAL' if ending == '-wal' else 'PERSIST'}")
    connection.execute("UPDATE vectors SET vector = x'00640005'")
    connection.execute("PRAGMA cache_spill = 1")
    connection.commit()
    log = copy.with_name(copy.name + ending).read_bytes()
    connection.close()
    assert log
    path.with_name(path.name + ending).write_bytes(log)

    assert "another installation or version of rpg made them" in names(graph, Model())[1]
    assert embed(index_path(graph), Model()) > 5
    assert names(graph, Model()) == (["Cart.total", *names(graph, Model())[0][1:]], "")


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + bytes(100)])
def test_what_is_not_a_file_of_vectors_is_made_again(shop: Path, content: bytes) -> None:
    graph = encoded(shop, Model())
    vectors_path(index_path(graph)).write_bytes(content)

    assert names(graph, Model())[0] == names(graph, None)[0]
    assert embed(index_path(graph), Model()) > 5
    assert names(graph, Model())[1] == ""


def test_a_bit_that_turns_over_in_vectors_is_noticed(shop: Path) -> None:
    graph = encoded(shop, Model())
    embed(index_path(graph), Model())
    path = vectors_path(index_path(graph))
    before = ModelVectors(index_path(graph), Model.name).known()
    with path.open("r+b") as file:
        at = path.read_bytes().find(bytes((100, 0, 0, 5)))
        file.seek(at)
        file.write(bytes((0, 0, 0, 5)))

    assert "another installation" not in names(graph, Model())[1]
    assert list(ModelVectors(index_path(graph), Model.name).each()) == []
    assert before


def test_without_vectors_or_model_words_decide_and_the_note_says_so(shop: Path) -> None:
    graph = encoded(shop, Model())
    assert "there are none next to the index" in names(graph, Model())[1]
    assert "start with --embedder" in names(graph, None)[1]
    assert names(graph, Model())[0] == names(graph, None)[0]
