"""No secret of a repository is in what is made of it; what only looks like one stays readable."""

from __future__ import annotations

import json
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st
from repositories import write

from rpg.encoder.masking import mask
from rpg.encoder.options import Options
from rpg.repository import encode, index_path
from rpg.system.compression import decompress

# Put together here, so that no scanner of secrets stumbles over this file.
TOKEN = "ghp_" + "a1B2c3D4e5" * 4
ACCESS = "AKIA" + "Q7W2E9R4T1Y6U3I8"
RANDOM = "k6QaiQmcTm2zf" + "aNns5L1Z8duBtJmhDOW8JawlCC3"
KEY = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwgg==\n-----END PRIVATE KEY-----\n"


@pytest.mark.parametrize(
    ("source", "secret"),
    [
        (f'TOKEN = "{TOKEN}"', TOKEN[4:]),
        (f"aws configure set aws_access_key_id {ACCESS}", ACCESS[4:]),
        (f'API_KEY = "{RANDOM}"', RANDOM),
        (f"config['api-key'] = '{RANDOM}'", RANDOM),
        (f'{{"client_secret": "{RANDOM}"}}', RANDOM),
        (f"const accessKey: string = `{RANDOM}`", RANDOM),
        (f'connect(password="{RANDOM}")', RANDOM),
        ("postgres://shop:zu7-Tq!92x@db.internal/shop", "zu7-Tq!92x"),
    ],
)
def test_a_secret_is_replaced_by_as_many_stars(source: str, secret: str) -> None:
    masked = mask(source.encode()).decode()

    assert masked == source.replace(secret, "*" * len(secret))


@pytest.mark.parametrize("path", [".env", "deploy/.env.production", "shop.env"])
def test_what_a_telling_name_is_given_in_a_dotenv_file_is_masked_whatever_it_looks_like(path: str) -> None:
    written = b"DB_PASSWORD=correct-horse\nexport API_TOKEN='my secret'\nPORT=8080\nCACHE_KEY=${REDIS_KEY}\n"

    masked = b"DB_PASSWORD=*************\nexport API_TOKEN='*********'\nPORT=8080\nCACHE_KEY=${REDIS_KEY}\n"
    assert mask(written, path) == masked


def test_a_private_key_is_hidden_between_its_marks() -> None:
    assert mask(KEY.encode()) == (
        b"-----BEGIN PRIVATE KEY-----\n" + b"*" * 32 + b"\n" + b"*" * 8 + b"\n-----END PRIVATE KEY-----\n"
    )
    # Put together in code: the code stays.
    in_code = KEY.replace("\n", '\\n" +\n    f("')
    assert mask(in_code.encode()).decode() == in_code.replace("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "*" * 32)


@pytest.mark.parametrize(
    "source",
    [
        "password = getpass.getpass()",
        'token_name = "csrf-token-2-of-the-form"',
        'SECRET_KEY = "your-secret-key-goes-here-1"',
        'PASSWORD_RESET_TOKEN = "auth.tokens.PasswordResetTokenGenerator2"',
        'key = "k6QaiQmcTm2zfaNns5L1Z8duBtJmh"',
        'sha = "192b9bdd22ab9ed4d12e236c78afcb9a393ec15f"',
        "http://user:password@example.org/",
        "http://localhost:8000/@shop",
        'head = "-----BEGIN PRIVATE KEY-----"\nif key.startswith(head):\n    end = "-----END PRIVATE KEY-----"\n',
        '<div class="sk-fading-circle sk-circle-12-of-the-animation">',
        "AKIAQ = 1",
    ],
)
def test_what_only_looks_like_a_secret_stays(source: str) -> None:
    assert mask(source.encode()) == source.encode()


@given(st.lists(st.sampled_from([TOKEN, KEY, RANDOM, 'password="', '"', "\r\n", "é", "://a:", "@b", "-----END "])))
def test_lines_and_columns_stay_and_nothing_is_masked_twice(parts: list[str]) -> None:
    source = "".join(parts).encode()
    masked = mask(source)

    assert [len(line) for line in masked.decode().split("\n")] == [len(line) for line in source.decode().split("\n")]
    assert mask(masked) == masked


def test_no_secret_is_in_the_graph_or_the_index(tmp_path: Path) -> None:
    root = write(tmp_path / "shop", {
        "till.py": f'"""The till uses {TOKEN} for now."""\nAPI_KEY = "{RANDOM}"\n\n\n'
        f'def pay(password="{RANDOM}"):\n    """Pays with {ACCESS}."""\n    return API_KEY\n',
        "notes.md": f"# Notes\n\nUse `{TOKEN}`.\n",
    })  # fmt: skip
    graph = tmp_path / "shop.graph.json"
    encode(root, graph, Options())

    kept = contents(graph)
    assert "def pay(password=" in kept
    assert [secret for secret in (TOKEN, RANDOM, ACCESS) if secret[4:] in kept] == []

    encode(root, graph, Options(mask_secrets=False))
    assert [secret for secret in (TOKEN, RANDOM, ACCESS) if secret[4:] in contents(graph)] == [TOKEN, RANDOM, ACCESS]


def contents(graph: Path) -> str:
    """All text of a graph file and its index."""
    connection = apsw.Connection(str(index_path(graph)), flags=apsw.SQLITE_OPEN_READONLY)
    sources = [decompress(row[0]) for row in connection.execute("SELECT source FROM files")]
    connection.close()
    whole = [*sources, graph.read_bytes(), index_path(graph).read_bytes()]
    assert json.loads(graph.read_bytes())["nodes"]
    return b"\n".join(whole).decode("utf-8", "replace")


def test_the_key_behind_a_text_that_is_called_password_is_kept() -> None:
    text = b'{\n "label.password": "Password",\n "form.user.label.username": "Username"\n}\n'

    assert mask(text, "en.json") == text
    assert b"hunter2x9Q" not in mask(b'get("DB_PASSWORD",\n    "hunter2x9Q")\n', "a.py")
