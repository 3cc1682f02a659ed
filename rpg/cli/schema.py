"""`rpg schema`: the JSON schema of an answer, for programs that read `--json`.

In: the name of a tool or of its command. Out: its schema.
"""

from __future__ import annotations

import click

from rpg.cli.arguments.choices import OneOf
from rpg.cli.terminal.output import say_json
from rpg.tools import TOOLS

NAMES = tuple(dict.fromkeys([*(tool.command for tool in TOOLS.values()), *TOOLS]))


@click.command(short_help="Print the JSON schema of an answer")
@click.argument("tool", type=OneOf(NAMES, tuple(TOOLS.keys() - {tool.command for tool in TOOLS.values()})))
@click.option("--arguments", is_flag=True, help="Print the schema of the arguments instead")
def schema(tool: str, arguments: bool) -> int:
    """Print the JSON schema of what a command prints with --json, and a server started with --structured sends.

    TOOL is the command, or the name of its tool.
    """
    from rpg.tools.calling.registry import input_schema, output_schema

    chosen = next(each for each in TOOLS.values() if tool in (each.command, each.name))
    say_json((input_schema if arguments else output_schema)(chosen))
    return 0
