"""Templates that open much and close nothing: reading them costs no more than they are long, or they are left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from accounts import encoded, usages

from rpg.encoder import operations as op
from rpg.encoder.facts import SITE_WORDS
from rpg.encoder.languages import find_language
from rpg.encoder.languages.ecmascript.components.markup import Markup
from rpg.encoder.languages.template_code import Openings
from rpg.encoder.parsing.parse import parse
from rpg.encoder.parsing.trees import tree_of
from rpg.encoder.unparsable import Unparsable

SIZE = 100_000


class Counted(bytes):
    """Counts the bytes that are looked at for a delimiter."""

    looked_at = 0

    def find(self, sub: Any, start: Any = 0, end: Any = None) -> int:
        found = super().find(sub, start)
        self.looked_at += (found if found >= 0 else len(self)) - start
        return found


@pytest.mark.parametrize("closing", [b"}}", b"%>"])
def test_a_delimiter_that_is_nowhere_is_looked_for_once(closing: bytes) -> None:
    source = Counted(b"{{ <% " * 1000)
    openings = Openings(source)
    for at in range(0, len(source), 6):
        assert openings.find(closing, at) == -1
    assert source.looked_at <= len(source)
    assert openings.find(b"{{", 1) == 6


def test_a_delimiter_that_is_only_before_is_found_there() -> None:
    openings = Openings(b"a }} b {{ c")
    assert openings.find(b"}}", 5) == -1
    assert openings.find(b"}}", 0) == 2


@pytest.mark.parametrize(
    ("path", "opening"),
    [
        ("a.blade.php", b"@a("),
        ("a.blade.php", b'@a("'),
        ("a.html.heex", b"{ "),
        ("a.html.heex", b'{"'),
        ("a.haml", b"%a{\n"),
        ("a.haml", b"text #{\n"),
        ("a.slim", b"a[\n"),
        ("a.slim", b"a b={ \n"),
        ("a.slim", b"| #{\n"),
        ("a.svelte", b"{ "),
        ("a.svelte", b'<a b="{'),
        ("a.svelte", b"<a b={"),
        ("a.svelte", b"{/*"),
        ("a.svelte", b'{"\\'),
        ("a.astro", b"{ "),
    ],
)
def test_what_opens_without_end_is_left_out(path: str, opening: bytes) -> None:
    language = find_language(path)
    with pytest.raises(Unparsable, match="too much in it is never closed"):
        parse(path, language, opening * (SIZE // len(opening)))


def braces(source: bytes) -> list[bytes]:
    return [source[each.start : each.end] for each in Markup(source, True).tokens()]


@pytest.mark.parametrize(
    "text", [b"{a}", b"{'}'}", b'{"\\"}"}', b"{/* } */ a}", b"{`}`}", b"{it's}", b"{a.replace(/'/g, 1)}"]
)
def test_braces_are_closed_past_strings_and_comments(text: bytes) -> None:
    assert braces(b"<p>" + text + b"\n}")[1] == text


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("a.blade.php", b"{{ %s\n @x(\n {!! \n", b"{{ total() }}"),
        ("a.html.heex", b"{ %s\n", b"<%%= total() %%>".replace(b"%%", b"%")),
        ("a.html.erb", b"<%% %s\n".replace(b"%%", b"%"), b"<%= total() %>"),
    ],
)
def test_a_few_openings_hide_nothing_that_is_closed(path: str, text: bytes, name: bytes) -> None:
    source = name + b"\n" + b"\n".join([text.replace(b"%s", b"a")] * 20)
    facts = parse(path, find_language(path), source)
    assert "total" in facts.strings


@pytest.mark.parametrize(
    ("path", "code", "name", "opening"),
    [
        ("cart.php", "<?php\nfunction total_of_cart() {}\n", "page.blade.php", "@a("),
        ("cart.js", "export function total_of_cart() {}\n", "Page.svelte", "{ "),
    ],
)
def test_a_name_in_a_template_that_is_left_out_leaves_a_list_incomplete(
    path: str, code: str, name: str, opening: str, tmp_path: Path
) -> None:
    text = opening * (SIZE // len(opening)) + "{{ total_of_cart() }}\n"
    others = text.replace("total_", "sum_")
    (used,) = usages(encoded(tmp_path / "used", {path: code, name: text}), "total_of_cart").symbols
    (near,) = usages(encoded(tmp_path / "near", {path: code, name: others}), "total_of_cart").symbols
    assert (used.complete, near.complete) == (False, True)


@pytest.mark.parametrize(
    ("path", "opening"),
    [
        ("a.html", b"<!-- "),
        ("a.sql", b"/* "),
        ("a.scala", b"val a = ("),
        ("a.scala", b"class A { "),
        ("a.scala", b"val a = f(f("),
        ("a.dart", b"var a = ["),
        ("a.py", b"\\\n"),
    ],
)
def test_what_a_parser_reads_again_and_again_is_left_out(path: str, opening: bytes) -> None:
    """Comments, lists and lines that nothing closes: a grammar looks for their ends at each."""
    with pytest.raises(Unparsable, match="too much work to parse"):
        parse(path, find_language(path), opening * (SIZE // len(opening)))


def test_a_few_of_them_are_read() -> None:
    facts = parse("a.sql", find_language("a.sql"), b"CREATE TABLE carts (id int);\n" + b"/* " * 100)
    assert "carts" in [each.name for each in facts.definitions]


def test_code_in_a_sigil_is_parsed_where_it_stands_and_nothing_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[int] = []

    def counted(grammar: str, text: bytes, at: int = 0, known: Any = None) -> Any:
        parsed.append(len(text))
        return tree_of(grammar, text, at, known)

    monkeypatch.setattr("rpg.encoder.parsing.parse.tree_of", counted)
    line = b'  def shown(cart), do: ~H"{total(cart)}<.row/>"  # \xc3\xa9\n'
    source = b"defmodule Shop do\n" + line * 200 + b"end\n"
    facts = parse("shop.ex", find_language("shop.ex"), source)

    assert sum(parsed) < 2 * len(source)
    called = {source[facts.code[facts.sites[k] + op.BYTE] :][:5] for k in range(0, len(facts.sites), SITE_WORDS)}
    assert b"total" in called
