"""A repository for the tests of a module: its `FILES`, in one commit, whose graph is open."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from checking import Checked


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)


@pytest.fixture(scope="module")
def shop(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    opened = Checked(tmp_path_factory.mktemp("check"), request.module.FILES)
    yield opened
    opened.close()
