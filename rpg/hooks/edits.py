"""`rpg check --hook`: called by an agent's client after an edit and at the end of a turn.

In: the client's event as JSON on stdin. Out: nothing, or JSON that adds a few lines to the agent's context; the exit
code is always 0, so that no edit is blocked. The running server is asked; without one, the index is opened here. It
ends in time, whatever happens, and tells each finding once in a session, unless it went away meanwhile.

What a client calls its events, and how it takes text, is a row in CLIENT_EVENTS.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from rpg.hooks.telling import SECONDS, News, format_news, graph_of, run, untold

EDIT, TURN = "edit", "turn"


class ClientEvent(NamedTuple):
    what: str
    """edit, or turn."""
    form: str
    """How the text is given: context, message, or followup."""


CONTEXT, MESSAGE, FOLLOWUP = "context", "message", "followup"
CLIENT_EVENTS = {
    "PostToolUse": ClientEvent(EDIT, CONTEXT),  # Claude Code, Codex, and the plugin of opencode
    "Stop": ClientEvent(TURN, MESSAGE),
    "AfterTool": ClientEvent(EDIT, CONTEXT),  # Gemini
    "AfterAgent": ClientEvent(TURN, MESSAGE),
    "stop": ClientEvent(EDIT, FOLLOWUP),  # Cursor, which takes no text after an edit
}


def run_hook() -> int:
    """Always 0."""
    return run(answer)


def answer(event: dict[str, Any]) -> dict[str, Any] | None:
    """What the client is given; None for nothing."""
    name = str(event.get("hook_event_name", ""))
    known = CLIENT_EVENTS.get(name)
    graph = graph_of(event)
    if known is None or graph is None:
        return None
    session = str(event.get("session_id") or event.get("conversation_id") or "")
    news = ask_server(graph, known.what)
    if news is None:
        if known.what == EDIT and may_break(event):
            start_parser()
        news = compute_news(graph, known.what)
    fresh = untold(graph, session, known.what, news)
    if not fresh:
        return None
    text = format_news(fresh, "Now broken:" if known.what == EDIT else "")
    if known.form == CONTEXT:
        return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}
    return {"followup_message": text} if known.form == FOLLOWUP else {"systemMessage": text}


def ask_server(graph: Path, what: str) -> list[News] | None:
    """What the server of the graph answers; None if there is none."""
    from rpg.stores.local_socket import ask

    line = ask(graph, json.dumps({"event": what}).encode())
    found = json.loads(line) if line else None
    if not isinstance(found, list):
        return None
    return [News(str(key), str(text)) for key, text in found]


def may_break(event: dict[str, Any]) -> bool:
    """Whether the edited file is one whose text is parsed; so is one that the event does not name."""
    from rpg.encoder.languages import find_language

    given = event.get("tool_input")
    path = given.get("file_path") if isinstance(given, dict) else None
    return not isinstance(path, str) or find_language(path).refers


def start_parser() -> None:
    """The process that will parse the edited file starts while this one still imports what judges it."""
    from rpg.encoder.parsing.worker_pool import start_ahead

    with suppress(OSError):
        start_ahead()


def compute_news(graph: Path, what: str) -> list[News]:
    from rpg.tools.calling.call import Call
    from rpg.tools.loaded.graphs import Graphs
    from rpg.tools.loaded.settings import Settings
    from rpg.tools.unasked import find_news

    found = find_news(Call(Graphs([graph], Settings(anywhere=True)), seconds=SECONDS), "", what)
    return [News(*each) for each in found]
