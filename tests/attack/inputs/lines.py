"""Lines that are no proper request, and requests that are none of a tool.

In: nothing. Out: bytes for a line each, with what is owed for it; methods with odd params.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from attack.inputs.calls import TEXTS, WRONG
from rpg.server.prompts import TEMPLATES

NOTHING, AN_ERROR, AN_ANSWER = "nothing", "an error", "an answer"
"""What is owed: nothing at all; an error without an id or with that of the line; an answer with the line's id."""
ID = 1_000_000


class Line(NamedTuple):
    name: str
    content: bytes
    owed: str
    number: object = None


def lines() -> list[Line]:
    return [line for group in (broken, odd_requests, odd_params, notifications, mutated) for line in group()]


def request(**fields: Any) -> bytes:
    """A call of `stats`, with other fields."""
    whole = {"jsonrpc": "2.0", "id": ID, "method": "tools/call", "params": {"name": "stats", "arguments": {}}} | fields
    return json.dumps({key: value for key, value in whole.items() if value is not ...}).encode()


def broken() -> Iterator[Line]:
    """What is no JSON, or no JSON-RPC: its sender must hear of it, or waits for ever."""
    contents: dict[str, bytes] = {
        "word": b"hello", "cut": request()[:-1], "cut-in-text": request()[:30], "bracket": b"{",
        "brackets": b"[" * 9_000,
        "nested": b'{"jsonrpc":"2.0","id":1,"method":"ping","params":' + b'{"a":' * 2_000 + b"1" + b"}" * 2_001,
        "nested-lists": b"[" * 9_000 + b"]" * 9_000, "bytes": bytes(range(128, 256)),
        "latin": '{"é": 1}'.encode("latin-1"),
        "overlong": b'{"a": "\xc0\xae"}', "raw-surrogate": b'{"a": "\xed\xa0\x80"}', "nul": b"\0" * 100,
        "nul-in-text": b'{"jsonrpc":"2.0","id":1,"method":"pi\0ng"}', "comment": b'{"a": 1} // no',
        "two": request() * 2,
        "single-quotes": b"{'jsonrpc': '2.0'}", "headers": b"Content-Length: 20\r", "http": b"GET /mcp HTTP/1.1",
        "number": b"7", "text": b'"ping"', "null": b"null", "true": b"true", "nan": b"NaN", "empty-list": b"[]",
        "empty-object": b"{}", "list-of-numbers": b"[1, 2]", "digits": b"9" * 50_000, "escape": b'{"a": "\\x41"}',
        "bad-utf-16": b'{"a": "\\ud8"}', "utf-16": request().decode().encode("utf-16-le").replace(b"\n", b""),
        "long": b"x" * 3_000_000,
    }  # fmt: skip
    for name, content in contents.items():
        yield Line(f"broken-{name}", content, AN_ERROR)


def odd_requests() -> Iterator[Line]:
    """JSON, and nearly a request: one with an id is answered with it."""
    yield Line("no-version", request(jsonrpc=...), AN_ERROR, ID)
    for version in ("1.0", "3.0", 2.0, None, [], "2.0 ", "\ud800"):
        yield Line(f"version-{version!a}", request(jsonrpc=version), AN_ERROR, ID)
    yield Line("no-method", request(method=...), AN_ERROR, ID)
    for method in (None, 1, [], {}, True):
        yield Line(f"method-{method!r}", request(method=method), AN_ERROR, ID)
    for method in ("", "x", "tools/call ", "TOOLS/CALL", "tools", "__init__", "rpc.x", "\0", "x" * 100_000, "\u202e"):
        yield Line(f"method-{method[:12]!a}", request(method=method), AN_ANSWER, ID)
    yield Line("id-long", request(id="x" * 10_000), AN_ERROR)
    for number in (0, -1, 2**53, 2**63, "", "a", "\u202e", "1"):
        yield Line(f"id-{str(number)[:20]!a}", request(id=number), AN_ANSWER, number)
    for number in (1.5, 1e400, [], {}, True, [1], 10**400):
        yield Line(f"id-{str(number)[:20]!a}", request(id=number), AN_ERROR)
    yield Line("id-null", request(id=None), AN_ERROR)
    yield Line("more-fields", request(result={}, error={}, extra="x" * 10_000), AN_ANSWER, ID)
    yield Line("twice", b'{"jsonrpc":"2.0","id":1,"id":1000000,"method":"ping","method":"tools/list"}', AN_ANSWER, ID)
    yield Line("byte-order-mark", b"\xef\xbb\xbf" + request(), AN_ERROR, ID)
    yield Line("carriage-return", request() + b"\r", AN_ANSWER, ID)
    yield Line("blanks", b"  \t " + request() + b"   ", AN_ANSWER, ID)
    yield Line("large", request(params={"name": "stats", "arguments": {"graph": "x" * 3_000_000}}), AN_ANSWER, ID)
    yield Line("surrogate-tool", request(params={"name": "\ud800", "arguments": {}}), AN_ANSWER, ID)
    yield Line("surrogate-key", request(params={"name": "stats", "arguments": {"\udfff": 1}}), AN_ANSWER, ID)
    yield Line(
        "surrogate-meta", request(params={"name": "stats", "arguments": {}, "_meta": {"a": "\ud800"}}), AN_ANSWER, ID
    )


def odd_params() -> Iterator[Line]:
    """Every method that there is, with params of every shape."""
    methods = (
        "ping", "initialize", "tools/list", "tools/call", "resources/list", "resources/read", "prompts/list",
        "resources/templates/list", "resources/subscribe", "prompts/get", "completion/complete", "logging/setLevel",
        "sampling/createMessage", "roots/list", "elicitation/create", "tasks/list", "server/discover",
    )  # fmt: skip
    shapes: dict[str, Any] = {
        "absent": ..., "null": None, "number": 1, "list": [1], "text": "x", "name": {"name": 5}, "empty": {},
        "uri": {"uri": {"a": 1}}, "cursor": {"cursor": "x" * 5_000}, "odd-cursor": {"cursor": 1},
        "progress": {"name": "stats", "_meta": {"progressToken": [1]}}, "meta": {"_meta": 7},
        "surrogate": {"name": "\ud800", "uri": "\ud800", "cursor": "\ud800"}, "version": {"protocolVersion": 5},
        "future": {"protocolVersion": "9999-99-99", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
        "task": {"name": "stats", "arguments": {}, "task": {"ttl": -1}},
    }  # fmt: skip
    for method in methods:
        for name, params in shapes.items():
            yield Line(f"{method}-{name}", request(method=method, params=params), AN_ANSWER, ID)


def notifications() -> Iterator[Line]:
    """Nothing is owed for these; afterwards the server goes on."""
    for method in (
        "notifications/cancelled",
        "notifications/progress",
        "notifications/roots/list_changed",
        "x",
        "ping",
    ):
        for name, params in {
            "absent": ...,
            "null": None,
            "list": [1],
            "id": {"requestId": 99},
            "odd": {"requestId": []},
        }.items():
            content = request(id=..., method=method, params=params)
            yield Line(f"notified-{method}-{name}", content, NOTHING)
    yield Line("response", b'{"jsonrpc":"2.0","id":5,"result":{}}', NOTHING)
    yield Line("response-error", b'{"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"x"}}', NOTHING)
    yield Line("response-odd", b'{"jsonrpc":"2.0","id":"x","error":7}', NOTHING)
    yield Line("blank", b"", NOTHING)
    yield Line("blanks-only", b"   ", NOTHING)


def mutated() -> Iterator[Line]:
    """A good request with a few bytes changed: whatever it is now, the server goes on."""
    chosen = random.Random("lines")
    good = request(params={"name": "search", "arguments": {"query": "cart", "limit": 5, "graph": "shop"}})
    for number in range(150):
        content = bytearray(good)
        for _ in range(chosen.choice([1, 2, 8])):
            at = chosen.randrange(len(content))
            match chosen.randrange(3):
                case 0:
                    content[at] = chosen.randrange(256)
                case 1:
                    del content[at]
                case _:
                    content[at:at] = bytes([chosen.choice(b'{}[]",:\\\x00\xff0')])
        yield Line(f"mutated-{number}", bytes(content).replace(b"\n", b" "), NOTHING)


def prompts() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every prompt with odd texts in each argument, and prompts that there are not."""
    for name, template in TEMPLATES.items():
        for argument in template.arguments:
            others = dict.fromkeys(template.arguments, "main")
            for kind, text in TEXTS.items():
                if kind != "long-word":
                    yield f"{name}-{argument}-{kind}", {"name": name, "arguments": {**others, argument: text}}
            for kind in ("zero", "true", "list", "object", "nan", "deep-list"):
                yield f"{name}-{argument}-{kind}", {"name": name, "arguments": {**others, argument: WRONG[kind]}}
    for kind, text in TEXTS.items():
        yield f"name-{kind}", {"name": text, "arguments": {}}


def addresses() -> Iterator[tuple[str, str]]:
    """What is hardly an address of a resource."""
    for kind, text in TEXTS.items():
        for scheme in ("", "code://", "code://shop/", "symbol://shop/", "repository://", "repositories://"):
            yield f"{scheme}-{kind}", scheme + text
