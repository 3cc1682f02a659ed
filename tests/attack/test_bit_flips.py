"""Bits of an index, its log and a graph file turn over: every answer is the clean one, or the damage is told."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import rpg
from rpg.encoder.options import Options
from rpg.errors import GraphNotLoaded
from rpg.queries.graph.budget import plain
from rpg.repository import encode, index_path
from rpg.repository.state import ALONE

MODULES = 24
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search", {"query": "the total of a cart with tax"}),
    ("search", {"query": "total", "mode": "symbol"}),
    ("fetch", {"targets": ["cart3.py::Cart3.total", "notes.md"], "relations": True}),
    ("find_usages", {"symbol": "cart2.py::tax2"}),
    ("explore", {"start": ["cart5.py::Cart5"], "depth": 3}),
    ("get_dependencies", {"target": "cart7.py", "external": True}),
    ("stats", {}),
]


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a repository, its graph and its index."""
    folder = tmp_path_factory.mktemp("clean")
    root = folder / "shop"
    root.mkdir()
    for number in range(MODULES):
        (root / f"cart{number}.py").write_text(
            f"import json\nfrom cart{(number + 1) % MODULES} import tax{(number + 1) % MODULES} as further\n\n\n"
            f'class Cart{number}:\n    """What was put in by customer {number}."""\n\n    def total(self):\n'
            f"        return tax{number}(further(json.loads('1')))\n\n\n"
            f"def tax{number}(amount):\n    return amount * {number} + unknown{number}\n"
        )
    (root / "notes.md").write_text("# Carts\n\nEvery `Cart3` has a total.\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RPG_DATA", str(folder / "data"))
        patch.chdir(folder)
        encode(root, folder / "shop.graph.json", Options())
        yield folder


def answers(folder: Path) -> list[Any]:
    """What a program that opens the graph gets; the message in place of an answer that there is none."""
    found: list[Any] = []
    with rpg.open(folder / "shop.graph.json") as graph:
        for name, arguments in CALLS:
            try:
                said = plain(getattr(graph, name)(**arguments))
            except GraphNotLoaded as error:
                said = error.message
            found.append(without_state(said))
    return found


def without_state(said: Any) -> Any:
    """The state may differ: it says that the index was made anew, and when. That sources are missing stays."""
    if isinstance(said, dict):
        state = ("state", "note", "refreshed", "when")
        kept = {key: without_state(value) for key, value in said.items() if key not in state}
        return kept | {"state": ALONE} if ALONE in str(said.get("state")) else kept
    return [without_state(each) for each in said] if isinstance(said, list) else said


def turned(path: Path, chance: random.Random, bits: int = 1) -> None:
    """In place, as a disk would: the file is the same one."""
    content = bytearray(path.read_bytes())
    for _ in range(bits):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    with open(path, "r+b") as file:
        file.write(content)


def restored(path: Path, content: bytes) -> None:
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    with open(path, "r+b") as file:
        file.write(content)
        file.truncate()


@pytest.mark.invariant(
    "trust",
    "a flipped bit in an index changes no answer: the index is rebuilt, and the next answer says so",
)
def test_bits_of_an_index_turn_over_and_no_answer_is_another(
    clean: Path, tmp_path: Path, whole_attack: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the page is damaged that names the folder of the sources, the graph file alone answers, and says so."""
    right = answers(clean)
    assert not any(isinstance(said, str) for said in right)
    monkeypatch.chdir(tmp_path)
    shutil.copy(clean / "shop.graph.json", tmp_path)
    alone = answers(tmp_path)
    assert all(ALONE in str(said) for said in alone)
    index = index_path(clean / "shop.graph.json")
    content, changed = index.read_bytes(), []
    for seed in range(400 if whole_attack else 12):
        turned(index, random.Random(seed))
        found = answers(clean)
        changed += [(seed, each) for each in zip(found, right, alone, strict=True) if each[0] not in each[1:]]
        restored(index, content)
    assert changed == []


def test_bits_of_a_graph_file_without_an_index_turn_over_and_that_is_told(
    clean: Path, tmp_path: Path, whole_attack: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    graph = tmp_path / "shop.graph.json"
    shutil.copy(clean / "shop.graph.json", graph)
    content, right = graph.read_bytes(), answers(tmp_path)
    assert not any(isinstance(said, str) for said in right)
    for seed in range(140 if whole_attack else 12):
        graph.write_bytes(content)
        turned(graph, random.Random(seed))
        with suppress(GraphNotLoaded):
            index_path(graph).unlink(missing_ok=True)
            for said, was in zip(answers(tmp_path), right, strict=True):
                assert said == was or isinstance(said, str), seed


EDITED = """
import os, sys
from pathlib import Path
from rpg.encoder.options import Options
from rpg.repository import encode, index_path
from rpg.repository.state import ALONE
from rpg.stores.index.index import Index

root, graph, text = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
with Index.open(index_path(graph)).snapshot() as before:
    before.meta("format")
    (root / "cart3.py").write_text(text)
    encode(root, graph, Options())
    os._exit(0)  # as if it was killed: the log stays
"""


def edited_and_killed(folder: Path, text: str) -> Path:
    """The log that is left behind by a process that has ended in the middle of reading, after an edit was encoded."""
    graph = folder / "shop.graph.json"
    subprocess.run([sys.executable, "-c", EDITED, folder / "shop", graph, text], check=True, timeout=120)
    log = index_path(graph).with_name(index_path(graph).name + "-wal")
    assert log.stat().st_size > 0
    return log


def test_bits_of_a_log_turn_over_and_no_answer_is_another(clean: Path, whole_attack: bool) -> None:
    place = clean / "shop" / "cart3.py"
    texts = [place.read_text(), place.read_text() + "\n\ndef added(cart):\n    return Cart3().total() + tax3(cart)\n"]
    right: list[Any] = []
    for text in texts:
        place.write_text(text)
        right.append(answers(clean))
    assert right[0] != right[1]
    changed = []
    for seed in range(60 if whole_attack else 6):
        log = edited_and_killed(clean, texts[seed % 2])
        turned(log, random.Random(seed), bits=1 + seed % 3)
        found = answers(clean)
        changed += [(seed, said, was) for said, was in zip(found, right[seed % 2], strict=True) if said != was]
    assert changed == []
    place.write_text(texts[0])
    assert answers(clean) == right[0]
