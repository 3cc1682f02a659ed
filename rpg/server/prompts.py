"""Prompts: four ways to work with the graph, each naming the calls that it needs.

In: a prompt's name and arguments. Out: the message that a user's client passes to its model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import mcp_types as types

from rpg.errors import BadRequest
from rpg.server import arriving
from rpg.text.printable import quote_text


class Template(NamedTuple):
    description: str
    arguments: dict[str, str]
    """Name and description; a description that ends in "(optional)" makes the argument optional."""
    text: str


TEMPLATES = {
    "analyze_repository": Template(
        "Explain how a repository is built",
        {"focus": "What to look at more closely (optional)"},
        "Explain how this repository is built, for someone who is to work on it.{focus}\n"
        "Call `explore` without arguments for its areas, entry points and tests; `stats` for its size and import "
        "cycles; `fetch` with relations for the three most central symbols; `get_dependencies` for the directories "
        "that matter. Then write: what it does, its parts and how they depend on each other, where execution starts, "
        "what is surprising. Cite `path:start-end` for every claim.",
    ),
    "find_implementation": Template(
        "Find where something is implemented",
        {"what": "The behaviour, in words or by name"},
        "Find where this is implemented: {what}\n"
        "Call `search` with the words; `fetch` the best hits with relations; follow with `explore` until the code that "
        "does the work is found, not one that forwards to it. Answer with the symbol, `path:start-end`, how it is "
        "reached, and what else takes part.",
    ),
    "code_review": Template(
        "Review what changed",
        {"since": "A git revision to compare with, for instance main", "focus": "What to look at (optional)"},
        "Review the changes since {since}.{focus}\n"
        "Call `check` with since '{since}': it lists what the change broke; believe it when it says that names and "
        "arguments fit. Call `find_usages` with since '{since}': it lists every symbol that changed with all its "
        "usages. `fetch` the changed symbols, code before tests before documents. Check what no rule sees: results, "
        "exceptions, order, effects that callers rely on. Look at possible and unresolved usages too. Call "
        "`find_usages` with since and tests_only to see which tests reach the change. Report problems with "
        "`path:line`, worst first: broken, at risk, untested; a rename is one remark; leave out files in which only "
        "imports changed.",
    ),
    "change_impact": Template(
        "Say what a change of a symbol would break",
        {"symbol": "Name or id of the symbol", "change": "What is to be changed (optional)"},
        "What would break if {symbol} is changed?{change}\n"
        "Call `find_usages` for it with transitive 3, again with tests_only, and `explore` with edges ['overrides', "
        "'inherits'] in both directions. Report: direct callers that must change, with `path:line`; code further away "
        "that depends on them; overriding and overridden members; tests to run; and what is uncertain, from the "
        "possible and unresolved usages and the reason that the list gives.",
    ),
}


def prompts() -> list[types.Prompt]:
    return [
        types.Prompt(
            name=name,
            description=template.description,
            arguments=[
                types.PromptArgument(
                    name=argument, description=description, required=not description.endswith("(optional)")
                )
                for argument, description in template.arguments.items()
            ],
        )
        for name, template in TEMPLATES.items()
    ]


def prompt(name: str, arguments: Mapping[str, str]) -> types.GetPromptResult:
    template = TEMPLATES.get(name)
    if template is None:
        raise BadRequest(f"there is no prompt {quote_text(name)}; there are {', '.join(TEMPLATES)}")
    unknown = sorted(set(arguments) - set(template.arguments))
    if unknown:
        raise BadRequest(
            f"prompt {name} has no argument {quote_text(unknown[0])}; it takes {', '.join(template.arguments)}"
        )
    filled = {}
    for argument, description in template.arguments.items():
        value = arriving.argument(argument, arguments.get(argument, "")).strip()
        optional = description.endswith("(optional)")
        if not value and not optional:
            raise BadRequest(f"prompt {name} needs the argument {argument!r}: {description}")
        filled[argument] = f" {argument.capitalize()}: {value}." if value and optional else value
    text = template.text.format(**filled)
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.GetPromptResult(description=template.description, messages=[message])
