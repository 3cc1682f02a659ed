"""What leaves a server controls no terminal, whoever chose the names; what arrives beside the tools has limits."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from listening import JSON, listening
from repositories import repository
from wire import Wire, call, request, serving

import rpg
from rpg.server.arriving import LONGEST_URI
from rpg.tools.calling.registry import LONGEST_TEXT

CONTROL = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\ud800-\udfff]"
)
"""Of parsed JSON: ESC, C1, direction, lines, surrogates."""
HOSTILE = "\x1b]0;x\x07\u202eevil\x9b31m\u2028"
FILES: dict[str, str | bytes] = {
    f"{HOSTILE}.py": f"def shown():\n    '''{HOSTILE}'''\n    return 1\n",
    "100%41.py": "def percent():\n    return 2\n",
    "plain.py": f"def plain():\n    return '{HOSTILE}'\n",
    "page.md": f"# Heading {HOSTILE}\n\nText {HOSTILE}\n",
    "t.test.js": f"describe('group {HOSTILE}', () => {{ it('does {HOSTILE}', () => {{}}) }})\n",
}
NAMES = ("plain", f"evil{HOSTILE}", os.fsdecode(b"no-utf-\xff"))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    made = folder / "graphs" / "plain.graph.json"
    made.parent.mkdir()
    rpg.encode(repository(folder / "shop", FILES), output=str(made))
    for name in NAMES[1:]:
        (made.parent / f"{name}.graph.json").write_bytes(made.read_bytes())
    return made.parent


@pytest.fixture(scope="module", params=[(), ("--structured",)], ids=["text", "structured"])
def wire(library: Path, request: pytest.FixtureRequest) -> Iterator[Wire]:
    with serving("--library", library, *request.param) as wire:
        yield wire


def texts(value: Any) -> Iterator[str]:
    """All but the records for programs."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            if key not in ("structuredContent", "id"):
                yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)


def asked(wire: Wire, method: str, **params: Any) -> Any:
    """The answer; what came before it is checked too."""
    wire.send(request("asked", method, **params))
    while True:
        answer = wire.answer()
        assert [each for each in texts(answer) if CONTROL.search(each)] == []
        if answer.get("id") == "asked":
            return answer


def completed(wire: Wire, template: str, argument: str, value: str, **known: str) -> list[str]:
    answer = asked(
        wire, "completion/complete", ref={"type": "ref/resource", "uri": template},
        argument={"name": argument, "value": value}, context={"arguments": known},
    )  # fmt: skip
    found: list[str] = answer["result"]["completion"]["values"]
    return found


PATH, SYMBOL = "code://{name}/{+path}", "symbol://{name}/{+id}"


@pytest.mark.invariant(
    "trust",
    "nothing that leaves a server controls a terminal: answers, resources, completions, prompts, errors, "
    "log lines; JSON is read back exactly",
)
def test_lists_of_resources_are_printable_and_lead_where_they_say(wire: Wire) -> None:
    listed = asked(wire, "resources/list")["result"]["resources"]
    read = [asked(wire, "resources/read", uri=each["uri"]) for each in listed]

    assert len(listed) == len(NAMES) + 1
    assert all("evil" not in json.dumps(each) or "\\x1b" in each["name"] for each in listed)
    assert [each["error"]["message"].partition(":")[0] for each in read if "error" in each] == ["GRAPH_NOT_LOADED"]
    states = json.loads(read[0]["result"]["contents"][0]["text"])
    assert f"evil{HOSTILE}" in [each["name"] for each in states]  # JSON is read back exactly


@pytest.mark.invariant(
    "trust",
    "nothing that leaves a server controls a terminal: answers, resources, completions, prompts, errors, "
    "log lines; JSON is read back exactly",
)
def test_completions_are_printable_and_what_they_complete_is_read(wire: Wire) -> None:
    paths = completed(wire, PATH, "path", "", name="plain")
    symbols = completed(wire, SYMBOL, "id", "", name="plain")
    begun = completed(wire, PATH, "path", HOSTILE[:1], name="plain")
    continued = completed(wire, PATH, "path", begun[0][:7], name=completed(wire, PATH, "name", "evil")[0])
    read = [asked(wire, "resources/read", uri=f"code://plain/{each}") for each in paths]
    read += [asked(wire, "resources/read", uri=f"symbol://plain/{each}") for each in symbols]

    assert len(paths) == len(FILES)
    assert len(completed(wire, PATH, "name", "")) == len(NAMES)
    assert begun == continued == [each for each in paths if each.startswith("%1B")]
    assert [each for each in read if "error" in each] == []
    assert any("def percent" in each for each in texts(read))


@pytest.mark.parametrize("tool", ["stats", "explore", "search", "fetch", "find_usages", "get_dependencies"])
def test_answers_of_tools_are_printable(wire: Wire, tool: str) -> None:
    arguments: dict[str, Any] = {
        "search": {"query": "evil"}, "fetch": {"targets": ["shown", "plain", "page.md"]}, "explore": {},
        "find_usages": {"symbol": "shown"}, "get_dependencies": {"target": f"{HOSTILE}.py"}, "stats": {},
    }[tool]  # fmt: skip
    for graph in ("plain", "all", HOSTILE):
        asked(wire, "tools/call", name=tool, arguments={**arguments, "graph": graph}, _meta={"progressToken": HOSTILE})


def test_structured_records_are_exact(library: Path) -> None:
    with serving("--library", library, "--structured") as wire:
        answer = asked(wire, "tools/call", name="search", arguments={"query": "shown", "graph": "plain"})

    assert answer["result"]["structuredContent"]["hits"][0]["path"] == f"{HOSTILE}.py"
    assert "\\x1b]0;x" in answer["result"]["content"][0]["text"]


ARGUMENT = {"name": "x", "value": "x"}
CLIENT = {"name": HOSTILE, "version": "1"}


@pytest.mark.invariant(
    "trust",
    "nothing that leaves a server controls a terminal: answers, resources, completions, prompts, errors, "
    "log lines; JSON is read back exactly",
)
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("prompts/get", {"name": "find_implementation", "arguments": {"what": HOSTILE}}),
        ("prompts/get", {"name": HOSTILE}),
        ("prompts/get", {"name": "code_review", "arguments": {HOSTILE: HOSTILE}}),
        ("tools/call", {"name": HOSTILE}),
        ("tools/call", {"name": "search", "arguments": {HOSTILE: 1}}),
        ("tools/call", {"name": "search", "arguments": {"query": "x", "mode": HOSTILE}}),
        ("resources/read", {"uri": HOSTILE}),
        ("resources/read", {"uri": f"code://plain/{HOSTILE}.py"}),
        ("resources/read", {"uri": f"code://{quote(HOSTILE)}/x.py"}),
        ("resources/read", {"uri": "code://plain/%1b%5d%c2%9b"}),
        ("resources/read", {"uri": "code://plain/%ff%ed%a0%80"}),
        ("resources/subscribe", {"uri": f"code://plain/{HOSTILE}"}),
        ("resources/unsubscribe", {"uri": HOSTILE}),
        ("logging/setLevel", {"level": HOSTILE}),
        (HOSTILE, {}),
        ("completion/complete", {"ref": {"type": "ref/prompt", "name": HOSTILE}, "argument": ARGUMENT}),
        ("completion/complete", {"ref": {"type": HOSTILE}, "argument": ARGUMENT}),
        ("initialize", {"protocolVersion": HOSTILE, "capabilities": {}, "clientInfo": CLIENT}),
    ],
    ids=lambda value: ascii(value)[:40],
)  # fmt: skip
def test_what_a_client_sent_comes_back_printable(wire: Wire, method: str, params: dict[str, Any]) -> None:
    asked(wire, method, **params)


def test_instructions_and_log_lines_are_printable(library: Path) -> None:
    with serving(*(library / f"{name}.graph.json" for name in NAMES), greeted=False) as wire:
        answer = asked(wire, "initialize", protocolVersion="2025-06-18", capabilities={},
                       clientInfo={"name": "x", "version": "1"})  # fmt: skip

    assert "Code graph of evil" in answer["result"]["instructions"]


@pytest.mark.invariant(
    "trust",
    "nothing that leaves a server controls a terminal: answers, resources, completions, prompts, errors, "
    "log lines; JSON is read back exactly",
)
def test_nothing_over_http_commands_a_terminal(library: Path) -> None:
    """Not even the lines of its log, which repeat what strangers sent."""
    from http.client import HTTPConnection

    told, bodies = b"", []
    with listening("--library", library) as (address, process):
        for method, path, headers, body in (
            ("POST", f"/messages/?session_id={quote(HOSTILE)}", JSON, b'{"jsonrpc":"2.0","method":"ping","id":1}'),
            ("GET", f"/{quote(HOSTILE)}", {}, b""),
            ("POST", "/mcp", {**JSON, "Mcp-Protocol-Version": "\x9b31m"}, json.dumps(request(1, "ping")).encode()),
            ("POST", "/mcp", {**JSON, "Mcp-Session-Id": "\x9b31m"}, json.dumps(request(1, "ping")).encode()),
            ("POST", "/mcp", JSON, json.dumps(request(1, HOSTILE)).encode()),
            ("POST", "/mcp", JSON, json.dumps(call(1, HOSTILE)).encode()),
            ("POST", "/mcp", {**JSON, "Content-Type": "\x9b31m"}, json.dumps(request(1, "ping")).encode()),
            ("POST", "/mcp", {**JSON, "Accept": "\x9b31m"}, json.dumps(request(1, "ping")).encode()),
        ):
            connection = HTTPConnection(address.removeprefix("http://"), timeout=60)
            connection.request(method, path, body, headers)
            with connection.getresponse() as answer:
                bodies.append(answer.read().decode() + "".join(answer.headers.values()))
            connection.close()
        process.terminate()
        assert process.stderr
        told = process.stderr.read().encode()

    parsed = [json.loads(line) for body in bodies for line in re.findall(r"\{.*\}", body)]
    assert parsed
    assert [each for each in texts(parsed) if CONTROL.search(each)] == []
    assert [body for body in bodies if re.search(CONTROL, body.replace("\r", ""))] == []
    assert CONTROL.search(told.decode()) is None


# What arrives


LONG = {
    "stars": "*" * 60_000, "open": "[" * 60_000, "percents": "%" * 60_000, "underscores": "_" * 60_000,
    "backslashes": "\\" * 60_000, "quotes": "'\"" * 30_000, "questions": "?" * 60_000, "spaces": " " * 60_000,
}  # fmt: skip
ODD = {
    **{name: text[:LONGEST_TEXT] for name, text in LONG.items()}, "nul": "a\0b", "classes": "[a-" * 300,
    "caret": "^" * 900, "mixed": "*[%_\\'\"]?^-" * 80,
}  # fmt: skip


@pytest.mark.invariant(
    "trust",
    "a text that a client sends, compared or searched for, is answered or refused, whatever is in it and "
    "however long it is",
)
@pytest.mark.parametrize("text", [*LONG.values()], ids=[*LONG])
@pytest.mark.parametrize(
    ("template", "argument"), [(PATH, "name"), (PATH, "path"), (SYMBOL, "id"), ("repository://{name}", "name")]
)
def test_a_long_text_to_complete_is_refused(wire: Wire, template: str, argument: str, text: str) -> None:
    answer = asked(
        wire, "completion/complete", ref={"type": "ref/resource", "uri": template},
        argument={"name": argument, "value": text}, context={"arguments": {"name": "plain"}},
    )  # fmt: skip

    assert answer["error"]["message"].startswith(f"BAD_REQUEST: argument '{argument}' has at most 1,000 characters")


@pytest.mark.invariant(
    "trust",
    "a text that a client sends, compared or searched for, is answered or refused, whatever is in it and "
    "however long it is",
)
@pytest.mark.parametrize("text", [*ODD.values()], ids=[*ODD])
def test_an_odd_text_is_answered_wherever_it_is_compared(wire: Wire, text: str) -> None:
    """Where it becomes a GLOB, a LIKE, a pattern of paths, words of a search, a revision."""
    asked_for = [
        *(("search", {"query": text, "mode": mode}) for mode in ("auto", "text", "regex", "name")),
        *(("search", {"query": "plain", field: text}) for field in ("path", "exclude_path", "package", "language")),
        ("fetch", {"targets": [text]}), ("explore", {"start": [text]}), ("explore", {"to": text, "start": ["plain"]}),
        *(("find_usages", {"symbol": each}) for each in (text, f"plain.py::{text}", f"{text}:1")),
        ("find_usages", {"since": text}), ("get_dependencies", {"target": text}), ("query_code", {"question": text}),
        ("query_code", {"question": "plain", "terms": [text]}), ("query_code", {"question": "plain", "package": text}),
        ("inventory", {"kind": text}), ("inventory", {"kind": "routes", "name": text}),
        ("stats", {"graph": text}),
    ]  # fmt: skip
    for tool, arguments in asked_for:
        answer = asked(wire, "tools/call", name=tool, arguments={"graph": "plain", **arguments})
        told = answer["result"]["content"][0]["text"]
        assert "a bug in rpg" not in told, (tool, arguments, told)
    for template, argument in ((PATH, "name"), (PATH, "path"), (SYMBOL, "id")):
        answer = asked(
            wire, "completion/complete", ref={"type": "ref/resource", "uri": template},
            argument={"name": argument, "value": text}, context={"arguments": {"name": "plain"}},
        )  # fmt: skip
        assert "result" in answer or answer["error"]["message"].startswith("BAD_REQUEST: "), answer
        answer = asked(
            wire, "completion/complete", ref={"type": "ref/resource", "uri": template},
            argument={"name": argument, "value": "p"}, context={"arguments": {"name": text}},
        )  # fmt: skip
        assert "result" in answer or answer["error"]["message"].startswith("BAD_REQUEST: "), answer


@pytest.mark.parametrize("scheme", ["code", "symbol", "repository"])
@pytest.mark.parametrize("text", [*LONG.values()], ids=[*LONG])
def test_a_long_uri_is_refused(wire: Wire, scheme: str, text: str) -> None:
    for method in ("resources/read", "resources/subscribe"):
        answer = asked(wire, method, uri=f"{scheme}://plain/{text}")

        assert answer["error"]["message"].startswith("BAD_REQUEST: ")
        assert f"at most {LONGEST_URI:,} characters" in answer["error"]["message"]


def test_a_long_or_unwritable_argument_of_a_prompt_is_refused(wire: Wire) -> None:
    for text in (*LONG.values(), "a\0b"):
        answer = asked(wire, "prompts/get", name="find_implementation", arguments={"what": text})

        assert answer["error"]["message"].startswith("BAD_REQUEST: argument 'what' ")


def test_a_log_line_is_one_line() -> None:
    import logging

    from rpg.server.leaving import PrintableLines

    record = logging.LogRecord("x", logging.WARNING, "x", 1, "%s", (f"a\nb{HOSTILE}",), None)
    told = PrintableLines().format(record)

    assert told.startswith("a\\nb\\x1b]0;x")
    assert CONTROL.search(told) is None
