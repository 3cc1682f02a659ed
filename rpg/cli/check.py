"""`rpg check`: what an edit has broken.

In: the arguments of the tool; the revision is an option or the first argument. Out: the text or the JSON of the tool;
exit code 1 if something is broken.
"""

from __future__ import annotations

from typing import Any

import click

from rpg.cli.arguments.options import graph_option, json_option
from rpg.cli.commands import ToolCommand, option, runner
from rpg.tools.calling.registry import Tool, parameters

HOOK = click.Option(
    ["--hook"], is_flag=True, help="For an agent's client, as `rpg install --hooks` sets it up: its event is on stdin"
)


def command(tool: Tool) -> click.Command:
    run = runner(tool)

    def called(revision: str | None, since: str | None, hook: bool, **arguments: Any) -> int:
        if hook:
            from rpg.hooks.edits import run_hook

            return run_hook()
        return run(since=revision or since, **arguments)

    known = [option(each) for name, each in parameters(tool).items() if name not in ("graph", "strict")]
    return ToolCommand(
        tool.command,
        params=[click.Argument(["revision"], required=False), *known, HOOK, graph_option(), json_option()],
        callback=called,
        help=tool.description,
        short_help=tool.summary,
    )
