"""The map of services: what deployments and calls say of a repository of several programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from repositories import repository

import rpg
from rpg.queries.overview.folding import Picture
from rpg.tools import TOOLS

FILES: dict[str, str | bytes] = {
    "docker-compose.yml": (
        "services:\n  queue:\n    image: rabbitmq:4\n  books-service:\n    build: books-service\n    depends_on:\n"
        "      - queue\n  shop:\n    build: shop\n    environment:\n      BOOKS_URL: http://books-service:3000\n"
        "  mailer:\n    build: mailer\n    environment:\n      BOOKS_URL: http://books-service:3000\n"
    ),
    "books-service/package.json": '{"name": "books"}\n',
    "books-service/app.ts": (
        'import express from "express";\nexport function list() {}\nconst app = express();\napp.get("/books", list);\n'
    ),
    "shop/package.json": '{"name": "shop"}\n',
    "shop/client.ts": "export const load = () => fetch(`${process.env.BOOKS_URL}/books`);\n",
    "mailer/package.json": '{"name": "mailer"}\n',
    "mailer/main.ts": "export const nothing = 1;\n",
    "tools/package.json": '{"name": "tools"}\n',
}


def drawn(folder: Path, notation: str = "mermaid", compose: str = "docker-compose.yml") -> tuple[Picture | None, str]:
    graph = folder / "graph.json"
    files = {compose if path == "docker-compose.yml" else path: text for path, text in FILES.items()}
    rpg.encode(repository(folder / "repo", files), output=str(graph))
    with rpg.open(graph) as opened:
        found = opened.explore(edges=["services"], format=notation)
        return found.picture, TOOLS["explore"].text(found)


@pytest.mark.parametrize("compose", ["docker-compose.yml", "compose.prod.yaml", "dev-compose.yaml"])
def test_the_map_has_what_deployments_and_calls_say(tmp_path: Path, compose: str) -> None:
    picture, _ = drawn(tmp_path, compose=compose)
    assert picture is not None
    names = [each.label[0] for each in picture.nodes]
    links = {(names[each.source], names[each.target], *each.kinds) for each in picture.edges}
    assert sorted(names) == ["books-service", "mailer", "queue", "shop"]
    assert links == {
        ("shop", "books-service", "calls"), ("books-service", "queue", "depends on"),
        ("mailer", "books-service", "is told the address of"),
    }  # fmt: skip
    assert not any(each.possible for each in picture.edges)


@pytest.mark.parametrize(("notation", "line"), [("text", "  -> books-service  calls"), ("dot", "digraph {")])
def test_the_map_is_text_and_a_picture(tmp_path: Path, notation: str, line: str) -> None:
    assert line in drawn(tmp_path, notation)[1].splitlines()
