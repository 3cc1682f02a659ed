"""A variable of the environment or a key is asked for by its name: where it is set, and who reads it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import rpg
from rpg.encoder.options import Options
from rpg.queries.inventories.settings import describe_setting
from rpg.repository import encode, index_path
from rpg.stores.index.index import Index

FIXTURES = Path(__file__).parents[3] / "fixtures"
UNNAMED = "1 place reads a variable by a name that is put together"
"""What may read any of them."""


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("settings")
    shutil.copytree(FIXTURES / "python" / "contracts_settings", folder / "repo")
    encode(folder / "repo", folder / "a.graph.json", Options())
    return folder / "a.graph.json"


@pytest.fixture(scope="module")
def index(graph: Path) -> Iterator[Index]:
    found = Index.open_read_only(index_path(graph))
    yield found
    found.close()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "CART_SIZE",
            "CART_SIZE is set at docker-compose.yml:5 (services.cart); read at cart/main.py:17; read at "
            f"mail/send.py:25, where none of these is known to be meant; {UNNAMED}",
        ),
        (
            "REPORT_DAY",
            "REPORT_DAY is set at chart/templates/job.yaml:12; read at mail/send.py:25, where it is not sure which of "
            f"these is meant; {UNNAMED}",
        ),
        ("UNSET", "UNSET is set by nothing that is read here; read at cart/main.py:24"),
        ("MAIL_QUEUE", f"MAIL_QUEUE is set at mail/Dockerfile:4; read by nothing whose names are constant; {UNNAMED}"),
        ("serve", ""),
        ("Mail:Host", ""),
    ],
)  # fmt: skip
def test_a_variable_is_told_with_both_sides(index: Index, name: str, expected: str) -> None:
    assert describe_setting(index, name) == expected


def test_usages_of_a_variable_begin_with_who_sets_it(graph: Path) -> None:
    with rpg.open(graph) as opened:
        found = opened.find_usages(symbol=["MAIL_LIMIT"])

    said = f"MAIL_LIMIT is set at deploy/mail.yaml:6 (ConfigMap.shared); read at mail/send.py:21; {UNNAMED}"
    assert found.note == said
    assert [each.site.rpartition(":")[0] for each in found.texts[0].places] == [
        "mail/send.py:20",
        "mail/send.py:21",
        "deploy/mail.yaml:6",
    ]


def test_contracts_lead_from_what_reads_to_what_sets(graph: Path) -> None:
    with rpg.open(graph) as opened:
        found = opened.explore(start=["cart/main.py::serve"], edges=["contracts"])

    assert "services.cart" in str(found)


def test_a_field_of_graphql_is_told_with_both_sides(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / "typescript" / "contracts_graphql", tmp_path / "repo")
    encode(tmp_path / "repo", tmp_path / "a.graph.json", Options())
    opened = Index.open_read_only(index_path(tmp_path / "a.graph.json"))
    try:
        said = describe_setting(opened, "Query.user")
    finally:
        opened.close()

    assert said == (
        "Query.user is declared at schema.graphql:3 (Query.user); resolved at resolvers.ts:7 (resolvers.Query.user); "
        "named at client.ts:12, resolvers.ts:7"
    )


@pytest.mark.parametrize(
    ("case", "name", "expected"),
    [
        ("ruby", "users.edit.mail",
         "users.edit.mail is set at config/locales/en.yml:5; read at app/views/users/edit.html.erb:4; "
         "1 place names a translation by a key that is put together"),
        ("ruby", "users:sync",
         "users:sync is set at lib/tasks/users.rake:2; read at deploy.sh:4, lib/tasks/users.rake:8"),
        ("typescript", "nested.title",
         "nested.title is set at public/locales/en/common.json:7; read at src/page.tsx:8; "
         "1 place names a translation by a key that is put together"),
        ("php", "photos:clean",
         "photos:clean is set at app/Console/CleanPhotos.php:7 (CleanPhotos); read at app/Console/Kernel.php:10"),
        ("php", "shop.missing", ""),
    ],
)  # fmt: skip
def test_a_translation_or_a_command_is_told_with_both_sides(
    tmp_path: Path, case: str, name: str, expected: str
) -> None:
    shutil.copytree(FIXTURES / case / "contracts_texts", tmp_path / "repo")
    encode(tmp_path / "repo", tmp_path / "a.graph.json", Options())
    opened = Index.open_read_only(index_path(tmp_path / "a.graph.json"))
    try:
        said = describe_setting(opened, name)
    finally:
        opened.close()

    assert said == expected
