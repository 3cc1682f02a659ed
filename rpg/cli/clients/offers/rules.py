"""Four lines in a client's instructions for its agent, between two marks.

In: the text of CLAUDE.md, AGENTS.md or the client's own file, and the server's name. Out: the text with the lines,
once; or without them. What stands around the marks stays.
"""

from __future__ import annotations

import re

BEGIN, END = "<!-- rpg: begin -->", "<!-- rpg: end -->"
LINES = """\
This repository has a code graph, the tools of the MCP server `{name}` (`rpg` in a shell): ask it before grep.
Who uses or calls X, what a change breaks: `find_usages`. Where something is defined or done: `search`, then `fetch`.
What is in a folder, file or class: `explore`. How something works: `query_code`. After an edit: `check`.
Do not repeat with grep what an answer marks complete; read a single file that you know by its path directly.
"""
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


def has_lines(text: str) -> bool:
    return FENCED.search(text) is not None
