"""Calls that no client should make, to a real server: each is answered, none is believed, and the server goes on.

One case alone: `bin/test --attack "tests/attack/test_calls.py::test_a_call_is_answered[CASE]"`.
"""

from __future__ import annotations

from typing import Any

import pytest

from attack.canaries import World
from attack.conftest import share
from attack.inputs.calls import WRITING, Case, cases
from attack.oracles import changes_outside, complaints, echoed, stored, text_of
from attack.server_process import Servers

CALLS_OF_EVERY_RUN = 2_200


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" in metafunc.fixturenames:
        chosen = share(metafunc.config, [case for case in cases() if case.tool not in WRITING], CALLS_OF_EVERY_RUN)
        metafunc.parametrize("case", chosen, ids=[case.name for case in chosen])


def test_a_call_is_answered(servers: Servers, world: World, case: Case) -> None:
    before = world.snapshot()

    answer = servers.call(case.tool, case.arguments)

    found = complaints(answer, asked_tokens(case.arguments)) + echoed(case.arguments, text_of(answer.message))
    found += changes_outside(world, before)
    assert found == []
    assert servers.server.noise == []


def test_afterwards_the_graph_is_what_it_was(servers: Servers, world: World) -> None:
    assert servers.server.is_alive()
    assert stored(world.graph) == []
    assert servers.server.end() == 0
    servers.drop()


def asked_tokens(arguments: Any) -> int:
    asked = arguments.get("max_tokens", 4_000) if isinstance(arguments, dict) else 4_000
    return asked if type(asked) is int and 200 <= asked <= 20_000 else 4_000
