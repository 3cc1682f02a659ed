"""Raw lines, prompts and addresses that no client should send: what is owed an answer gets one, and the server goes on.

One case alone: `bin/test --attack "tests/attack/test_lines.py::TEST[CASE]"`.
"""

from __future__ import annotations

import pytest

from attack.canaries import World
from attack.conftest import share
from attack.inputs.lines import AN_ANSWER, AN_ERROR, Line, addresses, lines, prompts
from attack.oracles import changes_outside, complaints, echoed, is_error, leaked, text_of
from attack.server_process import Answer, Servers

PROMPTS_OF_EVERY_RUN = 120
ADDRESSES_OF_EVERY_RUN = 120
PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS = -32700, -32600, -32602


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "line" in metafunc.fixturenames:
        metafunc.parametrize("line", lines(), ids=[line.name for line in lines()])
    if "prompt" in metafunc.fixturenames:
        chosen = share(metafunc.config, list(prompts()), PROMPTS_OF_EVERY_RUN)
        metafunc.parametrize("prompt", [params for _, params in chosen], ids=[name for name, _ in chosen])
    if "uri" in metafunc.fixturenames:
        found = share(metafunc.config, list(addresses()), ADDRESSES_OF_EVERY_RUN)
        metafunc.parametrize("uri", [uri for _, uri in found], ids=[name for name, _ in found])


def test_a_line_is_answered(servers: Servers, world: World, line: Line) -> None:
    server = servers.server
    before, heard = world.snapshot(), len(server.unasked)
    if line.owed == AN_ANSWER:
        answer = servers.answer_to(line.content, line.number)
        found = complaints(answer)
    else:
        server.send(line.content)
        pinged = servers.ask("ping", {})  # lines are read in order: what is owed for the one before is there
        found = complaints(pinged)
        told = server.unasked[heard:]
        found += [complaint for each in told for complaint in complaints(Answer(each, 0.0, ""))]
        if line.owed == AN_ERROR:
            codes = [each.get("error", {}).get("code") for each in told]
            is_answered = bool(told) and line.content.startswith(b'{"jsonrpc": "2.0", "id": ')
            if not is_answered and not {PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS} & set(codes):
                found.append(f"nobody says what is wrong with it: {told}")

    assert found + changes_outside(world, before) == []
    assert server.noise == []


def test_a_prompt_is_answered(servers: Servers, prompt: dict[str, object]) -> None:
    answer = servers.ask("prompts/get", prompt)

    assert complaints(answer, 30_000) + leaked(str(answer.message), "the prompt") == []
    if is_error(answer.message):
        assert echoed(prompt, text_of(answer.message)) == []


def test_an_address_is_answered(servers: Servers, world: World, uri: str) -> None:
    before = world.snapshot()

    answer = servers.ask("resources/read", {"uri": uri})

    assert complaints(answer, 20_000) + echoed(uri, text_of(answer.message)) + changes_outside(world, before) == []


def test_an_answer_is_still_there_for_who_asks_properly(servers: Servers) -> None:
    assert not is_error(servers.call("stats", {}).message)
    assert servers.server.end() == 0
    servers.drop()
