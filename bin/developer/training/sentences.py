"""What a doc comment says first: the sentence that stands for a question while the table is trained.

In: the text of a doc comment, without the markers of its language. Out: plain text without markup.
"""

from __future__ import annotations

import re

LEAST_WORDS = 3
"""Shorter ones (`The name.`) fit too much code."""

_MARKUP = (
    (re.compile(r"\{@\w+\s+([^}]*)\}"), r"\1"),  # {@link Name}
    (re.compile(r"</?\w[^>\n]*>"), " "),
    (re.compile(r":[\w:]+:`~?([^`<]*)(?:<[^>]*>)?`"), r"\1"),  # :py:class:`~a.Name`
    (re.compile(r"\[([^\]\n]+)\](?:\([^)\n]*\)|\[[^\]\n]*\])"), r"\1"),  # [text](link)
    (re.compile(r"[`*\[\]]"), " "),
)
_HEADING = re.compile(
    r"[@:]\w+|(?:Parameters|Returns|Args|Arguments|Raises|Examples?|Notes?|Yields|Safety|Panics|Errors):?$"
    r"|[-=~#]{3,}|>>>|#\s|\.\.\s"
)
_SENTENCE = re.compile(r"(.+?[.!?])(?:\s+[A-Z(]|$)")
_WORD = re.compile(r"[A-Za-z]{2,}")
_SAYS_NOTHING = re.compile(r"(?:see|deprecated|todo|same as|alias|as above|like|inherit|override|implements)\b", re.I)


def first_sentence(doc: str, name: str) -> str:
    """Empty where the first paragraph is no sentence. `name` is left out at its start: Go has it there by custom."""
    for pattern, replacement in _MARKUP:
        doc = pattern.sub(replacement, doc)
    paragraph: list[str] = []
    for line in map(str.strip, doc.splitlines()):
        if line and not _HEADING.match(line):
            paragraph.append(line)
        elif paragraph:
            break
    text = " ".join(paragraph)
    found = _SENTENCE.match(text)
    sentence = " ".join((found[1] if found else text).split())
    if name and re.match(rf"{re.escape(name)}\b", sentence):
        sentence = sentence[len(name) :].lstrip(" ()")
    if len(_WORD.findall(sentence)) < LEAST_WORDS or _SAYS_NOTHING.match(sentence):
        return ""
    return sentence
