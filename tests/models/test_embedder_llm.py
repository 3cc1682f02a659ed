"""A user's embedding model, the real llama.cpp with one that the tests write: encode, search, and what happens where
the model is not there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from rpg.models.gguf_embedder import GgufEmbedder
from rpg.tools import TOOLS
from rpg.tools.calling.call import Call
from rpg.tools.loaded.graphs import Graphs
from rpg.tools.loaded.settings import Settings
from tests.tiny_models import tiny_bert

pytestmark = pytest.mark.llm

SOURCES = {
    "shop/cart.py": "class Cart:\n    def total(self):\n        '''What all of it costs.'''\n        return 3\n",
    "shop/orders.py": "from shop.cart import Cart\n\n\ndef checkout(cart: Cart):\n    return cart.total()\n",
    "tests/test_cart.py": "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total() == 3\n",
}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("RPG_EMBEDDER", raising=False)
    root = tmp_path / "shop"
    for path, text in SOURCES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_bert(tmp_path_factory.mktemp("models") / "tiny.gguf")


@pytest.fixture
def ask(tmp_path: Path, repository: Path) -> Callable[..., dict[str, object]]:
    """A tool's structured answer, in a server with a model or without."""
    graph = tmp_path / "shop.graph.json"

    def ask(tool: str, embedder: Path | None = None, **arguments: object) -> dict[str, object]:
        if tool == "encode":
            arguments = {"repository": str(repository), "output": str(graph), **arguments}
        graphs = Graphs(
            [] if tool == "encode" else [graph], Settings(embedder=str(embedder) if embedder else None, anywhere=True)
        )
        try:
            answer: dict[str, object] = orjson.loads(orjson.dumps(TOOLS[tool].run(Call(graphs), arguments)))
            return answer
        finally:
            graphs.close()

    return ask


def test_the_graph_records_the_model_and_search_uses_its_vectors(
    ask: Callable[..., dict[str, object]], model: Path, tmp_path: Path
) -> None:
    encoded = ask("encode", model)
    header = orjson.loads((tmp_path / "shop.graph.json").read_bytes())["graph"]
    found = ask("search", model, query="what does everything in it cost")

    assert encoded["embedded"] == 4  # one class, three functions
    assert header["options"]["embedder"] == GgufEmbedder(model).name
    assert found["note"] == ""
    assert ask("stats", model)["repositories"][0]["embedder"] == f"{GgufEmbedder(model).name}, 4 of 4 symbols"  # type: ignore[index]


def test_what_did_not_change_is_not_embedded_again(
    ask: Callable[..., dict[str, object]], model: Path, repository: Path
) -> None:
    ask("encode", model)
    assert ask("encode", model)["embedded"] == 0
    assert ask("encode", model, full=True)["embedded"] == 0

    (repository / "shop/orders.py").write_text(SOURCES["shop/orders.py"].replace("return", "return 2 *"))
    assert ask("encode", model)["embedded"] == 1


def test_a_server_without_the_model_answers_and_says_so(
    ask: Callable[..., dict[str, object]], model: Path, tmp_path: Path
) -> None:
    ask("encode", model)
    name = GgufEmbedder(model).name
    other = tiny_bert(tmp_path / "other.gguf", seed=2)

    without = ask("search", query="what does everything in it cost")
    with_another = ask("search", other, query="what does everything in it cost")
    broken = ask("search", tmp_path / "none.gguf", query="what does everything in it cost")

    assert [without["hits"], with_another["hits"]] == [broken["hits"]] * 2
    assert f"vectors of the model {name} are not used: start with --embedder" in str(without["note"])
    assert f"the model here is {GgufEmbedder(other).name}" in str(with_another["note"])
    assert "cannot be read" in str(broken["note"])
    explained = ask("query_code", question="How is what everything costs found?")
    assert f"vectors of the model {name} are not used" in str(explained["note"])
    assert ask("stats")["repositories"][0]["embedder"].startswith(f"{name}, not used")  # type: ignore[index]


def test_a_text_is_nearest_to_itself(model: Path) -> None:
    embedder = GgufEmbedder(model)
    try:
        texts = ["def total(self): return 3", "class Basket", "how is the price found"]
        vectors = embedder.vectors(texts)
        assert embedder.vectors(texts[:1]) == vectors[:1]
        assert len(set(vectors)) == len(texts)
    finally:
        embedder.close()
