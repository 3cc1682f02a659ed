"""What commands a terminal is written out, what is long is told in short."""

from __future__ import annotations

import pytest

from rpg.text.printable import make_printable, quote_text, shorten


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\n\tand kept", "plain\n\tand kept"),
        ("naïve 名前 ✓", "naïve 名前 ✓"),
        ("\x1b[2J", "\\x1b[2J"),
        ("line\rover", "line\\rover"),
        ("bell\a back\b del\x7f", "bell\\x07 back\\x08 del\\x7f"),
        ("é \x9b31m", "é \\x9b31m"),
        ("if admin\u202e \u2066# x\u2069", "if admin\\u202e \\u2066# x\\u2069"),
        ("half \udc80", "half \\udc80"),
    ],
)
def test_commands_are_written_out_and_text_is_kept(text: str, shown: str) -> None:
    assert make_printable(text) == shown


def test_what_was_given_is_reported_on_one_short_line() -> None:
    assert quote_text("Cart.total") == "'Cart.total'"
    assert quote_text("a\nb\tc\x1b") == "'a\\nb\\tc\\x1b'"
    assert quote_text("it's") == '"it\'s"'
    assert len(quote_text("x" * 100_000)) < 220
    assert quote_text("x" * 100_000).endswith("(100,000 characters)")


@pytest.mark.parametrize("letter", ["x", "é", "名", "😀"])
def test_a_message_keeps_to_its_bytes_and_keeps_its_end(letter: str) -> None:
    told = shorten("start " + letter * 5_000 + " do this", 400)

    assert len(told.encode()) <= 400
    assert told.startswith("start ")
    assert told.endswith(" do this")
    assert shorten("short", 400) == "short"
