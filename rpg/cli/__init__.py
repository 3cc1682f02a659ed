"""The command line. This room alone prints; every tool has its command, made from the tool's own signature.

In: arguments. Out: text or JSON on stdout, progress and errors on stderr, an exit code: 0 done, 1 nothing found,
2 wrong request, 3 failed.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Any, NoReturn

import click

from rpg import __version__
from rpg.cli.commands import tool_command
from rpg.cli.failures import exit_code
from rpg.errors import RpgError
from rpg.tools import TOOLS

OTHERS = {
    "diff": "rpg.cli.diff:diff",
    "watch": "rpg.cli.watch:watch",
    "serve": "rpg.cli.serve:serve",
    "install": "rpg.cli.install:install",
    "debug": "rpg.cli.debug:debug",
}
"""Commands that are no tools: module and function, imported when they are called."""
ORDER = ("encode", "search", "fetch", "explore", "usages", "dependencies", "ask", "stats", "diff", "watch", "serve",
         "install", "forget", "debug")  # fmt: skip


class Commands(click.Group):
    """Commands are made when they are asked for, so that one does not pay for the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(ORDER)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        for tool in TOOLS.values():
            if tool.command == name == "ask":
                from rpg.cli.ask import command as ask

                return ask(tool)
            if tool.command == name:
                return tool_command(tool)
        if name not in OTHERS:
            return None
        from importlib import import_module

        module, _, function = OTHERS[name].partition(":")
        command = getattr(import_module(module), function)
        assert isinstance(command, click.Command)
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="rpg")
def rpg() -> None:
    """The code graph a coding agent can believe: encode a repository once, ask it here or over MCP, offline."""


def main(arguments: list[str] | None = None) -> None:
    """One of the two doors where any exception becomes an answer."""
    code = run(arguments)
    if (sys.argv[1:] if arguments is None else arguments)[:1] == ["encode"]:
        leave(code)
    sys.exit(code)


def leave(code: int) -> NoReturn:
    """End the process without taking apart what it made: a graph is millions of objects, and freeing them one by one
    is a twentieth of all that encoding costs."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def run(arguments: list[str] | None = None) -> int:
    """The exit code; nothing is raised."""
    try:
        code: Any = rpg.main(arguments, prog_name="rpg", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.Abort:
        print("stopped", file=sys.stderr)
        return 3
    except click.ClickException as error:
        error.show()
        return 2
    except RpgError as error:
        print(f"{error.code}: {error.message}", file=sys.stderr)
        return exit_code(error)
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except Exception as error:  # noqa: BLE001  one of the two doors
        import traceback

        traceback.print_exc()
        print(f"FAILED: {error!r}. This is a bug in rpg", file=sys.stderr)
        return 3
