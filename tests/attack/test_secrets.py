"""Every kind of secret through a real encode: none is in graph, index or an answer, but for those that are listed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import anyio
import apsw
import pytest
from mcp import Client

import rpg
from attack.inputs.secrets_kinds import KINDS, Sample
from rpg.encoder.masking import issued
from rpg.errors import RpgError
from rpg.python import OpenGraph
from rpg.repository import index_path
from rpg.server.resources import read
from rpg.system.compression import decompress
from rpg.text.term_frequencies import HEAD_BYTES
from rpg.tools.calling.call import Call

KNOWN: frozenset[str] = frozenset()
"""Kinds that reach graph, index or answers with the seed below. At most three may."""
MOST = 3
SEED = "shop"

SAMPLES: dict[str, Sample] = {each.name: each.make(Random(SEED + each.name)) for each in KINDS}


def test_there_are_at_least_seventy_one_kinds_each_in_a_file_of_its_own() -> None:
    assert len(KINDS) >= 71
    assert len(SAMPLES) == len(KINDS)
    assert len({each.path for each in SAMPLES.values()}) == len(KINDS)
    assert all(secret in each.text for each in SAMPLES.values() for secret in each.secrets)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root: Path = tmp_path_factory.mktemp("secrets") / "shop"
    for each in SAMPLES.values():
        path = root / each.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(each.text)
    return root


@pytest.fixture(scope="module")
def graph(root: Path) -> Path:
    place = root.parent / "shop.graph.json"
    rpg.encode(root, output=str(place), workers=1)
    return place


@pytest.fixture(scope="module")
def opened(graph: Path) -> Iterator[OpenGraph]:
    with rpg.open(graph) as opened:
        yield opened


def seen_in(text: str) -> set[str]:
    """Kinds of which more than the first third of a secret is in the text."""
    return {
        name for name, each in SAMPLES.items() if any(secret[len(secret) // 3 :] in text for secret in each.secrets)
    }


@pytest.mark.invariant("trust", "no secret of a repository is in a graph, an index or an answer")
def test_no_secret_is_in_graph_or_index(graph: Path) -> None:
    connection = apsw.Connection(str(index_path(graph)), flags=apsw.SQLITE_OPEN_READONLY)
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    kept = [graph.read_bytes(), index_path(graph).read_bytes()]
    for table in tables:
        try:
            rows = list(connection.execute(f'SELECT * FROM "{table}"'))
        except apsw.SQLError:  # a virtual table of an extension that is not loaded
            continue
        kept += [plain(value) for row in rows for value in row if isinstance(value, bytes | str)]
    connection.close()

    assert json.loads(graph.read_bytes())["nodes"]
    text = b"\n".join(kept).decode("utf-8", "replace")
    assert "DB_PASSWORD=" in text  # sources were unpacked
    assert seen_in(text) == KNOWN


def plain(value: bytes | str) -> bytes:
    if isinstance(value, str):
        return value.encode("utf-8", "replace")
    for start in (0, HEAD_BYTES):  # term counts have a head that is not compressed
        try:
            return decompress(value[start:])
        except Exception:  # noqa: BLE001  not every value is compressed
            continue
    return value


@pytest.mark.invariant("trust", "no secret of a repository is in a graph, an index or an answer")
def test_no_secret_is_in_an_answer(opened: OpenGraph) -> None:
    told = []
    paths = [each.path for each in SAMPLES.values()]
    for at in range(0, len(paths), 25):
        told.append(str(opened.fetch(targets=paths[at : at + 25], max_tokens=20_000)))
    for question in ("password", "secret token", "where is the database opened", "private key", "connect", "DSN"):
        told.append(str(opened.search(query=question, limit=100, excerpts=True, max_tokens=20_000)))
        told.append(str(opened.query_code(question=question, max_tokens=20_000)))
    call = Call(opened._graphs)
    for path in paths:
        told.append(read(call, f"code://shop/{path}").text)

    text = "\n".join(told)
    assert "DB_PASSWORD" in text
    assert seen_in(text) == KNOWN


def test_at_most_three_kinds_are_not_found() -> None:
    assert len(KNOWN) <= MOST


@pytest.fixture(scope="module")
def ignoring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository without git, whose rules of what is ignored are in force all the same."""
    root: Path = tmp_path_factory.mktemp("ignoring") / "shop"
    for path, text in {
        ".gitignore": ".env\n/local/\n",
        "deploy/.env": f"DB_PASSWORD={SAMPLES['.env, unquoted'].secrets[0]}\n",
        "local/notes.txt": "mine\n",
        "node_modules/a/.npmrc": "registry=x\n",
        "left/out.py": "X = 1\n",
        "till.py": "def pay():\n    pass\n",
        "data/large.txt": f"password: {SAMPLES['INI settings'].secrets[0]}\n" + "x\n" * (1 << 20),
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    rpg.encode(root, output=str(root.parent / "shop.graph.json"), exclude=["left/"], workers=1)
    return root.parent / "shop.graph.json"


IGNORED = ("deploy/.env", "local/notes.txt", "node_modules/a/.npmrc", "left/out.py")


@pytest.mark.invariant("trust", "files that git ignores or an option excludes are served only if the user asks for it")
@pytest.mark.parametrize("path", IGNORED)
def test_an_ignored_file_is_not_served(ignoring: Path, path: str) -> None:
    with rpg.open(ignoring) as opened:
        with pytest.raises(RpgError) as of_fetch:
            opened.fetch(targets=[path])
        with pytest.raises(RpgError) as of_resource:
            read(Call(opened._graphs), f"code://shop/{path}")

    assert (of_fetch.value.code, of_resource.value.code) == ("FORBIDDEN", "FORBIDDEN")
    assert "--ignored" in of_fetch.value.message


def test_who_asks_for_ignored_files_gets_them_masked(ignoring: Path) -> None:
    with rpg.open(ignoring, ignored=True) as opened:
        told = {path: str(opened.fetch(targets=[path])) for path in IGNORED}

    assert "DB_PASSWORD=****" in told["deploy/.env"]
    assert "mine" in told["local/notes.txt"]


def test_a_file_that_is_only_too_large_for_the_graph_is_served_masked(ignoring: Path) -> None:
    with rpg.open(ignoring) as opened:
        told = str(opened.fetch(targets=["data/large.txt"]))

    assert "password: ****" in told


@pytest.mark.invariant("trust", "a repository cannot switch masking off")
def test_a_repository_cannot_switch_masking_off(tmp_path: Path) -> None:
    sample = SAMPLES["Python, double quotes"]
    root = tmp_path / "shop"
    root.mkdir()
    (root / "rpg.toml").write_text("mask_secrets = false\n")
    (root / "a.py").write_text(sample.text)
    place = tmp_path / "shop.graph.json"

    rpg.encode(root, output=str(place), workers=1)
    assert sample.secrets[0] not in place.read_text()

    rpg.encode(root, output=str(place), workers=1, mask_secrets=False)
    assert sample.secrets[0] in place.read_text()
    with rpg.open(place) as opened:  # masked on the way out
        assert sample.secrets[0] not in str(opened.fetch(targets=["PASSWORD"]))
    with rpg.open(place, mask_secrets=False) as opened:
        assert sample.secrets[0] in str(opened.fetch(targets=["PASSWORD"]))


@pytest.mark.parametrize("structured", [False, True], ids=["text alone", "records too"])
def test_both_forms_of_an_answer_are_masked(tmp_path: Path, structured: bool) -> None:
    """What a server sends of a graph that was made without masking: the text, and the records where they are asked
    for."""
    secret = SAMPLES["Python, double quotes"].secrets[0]
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "a.py").write_text(
        f'PASSWORD = "{secret}"\n\n\ndef connect(password="{secret}"):\n    """password = "{secret}" """\n'
        "    return PASSWORD\n"
    )
    place = tmp_path / "shop.graph.json"
    rpg.encode(tmp_path / "shop", output=str(place), workers=1, mask_secrets=False)
    assert secret in place.read_text()
    calls = {
        "fetch": {"targets": ["a.py", "connect"], "relations": True},
        "explore": {"start": ["a.py"]},
        "find_usages": {"symbol": "PASSWORD"},
        "search": {"query": "connect", "excerpts": True},
        "query_code": {"question": "how is the password used to connect?"},
    }

    async def asked() -> dict[str, str]:
        async with Client(rpg.build_server(place, structured=structured)) as client:
            answers = {tool: await client.call_tool(tool, arguments) for tool, arguments in calls.items()}
        assert all(bool(answer.structured_content) == structured for answer in answers.values())
        return {
            tool: answer.content[0].text + json.dumps(answer.structured_content) for tool, answer in answers.items()
        }

    told = anyio.run(asked)

    assert "def connect" in told["fetch"]
    assert "****" in told["fetch"]
    assert [tool for tool, text in told.items() if secret[len(secret) // 3 :] in text] == []


HOSTILE = (
    b"password=", b"PASSWORD=Aa1!bcdefgh\n", b"sig=", b"'password','", b"api_key = ", b"://a:", b"a:bcdefg1@tcp(",
    b"-----BEGIN PRIVATE KEY-----\nAAAAAAAAAAAAAAAAAAAAA\n", b"-----BEGIN PRIVATE KEY-----", b"authorization: basic ",
    b"curl -u ", b"mysql -p", b"kind: secret\ndata:\n a: b\n", b"a:5432:b:c:dddd\n", b"a:$apr1$bbbbbbbbb\n",
    b"eyJabcdefghij1klmnopqrst.", b"a1b2c3d4e5f6a1b2c3d4e5f6.", b"a1b2c3d4e5f6a1b2c3d4e5f6/",
    b"xoxb-1-",
    b"token a1b2c3d4e5f6a1b2c3d4e5f6 ", b"twitter = a1b2c3d4e5f6a1b2c3d4e5f67 ",
    b"hooks.slack.com/a1b2c3d4e5f6a1b2c3d ",
    b"--password ", b"passwd><", b"login password ", b"pscale_tkn_1aaaaaaaaaaaaa.", b"a1b2c3d4e5f6g7.atlasv1.aaaaaaaa",
    b"\\na1b2c3d4e5f6a1b2c3d4e5f6", b"a1", b"a",
)  # fmt: skip


def test_no_text_makes_masking_explode() -> None:
    """An expression that goes back over what it has read would take hours here."""
    program = "import sys; from rpg.encoder.masking import mask; mask(sys.stdin.buffer.read())"
    for at in range(0, len(HOSTILE), 10):
        text = b"\n".join(part * ((1 << 14) // len(part)) for part in HOSTILE[at : at + 10])
        subprocess.run([sys.executable, "-P", "-c", program], input=text, check=True, timeout=120)


ROW = re.compile(r"^\| (\w+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def test_the_table_of_security_says_every_family_and_its_kinds() -> None:
    section = (Path(__file__).parents[2] / "SECURITY.md").read_text().partition("## Secrets")[2].partition("\n## ")[0]
    rows = {family: int(count) for family, count, _ in ROW.findall(section) if count.strip().isdigit()}
    told = {each.family: 0 for each in KINDS}
    for each in KINDS:
        told[each.family] += 1

    assert rows == told
    rules = json.loads((Path(rpg.__file__).parent / "encoder/masking/rules.json").read_text())
    of_list = len(rules["issued"]) + len(rules["named"]) + len(rules["otherwise"])
    assert f"{of_list} rules of gitleaks" in " ".join(section.split())
    assert all(name in section for name in KNOWN)


def test_each_rule_of_the_list_finds_what_begins_as_it_says() -> None:
    rules = issued.table()
    for start, found in rules.by_start.items():
        assert 2 <= len(start) <= 4, start
        for rule in found:
            assert rule.end(b"?", 0) == -1, rule.name  # compiles
    for named in rules.named:
        assert named.keywords, named.names
        assert not named.is_before(b"?", 0, 1)
        assert named.rule.end(b"?", 0) == -1
