"""`check` names the requests that an edited route served before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from checking import Checked

SERVER = """from flask import Flask
from config import PART

app = Flask(__name__)


@app.route("/users/<int:user_id>")
def show(user_id):
    return {}


@app.route(PART + "/me", methods=["POST"])
def me():
    return {}
"""
CLIENT = """import requests


def load(number):
    return requests.get(f"http://localhost/users/{number}")


def change():
    return requests.post("http://localhost/users/me")
"""
FILES = {"server.py": SERVER, "config.py": 'PART = "/users"\n', "client.py": CLIENT}
LOADS = "client.py:5 contract: `GET /users/<int:user_id>` is served no more: it was server.py::show"
CHANGES = "client.py:9 contract: `POST /users/me` is served no more: it was server.py::me"


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    found = Checked(tmp_path_factory.mktemp("contracts"), FILES)
    yield found
    found.close()


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("server.py", "/users/<int:user_id>", "/people/<int:user_id>", [LOADS]),
        ("server.py", '["POST"]', '["PUT"]', [CHANGES]),
        ("server.py", '@app.route("/users/<int:user_id>")\n', "", [LOADS]),
        ("config.py", '"/users"', '"/people"', [CHANGES]),
        ("server.py", "def show(user_id)", "def shown(user_id)", []),
        ("server.py", "<int:user_id>", "<user_id>", []),
        ("server.py", "return {}", "return {1: 2}", []),
        ("client.py", "/users/me", "/users/you", []),
    ],
)
def test_requests_that_a_route_served_before_are_told(
    checked: Checked, path: str, old: str, new: str, expected: list[str]
) -> None:
    assert checked.broken(checked.changed(path, old, new)) == expected


def test_a_deleted_file_of_routes_names_all_that_are_sent_there(checked: Checked) -> None:
    assert {LOADS, CHANGES} <= set(checked.broken({"server.py": None}))


def test_a_route_that_another_handler_serves_now_is_not_broken(checked: Checked) -> None:
    edited = SERVER.replace('@app.route("/users/<int:user_id>")', "")
    edited += '\n\n@app.route("/users/<name>")\ndef by_name(name):\n    return {}\n'

    assert checked.broken({"server.py": edited}) == []
