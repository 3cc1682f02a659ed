"""The tools, in the order in which they are listed. Each is a file here with a function of its name.

In: arguments. Out: answers and their text. Server, command line, README and tests follow from this table and the
functions' signatures.
"""

from __future__ import annotations

from rpg.tools.calling.registry import Tool

TOOLS = {
    tool.name: tool
    for tool in (
        Tool(
            "search",
            "search",
            "Find symbols by meaning, name or similar code",
            merging="merged_search",
        ),
        Tool("fetch", "fetch", "Show the source of symbols, files and lines"),
        Tool("explore", "explore", "Outline, map, callers and callees, subclasses, paths"),
        Tool(
            "find_usages",
            "usages",
            "Who uses a symbol, and what a change may break",
            across="uses_across",
        ),
        Tool("check", "check", "What an edit has broken"),
        Tool("get_dependencies", "dependencies", "What a file or symbol needs, and what needs it"),
        Tool("query_code", "ask", "Explain how something works, from the code"),
        Tool("stats", "stats", "What is loaded: sizes, rates, central symbols", lists_graphs=True),
        Tool("encode", "encode", "Make the graph of a repository, or update it", read_only=False, network=True),
        Tool("forget", "forget", "Delete a graph", read_only=False, destructive=True),
    )
}
LIFT_TOOLS = {
    tool.name: tool
    for tool in (
        Tool("list_unlifted", "", "What has no feature or title of an agent or a model yet"),
        Tool("submit_lifted", "", "Keep features and titles that an agent wrote", read_only=False),
    )
}
"""Tools of a server only, and only if it was asked for them: every client pays for the tools that it is told about."""
