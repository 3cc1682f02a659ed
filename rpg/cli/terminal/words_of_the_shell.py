"""Hints of answers and errors in the words of the command line: `--tests only`, not `tests=only`.

In: a text of a tool, which names tools and arguments as MCP does. Out: the same text with commands and options. In an
answer only the phrases that hints have are changed, since its other lines are source.
"""

from __future__ import annotations

import re
from functools import cache

from rpg.errors import TooLittleMemory

HINT = re.compile(
    r"(?:(?<=with )|\b(?=\w+=\w+ (?:lists|maps|draws|says|shows|names|has|searches)\b))"
    r"(tests|kinds|transitive|mode|detail|of|edges|limit|max_tokens|since)=(\w+)"
)
QUOTED = re.compile(r"`(\w+)`")
POSITIONAL = {"symbol": "SYMBOL", "targets": "TARGET", "target": "TARGET", "start": "START", "query": "QUERY",
              "repository": "REPOSITORY"}  # fmt: skip


def hints_in_words_of_the_shell(text: str) -> str:
    return HINT.sub(lambda match: f"{option(match[1])} {match[2]}", text)


def in_words_of_the_shell(message: str) -> str:
    """A whole message, in which names of tools and arguments stand between backticks. It stays as it is where there is
    too little memory to look the words up: that must hide no error."""
    try:
        tools, arguments = known_words()
    except (TooLittleMemory, MemoryError, ImportError, OSError):
        return message
    if message.startswith(tuple(tools)):
        tool = message.split()[0]
        message = f"rpg {tools[tool]}{message[len(tool) :]}" if tool in tools else message

    def word(match: re.Match[str]) -> str:
        if match[1] in tools:
            return f"`rpg {tools[match[1]]}`"
        if match[1] in POSITIONAL:
            return POSITIONAL[match[1]]
        return f"`{option(match[1])}`" if match[1] in arguments else match[0]

    return hints_in_words_of_the_shell(QUOTED.sub(word, message))


def option(name: str) -> str:
    return "--" + name.replace("_", "-")


@cache
def known_words() -> tuple[dict[str, str], frozenset[str]]:
    """The commands of the tools, and the arguments of all of them."""
    from rpg.tools import TOOLS
    from rpg.tools.calling.registry import parameters

    tools = {tool.name: tool.command for tool in TOOLS.values()}
    return tools, frozenset(name for tool in TOOLS.values() for name in parameters(tool))
