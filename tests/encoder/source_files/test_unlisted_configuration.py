"""Configuration that no graph lists is in the next answer, wherever it comes to be, and asking costs no more where
there are many places for it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rpg.encoder.options import Options
from rpg.repository import Repository, encode
from rpg.repository.watch import inotify

FILES = {
    ".gitignore": "tsconfig.json\nkept\n/elsewhere/\n",
    "app/main.ts": 'import { one } from "@lib/one";\none();\n',
    "first/one.ts": "export function one() {}\n",
    "second/one.ts": "export function one() {}\n",
}
FIRST, SECOND = (f'{{"compilerOptions": {{"paths": {{"@lib/*": ["../{name}/*"]}}}}}}' for name in ("first", "second"))
ABOVE = SECOND.replace("../", "../../")


@pytest.fixture(params=["told", "looking", "looking seldom"], autouse=True)
def how(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param != "told":
        monkeypatch.setattr(inotify, "LOCAL", {})
        seconds = 0.0 if request.param == "looking" else 600.0
        monkeypatch.setattr("rpg.repository.watch.freshness.LISTING_SECONDS", seconds)
    return str(request.param)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture
def load(tmp_path: Path, root: Path) -> Iterator[Callable[[], Repository]]:
    opened: list[Repository] = []

    def load() -> Repository:
        graph = tmp_path / "shop.graph.json"
        encode(root, graph, Options())
        opened.append(Repository.open(graph))
        for _ in range(3):
            opened[-1].refresh()
        return opened[-1]

    yield load
    for repository in opened:
        repository.close()


def imported(repository: Repository) -> list[str]:
    with repository.view() as view:
        return [
            target
            for (target,) in view.index.rows(
                "SELECT t.path FROM edges JOIN symbols t ON t.id = target WHERE edges.kind = 'imports'"
            )
        ]


@pytest.mark.invariant(
    "freshness",
    "unlisted configuration affects the next answer wherever it appears, and the number of places where "
    "it may appear does not slow a query down",
)
def test_it_is_in_the_next_answer_wherever_it_comes_to_be(root: Path, load: Callable[[], Repository]) -> None:
    repository = load()
    assert imported(repository) == []
    own = root / "app" / "tsconfig.json"
    own.write_text(FIRST)
    assert imported(repository) == ["first/one.ts"]
    own.write_text(SECOND)
    assert imported(repository) == ["second/one.ts"]
    (root / "app" / "new").write_text(FIRST)
    (root / "app" / "new").replace(own)
    assert imported(repository) == ["first/one.ts"]
    own.unlink()
    assert imported(repository) == []
    own.write_text('{"extends": "../kept/deep/base.json"}')
    assert imported(repository) == []
    kept = root / "kept"
    (kept / "deep").mkdir(parents=True)
    assert imported(repository) == []
    (kept / "deep" / "base.json").write_text(ABOVE)
    assert imported(repository) == ["second/one.ts"]
    (kept / "deep" / "base.json").write_text(ABOVE.replace("second", "first"))
    assert imported(repository) == ["first/one.ts"]
    kept.rename(root / "elsewhere")
    assert imported(repository) == []
    kept.symlink_to("elsewhere")
    assert imported(repository) == ["first/one.ts"]
    (root / "elsewhere").rename(root / "kept too")
    assert imported(repository) == []
    (root / "elsewhere" / "deep").mkdir(parents=True)
    assert imported(repository) == []
    (root / "elsewhere" / "deep" / "base.json").write_text(ABOVE)
    assert imported(repository) == ["second/one.ts"]
    shutil.rmtree(root / "elsewhere")
    assert imported(repository) == []
    own.unlink()
    own.symlink_to("../elsewhere/tsconfig.json")
    assert imported(repository) == []
    (root / "elsewhere").mkdir()
    (root / "elsewhere" / "tsconfig.json").write_text(FIRST)
    assert imported(repository) == ["first/one.ts"]
    (root / "elsewhere" / "tsconfig.json").write_text(SECOND)
    assert imported(repository) == ["second/one.ts"]


@pytest.mark.invariant(
    "freshness",
    "unlisted configuration affects the next answer wherever it appears, and the number of places where "
    "it may appear does not slow a query down",
)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs notices of the kernel")
def test_a_question_asks_for_no_more_files_where_there_are_more_places(
    root: Path, load: Callable[[], Repository], how: str
) -> None:
    if how != "told":
        pytest.skip("without notices every folder is looked at")

    def asked(repository: Repository) -> int:
        count = 0

        def counted(frame: object, event: str, called: object) -> None:
            nonlocal count
            count += event == "c_call" and called in (os.stat, os.lstat, os.scandir)

        sys.setprofile(counted)
        try:
            repository.refresh()
        finally:
            sys.setprofile(None)
        return count

    few = asked(load())
    for number in range(100):
        folder = root / f"part{number}"
        folder.mkdir()
        (folder / "main.ts").write_text(FILES["app/main.ts"])
    assert asked(load()) == few
