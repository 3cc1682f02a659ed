"""What commands a terminal is written out, what is long is told in short."""

from __future__ import annotations

import pytest

from rpg.text.printable import escaped, quoted, shortened


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
    assert escaped(text) == shown


def test_what_was_given_is_reported_on_one_short_line() -> None:
    assert quoted("Cart.total") == "'Cart.total'"
    assert quoted("a\nb\tc\x1b") == "'a\\nb\\tc\\x1b'"
    assert quoted("it's") == '"it\'s"'
    assert len(quoted("x" * 100_000)) < 220
    assert quoted("x" * 100_000).endswith("(100,000 characters)")


@pytest.mark.parametrize("letter", ["x", "é", "名", "😀"])
def test_a_message_keeps_to_its_bytes_and_keeps_its_end(letter: str) -> None:
    told = shortened("start " + letter * 5_000 + " do this", 400)

    assert len(told.encode()) <= 400
    assert told.startswith("start ")
    assert told.endswith(" do this")
    assert shortened("short", 400) == "short"
