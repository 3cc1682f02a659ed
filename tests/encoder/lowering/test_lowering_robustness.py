"""Any bytes become facts that hold together: positions inside the file, expressions that exist, symbols with names."""

from __future__ import annotations

import gc
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rpg.encoder import operations as op
from rpg.encoder.facts import FileFacts
from rpg.encoder.languages import BY_NAME, find_language, read_language
from rpg.encoder.parsing.packing import pack, unpack
from rpg.encoder.parsing.parse import parse

FIXTURES = Path(__file__).parents[3] / "fixtures"
SNIPPETS = {
    "typescript": sorted(FIXTURES.glob("typescript/*/*.ts")),
    "tsx": sorted(FIXTURES.glob("typescript/*/*.tsx")),
    "javascript": sorted(FIXTURES.glob("javascript/*/*.js*")),
    "go": sorted(FIXTURES.glob("go/*/*.go")),
    "vue": sorted(FIXTURES.glob("vue/*/*.vue")),
    "svelte": sorted(FIXTURES.glob("svelte/*/*.svelte")),
    "astro": sorted(FIXTURES.glob("astro/*/*.astro")),
    "markdown": [FIXTURES / "README.md"],
}
SNIPPETS |= {
    language.name: sorted(
        path
        for path in FIXTURES.glob(f"{language.name}/**/*")
        if path.is_file() and read_language(path.as_posix(), path.read_bytes()) is language
    )
    for language in BY_NAME.values()
    if language.tier == "defined"
}
TOKENS = """
{ } ( ) [ ] ; , => = . ... < > : ? ?. ! @x # ` ' " ${ // /* */ <- := \\ ``` ## --- <T> </div> <A/> class function export
import from static get async await new this super default type interface enum namespace declare abstract module.exports
exports.x= require( Object.assign( .prototype. func struct map[ range switch case select go defer chan var const let
yield* return throw
"""
PIECES = [
    *TOKENS.split(), "\n", "\r\n", "\n\n",
    "{#each a as b (", "{:else", "{/each}", "{@const ", "<A let:b use:c=", "$a",
    "<script setup>", "</script>", "<template v-for='a of b'>", "{{ a", ' :a="b"',
    "import (", "define(['a'], function (a) {", "/** @param {T<", "\x00", "\xff",
]  # fmt: skip

# Parsing raises the recursion limit once; hypothesis wants that before it starts.
parse("file", BY_NAME["go"], b"")

Edit = tuple[int, int, str]


@pytest.mark.parametrize("path", [FIXTURES / "python/decorators/shop.py", *(each[0] for each in SNIPPETS.values())])
def test_nothing_is_left_of_a_file_but_its_facts(path: Path) -> None:
    source = path.read_bytes()
    language = read_language(path.as_posix(), source)
    assert language is not None
    parse(path.name, language, source)  # the first such file imports what it needs, which leaves something
    collecting = gc.isenabled()
    gc.disable()
    try:
        gc.collect()
        facts = parse(path.name, language, source)
        assert gc.collect() == 0
    finally:
        if collecting:
            gc.enable()
    assert facts.definitions


def edited(source: bytes, edits: list[Edit]) -> bytes:
    """The source with pieces put in and parts cut out, at places given in thousandths."""
    for place, cut, piece in edits:
        at = place * len(source) // 1000
        source = source[:at] + piece.encode("latin-1", "ignore") + source[at + cut :]
    return source


@pytest.mark.parametrize("name", SNIPPETS)
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_damaged_sources_become_facts_that_hold_together(name: str, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(SNIPPETS[name]))
    edit = st.tuples(st.integers(0, 1000), st.integers(0, 40), st.sampled_from(PIECES))
    source = edited(path.read_bytes(), data.draw(st.lists(edit, min_size=1, max_size=8)))
    hold_together(parse("file", BY_NAME[name], source), source)


@pytest.mark.invariant("encoding", "every byte sequence parses")
@pytest.mark.parametrize("name", SNIPPETS)
@settings(max_examples=30, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(source=st.binary(max_size=300))
def test_any_bytes_become_facts(name: str, source: bytes) -> None:
    hold_together(parse("file", BY_NAME[name], source), source)


@pytest.mark.parametrize("name", SNIPPETS)
def test_the_fixtures_become_facts_that_hold_together(name: str) -> None:
    for path in SNIPPETS[name]:
        source = path.read_bytes()
        hold_together(parse("file", BY_NAME[name], source), source)


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("javascript", b"x = " + b"a + " * 3000 + b"b;"),
        ("javascript", b"x" + b".then(f)" * 800 + b";"),
        ("javascript", b"(" * 800 + b"x" + b")" * 800),
        ("typescript", b"type T = " + b"A | " * 3000 + b"B;"),
        ("go", b"package a\nvar x = " + b"1 + " * 3000 + b"1\n"),
        ("markdown", b"`" * 5000),
        ("markdown", b"# a\n" * 2000),
        ("haml", b"- for a in b\n= total."),
        ("slim", b"- carts.each do |cart|\n= total {"),
    ],
)
def test_what_is_long_or_unfinished_is_gone_through(name: str, source: bytes) -> None:
    hold_together(parse("file", BY_NAME[name], source), source)


def hold_together(facts: FileFacts, source: bytes) -> None:
    code, size = facts.code, len(source)
    starts = {0}
    offset = 2
    while offset < len(code):
        starts.add(offset)
        assert 0 <= code[offset + 1] <= size
        offset += op.length(code, offset)
    assert offset == len(code)
    for binding in facts.bindings:
        assert binding.value in starts
        assert 0 <= binding.scope < len(facts.scopes)
        assert 0 <= binding.block < len(facts.blocks) // 3
    for at in range(0, len(facts.sites), 3):
        assert facts.sites[at] in starts - {0}
        assert 0 <= facts.sites[at + 2] < len(facts.definitions)
    for definition in facts.definitions[1:]:
        assert 0 <= definition.start_byte <= definition.name_byte <= definition.end_byte <= size
        assert definition.start_byte < definition.end_byte
        assert definition.start_byte <= definition.body_byte <= definition.end_byte
        assert definition.start_line <= definition.end_line
        assert definition.name or "anonymous" in definition.flags
        assert -1 <= definition.scope < len(facts.scopes)
        assert 0 <= definition.parent < len(facts.definitions)
    expressions = [value for values in facts.returns.values() for value in values]
    expressions += [value for rows in facts.bases.values() for _, value in rows]
    expressions += [value for row in facts.members for value in (row[0], row[2])]
    expressions += [value for row in facts.items for value in row]
    expressions += facts.exports.get("names", {}).values()
    assert set(expressions) <= starts
    assert all(one <= other for one, other in pairwise(facts.line_starts))
    block = pack(facts)
    assert pack(unpack(block)) == block


def test_an_attribute_in_a_function_belongs_to_no_other_function() -> None:
    source = b"""#[cfg(unix)]
use std::fs;

fn sum() -> Cart {
    #[cfg(unix)]
    let first = 1;
    #[allow(unused)]
    pay(first);
    Cart { #[cfg(unix)] first }
}

fn plain() {}

#[test]
/// Counts.
#[cfg(unix)]
fn marked() {}
"""
    language = find_language("cart.rs")
    assert language is not None
    functions = {each.name: each for each in parse("cart.rs", language, source).definitions[1:]}

    assert {name: each.decorators for name, each in functions.items()} == {
        "sum": (), "plain": (), "marked": ("@test", "@cfg")
    }  # fmt: skip
    assert source[functions["plain"].start_byte :].startswith(b"fn plain")
    assert source[functions["marked"].start_byte :].startswith(b"#[test]")
