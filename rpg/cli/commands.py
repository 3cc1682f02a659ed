"""One command per tool: the same arguments, from the same signature.

In: a tool. Out: a click command. The first argument is positional, the others are options; lists are given by repeating
an option or with commas. The answer is the text that MCP clients get, or with --json the structured form.
"""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import click

from rpg.cli.failures import DONE, NOTHING_FOUND
from rpg.cli.model_options import embedder_option
from rpg.cli.output import say, say_json
from rpg.tools.call import Call
from rpg.tools.graphs import Graphs
from rpg.tools.registry import Tool, bare, metadata, parameters, takes_list

TAKES_NO_GRAPH = frozenset({"encode"})
EMBEDS = frozenset({"encode", "search", "stats"})
"""Commands that can use the user's embedding model."""


def tool_command(tool: Tool) -> click.Command:
    params = tool_options(tool)
    if next(iter(parameters(tool))) != "graph" and tool.name not in TAKES_NO_GRAPH:
        params.append(graph_option())
    if tool.name == "encode":
        params += [
            click.Option(["--workers"], type=click.IntRange(1, 64), default=None, help="Number of parser processes"),
            click.Option(["--force"], is_flag=True, help="Overwrite a file that rpg did not write"),
        ]
    if tool.name == "fetch":
        params += [
            click.Option(["--ignored"], is_flag=True, help="Include files that git ignores or an option excludes"),
        ]
    if tool.name in ("encode", "fetch"):
        params.append(click.Option(["--no-mask-secrets"], is_flag=True, help="Do not mask passwords, tokens and keys"))
    if tool.name in EMBEDS:
        params.append(embedder_option())
    params.append(json_option())
    return click.Command(
        tool.command, params=params, callback=runner(tool), help=tool.description,
        short_help=tool.summary,
    )  # fmt: skip


def tool_options(tool: Tool) -> list[click.Parameter]:
    known = dict(parameters(tool))
    first = next(iter(known))
    params: list[click.Parameter] = [argument(known.pop(first))]
    return params + [option(each) for name, each in known.items() if name != "graph"]


def graph_option() -> click.Option:
    return click.Option(["--graph", "-g"], default="", help="Graph file; default: RPG_GRAPH, or the one here")


def json_option() -> click.Option:
    return click.Option(["--json", "as_json"], is_flag=True, help="Print the structured result")


def argument(parameter: inspect.Parameter) -> click.Argument:
    required = parameter.default is inspect.Parameter.empty
    if takes_list(parameter.annotation):
        return click.Argument([parameter.name], nargs=-1, required=required)
    return click.Argument([parameter.name], required=required, default=None if required else parameter.default)


def option(parameter: inspect.Parameter) -> click.Option:
    kind = bare(parameter.annotation)
    name = "--" + parameter.name.replace("_", "-")
    about = described(parameter)
    if kind is bool:
        both = f"{name}/--no-{name[2:]}" if parameter.default else name
        return click.Option([both, parameter.name], is_flag=True, default=parameter.default, help=about)
    multiple = get_origin(kind) is list
    values = choices(get_args(kind)[0] if multiple else kind)
    if values:
        about = f"{about + ': ' if about else ''}{', '.join(values)}"
    return click.Option(
        [name, *(["-o"] if parameter.name == "output" else []), parameter.name],
        multiple=multiple,
        default=None if multiple else parameter.default,
        type=kind if kind in (int, float) else str,
        show_default=kind in (int, float),
        help=about,
        metavar="TEXT" if values else None,
    )


def described(parameter: inspect.Parameter) -> str:
    said = (getattr(each, "description", None) for each in metadata(parameter.annotation))
    return next(filter(None, said), "")


def choices(kind: Any) -> tuple[str, ...]:
    return get_args(kind) if get_origin(kind) is Literal else ()


def runner(tool: Tool) -> Callable[..., int]:
    def run(
        as_json: bool, graph: str = "", workers: int | None = None, embedder: str | None = None, force: bool = False,
        ignored: bool = False, no_mask_secrets: bool = False, **values: Any,
    ) -> int:  # fmt: skip
        from rpg.cli.progress import progress

        arguments = plain_arguments(tool, values)
        if tool.name == "encode":
            arguments["repository"] = arguments.get("repository") or "."
        graphs = opened(tool, graph, workers, embedder, force, ignored, no_mask_secrets)
        if next(iter(parameters(tool))) == "graph":
            arguments["graph"] = str(graphs.paths()[0])
        try:
            with progress() as report:
                result = tool.run(Call(graphs, report), arguments)
        finally:
            graphs.close()
        show(tool, result, as_json)
        return DONE if tool.found(result) else NOTHING_FOUND

    return run


def plain_arguments(tool: Tool, values: dict[str, Any]) -> dict[str, Any]:
    """The arguments that were passed, as the tool takes them."""
    lists = {name for name, each in parameters(tool).items() if takes_list(each.annotation)}
    return {
        name: split(value) if name in lists else value
        for name, value in values.items()
        if value is not None and value != ()
    }


def split(values: Any) -> list[str]:
    """A repeated option, or one with commas; commas within brackets belong to the name."""
    return [part for value in values for part in (value.split(",") if "(" not in value else [value]) if part]


def opened(
    tool: Tool, graph: str, workers: int | None, embedder: str | None, force: bool, ignored: bool, no_mask_secrets: bool
) -> Graphs:
    from rpg.cli.graphs import graph_file

    paths = [] if tool.name in TAKES_NO_GRAPH else [graph_file(graph)]
    folder = Path.cwd() if tool.name == "encode" else None
    return Graphs(paths, embedder=embedder, workers=workers, output_folder=folder, anywhere=True, force=force,
        shows_ignored=ignored, shows_secrets=no_mask_secrets,
    )  # fmt: skip


def show(tool: Tool, result: Any, as_json: bool) -> None:
    if as_json:
        from rpg.queries.graph.budget import plain

        say_json(plain(result))
    else:
        say(tool.text(result))
        if tool.name == "encode":
            from rpg.cli.install import CLIENTS, client_line

            say(f"\nServe it:  {client_line(Path(result.graph_file))}")
            say(f"or:        rpg install {'|'.join(CLIENTS)} {shlex.quote(result.graph_file)}")
