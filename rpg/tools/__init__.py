"""The tools, in the order in which they are listed. One is a file here with a function of its name.

Server, command line, README and tests follow from this table and the functions' signatures.
"""

from __future__ import annotations

from rpg.tools.registry import Tool

TOOLS = {
    tool.name: tool
    for tool in (
        Tool("search", "search"),
        Tool("fetch", "fetch"),
        Tool("explore", "explore"),
        Tool("find_usages", "usages"),
        Tool("get_dependencies", "dependencies"),
        Tool("query_code", "ask"),
        Tool("stats", "stats"),
        Tool("encode", "encode", read_only=False, network=True),
        Tool("forget", "forget", read_only=False, destructive=True),
    )
}
