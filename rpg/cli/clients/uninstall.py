"""`rpg uninstall`: takes back what `rpg install` wrote, and what is found of the server in a client's files.

In: a client, or --all. Out: the files as they were, after the change was shown and, on a terminal, agreed to. Graphs
stay: `rpg forget` removes those.
"""

from __future__ import annotations

import click

from rpg.cli.arguments.choices import OneOf
from rpg.cli.clients import undoing
from rpg.cli.clients.changes import Plan, apply, format_place
from rpg.cli.clients.install import confirm, folder_of_project, has_graph
from rpg.cli.clients.table import CLIENTS, NAMES, SCOPES
from rpg.cli.failures import DONE, FAILED, NOTHING_FOUND
from rpg.cli.terminal.output import complain, say
from rpg.errors import BadRequest


@click.command(short_help="Take the server out of an MCP client again")
@click.argument("client", default="", type=OneOf(NAMES))
@click.option("--all", "everything", is_flag=True, help="All clients, in all projects where rpg was installed")
@click.option("--scope", type=OneOf(SCOPES), default=None, show_default="both", help="Only here, or only the user's")
@click.option("--yes", "-y", is_flag=True, help="Without a question")
@click.option("--print", "only_print", is_flag=True, help="Show the change; write nothing")
def uninstall(client: str, everything: bool, scope: str | None, yes: bool, only_print: bool) -> int:
    """Take the server out of an MCP client again, with its hooks, lines of rules, sub-agent and skill.

    A file that was not edited since gets the bytes that it had; in another, only what is rpg's goes. The graph stays:
    `rpg forget` removes it.
    """
    if bool(client) == everything:
        raise BadRequest(f"name a client ({', '.join(NAMES)}), or give --all")
    plan = Plan()
    done = undoing.undo(
        plan, NAMES if everything else (client,), folder_of_project(), (scope,) if scope else SCOPES,
        everywhere=everything and scope is None,
    )  # fmt: skip
    for each in done.left:
        complain(f"left as it is: {each}")
    title = "No client" if everything else CLIENTS[client].title
    if not plan.steps:
        if not only_print:
            undoing.finish(done)
        say(f"{title} has {'anything' if everything else 'nothing'} of rpg here.")
        return FAILED if done.left else NOTHING_FOUND
    if only_print:
        confirm(plan, yes=True)
        return DONE
    if not confirm(plan, yes):
        say("Nothing was changed.")
        return DONE
    apply(plan)
    undoing.finish(done)
    say(
        "\n".join(
            f"{format_place(file)} {'is gone' if after is None else 'is without rpg'}."
            for file, _, after in plan.files()
        )
    )
    if has_graph(folder_of_project()):
        say("The graph stays: `rpg forget` removes it.")
    return FAILED if done.left else DONE
