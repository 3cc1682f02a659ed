"""What clients send outside of tools: the arguments of prompts and completions, the URIs of resources.

In: a text. Out: the same. BAD_REQUEST for one that is too long, or that no database, file name or answer can hold.
Absent: the arguments of tools, which are checked against their signatures (tools/calling/registry.py).
"""

from __future__ import annotations

from rpg.errors import BadRequest
from rpg.text.printable import is_printable, quote_text
from rpg.tools.calling.registry import LONGEST_TEXT, is_writable

LONGEST_URI = 4 * LONGEST_TEXT
"""A name whose characters are all percent-encoded takes three times its length."""


def argument(name: str, text: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise BadRequest(f"argument {quote_text(name)} has at most {LONGEST_TEXT:,} characters, not {len(text):,}")
    if not is_writable(text):
        raise BadRequest(f"argument {quote_text(name)} contains a NUL, or text that is not UTF-8")
    return text


def uri(text: str) -> str:
    """One that can be repeated: notifications and answers name it as it was sent."""
    if len(text) > LONGEST_URI:
        raise BadRequest(f"the URI {quote_text(text)} is too long: at most {LONGEST_URI:,} characters")
    if not is_printable(text):
        raise BadRequest(f"the URI {quote_text(text)} has control characters: write them percent-encoded, as in %1B")
    return text
