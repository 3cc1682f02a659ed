"""The tools for Python programs: the same functions that MCP and the command line call.

In: paths and the tools' arguments. Out: the tools' frozen answers; errors are raised as rpg.errors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, Signature
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rpg.errors import BadRequest
from rpg.stores.graph_folder import graph_around
from rpg.tools import TOOLS
from rpg.tools.calling.call import Call, Report, silent
from rpg.tools.calling.field import Field
from rpg.tools.calling.registry import Tool, bare, metadata, parameters
from rpg.tools.loaded.graphs import Graphs
from rpg.tools.loaded.settings import Settings

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from networkx import MultiDiGraph

    from rpg.tools.encode import Encoded

AnyPath = str | PathLike[str]


def build_method(tool: Tool, graphs: Graphs) -> Callable[..., Any]:
    """A function with the tool's arguments, of which the first may stand without its name."""
    known = parameters(tool)
    first = next(iter(known), "")

    def method(*values: Any, **arguments: Any) -> Any:
        if len(values) > 1 or (values and (not first or first in arguments)):
            names = ", ".join(list(known)[1:] if values else known)
            raise BadRequest(f"{tool.name} takes {first or 'nothing'} without its name; by their names: {names}")
        if values:
            is_list = bare(known[first].annotation) == list[str]
            arguments[first] = [values[0]] if is_list and isinstance(values[0], str) else values[0]
        return tool.run(Call(graphs), arguments)

    method.__name__ = method.__qualname__ = tool.name
    method.__doc__ = "\n".join([tool.description, "", *map(describe_argument, known.values())])
    method.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            each.replace(
                kind=Parameter.POSITIONAL_OR_KEYWORD if name == first else Parameter.KEYWORD_ONLY,
                annotation=bare(each.annotation),
            )
            for name, each in known.items()
        ]
    )
    return method


def describe_argument(argument: Parameter) -> str:
    words = [each.description or each.help for each in metadata(argument.annotation) if isinstance(each, Field)]
    return f"{argument.name}: {words[0]}" if words and words[0] else argument.name


class OpenGraph:
    """Every tool as a method: `graph.search(query=...)`, `graph.fetch(targets=[...])`; its first argument may stand
    without its name, and `help(graph.search)` tells all. Close it, or use `with`."""

    def __init__(self, graphs: Graphs) -> None:
        self._graphs = graphs

    def __getattr__(self, name: str) -> Callable[..., Any]:
        tool = TOOLS.get(name)
        if tool is None:
            raise AttributeError(f"unknown tool {name!r}; available: {', '.join(TOOLS)}")
        return build_method(tool, self._graphs)

    def to_networkx(self, graph: str = "") -> MultiDiGraph:
        """The whole graph as networkx holds one, of the repository of that name, or of the only one: see
        docs/exchange.md for its attributes."""
        from rpg.queries.exchange.networkx_graph import build_networkx_graph
        from rpg.queries.exchange.whole_graph import whole_graph

        with Call(self._graphs).view(graph) as view:
            return build_networkx_graph(whole_graph(view.index, view.header, view.name))

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *TOOLS]

    def __enter__(self) -> OpenGraph:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._graphs.close()


def open(
    *graphs: AnyPath, repository: AnyPath | None = None, model: str | None = None, ignored: bool = False,
    mask_secrets: bool = True, trust: bool = False,
) -> OpenGraph:  # fmt: skip
    """Graph files, or the graphs of folders, opened by the first query. `repository`: the folder of the sources, if it
    moved. `ignored`: `fetch` also shows files that git ignores or an option excludes. `trust`: use an index that
    another installation made of this graph file as it is."""
    return OpenGraph(load_graphs(graphs, repository, model, ignored, mask_secrets, trust, anywhere=True))


def encode(
    repository: AnyPath, *, progress: Report = silent, workers: int | None = None, mask_secrets: bool = True,
    force: bool = False, scip: str = "", libraries: Sequence[str] = (), library_folders: Sequence[AnyPath] = (),
    **arguments: Any,
) -> Encoded:  # fmt: skip
    """Make or update the graph of a folder or git URL. `arguments` are those of the tool: branch, output, ...

    Without `output` the graph goes to `.rpg/` in the repository, or for a URL to NAME.graph.json in the current folder,
    with its index next to it. `force`: also overwrite a file that is not a graph. `scip`: an index that
    a compiler made, a file in the repository. `libraries`: names of libraries that are read as well, found in
    `library_folders` or the repository's own environments.
    """
    graphs = Graphs(
        (),
        Settings(
            workers=workers,
            output_folder=Path.cwd(),
            shows_secrets=not mask_secrets,
            anywhere=True,
            force=force,
            scip=scip,
            libraries=tuple(libraries),
            library_folders=tuple(map(str, library_folders)),
        ),
    )
    try:
        result: Encoded = TOOLS["encode"].run(Call(graphs, progress), {"repository": str(repository), **arguments})
        return result
    finally:
        graphs.close()


def build_server(
    *graphs: AnyPath, repository: AnyPath | None = None, model: str | None = None, ignored: bool = False,
    mask_secrets: bool = True, trust: bool = False, structured: bool = False,
) -> Server[Any]:  # fmt: skip
    """The MCP server for these graphs, in this process. `structured`: each answer is also sent as a typed record."""
    from rpg.server import build_server as build

    return build(load_graphs(graphs, repository, model, ignored, mask_secrets, trust), structured=structured)


def load_graphs(
    graphs: tuple[AnyPath, ...], repository: AnyPath | None, model: str | None, ignored: bool, mask_secrets: bool,
    trust: bool, *, anywhere: bool = False,
) -> Graphs:  # fmt: skip
    folder = Path(repository) if repository is not None else None
    return Graphs(
        [find_graph(Path(graph)) for graph in graphs],
        Settings(
            repository=folder,
            model=model,
            shows_ignored=ignored,
            shows_secrets=not mask_secrets,
            anywhere=anywhere,
            trust=trust,
        ),
    )


def find_graph(path: Path) -> Path:
    """The graph of a folder or of the repository around it; any other path as it is."""
    return graph_around(path.absolute()) or path if path.is_dir() else path
