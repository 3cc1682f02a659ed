"""The checker of fixtures complains where it should: cases with a graph written by hand, right and wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from annotations import check, gaps

from rpg.graph import Edge, Graph, Place, Symbol

MODULE = Symbol("shop.py", "module", "shop.py", "shop.py", "shop.py", start_line=1, end_line=99)
TOTAL = Symbol("shop.py::total", "function", "total", "total", "shop.py", start_line=1, end_line=2, name_line=1)
CHECKOUT = Symbol(
    "shop.py::checkout", "function", "checkout", "checkout", "shop.py", start_line=3, end_line=99, name_line=3
)
SOURCE = "def total():\n    pass\ndef checkout(x):\n"
CALL = Edge("shop.py::checkout", "shop.py::total", "calls", "scope", ((5, 12),))


def case(folder: Path, body: str, *edges: Edge, places: tuple[Place, ...] = ()) -> list[str]:
    (folder / "shop.py").write_text(SOURCE + body, "utf-8")
    return check(folder, Graph({}, [MODULE, TOTAL, CHECKOUT], list(edges), list(places)))


def test_an_asserted_edge_is_met(tmp_path: Path) -> None:
    assert case(tmp_path, "    #: calls total -> shop.py::total via scope\n    return total()\n", CALL) == []


def test_a_missing_edge_is_shown_as_a_line_to_remove(tmp_path: Path) -> None:
    complaints = case(tmp_path, "    #: calls total -> shop.py::total via scope\n    return total()\n")

    assert complaints == ["shop.py:5: return total()\n    - calls total -> shop.py::total via scope"]


def test_an_extra_edge_is_shown_as_a_line_to_add(tmp_path: Path) -> None:
    second = Edge("shop.py::checkout", "shop.py::total", "references", "value", ((5, 20),))
    body = "    #: calls total -> shop.py::total via scope\n    return total(total)\n"

    complaints = case(tmp_path, body, CALL, second._replace(sites=((5, 18),)))

    assert complaints == ["shop.py:5: return total(total)\n    + references total[2] -> shop.py::total via value"]


@pytest.mark.parametrize(
    "said",
    [
        "calls total -> shop.py::total via import",
        "references total -> shop.py::total via scope",
        "calls total -> shop.py::checkout via scope",
        "calls total -> shop.py::total via scope from shop.py",
        "calls total[2] -> shop.py::total via scope",
        "calls total -> unresolved",
        "calls total -> external",
        "calls total -> nothing (gap: it is there)",
        "calls total -> ambiguous",
    ],
)
def test_a_wrong_assertion_is_refused(tmp_path: Path, said: str) -> None:
    complaints = case(tmp_path, f"    #: {said}\n    return total() or total\n", CALL)

    assert any(f"- {said}" in complaint for complaint in complaints)


def test_a_source_can_be_named(tmp_path: Path) -> None:
    body = "    #: calls total -> shop.py::total via scope from shop.py\n    return total()\n"

    assert case(tmp_path, body, CALL._replace(source="shop.py")) == []


def test_an_edge_to_several_targets_needs_each(tmp_path: Path) -> None:
    body = "    #: calls total -> shop.py::total | shop.py::checkout via fan-out\n    return x.total()\n"
    edges = [
        CALL._replace(target=target, via="fan-out", sites=((5, 14),)) for target in ("shop.py::total", CHECKOUT.id)
    ]

    assert case(tmp_path, body, *edges) == []
    assert len(case(tmp_path, body, edges[0])) == 1


@pytest.mark.parametrize(
    ("said", "reason", "call"),
    [
        ("calls total -> unresolved", "unresolved", True),
        ("references total -> unresolved", "unresolved", False),
        ("calls total -> ambiguous", "ambiguous", True),
        ("calls total -> ambiguous shop.py::total | shop.py::checkout", "ambiguous", True),
        ("calls total -> external", "external", True),
        ("calls total -> external:total", "external", True),
        ("calls total -> external:lib.total", "external", True),
    ],
)
def test_a_place_is_met(tmp_path: Path, said: str, reason: str, call: bool) -> None:
    place = Place("shop.py::checkout", "total", 5, 14, reason, call)

    assert case(tmp_path, f"    #: {said}\n    return x.total()\n", places=(place,)) == []


@pytest.mark.parametrize(
    "said", ["calls total -> external:sum", "calls total -> unresolved", "calls total -> ambiguous"]
)
def test_a_place_of_another_kind_is_not_met(tmp_path: Path, said: str) -> None:
    place = Place("shop.py::checkout", "total", 5, 14, "external", True)

    assert len(case(tmp_path, f"    #: {said}\n    return x.total()\n", places=(place,))) == 1


def test_unresolved_places_must_be_asserted_and_external_ones_need_not(tmp_path: Path) -> None:
    unknown = Place("shop.py::checkout", "save", 6, 7, "unresolved", True)
    body = "    #: calls total -> shop.py::total via scope\n    total()     \n    x.save()\n"
    call = CALL._replace(sites=((5, 5),))

    assert case(tmp_path, body, call, places=(unknown,)) == ["shop.py:6: x.save()\n    + calls save -> unresolved"]
    assert case(tmp_path, body, call, places=(unknown._replace(reason="external"),)) == []


def test_a_reason_is_met_by_silence_if_the_module_counts_it(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SOURCE + "    #: calls save -> unresolved\n    x.save()\n", "utf-8")

    def counting(*references: int) -> list[str]:
        module = MODULE._replace(references=references)  # type: ignore[arg-type]
        return check(tmp_path, Graph({}, [module, TOTAL, CHECKOUT], [], []))

    assert counting(0, 0, 5, 1, 0) == []
    assert counting(0, 0, 0, 0, 0) == ["shop.py: 0 references unresolved, 1 asserted"]
    assert counting(0, 0, 0, 2, 0) == ["shop.py: 2 references unresolved, 1 asserted"]
    assert counting(0, 0, 0, 1, 1) == ["shop.py: 1 references ambiguous, 0 asserted"]


def test_an_edge_without_sites_stands_above_its_source(tmp_path: Path) -> None:
    edge = Edge("shop.py::checkout", "shop.py::total", "overrides", "inherited")
    text = SOURCE.replace("def checkout", "#: overrides checkout -> shop.py::total\ndef checkout") + "    pass\n"
    (tmp_path / "shop.py").write_text(text, "utf-8")
    below = CHECKOUT._replace(start_line=4, name_line=4)

    assert check(tmp_path, Graph({}, [MODULE, TOTAL, below], [edge], [])) == []
    assert len(check(tmp_path, Graph({}, [MODULE, TOTAL, below], [], []))) == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("#: calls total shop.py::total via scope", "not an assertion"),
        ("#: call total -> shop.py::total via scope", "not an assertion"),
        ("#: contains total -> shop.py::total via syntax", "not an assertion"),
        ("#:", "not an assertion"),
        ("#: calls total -> shop.py::total", "via is missing"),
        ("#: calls total -> shop.py::total via luck", "no rule is called luck"),
        ("#: calls total -> unresolved via scope", "has no via"),
        ("#: calls total -> unresolved | shop.py::total", "unresolved stands alone"),
        ("#: calls total -> nothing", "unless it is a gap"),
        ("#: calls total -> shop.py::total via scope (gap)", "not an assertion"),
        ("#: calls total -> shop.py::total via scope (gap: )", "not an assertion"),
        ("#: calls sum -> shop.py::total via scope", "sum does not stand 1 times"),
        ("#: calls total[3] -> shop.py::total via scope", "total does not stand 3 times"),
        ("# calls total -> shop.py::total via scope", "stands alone on its line, after `#:`"),
        ("# : calls total -> shop.py::total via scope", "stands alone on its line, after `#:`"),
        ("#calls total -> shop.py::total via scope", "stands alone on its line, after `#:`"),
        ("//: calls total -> shop.py::total via scope", "stands alone on its line, after `#:`"),
        ("x = 1  #: calls total -> shop.py::total via scope", "stands alone on its line, after `#:`"),
    ],
)
def test_a_comment_that_nearly_parses_is_an_error(tmp_path: Path, line: str, message: str) -> None:
    complaints = case(tmp_path, f"    {line}\n    return total()\n")

    assert any(message in complaint and complaint.startswith("shop.py:") for complaint in complaints)


def test_an_assertion_without_code_below_is_an_error(tmp_path: Path) -> None:
    complaints = case(tmp_path, "    pass\n    #: calls total -> shop.py::total via scope\n\n    # the end\n")

    assert complaints == ["shop.py:5: no code below: calls total -> shop.py::total via scope"]


def test_a_case_without_assertions_is_an_error(tmp_path: Path) -> None:
    assert case(tmp_path, "    pass\n") == [f"{tmp_path.name}: a case without assertions"]


def test_a_target_that_does_not_exist_is_named(tmp_path: Path) -> None:
    complaints = case(tmp_path, "    #: calls total -> shop.py::sum via scope\n    return total()\n", CALL)

    assert "shop.py:5: no symbol shop.py::sum" in complaints


def test_gaps_are_collected_with_their_reasons(tmp_path: Path) -> None:
    folder = tmp_path / "python" / "calls"
    folder.mkdir(parents=True)

    assert case(folder, "    #: calls total -> nothing (gap: strings are not run)\n    eval('total()')\n") == []
    assert gaps(tmp_path) == ["python/calls: strings are not run"]
