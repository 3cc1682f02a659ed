"""What an agent is told without asking: what its edits broke, and at the end of a turn which tests to run.

In: a call, a graph, an event. Out: news, each with a key by which it is told once. The same in a server that is asked
over its socket, and in a process of its own.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import NamedTuple

from rpg.errors import RpgError
from rpg.queries.graph.filters import format_count
from rpg.queries.tests_to_run.answer import find_tests
from rpg.queries.tests_to_run.changed_code import find_changed_code
from rpg.queries.tests_to_run.runners import command_of, runners_of, words_for
from rpg.tools.calling.call import Call
from rpg.tools.check import check

EDIT, TURN = "edit", "turn"
EVENTS = (EDIT, TURN)
MOST_TESTS = 12
"""More tests than this are told as the command that lists them."""
SINCE = "HEAD"


class News(NamedTuple):
    key: str
    text: str


def find_news(call: Call, graph: str, event: str) -> list[News]:
    return broken(call, graph) if event == EDIT else find_tests_to_run(call, graph)


def broken(call: Call, graph: str) -> list[News]:
    """A line for each broken place, the certain ones first."""
    found = check(call, since=SINCE, graph=graph).broken
    return [
        News(
            key_of(each.kind, each.path, each.symbol, each.message),
            f"{each.path}:{each.line} {'' if each.certain else 'possibly '}{each.message}"
            f"{f': {each.hint}' if each.hint else ''}",
        )
        for each in sorted(found, key=lambda each: not each.certain)
    ]


def find_tests_to_run(call: Call, graph: str) -> list[News]:
    """A line for each runner of the tests that reach what is not committed."""
    with call.view(graph) as view:
        changed = find_changed_code(view.index, view.root("it compares with git"), SINCE)
        answer, chosen = find_tests(view.index, view.header, changed, SINCE, False)
        news = []
        reaching = f"{format_count(len(answer.tests), 'test')} reach{'es' if len(answer.tests) == 1 else ''}"
        for runner in runners_of(each.node for each in chosen):
            words = words_for(runner, chosen)
            given = " ".join(words) if len(chosen) <= MOST_TESTS else f"$(rpg tests --format {runner})"
            text = command_of(runner, given)
            news.append(News(key_of(runner, *words), f"{reaching} what changed: {text}"))
    return news


def key_of(*parts: str) -> str:
    return blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=8).hexdigest()


def answer_line(call: Call, graph: str, line: bytes) -> bytes:
    """For the socket: an event as JSON, and the news as a list of pairs; null if there is no answer."""
    try:
        event = json.loads(line)["event"]
        found = find_news(call, graph, event) if event in EVENTS else None
    except (ValueError, KeyError, TypeError, RpgError):
        found = None
    return json.dumps(found).encode()
