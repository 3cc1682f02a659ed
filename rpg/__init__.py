"""rpg: a code graph that a coding agent can trust.

    import rpg

    rpg.encode("./repo")                # writes the graph and its index into ./repo/.rpg
    with rpg.open("./repo") as graph:
        graph.search(query="where are urls matched")
        graph.find_usages(symbol="Flask.dispatch_request")
        graph.to_networkx()              # the whole graph, for programs that measure it
    server = rpg.build_server("./repo")  # the MCP server, for a transport or an in-memory client

Every tool is a method of an open graph, with the tool's arguments; answers are frozen dataclasses.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"
PUBLIC = ("OpenGraph", "build_server", "encode", "open")
__all__ = [*PUBLIC, "__version__"]


def __getattr__(name: str) -> Any:
    """Imports these names on first use, so that the command line and the server start without them."""
    if name in PUBLIC:
        return getattr(import_module("rpg.python"), name)
    raise AttributeError(f"module 'rpg' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *PUBLIC})
