"""A bug report as a query: its title says what it is about; its forms and its lists of versions say nothing.

In: the text of a query. Out: whether it is such a text, and what of it is searched, the title several times.
Absent: what its words find (order/ranking.py), the files that it names (order/file_order.py).
"""

from __future__ import annotations

import re

from rpg.queries.search.order import ranking_weights as weights

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_ADDRESS = re.compile(r"https?://\S+")
_WORD = re.compile(r"[A-Za-z][A-Za-z']+")
_CODE = re.compile(
    r"[;{}]\s*$|^\s*(@|#include|//|/\*|(def|class|import|from|return|func|fn|const|let|var|public|private|package|use)\b)"
)
_VERSION = re.compile(r"(?<![\w.])v?\d+\.\d+[\w.+-]*")
_SETTING = re.compile(r"[\w.+-]+ *: *[\w.+-]*")


def is_report(text: str) -> bool:
    """Whether a title in words stands above more text, as in issues and messages of commits; pasted code has none."""
    lines = text.strip().split("\n", weights.LEAST_LINES)
    if len(lines) < weights.LEAST_LINES or _CODE.search(lines[0]):
        return False
    return (
        len(_WORD.findall(lines[0])) >= weights.LEAST_TITLE
        and len(text.split(None, weights.LEAST_WORDS)) > weights.LEAST_WORDS
    )


def read_report(text: str) -> str:
    """What is searched of a report; any other text as it is."""
    if not is_report(text):
        return text
    title = text.strip().split("\n", 1)[0]
    body = _ADDRESS.sub(" ", _COMMENT.sub(" ", text))
    blocks: list[list[str]] = [[]]
    for line in body.splitlines():
        if line.strip():
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
    told = [line for block in blocks if not _is_of_versions(block) for line in block if not _is_version(line)]
    return "\n".join([*told, *[title] * weights.TITLE_COUNTS])


def _is_version(line: str) -> bool:
    return (
        len(line) <= weights.LONGEST_LINE
        and _VERSION.search(line) is not None
        and len(line.split()) <= weights.MOST_IN_VERSION
    )


def _is_of_versions(block: list[str]) -> bool:
    if len(block) < weights.LEAST_LINES:
        return False
    versions = sum(map(_is_version, block))
    listed = sum(_is_version(line) or _SETTING.fullmatch(line.strip()) is not None for line in block)
    return versions >= weights.VERSIONS_IN_BLOCK * len(block) and 2 * listed > len(block)
