"""The list of routes has those of frameworks that are read for contracts alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rpg.encoder.options import Options
from rpg.queries.graph.filters import Filter
from rpg.queries.inventories.lists import inventory
from rpg.repository import encode, index_path
from rpg.stores.index.index import Index

FIXTURES = Path(__file__).parents[3] / "fixtures"


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (
            "csharp/contracts_http",
            ["GET /api/users/{id:int} Users.cs::Users.Show", "GET /health ", "POST /api/users/ Users.cs::Users.Create"],
        ),
        (
            "rust/contracts_http",
            [
                "GET /users/ src/main.rs::list",
                "GET /users/:id src/main.rs::show",
                "POST /users/ src/main.rs::create",
            ],
        ),
        (
            "typescript/contracts_by_path",
            [
                "ANY /api/health pages/api/health.ts::handler",
                "ANY /api/wrapped pages/api/wrapped.ts::handler",
                "DELETE /api/users/[id] app/api/users/[id]/route.ts::DELETE",
                "GET /api/users/[id] app/api/users/[id]/route.ts::GET",
                "GET /cart/@[user] src/routes/cart/@[user]/+page.server.ts::load",
                "POST /api/carts ",
                "POST /cart/@[user] src/routes/cart/@[user]/+page.server.ts::actions",
            ],
        ),
    ],
)
def test_routes_of_each_framework_are_listed(tmp_path: Path, case: str, expected: list[str]) -> None:
    shutil.copytree(FIXTURES / case, tmp_path / "repo")
    encode(tmp_path / "repo", tmp_path / "a.graph.json", Options())
    index = Index.open_read_only(index_path(tmp_path / "a.graph.json"))
    try:
        found = inventory(index, "routes", "", Filter())
        assert sorted(f"{each.kind} {each.name} {each.handler}" for each in found) == expected
    finally:
        index.close()
