"""Configuration leads to the code that it runs and names, whatever language that is in, and hides nothing that it
names without an edge."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from accounts import lines_left
from repositories import repository

import rpg

FILES: dict[str, str | bytes] = {
    "shop/__init__.py": "",
    "shop/cli.py": "def open_shop():\n    pass\n\n\ndef close_shop():\n    pass\n\n\ndef count_stock():\n    pass\n",
    "sh/deploy.sh": "deploy() {\n  echo deployed\n}\n",
    "conf/nginx.conf": "listen 80;\n",
    "pyproject.toml": (
        '[project.scripts]\nshop = "shop.cli:open_shop"\n[tool.other]\nloader = "shop.cli.count_stock"\n'
    ),
    ".github/workflows/ci.yml": (
        "jobs:\n  publish:\n    steps:\n      - run: sh/deploy.sh --all\n      - run: make build\n"
    ),
    "Makefile": "build:\n\tcp conf/nginx.conf out\n",
    "Dockerfile": "FROM nginx AS front\nCOPY conf/nginx.conf /etc/nginx/\n",
    "values.yaml": "replicas: 2\n",
}


@pytest.fixture(scope="module")
def graph_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("configuration")
    rpg.encode(str(repository(place / "shop", FILES)), output=str(place / "shop.graph.json"))
    return place / "shop.graph.json"


@pytest.fixture(scope="module")
def shop(graph_file: Path) -> Iterator[Any]:
    with rpg.open(graph_file) as graph:
        yield graph


def uses(shop: Any, symbol: str) -> list[str]:
    (found,) = shop.find_usages(symbol=symbol).symbols
    return [f"{group.path}:{each.site} {each.source}" for group in found.certain for each in group.usages]


def test_the_workflow_that_runs_a_script_uses_it(shop: Any) -> None:
    assert uses(shop, "sh/deploy.sh") == [".github/workflows/ci.yml:4:14 jobs.publish"]


def test_a_file_that_no_parser_reads_is_used_by_what_copies_it(shop: Any) -> None:
    assert uses(shop, "conf/nginx.conf") == ["Dockerfile:2:6 front", "Makefile:2:5 build"]


def test_a_target_is_used_by_the_job_that_makes_it(shop: Any) -> None:
    assert uses(shop, "Makefile::build") == [".github/workflows/ci.yml:5:19 jobs.publish"]


@pytest.mark.invariant(
    "edges",
    "edges from configuration to code are certain; other names in configuration are reported, and names "
    "that configuration defines are not names of code",
)
def test_an_entry_point_is_a_use_and_makes_its_function_used(shop: Any) -> None:
    used, unused = (shop.find_usages(symbol=name).symbols[0] for name in ("open_shop", "close_shop"))

    assert uses(shop, "open_shop") == ["pyproject.toml:2:18 project.scripts.shop"]
    assert (used.complete, lines_left(used), used.reason) == (True, [], "")
    assert unused.reason.startswith("unused")


@pytest.mark.invariant(
    "edges",
    "edges from configuration to code are certain; other names in configuration are reported, and names "
    "that configuration defines are not names of code",
)
def test_a_name_in_configuration_that_is_not_an_edge_is_still_told(shop: Any) -> None:
    (found,) = shop.find_usages(symbol="count_stock").symbols

    assert (found.complete, lines_left(found)) == (False, ["pyproject.toml:4"])


def test_names_in_configuration_come_behind_code(shop: Any) -> None:
    found = shop.search(query="build shop")

    paths = [hit.path for hit in found.hits]
    assert paths[0] == "shop/cli.py"
    assert paths.index("shop/__init__.py") < min(paths.index(each) for each in paths if not each.startswith("shop/"))
    assert shop.search(query="Makefile::build").hits[0].path == "Makefile"


def test_what_is_of_no_known_kind_stays_text(graph_file: Path) -> None:
    header = json.loads(graph_file.read_text())["graph"]

    assert header["not_parsed"] == {".conf": 1, ".yaml": 1}
