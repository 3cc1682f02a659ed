"""`rpg install`: adds the server to an MCP client's configuration, and offers what makes an agent use it.

In: a client, perhaps a graph file, and whether it is for this project or for the user. Out: the client's files with
our parts in them, everything else unchanged, comments included, after the change was shown and, on a terminal, agreed
to; or, with --print, the block to add.

Without a graph, the entry names the project's folder by the client's own variable: it can be shared with the project,
and the server makes a missing graph when it is started. It is written at the top of the repository.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rpg.cli.arguments.choices import OneOf, Place
from rpg.cli.arguments.options import graph_option
from rpg.cli.clients import receipts
from rpg.cli.clients.changes import Plan, apply, difference, format_place
from rpg.cli.clients.editing import formats
from rpg.cli.clients.entry import Entry, entry, keys_of, server_command
from rpg.cli.clients.offers.hooks import CHECK, HOOKED
from rpg.cli.clients.offers.hooks import command as hook_command
from rpg.cli.clients.parts import (
    AGENT,
    ANSWERS,
    HOOKS,
    QUESTIONS,
    RULES,
    SERVER,
    SKILL,
    Target,
    add,
    file_of,
    text_alone,
)
from rpg.cli.clients.table import CLIENTS, NAMES, PROJECT, SCOPES, USER
from rpg.cli.failures import DONE
from rpg.cli.terminal.output import say, say_as_it_is
from rpg.cli.terminal.paging import has_colors
from rpg.errors import BadRequest
from rpg.text.printable import make_printable

OFFERS = (RULES, AGENT, SKILL, HOOKS, ANSWERS)


def offer(part: str, what: str) -> click.Option:
    return click.Option([f"--{part}/--no-{part}", part], default=None, show_default="asks on a terminal", help=what)


def install(
    client: str, graph: str, named: str, scope: str | None, name: str, yes: bool, only_print: bool,
    **wanted: bool | None,
) -> int:  # fmt: skip
    """Add the server to an MCP client, so that it serves this repository, and show the change first.

    Without GRAPH, the client's file is that of the repository around the current folder, and a missing graph is made
    when the server is first started. With GRAPH, the entry names that file. `rpg uninstall` takes all of it back.
    """
    chosen = CLIENTS[client]
    scope = scope or (PROJECT if chosen.project else USER)
    if scope == PROJECT and not chosen.project:
        raise BadRequest(f"{chosen.title} has no configuration for a project: leave --scope out")
    target = Target(client, scope, folder_of_project())
    for part in OFFERS:
        if wanted[part] and file_of(part, target) is None:
            raise BadRequest(f"{chosen.title} has no place for {QUESTIONS[part]}: leave --{part} out")
    new = entry(chosen, scope, target.root, graph or named, name)
    if only_print:
        print_blocks(target, new, [part for part in OFFERS if wanted[part] or (yes and file_of(part, target))])
        return DONE
    plan = Plan()
    file = add(SERVER, target, plan, new)
    parts = [part for part in OFFERS if is_wanted(part, target, wanted[part], yes)]
    places = {part: add(part, target, plan, new) for part in parts}
    if plan.steps and not confirm(plan, yes):
        say("Nothing was changed.")
        return DONE
    receipts.remember(plan.steps)
    apply(plan)
    changed = {step.part for step in plan.steps}
    for part, place in places.items():
        if part not in changed:
            receipts.share(place, client, part)
    tell(target, new, file, places, bool(plan.steps))
    if not (graph or named) and not has_graph(target.root):
        say("There is no graph yet: the server makes one when it is first started; `rpg encode` makes it now.")
    open_offers = [part for part in OFFERS if wanted[part] is None and part not in parts and file_of(part, target)]
    if open_offers and not is_asked():
        say(f"Also: {', '.join(f'--{part}' for part in open_offers)} (rpg install --help says what each adds).")
    return DONE


def is_wanted(part: str, target: Target, said: bool | None, yes: bool) -> bool:
    if said is not None:
        return said
    file = file_of(part, target)
    if file is None:
        return False
    if yes or not is_asked():
        return yes
    return click.confirm(f"Also add {QUESTIONS[part]} ({make_printable(format_place(file))})?", default=True, err=True)


def is_asked() -> bool:
    """Whether somebody is there to answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def confirm(plan: Plan, yes: bool) -> bool:
    """Shows the change; asks on a terminal."""
    say_as_it_is(paint_diff(difference(plan)), end="")
    if yes or not is_asked():
        return True
    return click.confirm("Make this change?", default=True, err=True)


def paint_diff(text: str) -> str:
    """A diff in the colours of git, escaped."""
    if not has_colors():
        return make_printable(text)
    colors = {"+": "32", "-": "31", "@": "36"}
    lines = []
    for line in text.splitlines(keepends=True):
        color = "1" if line.startswith(("+++", "---")) else colors.get(line[0], "")
        plain = make_printable(line.rstrip("\n"))
        lines.append(f"\x1b[{color}m{plain}\x1b[0m\n" if color else f"{plain}\n")
    return "".join(lines)


def print_blocks(target: Target, new: Entry, parts: list[str]) -> None:
    """What to add by hand: the server's block, and those of the offers that were named."""
    place = target.client.place(target.scope)
    assert place is not None
    say(f"{file_of(SERVER, target, new.name)}:")
    say(formats.block(place.format, keys_of(place, new.name), new.value))
    texts: dict[Path, str] = {}
    for part in parts:
        file = file_of(part, target)
        assert file is not None
        texts[file] = text_alone(part, target, new.name, texts.get(file, ""))
    for file, text in texts.items():
        say(f"\n{file}:")
        say(text.rstrip("\n"))
    left = [part for part in OFFERS if part not in parts and file_of(part, target)]
    if left:
        say(f"\nAlso: {', '.join(f'--{part}' for part in left)} (with --print, each prints its part).")


def tell(target: Target, new: Entry, file: Path, places: dict[str, Path], is_changed: bool) -> None:
    title = target.client.title
    if not is_changed:
        say(f"{title} has the server {new.name} already, in {file}: nothing was changed.")
        return
    say(f"{title} now has the server {new.name}, in {file}. Restart it, or reload its servers.")
    for part, place in places.items():
        if part == HOOKS:
            say(f"{title} runs `rpg check --hook` from {place}.")
            if note := HOOKED[target.key].note:
                say(note)
        elif part == ANSWERS:
            say(f"{title} runs `rpg usages --hook` from {place}.")
        else:
            say(f"In {place}: {QUESTIONS[part]}.")
    if program := program_of_this_machine(target, places):
        say(
            f"{program} is a path of this machine, in a file that can be committed: with {Path(program).parent} on the "
            f"PATH, `rpg install {target.key}` writes the plain name; or keep it out of the project with --scope user."
        )
    say(f"`rpg uninstall {target.key}` takes all of it back.")


def program_of_this_machine(target: Target, places: dict[str, Path]) -> str:
    """The program that a project's files name by where it is here, as its plain name does not lead to it; else ''."""
    if target.scope != PROJECT:
        return ""
    hooks = [hook_command(CHECK)] if {HOOKS, ANSWERS} & places.keys() else []
    programs = [command[0] for command in (server_command(is_shared=True), *hooks)]
    return next((each for each in programs if Path(each).is_absolute()), "")


def folder_of_project() -> Path:
    """The top of the repository around the current folder, or else that folder."""
    from rpg.repository import repository_around

    return repository_around(Path.cwd())


def has_graph(root: Path) -> bool:
    from rpg.stores.graph_folder import graph_around

    return graph_around(root) is not None


command = click.Command(
    "install",
    callback=install,
    short_help="Add the server to an MCP client",
    help=install.__doc__,
    params=[
        click.Argument(["client"], type=OneOf(NAMES)),
        click.Argument(["graph"], default="", type=Place("text")),
        click.Option(["--scope"], type=OneOf(SCOPES), default=None, show_default="project, if the client has one",
                     help="For this project, in a file that can be committed, or for all of the user's projects"),
        click.Option(["--name"], default="", show_default="the graph's, or the folder's",
                     help="Name of the server in the client"),
        offer(RULES, "Also write four lines into CLAUDE.md, AGENTS.md or the client's own file"),
        offer(AGENT, "Also write a sub-agent that explores with the graph's tools"),
        offer(SKILL, "Also write a skill that tells Claude Code which call answers which question"),
        offer(HOOKS, "Also let the client run `rpg check --hook` after an edit, and at the end of a turn"),
        offer(ANSWERS, "Also let the client run `rpg usages --hook` after a grep, which adds what the graph knows"),
        click.Option(["--yes", "-y"], is_flag=True, help="All of these, without a question"),
        click.Option(["--print", "only_print"], is_flag=True, help="Print what to add by hand; write nothing"),
        graph_option("named", "the folder of the project, in the way of the client"),
    ],
)  # fmt: skip
