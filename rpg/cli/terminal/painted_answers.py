"""An answer's text as a terminal shows it: with colours, aligned source lines, and outlines drawn as trees.

In: the text of an answer. Out: the same words, escaped, with colours. The form of a line tells what it is; a line of
any other form stays plain. The tools write the text: nothing is added or left out here except blanks and the lines of a
tree. Written here because rich's highlighters colour words wherever they stand, and neither align nor draw lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import get_args

from rpg.cli.terminal.source_colors import COMMENT, HEAD, MARK, NAME, NUMBER, STRING, color_lines, paint
from rpg.text.printable import make_printable
from rpg.tools.calling.arguments import SymbolKind

PATH, LINES, ASIDE, BOLD = NUMBER, STRING, COMMENT, "1"
"""How the parts of a line are shown."""

TITLE = re.compile(r"^== (\S.*?):(\d[\d,-]*)( of \d[\d-]*)?(?:  (\S+) ?(.*))?$")
"""Of an excerpt: path, lines, kind and name."""
SOURCE = re.compile(r"^( *)(\d+)\t(.*)$")
HIT = re.compile(r"^(\S.*?):(\d+-\d+)  (\S+) (.+?)  (\d\.\d\d)(  \(test\))?(  \[.*\])?$")
USE = re.compile(r"^(\S.*?):(\d+(?::\d+)?)  (\S.*?)(  \(test\))?: (.*)$")
USE_BELOW = re.compile(r"^  (\d+(?::\d+)?)(?:  (\S.*?))?: (.*)$")
FILE = re.compile(r"^(\S*[./]\S*)(  \(test\))?(?:  (\S.*))?$")
FILES = re.compile(r"^(\S*[./]\S*?)(  \(test\))?: (.+)$")
SYMBOL = re.compile(r"^(\S*)::(\S+)(  \S+ \d+-\d+)?$")
SIGNED = re.compile(r"^  (\S.*)$")
PLACES = re.compile(r"(?<![\w.])\d+(?:[-:,]\d+)*\b")
PLACE = re.compile(r"(?<![\w/.])((?:[\w.+@-]+/)+[\w.+@-]*)((?:: ?| )\d+(?:[-:,]\d+)*(?:\+\d+)?)?(?![\w/.])")
HEADING = re.compile(r"^(-- .*?)((?:: .*)?)$")
LATER = re.compile(
    r"^(tests=only lists|more: cursor|near: |weaker: |next: |not shown: |stale: |references not followed: |"
    r"\d+ more symbols? at hop|\d+ symbols? are called|-{0}  also at )"
)
COUNTS = re.compile(r"^(.*); (complete|not complete)(.*)$")
OUTLINED = re.compile(r"^( *)(\S.*?)(?:  (\d+-\d+))?(?: {2,4}(\(\d[^()]*\)))?$")
KINDS = frozenset(get_args(SymbolKind))
FILES_OF = ("directory", "module", "file")


def answer(text: str, trees: int = 0) -> str:
    """`trees`: how many of the lines are an outline."""
    lines = text.split("\n")
    start = next((at for at, line in enumerate(lines) if OUTLINED.match(line)), 0) if trees else 0
    before, outline, after = lines[:start], lines[start : start + trees], lines[start + trees :]
    return "\n".join([*flat(before), *tree(outline), *flat(after)])


def flat(lines: Sequence[str]) -> Iterator[str]:
    path, at = "", 0
    while at < len(lines):
        line = lines[at]
        numbered = list(run(lines, at, SOURCE))
        if numbered:
            yield from source(numbered, path)
            at += len(numbered)
            continue
        below = list(run(lines, at, USE_BELOW))
        if below:
            yield from uses_below(below, path)
            at += len(below)
            continue
        shown, path = one(line, path)
        yield shown
        at += 1


def run(lines: Sequence[str], at: int, form: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """The lines from there on that have the form."""
    while at < len(lines) and (match := form.match(lines[at])):
        yield match
        at += 1


def source(lines: Sequence[re.Match[str]], path: str) -> Iterator[str]:
    """Numbers in a separate column."""
    width = max(len(match[2]) for match in lines)
    for match, code in zip(lines, color_lines([match[3] for match in lines], path), strict=True):
        yield f"{match[1]}{paint(match[2].rjust(width), COMMENT)}  {code}".rstrip()


def one(line: str, path: str) -> tuple[str, str]:
    """How a line is shown, and the path that the following lines belong to."""
    for form, shown in FORMS:
        if match := form.match(line):
            return shown(match, path)
    return paint_places(line), path


Shown = tuple[str, str]


def title(match: re.Match[str], path: str) -> Shown:
    where, lines, of, kind, name = match.groups()
    parts = [paint("== ", HEAD), paint(make_printable(where), PATH), ":", paint(lines, LINES), of or ""]
    if kind:
        parts += ["  ", make_printable(kind), " " if name else "", paint(make_printable(name or ""), BOLD)]
    return "".join(parts), where


def hit(match: re.Match[str], path: str) -> Shown:
    where, lines, kind, name, score, test, why = match.groups()
    rest = f"  {score}{test or ''}{why or ''}"
    return (
        f"{paint(make_printable(where), PATH)}:{paint(lines, LINES)}  {make_printable(kind)} "
        f"{paint(make_printable(name), BOLD)}"
        f"{paint(make_printable(rest), ASIDE)}"
    ), where


def use(match: re.Match[str], path: str) -> Shown:
    where, site, name, test, code = match.groups()
    return (
        f"{paint(make_printable(where), PATH)}:{paint(site, LINES)}  {paint(make_printable(name), BOLD)}"
        f"{paint(test or '', ASIDE)}: {color_lines([code], where)[0]}"
    ), where


def uses_below(matches: Sequence[re.Match[str]], path: str) -> Iterator[str]:
    """Sites in a separate column."""
    width = max(len(match[1]) for match in matches)
    for match in matches:
        site, name, code = match.groups()
        named = f"  {paint(make_printable(name), BOLD)}" if name else ""
        yield f"  {paint(site.rjust(width), LINES)}{named}: {color_lines([code], path)[0]}"


def paint_signature(match: re.Match[str], path: str) -> Shown:
    """The signature below a hit, up to two blanks."""
    code, gap, rest = match[1].partition("  ")
    return f"  {color_lines([code], path)[0]}{paint(make_printable(gap + rest), ASIDE)}", path


def file(match: re.Match[str], path: str) -> Shown:
    where, test, rest = match.groups()
    suffix = f"  {places(rest)}" if rest else ""
    return f"{paint(make_printable(where), PATH)}{paint(test or '', ASIDE)}{suffix}", where


def files(match: re.Match[str], path: str) -> Shown:
    where, test, rest = match.groups()
    return f"{paint(make_printable(where), PATH)}{paint(test or '', ASIDE)}: {places(rest)}", where


def paint_places(line: str) -> str:
    """Paths and their lines, anywhere in the line."""
    out, at = [], 0
    for match in PLACE.finditer(line):
        out += [
            make_printable(line[at : match.start()]),
            paint(make_printable(match[1]), PATH),
            paint(match[2] or "", LINES),
        ]
        at = match.end()
    return "".join([*out, make_printable(line[at:])])


def places(text: str) -> str:
    return PLACES.sub(lambda match: paint(match[0], LINES), make_printable(text))


def symbol(match: re.Match[str], path: str) -> Shown:
    where, name, rest = match.groups()
    return (
        f"{paint(make_printable(where), PATH)}::{paint(make_printable(name), BOLD)}{make_printable(rest or '')}",
        where,
    )


def heading(match: re.Match[str], path: str) -> Shown:
    return paint(make_printable(match[1]), HEAD) + places(match[2]), path


def aside(match: re.Match[str], path: str) -> Shown:
    return paint(make_printable(match.string), ASIDE), path


def counts(match: re.Match[str], path: str) -> Shown:
    color = LINES if match[2] == "complete" else MARK
    return f"{make_printable(match[1])}; {paint(match[2], color)}{make_printable(match[3])}", path


FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], str], Shown]], ...] = (
    (TITLE, title), (HEADING, heading), (LATER, aside), (HIT, hit), (USE, use),
    (SYMBOL, symbol), (COUNTS, counts), (FILES, files), (FILE, file), (SIGNED, paint_signature),
)  # fmt: skip
"""Tried in this order: the first form that a line has is taken."""


def tree(lines: Sequence[str]) -> Iterator[str]:
    """Draws the outline, after a column with the line numbers."""
    parsed = [match for line in lines if (match := OUTLINED.match(line))]
    depths = [len(match[1]) // 2 for match in parsed]
    width = max((len(match[3] or "") for match in parsed), default=0)
    path = ""
    for at, match in enumerate(parsed):
        kind, _, rest = match[2].partition(" ")
        path = rest if kind in FILES_OF else path
        is_kind = kind in KINDS and " " not in rest
        shown = f"{kind} {paint(make_printable(rest), color_of(kind))}" if is_kind else color_lines([match[2]], path)[0]
        counted = paint(f"  {match[4]}" if match[4] else "", ASIDE)
        number = f"{paint((match[3] or '').rjust(width), LINES)}  " if width else ""
        yield f"{number}{paint(guide(depths, at), ASIDE)}{shown}{counted}"


def color_of(kind: str) -> str:
    return PATH if kind in FILES_OF else NAME if kind in ("class", "interface") else BOLD


def guide(depths: Sequence[int], at: int) -> str:
    """The lines of the tree before an entry."""
    drawn = ""
    for depth in range(1, depths[at] + 1):
        goes_on = is_followed(depths, at, depth)
        if depth == depths[at]:
            drawn += "├─ " if goes_on else "└─ "
        else:
            drawn += "│  " if goes_on else "   "
    return drawn


def is_followed(depths: Sequence[int], at: int, depth: int) -> bool:
    """Whether another entry of that depth follows below the same parent."""
    for other in depths[at + 1 :]:
        if other <= depth:
            return other == depth
    return False
