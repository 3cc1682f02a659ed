"""Four lines in a client's instructions for its agent, between two marks.

In: the text of CLAUDE.md, AGENTS.md or the client's own file, and the server's name. Out: the text with the lines,
once; or without them. What stands around the marks stays.
"""

from __future__ import annotations

import re

from rpg.cli.clients.offers.wording import BREAKS, CHECKS, EXPLAINS, FINDS, OUTLINES, USES, WHY
from rpg.encoder.source_files.own_files import BEGIN, END

LINES = (
    "Before you grep for a name or read file after file, ask this repository's code graph: the tools of the MCP server "
    f"`{{name}}`, or in a shell `rpg usages X`, `rpg search WORDS`, `rpg ask QUESTION`. {WHY}\n"
    f"{USES}; ask it before you change X. {BREAKS}. {CHECKS}.\n"
    f"{FINDS}. {OUTLINES}. {EXPLAINS}.\n"
    "Ask it first, and without a grep in the same turn: the answer ends in an account of every place that has the "
    'word, so "complete" leaves grep nothing to find, and what is undecided is listed with its line. Read a file that '
    "you know by its path directly; grep for texts.\n"
)
FENCED = re.compile(rf"(?:\r?\n)?{re.escape(BEGIN)}\r?\n.*?{re.escape(END)}(?:\r?\n)?", re.DOTALL)


def set_lines(text: str, name: str) -> str:
    line = "\r\n" if "\r\n" in text else "\n"
    block = f"{BEGIN}\n{LINES.format(name=name)}{END}\n".replace("\n", line)
    found = FENCED.search(text)
    if found:
        gap = line if found[0].startswith(("\n", "\r\n")) else ""
        return text[: found.start()] + gap + block + text[found.end() :]
    if not text:
        return block
    return text + ("" if text.endswith("\n") else line) + line + block


def remove_lines(text: str) -> str:
    found = FENCED.search(text)
    return text[: found.start()] + text[found.end() :] if found else text
