"""Real files of each language, damaged by chance: no parser dies or hangs of them, and what it says holds together.

Every case follows from its number, so that a failure can be repeated: `damaged(language, number)`.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from outlined_cases import CASES

from rpg.encoder.languages import BY_NAME, find_language
from rpg.encoder.parsing.packing import pack, unpack
from rpg.encoder.parsing.worker_pool import TOO_LONG, EncodedFile, parse_all
from rpg.encoder.source_files.selection import Entry
from rpg.encoder.unparsable import NOT_CLOSED, SLOW, TOO_DEEP
from rpg.system.compression import decompress
from rpg.system.stamp import NO_STAMP

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
INSTALLED = Path(sysconfig.get_path("purelib"))
LARGEST = 12_000
"""Bytes of a file that is damaged."""
MOST_FILES = 300
TOKEN = re.compile(rb"\w+|\s+|[^\w\s]")
PAIRS = [
    b"()", b"[]", b"{}", b"<>", b"``", b'""', b"''", b"${", b'f"{', b"/*", b"<a>", b"=>", b"> ", b"- ", b"1. ", b"* ",
    b"a.", b"a?", b"if a:", b"if(a)", b"else ", b"lambda: ", b"not ", b"await ", b"x[", b"|", b"#", b"\\", b"@a ",
    b"\t", b"a = ", b"a, ", b"*", b"&", b"func(){", b"map[a]", b"A<", b"/** @type {", b"`${", b"\\\n", b":",
    b"  ", b"-> ",
]  # fmt: skip

GRAMMAR_ALONE = """
import resource, sys
from rpg.encoder.parsing.trees import parser
resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
parser(sys.argv[1]).parse(sys.stdin.buffer.read())
"""

Damage = Callable[[random.Random, bytes, bytes], bytes]


def flip(chance: random.Random, source: bytes, other: bytes) -> bytes:
    changed = bytearray(source)
    for _ in range(chance.randint(1, 20)):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def cut(chance: random.Random, source: bytes, other: bytes) -> bytes:
    return source[: chance.randrange(len(source))]


def splice(chance: random.Random, source: bytes, other: bytes) -> bytes:
    return source[: chance.randrange(len(source))] + other[chance.randrange(len(other)) :]


def drop(chance: random.Random, source: bytes, other: bytes) -> bytes:
    return b"".join(token for token in TOKEN.findall(source) if chance.random() > 0.02)


def double(chance: random.Random, source: bytes, other: bytes) -> bytes:
    return b"".join(token * (chance.randint(2, 40) if chance.random() < 0.01 else 1) for token in TOKEN.findall(source))


def exchange(chance: random.Random, source: bytes, other: bytes) -> bytes:
    tokens = TOKEN.findall(source)
    for _ in range(chance.randint(1, 10)):
        one, two = chance.randrange(len(tokens)), chance.randrange(len(tokens))
        tokens[one], tokens[two] = tokens[two], tokens[one]
    return b"".join(tokens)


def nest(chance: random.Random, source: bytes, other: bytes) -> bytes:
    at, depth, pair = chance.randrange(len(source)), chance.choice((2, 30, 300, 3000)), chance.choice(PAIRS)
    end = at + chance.randrange(200)
    return source[:at] + pair[:1] * depth + source[at:end] + pair[1:] * depth + source[end:]


def repeat(chance: random.Random, source: bytes, other: bytes) -> bytes:
    at = chance.randrange(len(source))
    return source[:at] + chance.choice(PAIRS) * chance.choice((3, 50, 254, 255, 256, 1100, 5000)) + source[at:]


def indent(chance: random.Random, source: bytes, other: bytes) -> bytes:
    by = chance.choice((b" ", b"\t", b"> ", b"  "))
    return b"".join(by * chance.randint(0, 12) + line for line in source.splitlines(keepends=True))


def deepen(chance: random.Random, source: bytes, other: bytes) -> bytes:
    lines = source.splitlines(keepends=True)[: chance.randint(1, 400)]
    return b"".join(b" " * (number % 300) + line.lstrip() for number, line in enumerate(lines))


def garbage(chance: random.Random, source: bytes, other: bytes) -> bytes:
    at = chance.randrange(len(source))
    return source[:at] + chance.randbytes(chance.choice((1, 30, 400))) + source[at:]


DAMAGES: tuple[Damage, ...] = (
    flip, cut, splice, drop, double, exchange, nest, repeat, indent, deepen, garbage
)  # fmt: skip


PROSE = (".md", ".rst", ".txt")
"""What damaged text is made of that no grammar parses."""


def as_notebook(source: bytes) -> bytes:
    lines = source.decode("utf-8", "replace").splitlines(keepends=True)
    half = len(lines) // 2
    cells = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": part} for part in (lines[:half], lines[half:])
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1).encode()


@cache
def sources(language: str) -> list[bytes]:
    if language == "notebook":
        return [as_notebook(source) for source in sources("python")]
    known = BY_NAME[language]
    suffixes = known.suffixes if known.grammar else PROSE
    found = [
        path for path in sorted(FIXTURES.rglob("*")) if path.name.endswith(suffixes) or path.name in known.file_names
    ]
    found += [path for path in sorted(INSTALLED.rglob("*")) if path.name.endswith(suffixes)][: 20 * MOST_FILES]
    if known.is_outlined:
        own = [text.encode() for path, (text, *_) in CASES.items() if find_language(path).name == language]
        return own or [text.encode() for text, *_ in CASES.values()]
    if not suffixes:
        found += [path for path in sorted((FIXTURES / language).rglob("*")) if path not in found]
    texts = (path.read_bytes() for path in found if path.is_file() and 0 < path.stat().st_size <= LARGEST)
    read = [text for text in texts if len(text) > 20]
    return read[:: max(1, len(read) // MOST_FILES)]


def damaged(language: str, number: int) -> bytes:
    chance = random.Random(f"{language} {number}")
    source = chance.choice(sources(language))
    for _ in range(chance.randint(1, 4)):
        source = chance.choice(DAMAGES)(chance, source or b"a", chance.choice(sources(language)))
    return source[: 40 * LARGEST]


def is_slow_by_itself(language: str, source: bytes) -> bool:
    """Whether it is the grammar that takes long, as some do to recover from errors, and not what follows."""
    command = [sys.executable, "-c", GRAMMAR_ALONE, BY_NAME[language].grammar]
    return subprocess.run(command, input=source, capture_output=True, check=False).returncode < 0


@pytest.mark.invariant("encoding", "every byte sequence parses")
@pytest.mark.parametrize("language", sorted(BY_NAME))
def test_no_damage_ends_a_parser(language: str, fuzz: int) -> None:
    known = BY_NAME[language]
    suffix = next(iter(known.suffixes), "" if known.file_names else ".of-no-language")

    def files() -> Iterator[tuple[Entry, bytes]]:
        for number in range(fuzz):
            source = damaged(language, number)
            name = suffix or f"/{known.file_names[number % len(known.file_names)]}"
            yield Entry(f"{number}{name}", len(source), NO_STAMP, ""), source

    died: dict[str, str] = {}
    wrong: list[str] = []
    for file in parse_all(files(), masks=True, read_ns=0, count=2):
        assert isinstance(file, EncodedFile)
        if file.skipped:
            number = int(file.path.replace("/", ".").partition(".")[0])
            if file.skipped == TOO_LONG and is_slow_by_itself(language, damaged(language, number)):
                continue
            if file.skipped not in (NOT_CLOSED, SLOW, TOO_DEEP):
                died[file.path] = file.skipped
            continue
        block = decompress(file.facts)
        if pack(unpack(block)) != block:
            wrong.append(file.path)
    assert (died, wrong) == ({}, [])
