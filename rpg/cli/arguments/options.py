"""Options that mean the same in every command.

In: nothing. Out: options of click.
"""

from __future__ import annotations

import click

from rpg.cli.arguments.choices import Place

HERE = "RPG_GRAPH, or the one here"


def graph_option(name: str = "graph", default: str = HERE) -> click.Option:
    return click.Option(
        ["--graph", "-g", name], default="", type=Place("file"), show_default=default,
        help="Graph file, or its name or folder",
    )  # fmt: skip


def json_option(what: str = "Print the answer as JSON; `rpg schema` describes it") -> click.Option:
    return click.Option(["--json", "as_json"], is_flag=True, help=what)


def workers_option() -> click.Option:
    return click.Option(
        ["--workers"], type=click.IntRange(1, 64), default=None, show_default="the cores, at most 8",
        metavar="N",
        help="Number of parser processes",
    )  # fmt: skip


def build_ignored_option() -> click.Option:
    return click.Option(["--ignored"], is_flag=True, help="Include files that git ignores or an option excludes")


def build_unmasked_option() -> click.Option:
    return click.Option(["--no-mask-secrets"], is_flag=True, help="Do not mask passwords, tokens and keys")
