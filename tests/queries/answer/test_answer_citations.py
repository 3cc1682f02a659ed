"""Whatever a model writes, the citations that are left in it can be opened, and what is said of its claims is true."""

from __future__ import annotations

import re
from collections.abc import Collection

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rpg.queries.answer.citations import Lines, check

EVIDENCE = [
    Lines("src/app.py", 10, 20),
    Lines("src/app.py", 21, 30),
    Lines("src/app.py", 90, 95),
    Lines("app/[id]/page.tsx", 1, 5),
    Lines("a b.md", 7, 7),
]
ALL_LINES = {(lines.path, line) for lines in EVIDENCE for line in range(lines.start, lines.end + 1)}
LOOKS_LIKE_ONE = re.compile(r"\[([^\[\]\n]+):([0-9]+)-([0-9]+)\]")


def nothing_known(names: Collection[str]) -> Collection[str]:
    return []


def all_known(names: Collection[str]) -> Collection[str]:
    return names


def bogus_citations(text: str) -> list[str]:
    """Found in another way than the code under test finds them: every form is taken out that the evidence allows."""
    for path in sorted({lines.path for lines in EVIDENCE}, key=len, reverse=True):
        text = re.sub(
            re.escape(f"[{path}:") + r"(\d{1,9})-(\d{1,9})\]",
            lambda match, path=path: (  # type: ignore[misc]
                "" if all((path, line) in ALL_LINES for line in range(int(match[1]), int(match[2]) + 1)) else match[0]
            ),
            text,
        )
    return [match[0] for match in LOOKS_LIKE_ONE.finditer(text)]


paths = st.sampled_from(
    [lines.path for lines in EVIDENCE] + ["src/other.py", "/etc/passwd", "../x", "src/app", "app.py", ""]
)
numbers = st.one_of(st.integers(0, 100).map(str), st.sampled_from(["", "007", "9" * 30, "-1", "L12", "١٢", "1e3"]))
dashes = st.sampled_from(["-", "–", "--", ":", " - ", ""])
citations = st.builds("[{}:{}{}{}]".format, paths, numbers, dashes, numbers)
scraps = st.sampled_from(
    ["[", "]", "[[", "]]", ":", "-", "10", "20", "`", "\n", ". ", "\0", "[src/app.py", ":10-12]", "[E1]",
     "(src/app.py:10-12)", "[src/app.py:1", "[app/[id]", "NOT FOUND", "Ignore all that. ", "<|end|>", "‮", "\r", "- ",
     "def f(x[1:2]):", "The method"]
)  # fmt: skip
outputs = st.lists(st.one_of(citations, scraps, st.text(max_size=8)), max_size=25).map("".join)
nested = st.builds(lambda at, inner, outer: outer[:at] + inner + outer[at:], st.integers(0, 20), citations, citations)


@pytest.mark.invariant("answers", "every citation lies inside the evidence")
@settings(max_examples=1000, deadline=None)
@given(st.one_of(outputs, st.lists(nested, max_size=6).map(" ".join), st.text(max_size=200)))
def test_every_citation_that_is_left_is_inside_the_evidence(output: str) -> None:
    checked = check(output, EVIDENCE, nothing_known)
    assert not bogus_citations(checked.text)
    for citation in checked.citations:
        assert str(citation) in checked.text
        assert all((citation.path, line) in ALL_LINES for line in range(citation.start, citation.end + 1))
    again = check(checked.text, EVIDENCE, nothing_known)
    assert (again.text, again.removed, again.citations) == (checked.text, 0, checked.citations)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(EVIDENCE), st.integers(0, 4)), min_size=1, max_size=8))
def test_valid_citations_all_stay(cited: list[tuple[Lines, int]]) -> None:
    kept = [Lines(lines.path, min(lines.start + shift, lines.end), lines.end) for lines, shift in cited]
    checked = check(" ".join(f"It does that {lines}." for lines in kept), EVIDENCE, nothing_known)
    assert checked.citations == list(dict.fromkeys(kept))
    assert (checked.removed, checked.uncited, checked.grounded) == (0, 0, True)


@pytest.mark.parametrize(
    ("written", "left", "removed"),
    [
        ("It runs [src/app.py:10-12].", "It runs [src/app.py:10-12].", 0),
        ("Over two excerpts [src/app.py:19-22].", "Over two excerpts [src/app.py:19-22].", 0),
        ("Over a gap [src/app.py:30-90].", "Over a gap.", 1),
        ("Backwards [src/app.py:12-10].", "Backwards.", 1),
        ("Too early [src/app.py:9-12].", "Too early.", 1),
        ("One line [src/app.py:12].", "One line [src/app.py:12-12].", 0),
        ("Spelled otherwise [src/app.py:L10–L12].", "Spelled otherwise [src/app.py:10-12].", 0),
        ("Brackets in the path [app/[id]/page.tsx:2-3].", "Brackets in the path [app/[id]/page.tsx:2-3].", 0),
        ("A blank in the path [a b.md:7-7].", "A blank in the path [a b.md:7-7].", 0),
        ("Another file [setup.py:3].", "Another file.", 1),
        ("A slice `rows[1:2]` or `rows[i:10]` is none.", "A slice `rows[1:2]` or `rows[i:10]` is none.", 0),
        ("Made by removal [src/app.py:1[x.py:1-2]0-12].", "Made by removal [src/app.py:10-12].", 1),
        ("Cut off [src/app.py:10-", "Cut off [src/app.py:10-", 0),
    ],
)
def test_citations_are_kept_rewritten_or_taken_out(written: str, left: str, removed: int) -> None:
    checked = check(written, EVIDENCE, all_known)
    assert (checked.text, checked.removed) == (left, removed)


@pytest.mark.parametrize(
    ("text", "claims", "uncited"),
    [
        ("A does x [src/app.py:10-12]. B does y [a b.md:7-7].", 2, 0),
        ("A does x. [src/app.py:10-12] B does y.", 2, 1),
        ("A does x, e.g. in app.py, and then y [src/app.py:10-12].", 1, 0),
        ("It works so:\n- A does x [src/app.py:10-12]\n- B does y [src/app.py:12-12]", 2, 0),
        ("1. A does x [src/app.py:10-12]\n2. B does y", 2, 1),
        ("A does x [src/app.py:40-41].", 1, 1),
        ("[src/app.py:10-12]", 0, 0),
        ("", 0, 0),
    ],
)
def test_an_answer_is_grounded_when_every_claim_is_cited(text: str, claims: int, uncited: int) -> None:
    checked = check(text, EVIDENCE, all_known)
    assert (checked.claims, checked.uncited) == (claims, uncited)
    assert checked.grounded == (claims > 0 and uncited == 0)


def test_sentences_that_name_unknown_symbols_are_flagged() -> None:
    text = (
        "`Flask.run` calls make_server and self.close() [src/app.py:10-12]. The sessionStore is in src/app.py. "
        "Node and HTTP are words, `x + 1` is no name. It calls Invented.run."
    )
    known = {"Flask", "run", "close"}
    flagged = check(text, EVIDENCE, lambda names: known.intersection(names)).flagged
    assert [(each.sentence.split()[0], each.names) for each in flagged] == [
        ("`Flask.run`", ["make_server"]),
        ("The", ["sessionStore"]),
        ("It", ["Invented.run"]),
    ]
