"""The command line. Only this room prints; every tool has a command, made from the tool's signature.

In: arguments. Out: text or JSON on stdout, progress and errors on stderr, an exit code: 0 success, 1 nothing found, 2
invalid request, 3 failure, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn

import click

from rpg import __version__
from rpg.cli.arguments.choices import suggestion
from rpg.cli.arguments.graphs import current_folder_is_there
from rpg.cli.commands import tool_command
from rpg.cli.failures import DONE, FAILED, STOPPED, WRONG_REQUEST, exit_code
from rpg.cli.serving.open_files import allow_many_files
from rpg.cli.serving.token import take_from_environment
from rpg.cli.terminal.output import Unwritable, complain, prepare, say, say_json
from rpg.cli.terminal.words_of_the_shell import in_words_of_the_shell
from rpg.errors import BadRequest, RpgError
from rpg.system.memory import shortage
from rpg.text.printable import quote_text, shorten
from rpg.tools import TOOLS

MESSAGE_BYTES = 4_000
COMPLETES = "_RPG_COMPLETE"
"""Set by the script that a shell completes with."""

OTHERS = {
    "overview": "rpg.cli.overview:overview",
    "audit": "rpg.cli.audit:audit",
    "tests": "rpg.cli.tests:tests",
    "review": "rpg.cli.review:review",
    "view": "rpg.cli.view:view",
    "diff": "rpg.cli.diff:diff",
    "verify": "rpg.cli.verify:verify",
    "bundle": "rpg.cli.bundle:bundle",
    "watch": "rpg.cli.serving.watch:watch",
    "lift": "rpg.cli.lift:lift",
    "export": "rpg.cli.exchange:export",
    "import": "rpg.cli.exchange:take_over",
    "fleet": "rpg.cli.fleet:fleet",
    "serve": "rpg.cli.serving.serve:serve",
    "install": "rpg.cli.clients.install:command",
    "uninstall": "rpg.cli.clients.uninstall:uninstall",
    "doctor": "rpg.cli.doctor.command:doctor",
    "schema": "rpg.cli.schema:schema",
    "completion": "rpg.cli.completion:completion",
    "debug": "rpg.cli.debug:debug",
}
"""Commands without a tool: module and function, imported when called."""
INSTEAD = {
    "find": "rpg search WORDS finds code, rpg usages SYMBOL who uses it",
    "grep": "rpg search WORDS finds code, rpg usages SYMBOL who uses it",
    "show": "rpg fetch SYMBOL shows its code",
    "read": "rpg fetch SYMBOL shows its code",
    "callers": "rpg usages SYMBOL lists who uses it, rpg explore SYMBOL --direction callers hop by hop",
    "callees": "rpg explore SYMBOL --direction callees lists what it calls",
    "references": "rpg usages SYMBOL lists who uses it",
    "index": "rpg encode does that",
}
"""What others call commands, and what does the same here."""
ORDER = ("encode", "overview", "search", "fetch", "explore", "usages", "check", "dependencies", "ask", "stats", "audit",
         "tests", "review", "view", "diff", "verify", "bundle", "watch", "lift", "export", "import", "fleet", "serve",
         "install", "uninstall", "doctor", "forget", "schema", "completion", "debug")  # fmt: skip


class Commands(click.Group):
    """Commands are created on request, so that running one does not import the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(ORDER)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        for tool in TOOLS.values():
            if tool.command == name == "ask":
                from rpg.cli.ask import command as ask

                return ask(tool)
            if tool.command == name == "check":
                from rpg.cli.check import command as check

                return check(tool)
            if tool.command == name:
                return tool_command(tool)
        if name not in OTHERS:
            return None

        module, _, function = OTHERS[name].partition(":")
        command = getattr(import_module(module), function)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            if args[0] in INSTEAD:
                ctx.fail(f"there is no command {quote_text(args[0])}: {INSTEAD[args[0]]}")
            command = TOOLS[args[0]].command if args[0] in TOOLS else args[0]
            ctx.fail(f"there is no command {quote_text(args[0])}{suggestion(command, ORDER)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """From the summaries: computing a tool's options is slow, and they are not needed here."""
        summaries = {tool.command: tool.summary for tool in TOOLS.values()}
        with formatter.section("Commands"):
            formatter.write_dl([(name, summaries.get(name) or self.summary(ctx, name)) for name in ORDER])

    def summary(self, ctx: click.Context, name: str) -> str:
        command = self.get_command(ctx, name)
        return command.get_short_help_str() if command else ""


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, prog_name="rpg")
@click.pass_context
def rpg(context: click.Context) -> None:
    """A code graph that a coding agent can trust: encode a repository once, query it here or over MCP, offline."""
    if context.invoked_subcommand is None:
        say(context.get_help())


def main(arguments: list[str] | None = None) -> None:
    """One of the two places that turn any exception into an answer."""
    prepare()
    code = run(arguments)
    if code or (sys.argv[1:] if arguments is None else arguments)[:1] in (["encode"], ["serve"]):
        leave(code)
    sys.exit(code)


def leave(code: int) -> NoReturn:
    """Ends the process without freeing its objects: a graph has millions, and freeing them takes a twentieth of the
    whole encode. Does not wait for threads that a server left running, and does not retry output that could not be
    written.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def run(arguments: list[str] | None = None) -> int:
    """Returns the exit code; raises nothing."""
    take_from_environment()
    wants_json = "--json" in (sys.argv[1:] if arguments is None else arguments)
    try:
        allow_many_files()
        if COMPLETES in os.environ:
            import_module("rpg.cli.completion")  # makes PowerShell known to click
        code: Any = rpg.main(arguments, prog_name="rpg", standalone_mode=False)
        return code if isinstance(code, int) else DONE
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (click.Abort, KeyboardInterrupt):
        complain("stopped")
        return STOPPED
    except click.ClickException as error:
        if wants_json:
            tell_json(BadRequest.code, error.format_message())
        else:
            complain(wrong_usage(error))
            if getattr(error, "option_name", "") == "--format":
                complain("--json prints the answer as JSON")
        return WRONG_REQUEST
    except RpgError as error:
        message = in_words_of_the_shell(error.message)
        if wants_json:
            tell_json(error.code, message)
        else:
            complain(shorten(f"{error.code}: {message}", MESSAGE_BYTES))
        return exit_code(error)
    except Unwritable as error:
        if not error.is_unread:  # the reader only wanted the first lines and needs no message
            complain(f"FAILED: {error}")
        return FAILED
    except SystemExit as stop:  # raised by a library, and by click after a completion
        return stop.code if isinstance(stop.code, int) else FAILED
    except OSError as error:
        if lack := shortage(error):
            complain(f"{lack.code}: {lack.message}")
        else:
            complain(f"FAILED: {reason(error)}")
        return FAILED
    except Exception as error:  # noqa: BLE001  one of the two places
        if lack := shortage(error):
            complain(f"{lack.code}: {lack.message}")
            return FAILED
        complain(shorten(f"FAILED: {error!r}. This is a bug in rpg; RPG_DEBUG=1 shows where", MESSAGE_BYTES))
        if os.environ.get("RPG_DEBUG"):
            import traceback

            complain(traceback.format_exc())
        return FAILED


def tell_json(code: str, message: str) -> None:
    """For programs, which read stdout, in place of the answer."""
    with suppress(Unwritable):
        say_json({"error": {"code": code, "message": shorten(message, MESSAGE_BYTES)}})


def wrong_usage(error: click.ClickException) -> str:
    lines = []
    context = getattr(error, "ctx", None)
    # A wrong value is answered with the right ones alone; how the command is used is not the question.
    if context is not None and type(error) is not click.BadParameter:
        lines += [context.get_usage(), f"Try '{context.command_path} --help' for help.", ""]
    return "\n".join([*lines, f"Error: {shorten(error.format_message(), MESSAGE_BYTES)}"])


def reason(error: OSError) -> str:
    """Which operation the system refused, and for which file."""
    if not current_folder_is_there():
        return "the current folder no longer exists: change to one that does"
    of = f": {quote_text(os.fsdecode(error.filename))}" if isinstance(error.filename, str | bytes) else ""
    return f"{error.strerror or error}{of}"
