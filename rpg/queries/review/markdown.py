"""A review as Markdown, in at most so many tokens: for a pull request, a terminal, a model.

In: a review. Out: text. What the repository names is escaped, so that it mentions nobody and closes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rpg.queries.check.verdict import Broken
from rpg.queries.graph.filters import format_count
from rpg.queries.review.review import CODE, SIGNATURE, AtRisk, ChangedFile, Review
from rpg.queries.tests_to_run.answer import FoundTest
from rpg.text.printable import make_printable

MOST_BYTES = 4 * 3_900
"""What leaves room for a heading in 4,000 tokens."""
SHOWN = {"broken": 40, "at risk": 20, "untested": 25, "tests": 25, "files": 40, "renamed": 15}
"""How many lines of each part are shown; the rest is counted."""
_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~])|@(?=\w)")


def markdown(found: Review) -> str:
    lines = list(sections(found))
    room = MOST_BYTES
    shown = []
    for line in lines:
        room -= len(line.encode()) + 1
        if room < 0:
            shown.append("… and more: `--format json` has all of it")
            break
        shown.append(line)
    return "\n".join(shown)


def sections(found: Review) -> Iterator[str]:
    yield f"## Review of {code(f'{found.base}..{found.head}' if found.head else found.base)}"
    yield ""
    yield summary(found)
    if found.note:
        yield f"({found.note})"
    yield from section("Broken", [broken_line(each) for each in found.broken], SHOWN["broken"])
    if found.unjudged:
        yield from ("", f"Cannot be judged: {', '.join(map(code, found.unjudged[:10]))}")
    if found.left_out:
        yield from ("", f"{format_count(found.left_out, 'changed file')} could not be compared.")
    yield from section("At risk", [risk_line(each) for each in found.at_risk], SHOWN["at risk"])
    yield from section("No test reaches", [f"- {code(each)}" for each in found.untested], SHOWN["untested"])
    yield from section("Tests to run", test_lines(found.tests), SHOWN["tests"])
    if found.more_tests:
        yield f"- {format_count(found.more_tests, 'test')} more may run it, on doubtful ways"
    renamed = [f"- {code(old)} is {code(new)}" for old, new in found.renamed.items()]
    yield from section("Renamed", renamed, SHOWN["renamed"])
    yield from section("Changed", file_lines(found.files), SHOWN["files"])
    if found.areas:
        areas = ", ".join(f"{plain(area)} ({number})" for area, number in found.areas.items())
        yield from ("", f"Areas, by changed symbols: {areas}")


def summary(found: Review) -> str:
    certain = sum(each.certain for each in found.broken)
    possible = len(found.broken) - certain
    parts = [
        f"**{format_count(certain, 'place')} broken**" if certain else "",
        f"{format_count(possible, 'place')} possibly broken" if possible else "",
        f"{format_count(len(found.unjudged), 'place')} may be broken, which cannot be judged" if found.unjudged else "",
        f"nothing{' else' if found.unjudged else ''} broken, {format_count(found.checked, 'use')} checked"
        if not found.broken
        else "",
        f"{format_count(len(found.at_risk), 'changed symbol')} that others use" if found.at_risk else "",
        f"{format_count(len(found.untested), 'changed symbol')} that no test reaches" if found.untested else "",
        f"{format_count(len(found.tests), 'test')} to run" if found.tests else "",
    ]
    return f"{'; '.join(filter(None, parts))}."


def section(title: str, lines: Iterable[str], most: int) -> Iterator[str]:
    listed = list(lines)
    if listed:
        yield from ("", f"### {title}", "", *listed[:most])
        if len(listed) > most:
            yield f"- … and {len(listed) - most} more"


def broken_line(each: Broken) -> str:
    hint = f": {plain(each.hint)}" if each.hint else ""
    more = f", and {format_count(each.follows, 'use')} of it" if each.follows else ""
    doubt = "" if each.certain else "possibly: "
    return f"- {code(f'{each.path}:{each.line}')} {doubt}{plain(each.message)}{hint}{more}"


def risk_line(each: AtRisk) -> str:
    what = "another signature" if each.what == SIGNATURE else "another body"
    direct, *further = each.callers
    beyond = f", {sum(further)} more within {len(each.callers)} steps" if sum(further) else ""
    named = "; ".join(map(code, each.nearest))
    more = "; …" if direct > len(each.nearest) else ""
    return f"- {code(each.symbol)} has {what}; {format_count(direct, 'use')}{beyond}: {named}{more}"


def test_lines(tests: Iterable[FoundTest]) -> list[str]:
    """A line for each file, in the order of its nearest test."""
    by_path: dict[str, list[str]] = {}
    for each in tests:
        by_path.setdefault(each.path, []).append(each.name)
    lines = []
    for path, names in by_path.items():
        more = f" and {len(names) - 6} more" if len(names) > 6 else ""
        lines.append(f"- {code(path)}: {', '.join(map(code, names[:6]))}{more}")
    return lines


def file_lines(files: Iterable[ChangedFile]) -> list[str]:
    """Files of code in which only imports, comments or the layout changed are one line."""
    of_code: list[str] = []
    others: list[str] = []
    folded = 0
    for each in files:
        if each.kind == CODE and each.status == "modified" and not each.symbols:
            folded += 1
            continue
        was = f", was {code(each.was)}" if each.was else ""
        number = f", {format_count(each.symbols, 'symbol')}" if each.symbols and each.status != "deleted" else ""
        lines = of_code if each.kind == CODE else others
        lines.append(f"- {code(each.path)} {each.status}{was}{number}")
    if folded:
        of_code.append(f"- {format_count(folded, 'file')} of code with other imports, comments or layout alone")
    return [*of_code, *others]


def code(text: str) -> str:
    """As a span of code, whatever is in it."""
    return f"`{make_printable(text).replace('`', chr(39)).replace(chr(10), ' ')}`"


def plain(text: str) -> str:
    """As words; what stands between two backticks is code."""
    parts = make_printable(text).replace("\n", " ").split("`")
    if len(parts) % 2 == 0:
        parts = ["'".join(parts)]
    return "".join(code(part) if at % 2 else escape_markdown(part) for at, part in enumerate(parts))


def escape_markdown(text: str) -> str:
    """With the signs of Markdown escaped, and nobody mentioned."""
    return _SPECIAL.sub(lambda found: f"\\{found[1]}" if found[1] else "@\u200b", text)
