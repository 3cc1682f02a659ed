"""`rpg review`: what it says of a change, in each format, and what it exits with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from repositories import ENVIRONMENT, commit, git, repository, write

from rpg.cli import run
from rpg.queries.check.verdict import Broken
from rpg.queries.review.machine_formats import junit, sarif
from rpg.queries.review.markdown import MOST_BYTES, markdown, plain
from rpg.queries.review.review import ChangedFile, Review

FILES: dict[str, str | bytes] = {
    "shop/prices.py": """\
def add(price, count):
    return price * count


def taxed(price):
    return price


def alone():
    return 1
""",
    "shop/orders.py": """\
from shop.prices import add, taxed


def order(items):
    return [add(each, 1) for each in items]


def bill(items):
    return order(items) + [taxed(1)]
""",
    "shop/more.py": "import os\n\n\ndef more():\n    return os\n",
    "shop/moved.py": "def moves(a, b):\n    first = a + b\n    second = a * b\n    return first, second, a, b\n",
    "tests/test_orders.py": "from shop.orders import bill\n\n\ndef test_bill():\n    assert bill([])\n",
    "README.md": "# Shop\n",
}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """On a branch that breaks a call, changes a body, moves a file and touches imports and a text."""
    folder = repository(tmp_path / "shop", FILES)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("RPG_GRAPH", raising=False)
    git(folder, "checkout", "-q", "-b", "topic")
    edited = str(FILES["shop/prices.py"]).replace("(price, count)", "(price, count, tax)")
    edited = edited.replace("    return price\n", "    return price * 2\n").replace("return 1", "return 2")
    git(folder, "mv", "shop/moved.py", "shop/elsewhere.py")
    write(folder, {"shop/prices.py": edited, "shop/more.py": "import os  # here\n\n\ndef more():\n    return os\n",
                   "README.md": "# The shop\n"})  # fmt: skip
    commit(folder)
    assert run(["encode"]) == 0
    return folder


def reviewed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    capsys.readouterr()
    code = run(["review", *arguments])
    return code, capsys.readouterr().out


def test_a_review_says_what_is_broken_at_risk_and_untested(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = reviewed(capsys, "main..HEAD")

    assert code == 1
    assert [line for line in text.splitlines() if line] == [
        "## Review of `main..HEAD`",
        "**1 place broken**; 2 changed symbols that others use; 1 changed symbol that no test reaches; 1 test to run.",
        "### Broken",
        "- `shop/orders.py:5` `add` needs `tax`",
        "### At risk",
        "- `shop/prices.py::add` has another signature; 1 use, 1 more within 3 steps: `shop/orders.py:5 order`",
        "- `shop/prices.py::taxed` has another body; 1 use: `shop/orders.py:9 bill`",
        "### No test reaches",
        "- `shop/prices.py::alone`",
        "### Tests to run",
        "- `tests/test_orders.py`: `test_bill`",
        "### Changed",
        "- `shop/elsewhere.py` renamed, was `shop/moved.py`, 1 symbol",
        "- `shop/prices.py` modified, 3 symbols",
        "- 1 file of code with other imports, comments or layout alone",
        "- `README.md` modified",
    ]


def test_the_work_tree_and_a_common_ancestor_are_reviewed_alike(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(*arguments: str) -> list[str]:
        found = json.loads(reviewed(capsys, *arguments, "--format", "json")[1])
        return [f"{each['path']}:{each['line']}" for each in found["broken"]]

    git(shop, "checkout", "-q", "main")
    write(shop, {"shop/late.py": "x = 1\n"})
    commit(shop)
    git(shop, "checkout", "-q", "topic")
    assert broken("main~1..HEAD") == broken("main~1") == broken("main...HEAD") == ["shop/orders.py:5"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], 1),
        (["--fail-on", "possible"], 1),
        (["--fail-on", "never"], 0),
        (["--fail-on", "untested"], 1),
    ],
)
def test_the_exit_code_is_what_was_asked_for(
    arguments: list[str], code: int, shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reviewed(capsys, "main..HEAD", *arguments)[0] == code


def test_a_change_that_breaks_nothing_passes(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(shop, {"shop/prices.py": (shop / "shop/prices.py").read_text().replace("return 2", "return 3")})

    code, text = reviewed(capsys, "HEAD")
    assert code == 0
    assert "nothing broken" in text
    assert reviewed(capsys, "HEAD", "--fail-on", "untested")[0] == 1
    assert ElementTree.fromstring(reviewed(capsys, "HEAD", "--format", "junit")[1])[0].get("failures") == "0"


def test_a_revision_that_is_not_there_is_refused(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert reviewed(capsys, "nowhere..HEAD")[0] == 2


HOSTILE = Review(
    base="main",
    broken=[
        Broken(path="a <b>`.py", line=3, certain=True, kind="gone", message="`x` is\x1b[31m <gone>", hint="@all"),
        Broken(path="b.py", line=0, certain=False, kind="misfit", message="`y` may need `z`"),
    ],
    untested=["c.py::f"],
)  # fmt: skip


def test_sarif_has_what_its_schema_requires() -> None:
    found = sarif(HOSTILE)

    assert found["version"] == "2.1.0"
    [sarif_run] = found["runs"]
    driver = sarif_run["tool"]["driver"]
    rules = {rule["id"] for rule in driver["rules"]}
    assert [each["level"] for each in sarif_run["results"]] == ["error", "warning", "note"]
    for each in sarif_run["results"]:
        assert each["ruleId"] in rules
        assert "\x1b" not in each["message"]["text"]
        [place] = each["locations"]
        physical = place["physicalLocation"]
        assert physical["region"]["startLine"] >= 1
        assert " " not in physical["artifactLocation"]["uri"]
        assert all(isinstance(value, str) for value in each["partialFingerprints"].values())


def test_junit_has_a_case_for_each_broken_place() -> None:
    root = ElementTree.fromstring(junit(HOSTILE))

    [suite] = root
    cases = suite.findall("testcase")
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("2", "1", "1")
    assert [[child.tag for child in case] for case in cases] == [["failure"], ["skipped"]]
    assert cases[0].get("classname") == "a <b>`.py"


def test_what_a_repository_says_mentions_nobody_and_closes_no_tag() -> None:
    assert plain("`x` is *gone* <b> @all") == "`x` is \\*gone\\* \\<b\\> @\u200ball"
    text = markdown(HOSTILE)
    assert "\x1b" not in text
    assert "`a <b>'.py:3`" in text


def test_a_large_review_stays_within_its_limit() -> None:
    files = [ChangedFile(path="x" * 400 + f"{n}.py", status="added", kind="code", symbols=1) for n in range(400)]
    broken = [Broken(path="y" * 300, line=n, certain=True, kind="gone", message="z" * 200) for n in range(400)]

    assert len(markdown(Review(base="main", files=files, broken=broken)).encode()) <= MOST_BYTES + 100


def test_a_page_of_html_has_no_tag_of_the_repository(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (shop / "shop/<img src=x>.py").write_text("from shop.prices import nothing\n")

    text = reviewed(capsys, "main", "--format", "html")[1]
    assert "<img" not in text
    assert "<code>shop/orders.py:5</code>" in text  # where no scripts run
    assert 'id="data"' in text


SCRIPT = Path(__file__).parents[2] / ".github" / "actions" / "review" / "review.sh"


@pytest.mark.skipif(sys.platform == "win32", reason="the action's steps are for bash")
def test_the_steps_of_the_action_run_in_a_shallow_clone(shop: Path, tmp_path: Path) -> None:
    base = git(shop, "rev-parse", "main")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth=1", "--branch=topic", shop.as_uri(), str(clone))
    assert git(clone, "rev-list", "--count", "HEAD") == "1"
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "rpg").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rpg "$@"\n')
    (programs / "rpg").chmod(0o755)
    reports = tmp_path / "reports"
    environment = ENVIRONMENT | {
        "PATH": f"{programs}{os.pathsep}{ENVIRONMENT['PATH']}", "PYTHONPATH": str(SCRIPT.parents[3]), "BASE": base,
        "FAIL_ON": "certain", "REPORTS": str(reports), "RPG_DATA": str(tmp_path / "ci"),
        "GITHUB_OUTPUT": str(tmp_path / "output"), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
    }  # fmt: skip

    done = subprocess.run(["bash", str(SCRIPT)], cwd=clone, env=environment, capture_output=True, text=True)

    assert done.returncode == 1, done.stderr
    assert "`shop/orders.py:5` `add` needs `tax`" in done.stdout
    assert (tmp_path / "summary").read_text() == (reports / "review.md").read_text() == done.stdout
    outputs = dict(line.split("=", 1) for line in (tmp_path / "output").read_text().splitlines())
    assert set(outputs) == {"markdown", "sarif", "junit"}
    assert json.loads(Path(outputs["sarif"]).read_text())["runs"][0]["results"][0]["ruleId"] == "misfit"
    assert ElementTree.parse(outputs["junit"]).getroot()[0].get("failures") == "1"
