"""How far an encode is: one share for the whole, its stage, and the time that is left."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from rpg.encoder.options import options_for
from rpg.repository import encode
from rpg.tools.loaded.encode_progress import EncodeProgress, duration_left


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "code").mkdir()
    for number in range(40):
        (tmp_path / "code" / f"m{number}.py").write_text(f"def f{number}():\n    return f{number}()\n" * (number + 1))
    return tmp_path / "code"


def test_each_stage_is_reported_from_its_beginning_to_its_end_and_in_between(root: Path, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    encode(root, tmp_path / "x.graph.json", options_for(root), progress=lambda *said: told.append(said))

    for stage in ("parse", "resolve", "write"):
        shares = [done / total for each, done, total in told if each == stage]
        assert shares[0] == 0
        assert shares[-1] == 1
        assert shares == sorted(set(shares))
        assert max(after - before for before, after in itertools.pairwise(shares)) <= 0.35, stage


def test_the_share_of_the_whole_rises_from_nothing_to_all(root: Path, tmp_path: Path) -> None:
    whole = EncodeProgress()
    shares = []

    def hear(stage: str, done: int, total: int) -> None:
        moment = whole.at(stage, done, total)
        assert moment is not None
        shares.append(moment.share)

    encode(root, tmp_path / "x.graph.json", options_for(root), progress=hear)

    assert shares[0] == 0
    assert shares[-1] == pytest.approx(1)
    assert shares == sorted(shares)


def test_the_time_left_is_that_of_the_whole_at_the_speed_so_far() -> None:
    now = [0.0]
    whole = EncodeProgress(workers=2, clock=lambda: now[0])
    whole.at("parse", 0, 100)
    now[0] = 0.5
    early = whole.at("parse", 30, 100)
    now[0] = 20.0
    half = whole.at("parse", 100, 100)
    later = whole.at("resolve", 0, 100)
    behind = whole.at("parse", 10, 100)

    assert early is not None
    assert half is not None
    assert later is not None
    assert behind is not None
    assert early.seconds_left is None
    assert half.seconds_left == pytest.approx(20 * (1 - half.share) / half.share)
    assert later.share == half.share
    assert behind.share == half.share
    assert whole.at("embed", 1, 2) is None
    assert later.text() == f"resolving references; {duration_left(later.seconds_left)}"


def test_who_comes_in_later_is_told_the_time_at_the_speed_since_then() -> None:
    now = [100.0]
    whole = EncodeProgress(workers=2, clock=lambda: now[0])
    now[0] = 103.0
    first = whole.at("resolve", 20, 100)
    now[0] = 113.0
    then = whole.at("resolve", 90, 100)

    assert first is not None
    assert then is not None
    assert first.seconds_left is None
    assert then.seconds_left == pytest.approx(10 * (1 - then.share) / (then.share - first.share))


def test_time_is_shown_in_the_unit_that_fits() -> None:
    assert [duration_left(seconds) for seconds in (None, 0.2, 42.4, 130.0)] == [
        "",
        "1 s left",
        "42 s left",
        "2 min left",
    ]
