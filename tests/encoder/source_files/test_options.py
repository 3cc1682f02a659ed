"""Options: from the repository, from the user, through the graph's header and back."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from repositories import write

from rpg.encoder.options import DEFAULT, Options, dump_options, options_for, parse_options
from rpg.errors import BadRequest


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert options_for(tmp_path) == DEFAULT == Options((), (), 1024 * 1024, (), False)


def test_a_repository_sets_options_in_either_file(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "[project]\nname = 'x'\n[tool.rpg]\nexclude = ['docs/']\nmax_bytes = 10\n"})
    assert options_for(tmp_path) == Options(exclude=("docs/",), max_bytes=10)
    write(tmp_path, {"rpg.toml": "\ufeffroots = ['src/', './lib', 'src', '.']\r\nvendored = true\r\n"})
    assert options_for(tmp_path) == Options(roots=("src", "lib", "."), vendored=True)


def test_what_is_given_wins_over_the_repository(tmp_path: Path) -> None:
    write(tmp_path, {"rpg.toml": "include = ['*.py']\nexclude = ['docs/']\nvendored = true\n"})
    given = {"include": None, "exclude": [], "vendored": False, "max_bytes": 7}
    assert options_for(tmp_path, given) == Options(include=("*.py",), exclude=(), vendored=False, max_bytes=7)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "inclde = []\nhook = 'x'",
            r"rpg.toml: unknown 'hook', 'inclde'; allowed: exclude, include, max_bytes, roots, vendored",
        ),
        ("include = 'src'", r"rpg.toml: include must be a list of strings"),
        ("include = [1]", "rpg.toml: include: 1 must be a string"),
        ("exclude = ['']", "rpg.toml: exclude: '' must be a string of one line"),
        ("exclude = ['!']", r"rpg.toml: exclude: '!' can match nothing"),
        ("exclude = ['# docs']", r"can match nothing; write it as in .gitignore"),
        ("max_bytes = 0", "max_bytes: 0 must be a whole number of bytes from 1 to 67108864"),
        ("max_bytes = true", "max_bytes: True must be a whole number"),
        ("max_bytes = '1MB'", "max_bytes: '1MB' must be a whole number"),
        ("vendored = 1", "vendored: 1 must be true or false"),
        ("roots = ['../other']", "roots: '../other' must be a folder of the repository"),
        ("roots = ['/abs']", "roots: '/abs' must be a folder"),
        ("roots = ['C:\\\\x']", "must be a folder"),
        ("roots = [", r"rpg.toml: not valid TOML \(.*\); correct it"),
    ],
)
def test_a_wrong_option_is_named_with_what_is_allowed(tmp_path: Path, text: str, message: str) -> None:
    write(tmp_path, {"rpg.toml": text})
    with pytest.raises(BadRequest, match=message):
        options_for(tmp_path)


def test_a_wrong_given_option_is_named_too(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="options: unknown 'depth'"):
        options_for(tmp_path, {"depth": 1})
    with pytest.raises(BadRequest, match="options: max_bytes: -1"):
        options_for(tmp_path, {"max_bytes": -1})
    write(tmp_path, {"pyproject.toml": "[tool.rpg]\nx = 1"})
    with pytest.raises(BadRequest, match=r"\[tool.rpg\] in pyproject.toml: unknown 'x'"):
        options_for(tmp_path)
    write(tmp_path, {"pyproject.toml": "[tool]\nrpg = 1"})
    with pytest.raises(BadRequest, match=r"tool\.rpg must be a table"):
        options_for(tmp_path)


@pytest.mark.parametrize("broken", ["[tool", b"\xff\xfe[", "tool = 1", ""])
def test_a_broken_pyproject_without_options_is_not_our_business(tmp_path: Path, broken: str | bytes) -> None:
    write(tmp_path, {"pyproject.toml": broken})
    assert options_for(tmp_path) == DEFAULT


def test_a_broken_pyproject_that_may_hold_options_is(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "[tool.rpg]\nexclude = ["})
    with pytest.raises(BadRequest, match=r"pyproject\.toml: not valid TOML"):
        options_for(tmp_path)


def test_options_are_read_from_files_of_the_folder_alone(tmp_path: Path) -> None:
    write(tmp_path, {"outside.toml": "vendored = true", "root/x": ""})
    (tmp_path / "root/rpg.toml").symlink_to("../outside.toml")
    os.mkfifo(tmp_path / "root/pyproject.toml")
    assert options_for(tmp_path / "root") == DEFAULT
    write(tmp_path, {"large/rpg.toml": "#" * 2_000_000})
    with pytest.raises(BadRequest, match="larger than 64 KiB"):
        options_for(tmp_path / "large")


def test_a_project_file_larger_than_any_is_read_only_where_it_has_options(tmp_path: Path) -> None:
    tables = "".join(f"[tool.made.t{number}]\nrpg = 1\n" for number in range(50_000))
    write(tmp_path, {"pyproject.toml": tables})
    assert options_for(tmp_path) == DEFAULT
    write(tmp_path, {"pyproject.toml": tables + "[tool.rpg]\nvendored = true\n"})
    with pytest.raises(BadRequest, match=r"pyproject\.toml: larger than 256 KiB; move the options into rpg"):
        options_for(tmp_path)
    write(tmp_path, {"pyproject.toml": tables[:200_000].rpartition("[")[0] + "[tool.rpg]\nvendored = true\n"})
    assert options_for(tmp_path).vendored


def test_options_go_through_a_header_unchanged() -> None:
    options = Options(("*.py", "!x.py"), ("docs/",), 5, ("src",), True)
    values: dict[str, Any] = json.loads(json.dumps(dump_options(options)))
    assert list(values) == ["include", "exclude", "max_bytes", "roots", "vendored", "mask_secrets"]
    assert parse_options(values) == options
    assert parse_options({}) == DEFAULT
    assert parse_options(values | {"of a newer encoder": 1}) == options
    with pytest.raises(BadRequest, match="options of the graph: max_bytes"):
        parse_options({"max_bytes": "x"})
