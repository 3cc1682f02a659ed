"""What rustc says a crate calls, by its typed syntax trees: `rust_oracle.py ROOT FLAG... -- FOLDER...`.

In: a checkout and how rustc compiles a crate of it, which needs no other crate. Out: JSON as occurrences.py reads it:
each path and each method that names a function, called or not, outside of what macros write. A call of a trait's method
on a type of the crate means the trait's method, or the one of the type's implementation.

rustc prints the trees only with `-Zunpretty`, which a stable one takes if RUSTC_BOOTSTRAP is set.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

_BODY: Final = re.compile(r"^DefId\(0:\d+ ~ [^:]+::(?P<path>.+)\):$")
_SPAN: Final = re.compile(
    r"^\s*span: (?P<file>[^:]+):(?P<line>\d+):(?P<column>\d+): (?P<last>\d+):(?P<end>\d+) \(#0\),"
)
_NAMED: Final = re.compile(r"DefId\((?P<crate>\d+):\d+ ~ [^:\]]+\]::(?P<path>.+)\),$")
_SCOPE: Final = re.compile(r"^ {16}value: e(\d+),")
_CALLED: Final = re.compile(r"^ {16}fun: e(\d+),")
_IMPLEMENTATION: Final = re.compile(r"\{impl#\d+\}")
_HEADER: Final = re.compile(r"^(?P<indent>\s*)(?:unsafe\s+)?impl\b(?P<rest>.*)")
_BEFORE_NAME: Final = re.compile(r"^(?:&|\*const |\*mut |mut |dyn |'\{?\w+\}?\s+|\s)+")


class Named(NamedTuple):
    file: str
    line: int
    column: int
    is_local: bool
    path: str
    type: str
    is_called: bool


class Place(NamedTuple):
    file: str
    line: int
    name: str


def main(arguments: list[str]) -> int:
    root, *rest = arguments
    at = rest.index("--")
    flags, folders = rest[:at], rest[at + 1 :]
    command = [os.environ.get("RUSTC", "rustc"), *flags, "-Zunpretty=thir-flat", "--cap-lints=allow"]
    printed = subprocess.run(
        command, cwd=root, env={**os.environ, "RUSTC_BOOTSTRAP": "1"}, stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    lines = Lines(Path(root))
    bodies: dict[str, tuple[str, int]] = {}
    found: list[Named] = []
    for path, text in split_bodies(printed):
        spans = [each for each in map(_SPAN.match, text) if each]
        if spans:
            first = min(spans, key=lambda each: (int(each["line"]), int(each["column"])))
            bodies[path] = first["file"], int(first["line"])
        found += read_body(text, lines)
    definitions = Definitions(lines, bodies)
    targets: dict[str, list[Place]] = {}
    occurrences = []
    for each in sorted(set(found)):
        if not any(each.file == folder or each.file.startswith(f"{folder}/") for folder in folders):
            continue
        key = f"{each.path} for {each.type}" if each.type else each.path
        targets[key] = definitions.places(each.path, each.type, each.is_local)
        if each.is_local and not targets[key]:
            continue  # what a macro defines
        kind = "calls" if each.is_called else "references"
        occurrences.append([each.file, each.line, each.column, kind, key])
    json.dump(
        {
            "columns": "code points",
            "failed": [],
            "occurrences": occurrences,
            "targets": targets,
            "judges_imports": False,
        },
        sys.stdout,
    )
    return 0


def split_bodies(printed: str) -> Iterator[tuple[str, list[str]]]:
    path, text = "", list[str]()
    for line in printed.split("\n"):
        start = _BODY.match(line)
        if start:
            if path:
                yield path, text
            path, text = start["path"], []
        else:
            text.append(line)
    if path:
        yield path, text


def read_body(text: list[str], lines: Lines) -> Iterator[Named]:
    expressions: list[list[str]] = []
    is_inside = False
    for line in text:
        if line == "        Expr {":
            expressions.append([])
            is_inside = True
        elif line == "        },":
            is_inside = False
        elif is_inside:
            expressions[-1].append(line)
    scopes: dict[int, int] = {}
    called: set[int] = set()
    for index, rows in enumerate(expressions):
        kind = rows[0].strip() if rows else ""
        for row in rows:
            inner = _SCOPE.match(row) if kind.startswith("kind: Scope") else None
            function = _CALLED.match(row) if kind.startswith("kind: Call") else None
            if inner:
                scopes[index] = int(inner[1])
            if function:
                called.add(int(function[1]))
    for index in list(called):
        while index in scopes:
            index = scopes[index]
            called.add(index)
    for index, rows in enumerate(expressions):
        if not rows or "ZstLiteral" not in rows[0]:
            continue
        at = next((place for place, row in enumerate(rows) if row == "            ty: FnDef("), -1)
        span = next((each for each in map(_SPAN.match, rows) if each), None)
        named = _NAMED.search(rows[at + 1]) if at >= 0 else None
        if span is None or named is None or span["line"] != span["last"]:
            continue
        name = named["path"].rpartition("::")[2]
        line = int(span["line"])
        start, end = int(span["column"]) - 1, int(span["end"]) - 1
        column = lines.line(span["file"], line).rfind(name, start, end)
        if column < 0:
            continue  # an operator, or another name of it
        types = rows[at + 2].strip()
        first = rows[at + 3].strip().rstrip(",") if types == "[" else types.strip("[],").split(",")[0]
        yield Named(
            span["file"], line, column + 1, named["crate"] == "0", named["path"], first.strip(), index in called
        )


class Lines:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.known: dict[str, list[str]] = {}

    def of(self, file: str) -> list[str]:
        if file not in self.known:
            self.known[file] = (self.root / file).read_text("utf-8", "replace").split("\n")
        return self.known[file]

    def line(self, file: str, number: int) -> str:
        return self.of(file)[number - 1]


class Definitions:
    """Where functions are defined: those with a body stand before it, a trait's others below the trait."""

    def __init__(self, lines: Lines, bodies: dict[str, tuple[str, int]]) -> None:
        self.lines = lines
        self.bodies = bodies
        self.implementing: defaultdict[tuple[str, str, str], list[Place]] = defaultdict(list)
        """(trait, type, method)"""
        self.files = sorted({file for file, _ in bodies.values()})
        for path in bodies:
            place = self.before_body(path)
            if place and _IMPLEMENTATION.search(path):
                self.implementing[(*self.header(place), place.name)].append(place)

    def places(self, path: str, first_type: str, is_local: bool) -> list[Place]:
        """None for what other crates define, but for what the crate implements of their traits."""
        place = self.before_body(path) or self.required(path) if is_local else None
        found = [place] if place else []
        if not _IMPLEMENTATION.search(path) and path.count("::"):
            trait, _, name = path.rpartition("::")
            found += self.implementing.get((last_name(trait), last_name(first_type), name), [])
        return found

    def before_body(self, path: str) -> Place | None:
        """The line `fn name` above the beginning of a body."""
        if path not in self.bodies:
            return None
        file, line = self.bodies[path]
        name = path.rpartition("::")[2]
        for number in range(line, max(0, line - 60), -1):
            if re.search(rf"\bfn\s+{re.escape(name)}\b", self.lines.line(file, number)):
                return Place(file, number, name)
        return None

    def required(self, path: str) -> Place | None:
        """A method that a trait asks for."""
        around, _, name = path.rpartition("::")
        trait = around.rpartition("::")[2]
        for file in self.files:
            text = self.lines.of(file)
            for number, line in enumerate(text, 1):
                if re.search(rf"\btrait\s+{re.escape(trait)}\b", line):
                    for later in range(number, min(len(text), number + 800)):
                        if re.search(rf"\bfn\s+{re.escape(name)}\b", text[later]):
                            return Place(file, later + 1, name)
                        if text[later].startswith("}"):
                            break
        return None

    def header(self, place: Place) -> tuple[str, str]:
        """The trait and the type of the implementation around; the trait is empty if there is none."""
        text = self.lines.of(place.file)
        for number in range(place.line - 1, -1, -1):
            header = _HEADER.match(text[number])
            if header and len(header["indent"]) < len(text[place.line - 1]) - len(text[place.line - 1].lstrip()):
                joined = " ".join(each.strip() for each in text[number : number + 6]).partition("{")[0]
                joined = joined.partition(" where ")[0].strip()
                trait, has_trait, type_ = joined.rpartition(" for ")
                if not has_trait:
                    return "", last_name(after_parameters(joined.removeprefix("unsafe ").removeprefix("impl")))
                return last_name(after_parameters(trait.removeprefix("unsafe ").removeprefix("impl"))), last_name(type_)
        return "", ""


def after_parameters(text: str) -> str:
    """What follows `<...>`."""
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign == "<") - (sign == ">" and text[at - 1 : at] != "-")
        if not depth and not sign.isspace():
            return text[at + 1 :] if sign == ">" else text[at:]
    return ""


def last_name(text: str) -> str:
    """`Cart` of `&'a mut shop::Cart<T>`."""
    return _BEFORE_NAME.sub("", text).partition("<")[0].rpartition("::")[2].strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
