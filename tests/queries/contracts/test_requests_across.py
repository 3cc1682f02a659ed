"""Requests from one repository to the routes of another: certain only where the host says which."""

from __future__ import annotations

from pathlib import Path

import pytest
from repositories import repository

import rpg
from rpg.tools import TOOLS

SERVER: dict[str, str | bytes] = {
    "package.json": '{"name": "@shop/users-api", "version": "1.0.0"}\n',
    "app.ts": (
        'import express from "express";\nexport function show() {}\nexport function remove() {}\n'
        'const app = express();\napp.get("/api/users/:id", show);\napp.delete("/api/users/:id", remove);\n'
    ),
}
CLIENT: dict[str, str | bytes] = {
    "client.ts": (
        "export const named = (id: string) => fetch(`http://users:3000/api/users/${id}`);\n"
        "export const other = (id: string) => fetch(`http://orders:3000/api/users/${id}`);\n"
        "export const unknown = (id: string) => fetch(`${process.env.BASE}/api/users/${id}`);\n"
        "export const own = (id: string) => fetch(`/api/users/${id}`);\n"
        "export const set = (id: string) => fetch(`${process.env.USERS_URL}/api/users/${id}`);\n"
        'export const gone = (id: string) => fetch(`/api/users/${id}`, { method: "DELETE" });\n'
        "export const away = (id: string) => fetch(`https://api.example.com/api/users/${id}`);\n"
    ),
    "docker-compose.yml": ("services:\n  web:\n    build: .\n    environment:\n      USERS_URL: http://users:3000\n"),
}


@pytest.fixture
def graphs(tmp_path: Path) -> list[Path]:
    made = []
    for name, files in (("backend", SERVER), ("frontend", CLIENT)):
        made.append(tmp_path / f"{name}.graph.json")
        rpg.encode(repository(tmp_path / name, files), output=str(made[-1]))
    return made


def uses(graphs: list[Path], symbol: str) -> tuple[set[str], set[str]]:
    """The functions of the other repository that use it certainly and possibly."""
    with rpg.open(*graphs) as opened:
        _, one = opened.find_usages(symbol=[symbol]).graphs
    every = [use for each in one.uses for use in each.uses]
    assert all(use.through == "request" and use.kind == "calls" and use.text for use in every)
    return {use.source for use in every if use.certain}, {use.source for use in every if not use.certain}


def test_a_request_of_another_repository_is_a_use_of_the_route(graphs: list[Path]) -> None:
    assert uses(graphs, "GET /api/users/{id}") == ({"named", "set"}, {"unknown", "own"})


def test_a_request_of_another_method_is_none(graphs: list[Path]) -> None:
    assert uses(graphs, "app.ts::remove") == (set(), {"gone"})


def test_the_text_says_what_says_so(graphs: list[Path]) -> None:
    with rpg.open(*graphs) as opened:
        text = TOOLS["find_usages"].text(opened.find_usages(symbol=["GET /api/users/{id}"], graph="all"))
        alone = TOOLS["find_usages"].text(opened.find_usages(symbol=["GET /api/users/{id}"], graph="backend"))

    assert "== graph frontend\nuses of app.ts::show of graph backend: 4 uses\n" in text
    assert "-- via request: sent to users, which is called so\nclient.ts\n" in text
    assert "-- possible via request: its base is not known\n" in text
    assert "-- possible via request: its host does not say which service it is\n" in text
    assert "frontend" not in alone


def test_what_no_list_can_have_is_counted(tmp_path: Path) -> None:
    """A use of an address that nothing says before the program runs may be one of any route."""
    files = {**SERVER, "away.ts": "export function go(url: string[]) { const at = url[0]; return fetch(at); }\n"}
    graph = tmp_path / "graph.json"
    rpg.encode(repository(tmp_path / "repo", files), output=str(graph))
    with rpg.open(graph) as opened:
        text = TOOLS["find_usages"].text(opened.find_usages(symbol=["GET /api/users/{id}"]))
        listed = TOOLS["stats"].text(opened.stats(of="routes"))

    said = "1 request is sent to an address that is not known before the program runs, and in no list: away.ts:1"
    assert f"GET /api/users/{{id}} is handled by app.ts::show; {said}\n" in text
    assert f"\n{said}\n" in listed
