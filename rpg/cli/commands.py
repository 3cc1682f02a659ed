"""One command per tool: the same arguments, from the same signature.

In: a tool. Out: a click command. The first argument is positional, the others are options; lists are given by repeating
an option or with commas. The answer is the text that MCP clients get, or with --json the structured form.

Where the command line differs: `explore` without a start shows the current folder, `--limit` also means the excerpts
of `ask`, and paths may be relative to the current folder.
"""

from __future__ import annotations

import inspect
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import click

from rpg.cli.arguments.choices import OneOf, Place, SomeOf
from rpg.cli.arguments.model_options import embedder_option
from rpg.cli.arguments.options import (
    build_ignored_option,
    build_unmasked_option,
    graph_option,
    json_option,
    workers_option,
)
from rpg.cli.arguments.written_paths import NAMING, folder_here, is_from_here, resolve_paths
from rpg.cli.failures import DONE, NOTHING_FOUND
from rpg.cli.terminal.output import report_output, say, say_json
from rpg.cli.terminal.paging import has_colors
from rpg.cli.terminal.paging import show as paged
from rpg.cli.terminal.words_of_the_shell import hints_in_words_of_the_shell
from rpg.tools.calling.call import Call
from rpg.tools.calling.field import Field
from rpg.tools.calling.registry import STRICT, Tool, bare, metadata, parameters, takes_joined, takes_list
from rpg.tools.loaded.graphs import Graphs
from rpg.tools.loaded.settings import Settings

TAKES_NO_GRAPH = frozenset({"encode"})
EMBEDS = frozenset({"encode", "search", "stats"})
"""Commands that can use the user's embedding model."""
SENTENCES = frozenset({"query", "question"})
"""Arguments that take all words that are typed, with quotes or without."""
OTHER_NAMES = {"output": ("-o",), "top_k": ("--limit",)}
COMPLETED = {"repository": "dir", "output": "file", "graph": "file", "path": "file", "exclude_path": "file",
             "start": "file", "target": "file", "targets": "file", "symbol": "file", "to": "file"}  # fmt: skip
"""Arguments that may be files, and what the shell completes them with."""


_NO_DEFAULT = re.compile(r"\s+\[default: \([^)]*\)[^]]*\]$")


EXPLAINED_BY_NAME = frozenset(
    {"--path", "--exclude-path", "--limit", "--max-tokens", "--cursor", "--graph", "--json", "--help"}
)
"""Options that an agent knows from other tools."""
ARGUMENTS = {
    "forget": "GRAPH is its file or name, or the folder of its repository; without it, the graph here is removed."
}
"""What is said of an argument that does not explain itself."""


class ToolCommand(click.Command):
    """Its help is laid out in columns on a terminal; an agent that reads it through a pipe gets a third of the text."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if sys.stdout.isatty():
            super().format_help_text(ctx, formatter)
            if said := ARGUMENTS.get(self.name or ""):
                formatter.write_paragraph()
                with formatter.indentation():
                    formatter.write_text(said)
        else:
            formatter.write(
                f"{inspect.cleandoc(self.help or '').replace(chr(10), ' ').partition('. ')[0].rstrip('.')}.\n"
            )
            if said := ARGUMENTS.get(self.name or ""):
                formatter.write(f"{said}\n")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if sys.stdout.isatty():
            super().format_options(ctx, formatter)
            return
        formatter.write("Options:\n")
        by_name = []
        for parameter in self.get_params(ctx):
            if not isinstance(parameter, click.Option) or not (record := parameter.get_help_record(ctx)):
                continue
            names, help_text = record
            if EXPLAINED_BY_NAME & set(parameter.opts):
                by_name.append(names)
            else:
                formatter.write(f"{names}  {_NO_DEFAULT.sub('', help_text)}\n")
        formatter.write(f"{'; '.join(by_name)}\n")


def tool_command(tool: Tool) -> click.Command:
    params = tool_options(tool)
    if tool.name not in TAKES_NO_GRAPH:
        name = "named" if next(iter(parameters(tool))) == "graph" else "graph"
        params.append(graph_option(name, "GRAPH") if tool.destructive else graph_option(name))
    if tool.name == "encode":
        params += [
            workers_option(),
            click.Option(["--force"], is_flag=True, help="Overwrite a file that rpg did not write"),
            click.Option(
                ["--scip"],
                default="",
                metavar="FILE",
                show_default="none",
                help="SCIP index that a compiler made, for its edges",
            ),
            click.Option(
                ["--with-libraries", "libraries"],
                multiple=True,
                metavar="NAME",
                show_default="none",
                help="Installed libraries that calls may end in, several with commas (Python, JavaScript, TypeScript)",
            ),
            click.Option(
                ["--libraries-in", "library_folders"],
                multiple=True,
                metavar="FOLDER",
                type=Place("folder", "dir"),
                show_default=".venv, venv, env, node_modules",
                help="Environment, site-packages or node_modules that has them",
            ),
            click.Option(
                ["--from", "bundle"],
                default="",
                metavar="BUNDLE",
                type=Place("file"),
                show_default="none",
                help="Bundle that a first graph starts from (`rpg bundle`)",
            ),
            click.Option(["--trust"], is_flag=True, help="Use a bundle whose seal cannot be checked"),
        ]
    if tool.name == "fetch":
        params.append(build_ignored_option())
    if tool.name == "find_usages":
        params.append(hook_option())
    if tool.name in ("encode", "fetch"):
        params.append(build_unmasked_option())
    if tool.name in EMBEDS:
        params.append(embedder_option())
    params.append(json_option())
    return ToolCommand(
        tool.command, params=params, callback=runner(tool), help=tool.description,
        short_help=tool.summary,
    )  # fmt: skip


def hook_option() -> click.Option:
    return click.Option(
        ["--hook"], is_flag=True,
        help="For an agent's client, as `rpg install --answers` sets it up: its event is on stdin",
    )  # fmt: skip


def tool_options(tool: Tool) -> list[click.Parameter]:
    known = dict(parameters(tool))
    first = next(iter(known))
    params: list[click.Parameter] = [argument(known.pop(first))]
    return params + [option(each) for name, each in known.items() if name not in ("graph", STRICT)]


def argument(parameter: inspect.Parameter) -> click.Argument:
    required = parameter.default is inspect.Parameter.empty and parameter.name not in ("start", "graph")
    kind = Place("text", COMPLETED[parameter.name]) if parameter.name in COMPLETED else None
    if takes_list(parameter.annotation):
        return click.Argument([parameter.name], nargs=-1, required=required, type=kind)
    if parameter.name in SENTENCES:
        return click.Argument([parameter.name], nargs=-1, required=required, type=kind, callback=join_words)
    return click.Argument([parameter.name], required=required, default=None, type=kind)


def join_words(context: click.Context, parameter: click.Parameter, words: Sequence[str]) -> str | None:
    """What was typed without quotes."""
    return " ".join(words) or None


def option(parameter: inspect.Parameter) -> click.Option:
    kind = bare(parameter.annotation)
    fields = [each for each in metadata(parameter.annotation) if isinstance(each, Field)]
    help_text = next((each.help or each.description or "" for each in fields), "")
    unset = next((each.unset for each in fields if each.unset), "")
    name = "--" + parameter.name.replace("_", "-")
    if kind is bool:
        both = f"{name}/--no-{name[2:]}" if parameter.default else name
        return click.Option(
            [both, parameter.name],
            is_flag=True,
            default=parameter.default,
            show_default=parameter.default,
            help=help_text,
        )
    is_list = get_origin(kind) is list
    words = choices(get_args(kind)[0] if is_list else kind)
    if words and is_list:
        help_text = f"{help_text.rstrip('.')}: {', '.join(word for word in words if word not in synonyms(fields))}"
    return click.Option(
        [name, *OTHER_NAMES.get(parameter.name, ()), parameter.name],
        multiple=is_list or takes_joined(parameter.annotation),
        default=None if is_list or unset or takes_joined(parameter.annotation) else parameter.default,
        type=value_type(parameter.name, kind, words, fields),
        show_default=unset or ("none" if takes_joined(parameter.annotation) else True),
        metavar="N" if kind in (int, float) else None,
        help=help_text,
    )


def value_type(name: str, kind: Any, words: tuple[str, ...], fields: list[Field]) -> Any:
    if words:
        guesses = next((each.guesses for each in fields if each.guesses), {})
        return (SomeOf if get_origin(kind) is list else OneOf)(tuple(filter(None, words)), synonyms(fields), guesses)
    least, most = (next((getattr(each, end) for each in fields if getattr(each, end) is not None), None)
                   for end in ("ge", "le"))  # fmt: skip
    if kind is int:
        return click.IntRange(least, most)
    if kind is float:
        return click.FloatRange(least, most)
    return Place("text", COMPLETED[name]) if name in COMPLETED else str


def synonyms(fields: list[Field]) -> tuple[str, ...]:
    return tuple(word for each in fields for word in each.synonyms)


def choices(kind: Any) -> tuple[str, ...]:
    return get_args(kind) if get_origin(kind) is Literal else ()


def runner(tool: Tool) -> Callable[..., int]:
    def run(
        as_json: bool, graph: str = "", workers: int | None = None, embedder: str | None = None, force: bool = False,
        ignored: bool = False, no_mask_secrets: bool = False, named: str = "", hook: bool = False,
        scip: str = "", libraries: tuple[str, ...] = (), library_folders: tuple[str, ...] = (), bundle: str = "",
        trust: bool = False, **values: Any,
    ) -> int:  # fmt: skip
        if hook:
            from rpg.hooks.names import run_hook

            return run_hook()
        from rpg.cli.terminal.progress import progress

        arguments = plain_arguments(tool, values)
        graph = graph or named
        if tool.name == "encode":
            arguments["repository"] = os.path.expanduser(arguments.get("repository") or ".")
        settings = Settings(
            embedder=embedder,
            workers=workers,
            output_folder=Path.cwd() if tool.name == "encode" else None,
            anywhere=True,
            force=force,
            shows_ignored=ignored,
            shows_secrets=no_mask_secrets,
            scip=scip,
            libraries=tuple(split(libraries)),
            library_folders=library_folders,
            bundle=Path(bundle).expanduser().absolute() if bundle else None,
            trust=trust,
        )
        graphs = open_graphs(tool, graph, settings)
        if next(iter(parameters(tool))) == "graph" and graphs.served.library is None:
            arguments["graph"] = str(graphs.paths()[0])
        try:
            arguments = resolve_arguments(tool, arguments, graphs)
            with progress(workers) as report:
                result = tool.run(Call(graphs, report), arguments)
        finally:
            graphs.close()
        with nullcontext() if tool.read_only else report_output():
            show(tool, result, as_json)
        return DONE if tool.found(result) else NOTHING_FOUND

    return run


def plain_arguments(tool: Tool, values: dict[str, Any]) -> dict[str, Any]:
    """The arguments that were passed, as the tool takes them."""
    lists = {name for name, each in parameters(tool).items() if takes_list(each.annotation)}
    return {
        name: split(value) if name in lists else ",".join(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value is not None and value != ()
    }


def resolve_arguments(tool: Tool, arguments: dict[str, Any], graphs: Graphs) -> dict[str, Any]:
    """With paths that are relative to the current folder, and `explore` without a start at that folder."""
    if graphs.served.library is not None:
        return arguments
    starts_here = "start" in parameters(tool) and not arguments.get("start")
    if not (starts_here or any(is_from_here(word) for word in words(arguments))):
        return arguments
    root = graphs.repository(graphs.paths()[0]).root
    here = folder_here(root)
    if starts_here and here == "./" and asks_nothing(tool, arguments):
        return arguments  # the repository on one page
    return resolve_paths(arguments, root) | ({"start": [here]} if starts_here else {})


def asks_nothing(tool: Tool, arguments: dict[str, Any]) -> bool:
    """Whether every argument but the size of the answer has its default."""
    known = parameters(tool)
    return all(
        value in (known[name].default, None, "", [])
        for name, value in arguments.items()
        if name not in ("max_tokens", "graph")
    )


def words(arguments: dict[str, Any]) -> Iterator[str]:
    for name, value in arguments.items():
        if name in NAMING:
            yield from value if isinstance(value, list) else [value]


def split(values: Any) -> list[str]:
    """A repeated option, or one with commas; commas within brackets belong to the name."""
    return [part for value in values for part in (value.split(",") if "(" not in value else [value]) if part]


def open_graphs(tool: Tool, graph: str, settings: Settings) -> Graphs:
    from rpg.cli.arguments.graphs import graph_to_forget, graph_to_query, library_named

    found = graph_to_query if tool.read_only else graph_to_forget
    library = library_named(graph) if tool.read_only and tool.name not in TAKES_NO_GRAPH else None
    paths = [] if tool.name in TAKES_NO_GRAPH or library else [found(graph)]
    return Graphs(paths, settings, library=library)


def show(tool: Tool, result: Any, as_json: bool) -> None:
    if as_json:
        from rpg.queries.graph.budget import plain

        say_json(plain(result))
    else:
        show_text(tool, result)
        if tool.name == "encode":
            from rpg.cli.clients.entry import client_line
            from rpg.cli.clients.table import NAMES
            from rpg.stores.graph_folder import repository_of

            graph = Path(result.graph_file)
            root = repository_of(graph)
            is_here = root is not None and Path.cwd().is_relative_to(root.resolve())
            named = "" if is_here else f" {shlex.quote(result.graph_file)}"
            say(f"\nServe it:  rpg install claude-code{named}    (or {len(NAMES) - 1} others: rpg install --help)")
            say(f"or:        {client_line(graph)}")


def show_text(tool: Tool, result: Any) -> None:
    """In colours and with a pager on a terminal."""
    text = hints_in_words_of_the_shell(tool.text(result))
    if not has_colors():
        say(text)
        return
    from rpg.cli.terminal.painted_answers import answer

    outlines = getattr(result, "outlines", ())
    paged(answer(text, sum(map(lines_of, outlines))))


def lines_of(outline: Any) -> int:
    return 1 + sum(map(lines_of, outline.children)) + len(outline.inherited)
