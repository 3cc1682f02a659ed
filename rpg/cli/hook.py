"""`rpg check --hook`: called by an agent's client after an edit and at the end of a turn.

In: the client's event as JSON on stdin. Out: nothing, or JSON that adds a few lines to the agent's context; the exit
code is always 0, so that no edit is blocked. The running server is asked; without one, the index is opened here. It
ends in time, whatever happens, and tells each finding once in a session, unless it went away meanwhile.

What a client calls its events, and how it takes text, is a row in CLIENT_EVENTS.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from rpg.errors import RpgError

SECONDS = 1.5
"""With the start of the process, it then ends within two seconds."""
MOST_BYTES = 4 * 150
"""150 tokens."""
LARGEST_EVENT = 4 << 20
TOLD = "told"
KEPT_SESSIONS = 50
EDIT, TURN = "edit", "turn"


class News(NamedTuple):
    key: str
    """By which it is told once."""
    text: str


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
    ending = threading.Timer(SECONDS, os._exit, (0,))
    ending.daemon = True
    ending.start()
    with suppress(RpgError, OSError, ValueError):
        said = answer(event_of(sys.stdin.buffer.read(LARGEST_EVENT)))
        if said is not None:
            sys.stdout.write(json.dumps(said) + "\n")
            sys.stdout.flush()
    ending.cancel()
    return 0


def event_of(content: bytes) -> dict[str, Any]:
    found = json.loads(content)
    return found if isinstance(found, dict) else {}


def answer(event: dict[str, Any]) -> dict[str, Any] | None:
    """What the client is given; None for nothing."""
    name = str(event.get("hook_event_name", ""))
    known = CLIENT_EVENTS.get(name)
    graph = graph_of(event)
    if known is None or graph is None:
        return None
    session = str(event.get("session_id") or event.get("conversation_id") or "")
    news = asked(graph, known.what)
    if news is None:
        news = computed(graph, known.what)
    fresh = untold(graph, session, known.what, news)
    if not fresh:
        return None
    text = told(fresh, "Now broken:" if known.what == EDIT else "")
    if known.form == CONTEXT:
        return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}
    return {"followup_message": text} if known.form == FOLLOWUP else {"systemMessage": text}


def graph_of(event: dict[str, Any]) -> Path | None:
    """The graph of the folder that the client works in; none is made here."""
    from rpg.stores.graph_folder import graph_around

    roots = event.get("workspace_roots")
    folder = event.get("cwd") or (roots[0] if isinstance(roots, list) and roots else "") or os.getcwd()
    place = Path(str(folder)).absolute()
    return graph_around(place) if place.is_dir() else None


def asked(graph: Path, what: str) -> list[News] | None:
    """What the server of the graph answers; None if there is none."""
    from rpg.stores.local_socket import ask

    line = ask(graph, json.dumps({"event": what}).encode())
    found = json.loads(line) if line else None
    if not isinstance(found, list):
        return None
    return [News(str(key), str(text)) for key, text in found]


def computed(graph: Path, what: str) -> list[News]:
    from rpg.tools.calling.call import Call
    from rpg.tools.loaded.graphs import Graphs
    from rpg.tools.loaded.settings import Settings
    from rpg.tools.unasked import find_news

    found = find_news(Call(Graphs([graph], Settings(anywhere=True)), seconds=SECONDS), "", what)
    return [News(*each) for each in found]


def untold(graph: Path, session: str, what: str, news: list[News]) -> list[News]:
    """Those that were not told in this session, and from now on are."""
    from rpg.stores.atomic import write
    from rpg.stores.installation import data_folder

    name = blake2b(f"{graph}\0{session}\0{what}".encode("utf-8", "replace"), digest_size=8).hexdigest()
    folder = data_folder() / TOLD
    file = folder / f"{name}.json"
    before = known_keys(file)
    now = {each.key for each in news}
    if now != before:
        folder.mkdir(parents=True, exist_ok=True)
        write(file, [json.dumps(sorted(now)).encode()])
        forget_old(folder)
    return [each for each in news if each.key not in before]


def known_keys(file: Path) -> set[str]:
    from rpg.system.filesystem import read_file

    with suppress(OSError, ValueError, RpgError):
        found = json.loads(read_file(file, LARGEST_EVENT))
        return {str(each) for each in found} if isinstance(found, list) else set()
    return set()


def forget_old(folder: Path) -> None:
    """Keeps what the last sessions were told."""
    from rpg.system.filesystem import remove

    files = sorted(folder.glob("*.json"), key=lambda each: each.stat().st_mtime, reverse=True)
    for each in files[KEPT_SESSIONS:]:
        remove(each)


def told(news: Iterable[News], head: str) -> str:
    """Within the limit; what has no room is counted."""
    from rpg.text.printable import escaped, shortened

    texts = [escaped(each.text) for each in news]
    lines = [head] if head else []
    room = MOST_BYTES - len(head) - 40
    for at, text in enumerate(texts):
        line = shortened(text, 300)
        room -= len(line.encode()) + 1
        if room < 0:
            lines.append(f"and {len(texts) - at} more: rpg check")
            break
        lines.append(line)
    return "\n".join(lines)
