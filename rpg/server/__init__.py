"""The MCP server: the tools, resources and prompts of rpg as the protocol knows them. This room alone knows MCP.

In: graphs. Out: a low-level server that any transport can run. Tools run in threads, so that an answer that takes
long does not keep others waiting. Graphs are opened by the first call that needs one.

Invariant: every failure reaches the model with its code and its whole message; nothing stops the server.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import anyio
import anyio.from_thread
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from rpg import __version__
from rpg.errors import BadRequest, RpgError
from rpg.server.instructions import instructions
from rpg.tools import TOOLS
from rpg.tools.call import Call
from rpg.tools.graphs import Graphs
from rpg.tools.registry import Tool, input_schema, output_schema

logger = logging.getLogger("rpg")

Context = ServerRequestContext[Any, Any]
LONG_RUNNING = frozenset({"encode", "query_code"})
"""Tools that may take minutes: they have threads of their own."""


def build_server(graphs: Graphs) -> Server[Any]:
    """Ready to run; nothing has been opened yet."""
    quick, slow = anyio.CapacityLimiter(4), anyio.CapacityLimiter(4)

    async def in_thread(work: Callable[[], Any], limiter: anyio.CapacityLimiter) -> Any:
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=limiter)

    async def list_tools(context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[listed(tool) for tool in TOOLS.values()])

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = TOOLS.get(params.name)
        if tool is None:
            return failure(BadRequest(f"there is no tool {params.name!r}; there are {', '.join(TOOLS)}"))
        gone = threading.Event()
        call = Call(graphs, reporter(context), gone.is_set)
        limiter = slow if tool.name in LONG_RUNNING else quick
        try:
            result: types.CallToolResult = await in_thread(partial(answer, tool, call, params.arguments or {}), limiter)
            return result
        finally:  # a cancelled request leaves its thread behind, which hears of it here
            gone.set()

    async def list_resources(
        context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        from rpg.server.resources import resources

        return types.ListResourcesResult(resources=resources(graphs))

    async def list_templates(
        context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        from rpg.server.resources import TEMPLATES

        return types.ListResourceTemplatesResult(resource_templates=TEMPLATES)

    async def read_resource(context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        from rpg.server.resources import read

        uri = str(params.uri)
        contents = await in_thread(partial(protocol_errors, partial(read, Call(graphs), uri)), quick)
        return types.ReadResourceResult(contents=[contents])

    async def list_prompts(context: Context, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        from rpg.server.prompts import prompts

        return types.ListPromptsResult(prompts=prompts())

    async def get_prompt(context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        from rpg.server.prompts import prompt

        result: types.GetPromptResult = protocol_errors(partial(prompt, params.name, params.arguments or {}))
        return result

    return Server(
        "rpg",
        version=__version__,
        title="Code graph",
        instructions=instructions(graphs),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


def answer(tool: Tool, call: Call, arguments: dict[str, Any]) -> types.CallToolResult:
    """One of the two doors where any exception becomes an answer."""
    from rpg.queries.budget import plain

    try:
        result = tool.run(call, arguments)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=tool.text(result))], structured_content=plain(result)
        )
    except RpgError as error:
        return failure(error)
    except Exception as error:
        logger.exception("%s failed", tool.name)
        return failure(RpgError(f"{tool.name} failed with {error!r}: a bug in rpg, see its stderr; other calls go on"))


def failure(error: RpgError) -> types.CallToolResult:
    """As text: clients drop the structured part of an error."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=f"{error.code}: {error.message}")], is_error=True
    )


def protocol_errors(work: Callable[[], Any]) -> Any:
    """Resources and prompts have no result that says error: the protocol's own takes its place."""
    try:
        return work()
    except RpgError as error:
        raise MCPError(types.INVALID_PARAMS, f"{error.code}: {error.message}") from None


def reporter(context: Context) -> Callable[[str, int, int], None]:
    """Progress from a tool's thread to the client, which hears each whole percent of a stage once."""
    stages: list[str] = []
    last = -1.0

    def report(stage: str, done: int, total: int) -> None:
        nonlocal last
        if stage not in stages:
            stages.append(stage)
        progress = len(stages) - 1 + (round(done / total, 2) if total else 0.0)
        if progress > last:
            last = progress
            anyio.from_thread.run(context.session.report_progress, progress, None, f"{stage} {done}/{total}")

    return report


@cache
def listed(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=input_schema(tool),
        output_schema=output_schema(tool),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.read_only,
            destructive_hint=tool.destructive,
            idempotent_hint=True,
            open_world_hint=tool.network,
        ),
    )
