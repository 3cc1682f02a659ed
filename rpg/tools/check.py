"""The tool that says what an edit has broken.

In: revisions. Out: the places that worked before and do not now; if there are none, what was looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from rpg.queries.check.verdict import Broken, Note, Verdict, broken_lines
from rpg.queries.graph.filters import format_count
from rpg.queries.graph.unread import format_unread
from rpg.queries.tests_to_run.answer import FoundTests
from rpg.queries.tests_to_run.answer import lines as lines_of_tests
from rpg.tools.calling.arguments import GraphName
from rpg.tools.calling.call import Call, State, View
from rpg.tools.calling.field import Field

MOST = 1_000
"""The most places of an answer."""
MOST_CHARACTERS = 4_000
"""Of the text: what one edit breaks in more places has one cause, or a few."""
MOST_TESTS = 40
"""The most tests that are named."""
FEW = 5
"""How many places are named of those that cannot be judged."""


@dataclass(frozen=True, kw_only=True)
class Checked:
    broken: list[Broken] = field(default_factory=list)
    total: int = 0
    since: str = ""
    until: str = ""
    changed: int = 0
    """How many symbols came, went or look different from outside."""
    files: int = 0
    """How many files of code changed."""
    checked: int = 0
    """How many uses were compared with before, or stand in lines that the edit changed and were judged there."""
    checked_anew: int = 0
    """How many of them stand in lines that the edit changed."""
    unjudged: list[str] = field(default_factory=list)
    """`path:line` of places that may be broken: it cannot be told what they mean, or how many arguments they pass."""
    unread: list[str] = field(default_factory=list)
    """Languages in which what changed may be used, and of which no use is read."""
    without_arguments: list[str] = field(default_factory=list)
    """Languages of checked uses whose arguments were not judged: of them it is only said that their names fit."""
    left_out: int = 0
    """How many changed files were not compared."""
    broken_before: list[Broken] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    tests: FoundTests | None = None
    """If asked for, as the three."""
    state: State = field(default_factory=State)


def check(
    call: Call,
    since: Annotated[str, Field(description="Git revision, or BASE..HEAD")] = "HEAD",
    tests: Annotated[bool, Field(description="Also the tests to run")] = False,
    notes: Annotated[
        bool, Field(description="Also cycles, unused code, duplicates, stale docs", is_shown=False)
    ] = False,
    all: Annotated[bool, Field(description="Also what was broken before", is_shown=False)] = False,
    graph: GraphName = "",
) -> Checked:
    """What your edit has broken; one line if nothing. Ask after every edit."""
    # Nothing else in a server needs the resolver.
    from rpg.queries.check.find_broken import find_broken

    base, until = ends_of(since)
    if not (tests or notes or until):
        with call.view_as_encoded(graph) as as_encoded:
            if as_encoded is not None and (found := judge_unencoded(*as_encoded, base, all)) is not None:
                return checked_of(found, base, "", as_encoded[0].state)
    with call.view(graph) as view:
        found = find_broken(view.index, root_of(view), view.header, base, until, notes, all)
        return checked_of(found, base, until, view.state, tests_since(view, base) if tests else None)


def judge_unencoded(view: View, paths: tuple[str, ...], base: str, with_old: bool) -> Verdict | None:
    """The verdict on the work tree, of which an index does not have some files yet; None if these must be encoded
    before."""
    from rpg.encoder.options import parse_options
    from rpg.queries.check.find_broken import find_broken
    from rpg.queries.check.revisions import read_unencoded

    root = root_of(view)
    unencoded = read_unencoded(root, paths, view.index, parse_options(view.header.get("options", {})))
    if unencoded is None:
        return None
    return find_broken(view.index, root, view.header, base, with_old=with_old, unencoded=unencoded)


def root_of(view: View) -> Path:
    return view.root("`check` compares with git")


def checked_of(found: Verdict, base: str, until: str, state: State, tests: FoundTests | None = None) -> Checked:
    return Checked(
        broken_before=found.broken_before[:MOST],
        notes=found.notes[:MOST],
        tests=tests,
        broken=found.broken[:MOST],
        total=len(found.broken),
        since=base,
        until=until,
        changed=len(found.changed),
        files=len(found.files),
        checked=found.checked,
        checked_anew=found.checked_anew,
        unjudged=found.unjudged,
        unread=found.unread,
        without_arguments=found.without_arguments,
        left_out=found.left_out,
        state=state,
    )


def tests_since(view: View, revision: str) -> FoundTests:
    """Those that reach what changed in the work tree."""
    from rpg.queries.tests_to_run.answer import find_tests
    from rpg.queries.tests_to_run.changed_code import find_changed_code

    changed = find_changed_code(view.index, root_of(view), revision)
    return find_tests(view.index, view.header, changed, revision, False)[0]


def ends_of(since: str) -> tuple[str, str]:
    """The revision to compare with, and the one in place of the work tree, if there is one."""
    base, dots, other = since.partition("..")
    return (base or "HEAD", other.removeprefix(".") or "HEAD") if dots else (since, "")


def found(result: Checked) -> bool:
    """The command succeeds if nothing is broken."""
    return not result.total


def hits(result: Checked) -> int:
    return result.total


def text(result: Checked) -> str:
    shown: list[str] = []
    room = MOST_CHARACTERS
    for line in lines(result):
        room -= len(line) + 1
        if room < 0:
            shown.append("and more: mend these first, and ask again")
            break
        shown.append(line)
    return "\n".join([*shown, *result.state.lines("")])


def lines(result: Checked) -> Iterator[str]:
    looked = f"{format_count(result.changed, 'symbol')} changed, {format_checked(result)}"
    if not result.total:
        if result.state.stale and not result.until:
            yield "not judged yet: edited files are still being encoded; ask again in a moment"
        elif not result.files:
            yield f"no code changed since {result.since}"
        else:
            yield format_unbroken(result, looked)
    else:
        broken = "broken" if any(each.certain for each in result.broken) else "possibly broken"
        yield f"{format_count(result.total, 'place')} {broken}; {looked}{format_unjudged(result)}"
        yield from broken_lines(result.broken)
    if result.broken_before:
        yield f"{format_count(len(result.broken_before), 'place')} broken before"
        yield from broken_lines(result.broken_before)
    for each in result.notes:
        yield f"note: {each.path}:{each.line} {each.message}"
    if result.tests is not None:
        yield from lines_of_tests(result.tests, MOST_TESTS)


def format_unbroken(result: Checked, looked: str) -> str:
    """Doubts come before what is well."""
    left_out = f"; {format_count(result.left_out, 'file')} not compared" if result.left_out else ""
    if result.unjudged:
        doubt = f"{format_count(len(result.unjudged), 'place')} may be broken, which cannot be judged"
        return (
            f"{doubt}: {format_places(result.unjudged)}; nothing else is: {looked}"
            f"{format_names_only(result)}{format_not_read(result)}{left_out}"
        )
    fits = "nothing is known to be broken" if result.unread else "nothing is broken"
    if result.checked:
        fits = "names fit" if result.without_arguments else "names and arguments fit"
    return f"{looked}: {fits}{format_names_only(result)}{format_not_read(result)}{left_out}"


def format_not_read(result: Checked) -> str:
    return f"; {format_unread(result.unread)}" if result.unread else ""


def format_names_only(result: Checked) -> str:
    languages = ", ".join(result.without_arguments)
    return f"; arguments are not checked in {languages}" if languages else ""


def format_places(places: list[str]) -> str:
    return f"{', '.join(places[:FEW])}{f' and {len(places) - FEW} more' if len(places) > FEW else ''}"


def format_checked(result: Checked) -> str:
    """How many uses were looked at; who mended all of them reads that those in the mended lines were."""
    anew = result.checked_anew
    which = "" if not anew else "in" if anew == result.checked else f"{anew} of them in"
    return f"{format_count(result.checked, 'use')} checked{f', {which} lines this edit changed' if which else ''}"


def format_unjudged(result: Checked) -> str:
    parts = []
    if result.unjudged:
        parts.append(f"{len(result.unjudged)} cannot be judged: {format_places(result.unjudged)}")
    if result.unread:
        parts.append(format_unread(result.unread))
    if result.left_out:
        parts.append(f"{format_count(result.left_out, 'file')} not compared")
    return f"; {'; '.join(parts)}" if parts else ""
