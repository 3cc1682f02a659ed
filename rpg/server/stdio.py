"""The server over stdin and stdout: one message per line.

In: a server. Out: nothing, once stdin has ended or nobody reads stdout any more. While it runs, stdin is empty and
stdout leads to stderr for everything else in this process and its children, so that only protocol is on it.

Every line that is not a message is answered here: the SDK's own transport drops it.
"""

from __future__ import annotations

import math
import os
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage

from rpg.server.messages import LARGEST, SEARCHED, Refusal, parse_message, too_large

CHUNK = 1 << 16
IDLE_SECONDS = 0.3
"""Less time passes between the messages of a client's handshake; before its first call, a model must think."""


async def run_stdio(server: Server[Any], idle: Callable[[], None]) -> OSError | None:
    """Why stdout could not be written, if that ended the server. `idle` is called once, when everything that the client
    asked is answered and nothing more has come for a moment."""
    stdin, stdout = take_stream(0, os.O_RDONLY), take_stream(1, os.O_WRONLY)
    arriving, messages = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    answers, leaving = anyio.create_memory_object_stream[SessionMessage | Refusal](0)
    failed: list[OSError] = []
    unanswered = 0

    async def read(refusals: Any) -> None:
        nonlocal unanswered
        async with arriving, refusals:
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                async for found in lines(stdin):
                    message = found if isinstance(found, Refusal) else parse_message(found)
                    if isinstance(message, Refusal):
                        await refusals.send(message)
                    else:
                        unanswered += "method" in message and "id" in message
                        await arriving.send(SessionMessage(validate_message(message)))

    async def write() -> None:
        nonlocal unanswered
        limiter = anyio.CapacityLimiter(1)
        has_answered = was_idle = False
        async with leaving:
            while True:
                patience = math.inf if was_idle or unanswered or not has_answered else IDLE_SECONDS
                answer = None
                with suppress(anyio.EndOfStream), anyio.move_on_after(patience) as waiting:
                    answer = await leaving.receive()
                if waiting.cancelled_caught:
                    if not unanswered:
                        was_idle = True
                        idle()
                    continue
                if answer is None:
                    return
                try:
                    await anyio.to_thread.run_sync(
                        write_all, stdout, encode_answer(answer) + b"\n", limiter=limiter, abandon_on_cancel=True
                    )
                except OSError as error:
                    failed.append(error)
                    group.cancel_scope.cancel()
                    return
                if isinstance(answer, SessionMessage) and isinstance(
                    answer.message, types.JSONRPCResponse | types.JSONRPCError
                ):
                    has_answered = True
                    unanswered -= 1

    async with anyio.create_task_group() as group:
        group.start_soon(read, answers.clone())
        group.start_soon(write)
        await server.run(messages, answers, server.create_initialization_options())
        arriving.close()
    return failed[0] if failed else None


def validate_message(message: dict[str, Any]) -> types.JSONRPCMessage:
    if "method" in message:
        is_request = "id" in message
        return (types.JSONRPCRequest if is_request else types.JSONRPCNotification).model_validate(message)
    return (types.JSONRPCResponse if "result" in message else types.JSONRPCError).model_validate(message)


async def lines(descriptor: int) -> AsyncIterator[bytes | Refusal]:
    """Lines without their ends, empty ones left out. A line too long for a message is not kept."""
    limiter = anyio.CapacityLimiter(1)
    buffer = bytearray()
    is_too_long = False
    while True:
        chunk = await anyio.to_thread.run_sync(os.read, descriptor, CHUNK, limiter=limiter, abandon_on_cancel=True)
        *whole, rest = chunk.split(b"\n")
        for end in whole:
            buffer += end
            if is_too_long or buffer.strip():
                yield too_large(bytes(buffer)) if is_too_long else bytes(buffer)
            buffer.clear()
            is_too_long = False
        if not is_too_long:
            buffer += rest
        if len(buffer) > LARGEST:
            del buffer[SEARCHED:]
            is_too_long = True
        if not chunk:
            break
    if buffer.strip():
        yield too_large(bytes(buffer)) if is_too_long else bytes(buffer)


def encode_answer(answer: SessionMessage | Refusal) -> bytes:
    if isinstance(answer, Refusal):
        return answer.encode_json()
    message = answer.message
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode()
    except ValueError:  # a lone surrogate, which UTF-8 cannot encode
        problem = "the answer contains text that cannot be encoded as UTF-8"
        return Refusal(types.INTERNAL_ERROR, problem, getattr(message, "id", None)).encode_json()


def write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def take_stream(descriptor: int, flags: int) -> int:
    """A new descriptor for the original stream; the old number now leads to the null device or stderr."""
    own = os.dup(descriptor)
    other = os.dup(2) if flags == os.O_WRONLY else os.open(os.devnull, flags)
    os.dup2(other, descriptor)
    os.close(other)
    return own
