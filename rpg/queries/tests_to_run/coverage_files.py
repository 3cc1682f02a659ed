"""What files of coverage say: which lines ran, and in which tests.

In: the bytes of a file that coverage.py (data or JSON), lcov, Go or JaCoCo wrote. Out: by path as written there, each
line that was measured with the tests that ran it: none for a line that did not run, and ANONYMOUS for one that ran
without a name. BAD_REQUEST for any other file.

Absent: which files of the repository the paths mean, and which of its tests the names.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import Any
from xml.etree import ElementTree

from rpg.errors import BadRequest

LARGEST = 1 << 30
ANONYMOUS = ""
"""The name of what ran a line outside of tests, or of all tests where a file does not name them."""
Measured = dict[str, dict[int, set[str]]]
"""By path and line."""
_GO_BLOCK = re.compile(r"^(.+):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)$")
_SQLITE = b"SQLite format 3\0"


def read_coverage(content: bytes, name: str) -> Measured:
    try:
        reader = reader_for(content)
        found = reader(content) if reader is not None else None
    except (ValueError, KeyError, TypeError, AttributeError, sqlite3.Error, ElementTree.ParseError) as error:
        raise BadRequest(f"{name} cannot be read as coverage: {error}") from None
    if found is None:
        raise BadRequest(
            f"{name} is no coverage that rpg can read: name a .coverage file, the JSON of `coverage json "
            "--show-contexts`, an lcov tracefile, a Go cover profile, or the XML of JaCoCo"
        )
    return found


def reader_for(content: bytes) -> Callable[[bytes], Measured] | None:
    """By what the file begins with."""
    start = content[:2_000].lstrip()
    if content.startswith(_SQLITE):
        return parse_coverage_data
    if start.startswith(b"{"):
        return parse_coverage_json
    if start.startswith(b"mode:"):
        return parse_go_coverage
    if start.startswith(b"<"):
        return parse_jacoco
    if start.startswith((b"TN:", b"SF:")):
        return parse_lcov
    return None


def parse_coverage_data(content: bytes) -> Measured:
    """The database of coverage.py: lines or arcs by file and context."""
    found: Measured = {}
    with closing(sqlite3.connect(":memory:")) as data:
        data.deserialize(content)
        paths = dict(data.execute("SELECT id, path FROM file"))
        contexts = dict(data.execute("SELECT id, context FROM context"))
        for file, context, bits in data.execute("SELECT file_id, context_id, numbits FROM line_bits"):
            add(found, str(paths[file]), lines_in(bits), str(contexts[context]))
        for file, context, first, last in data.execute("SELECT file_id, context_id, fromno, tono FROM arc"):
            add(found, str(paths[file]), (line for line in (first, last) if line > 0), str(contexts[context]))
    return found


def lines_in(bits: bytes) -> Iterator[int]:
    """The numbers of the bits that are set."""
    return (8 * at + bit for at, byte in enumerate(bits) for bit in range(8) if byte >> bit & 1)


def parse_coverage_json(content: bytes) -> Measured:
    found: Measured = {}
    files: dict[str, Any] = json.loads(content)["files"]
    for path, file in files.items():
        for line in file.get("missing_lines", ()):
            found.setdefault(path, {}).setdefault(int(line), set())
        add(found, path, map(int, file["executed_lines"]), ANONYMOUS)
        for line, contexts in file.get("contexts", {}).items():
            for context in contexts:
                add(found, path, [int(line)], str(context))
    return found


def parse_lcov(content: bytes) -> Measured:
    """A section for each file, after the name of the test that ran it, if it has one."""
    found: Measured = {}
    test = path = ""
    for line in content.decode("utf-8", "replace").splitlines():
        key, _, value = line.partition(":")
        if key == "TN":
            test = value.strip()
        elif key == "SF":
            path = value.strip()
            found.setdefault(path, {})
        elif key == "DA":
            number, hits, *_ = value.split(",")
            if int(float(hits)) > 0:
                add(found, path, [int(number)], test)
            else:
                found[path].setdefault(int(number), set())
    return found


def parse_go_coverage(content: bytes) -> Measured:
    """Blocks, by a path that begins with the module's."""
    found: Measured = {}
    for line in content.decode("utf-8", "replace").splitlines():
        if block := _GO_BLOCK.match(line):
            lines = range(int(block[2]), min(int(block[3]), int(block[2]) + 10_000) + 1)
            if int(block[4]):
                add(found, block[1], lines, ANONYMOUS)
            else:
                for number in lines:
                    found.setdefault(block[1], {}).setdefault(number, set())
    return found


def parse_jacoco(content: bytes) -> Measured:
    """Source files by package; a line ran if it has covered instructions."""
    report = ElementTree.fromstring(content)
    if report.tag != "report":
        raise ValueError(f"its root is <{report.tag}>, and that of JaCoCo's is <report>")
    found: Measured = {}
    for package in report.iter("package"):
        for file in package.findall("sourcefile"):
            path = "/".join(filter(None, (package.get("name"), file.get("name"))))
            for line in file.findall("line"):
                number = int(line.get("nr", "0"))
                if int(line.get("ci", "0")):
                    add(found, path, [number], ANONYMOUS)
                else:
                    found.setdefault(path, {}).setdefault(number, set())
    return found


def add(found: Measured, path: str, lines: Iterable[int], test: str) -> None:
    of_file = found.setdefault(path, {})
    for line in lines:
        of_file.setdefault(line, set()).add(test)
