"""The MCP server: rpg's tools, resources and prompts over the protocol. Only this room knows MCP.

In: graphs. Out: a low-level server that any transport can run; an answer is one text. Tools run in threads, limited in
number and time (calls.py), so that no call blocks others. The first call that needs a graph opens it.

Invariant: every failure reaches the model with its code and its whole message; nothing stops the server.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Any

import anyio
import anyio.from_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from rpg import __version__
from rpg.errors import BadRequest, Forbidden, RpgError, TimedOut
from rpg.server.calls import MODEL_SECONDS, SECONDS, CallRunner, Places
from rpg.server.instructions import instructions
from rpg.server.leaving import leaving
from rpg.server.subscriptions import Subscriptions
from rpg.system.memory import shortage
from rpg.text.printable import make_printable, one_line, quote_text, shorten
from rpg.tools import LIFT_TOOLS, TOOLS
from rpg.tools.calling.call import Call
from rpg.tools.calling.registry import Tool, client_schema, schema_of_answers
from rpg.tools.loaded.encode_progress import EncodeProgress
from rpg.tools.loaded.graphs import Graphs

logger = logging.getLogger("rpg")

Context = ServerRequestContext[Any, Any]
MESSAGE_BYTES = 780
"""Limit for an error message: fits into the smallest `max_tokens`."""


def build_server(
    graphs: Graphs,
    *,
    may_write: bool = True,
    seconds: float | None = SECONDS,
    structured: bool = False,
    lifts: bool = False,
    calls: CallRunner | None = None,
) -> Server[Any]:
    """Ready to run; nothing has been opened yet. `may_write`: whether clients may encode and forget. `seconds`: time
    limit of a query; `calls`: that and other limits, if several servers of a process share them. `structured`: whether
    answers are also sent as typed records, with their schemas. That is for programs: some clients show a model only
    the text, others only the records, and no model needs both. `lifts`: whether the client's model may also write
    features and titles."""
    calls = calls or CallRunner(seconds)
    subscriptions = Subscriptions(graphs)
    offered = TOOLS | LIFT_TOOLS if lifts else TOOLS
    tools = {name: tool for name, tool in offered.items() if may_write or tool.read_only}

    async def list_tools(context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[describe_tool(tool, structured, graphs.served.may_be_several) for tool in tools.values()]
        )

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = tools.get(params.name)
        if tool is None:
            return failure(no_tool(params.name, tools))
        arguments = params.arguments or {}
        disconnected = threading.Event()
        asks_model = tool.name == "query_code" and graphs.has_model and arguments.get("answer") != "extract"
        places, limit = allowance(calls, tool, asks_model)
        report = reporter(context, disconnected.is_set)
        call = Call(graphs, report, disconnected.is_set, build_text_reporter(report), seconds=limit)
        try:
            result: types.CallToolResult = await calls.run(
                places, limit, partial(answer, tool, call, arguments, structured)
            )
            await subscriptions.tell()
            return result
        except TimedOut as error:
            return failure(error)
        finally:  # a cancelled request leaves its thread running, which learns of it here
            disconnected.set()

    async def list_resources(
        context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        from rpg.server.resources import resources

        return types.ListResourcesResult(resources=protocol_errors(partial(resources, graphs)))

    async def list_templates(
        context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        from rpg.server.resources import TEMPLATES

        return types.ListResourceTemplatesResult(resource_templates=TEMPLATES)

    async def read_resource(context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        from rpg.server.resources import read

        disconnected = threading.Event()
        call = Call(graphs, cancelled=disconnected.is_set, seconds=calls.seconds)
        work = partial(protocol_errors, partial(read, call, str(params.uri)))
        try:
            contents = await calls.run(calls.quick, calls.seconds, work)
        except TimedOut as error:
            raise protocol_error(error) from None
        finally:
            disconnected.set()
        return types.ReadResourceResult(contents=[contents])

    async def list_prompts(context: Context, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        from rpg.server.prompts import prompts

        return types.ListPromptsResult(prompts=prompts())

    async def get_prompt(context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        from rpg.server.prompts import prompt

        result: types.GetPromptResult = protocol_errors(partial(prompt, params.name, params.arguments or {}))
        return result

    async def complete(context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        from rpg.server.resources import complete_argument

        found: list[str] = []
        if isinstance(params.ref, types.ResourceTemplateReference):
            known = dict(params.context.arguments or {}) if params.context else {}
            work = partial(
                complete_argument, graphs, str(params.ref.uri), params.argument.name, params.argument.value, known
            )
            try:
                found = await calls.run(calls.quick, calls.seconds, partial(protocol_errors, work))
            except TimedOut as error:
                raise protocol_error(error) from None
        return types.CompleteResult(completion=types.Completion(values=found))

    async def subscribe(context: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        protocol_errors(partial(subscriptions.add, context, str(params.uri)))
        return types.EmptyResult()

    async def unsubscribe(context: Context, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        subscriptions.remove(context, str(params.uri))
        return types.EmptyResult()

    async def listen(
        context: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        try:
            return await subscriptions.listen(context, params)
        except RpgError as error:
            raise protocol_error(error) from None

    @asynccontextmanager
    async def lifespan(server: Server[Any]) -> AsyncIterator[dict[str, Any]]:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(subscriptions.watch)
            yield {}
            tasks.cancel_scope.cancel()

    return Server(
        "rpg",
        lifespan=lifespan,
        version=__version__,
        title="Code graph",
        instructions=instructions(graphs),
        on_list_tools=leaving(list_tools),
        on_call_tool=leaving(call_tool),
        on_list_resources=leaving(list_resources),
        on_list_resource_templates=leaving(list_templates),
        on_read_resource=leaving(read_resource),
        on_list_prompts=leaving(list_prompts),
        on_get_prompt=leaving(get_prompt),
        on_completion=leaving(complete),
        on_subscribe_resource=leaving(subscribe),
        on_unsubscribe_resource=leaving(unsubscribe),
        on_subscriptions_listen=leaving(listen),
    )


def allowance(calls: CallRunner, tool: Tool, asks_model: bool) -> tuple[Places, float | None]:
    """The slots that a call waits for, and its time limit in seconds; None: no limit."""
    if not tool.read_only:
        return calls.slow, None
    limit = calls.seconds
    if tool.name == "query_code":
        return calls.slow, max(limit, MODEL_SECONDS) if limit is not None and asks_model else limit
    return (calls.statistics if tool.name == "stats" else calls.quick), limit


def no_tool(name: str, tools: Mapping[str, Tool]) -> RpgError:
    if name in LIFT_TOOLS and "list_unlifted" not in tools:
        return Forbidden(f"this server takes no features and titles: {name} needs one that was started with --lift")
    if name in TOOLS or name in LIFT_TOOLS:
        return Forbidden(
            f"this server only answers queries: {name} needs a server that was started with "
            "--allow-write, or the command line"
        )
    return BadRequest(f"unknown tool {quote_text(name)}; available: {', '.join(tools)}")


def answer(tool: Tool, call: Call, arguments: dict[str, Any], structured: bool) -> types.CallToolResult:
    try:
        result: types.CallToolResult = caught(tool.name, partial(run_tool, tool, call, arguments, structured))
        return result
    except RpgError as error:
        return failure(error)


def run_tool(tool: Tool, call: Call, arguments: dict[str, Any], structured: bool) -> types.CallToolResult:
    result = tool.run(call, arguments)
    content: list[types.ContentBlock] = [types.TextContent(type="text", text=tool.text(result))]
    if not structured:
        return types.CallToolResult(content=content)
    from rpg.queries.graph.budget import plain

    return types.CallToolResult(content=content, structured_content=plain(result))


def caught(what: str, work: Callable[[], Any]) -> Any:
    """One of the two places that turn any exception into an answer: all leave as `RpgError`."""
    try:
        return work()
    except RpgError:
        raise
    except Exception as error:
        if short := shortage(error):
            raise short from None
        logger.exception("%s failed", what)
        problem = f"{what} failed with {error!r}: a bug in rpg, see its stderr; other calls continue"
        raise RpgError(problem) from None


def failure(error: RpgError) -> types.CallToolResult:
    """As text, because clients drop the structured part of an error."""
    return types.CallToolResult(content=[types.TextContent(type="text", text=error_text(error))], is_error=True)


def error_text(error: RpgError) -> str:
    """The message, printable and with its secrets masked; errors of the protocol do not pass `leaving`."""
    from rpg.tools.calling.masked import mask_text

    return mask_text(shorten(make_printable(f"{error.code}: {error.message}"), MESSAGE_BYTES))


def protocol_errors(work: Callable[[], Any]) -> Any:
    """Resources and prompts have no error result: they use an error of the protocol."""
    try:
        return caught("the request", work)
    except RpgError as error:
        raise protocol_error(error) from None


def protocol_error(error: RpgError) -> MCPError:
    return MCPError(types.INVALID_PARAMS, error_text(error))


def reporter(context: Context, is_gone: Callable[[], bool]) -> Callable[[str, int, int], None]:
    """Sends progress from a tool's thread to the client: for an encode, the share of the whole, from 0 to 1, with the
    stage and the time left; for other work, each whole percent of a stage once. Ends the work if the client has
    gone."""
    stages: list[str] = []
    whole = EncodeProgress()
    last = -1.0

    def report(stage: str, done: int, total: int) -> None:
        nonlocal last
        if is_gone():
            raise TimedOut("request cancelled by the client")
        moment = whole.at(stage, done, total)
        of: float | None = None
        if moment is not None:
            progress, of, message = round(moment.share, 2), 1.0, moment.text()
        else:  # of something else, or after an encode
            if stage not in stages:
                stages.append(stage)
            before = len(stages) - 1 + (1 if whole.share else 0)
            progress = before + (round(done / total, 2) if total else 0.0)
            message = f"{stage} {done}/{total}" if total else stage
        if progress > last:
            last = progress
            anyio.from_thread.run(context.session.report_progress, progress, of, one_line(message))

    return report


def build_text_reporter(report: Callable[[str, int, int], None]) -> Callable[[str], None]:
    """Sends an answer while a model writes it: every sentence is a stage, which is over at once."""

    def on_text(text: str) -> None:
        sentence = " ".join(text.split())
        if sentence:
            report(sentence, 0, 0)

    return on_text


@cache
def describe_tool(tool: Tool, structured: bool, of_several: bool = False) -> types.Tool:
    described = types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=client_schema(tool, of_several),
        annotations=hints(tool),
    )
    return described.model_copy(update={"output_schema": schema_of_answers(tool)}) if structured else described


def hints(tool: Tool) -> types.ToolAnnotations:
    """The hints of the protocol; a tool that only reads needs no others."""
    if tool.read_only:
        return types.ToolAnnotations(read_only_hint=True)
    return types.ToolAnnotations(
        read_only_hint=False, destructive_hint=tool.destructive, idempotent_hint=True, open_world_hint=tool.network
    )
