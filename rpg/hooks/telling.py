"""What hooks of clients share: an event is read, and something is told once in a session, in time and within a limit.

In: the client's event as JSON on stdin, and what answers it. Out: nothing, or JSON that adds a few lines to the agent's
context; the exit code is always 0, so that nothing is blocked.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from rpg.errors import RpgError

SECONDS = 1.75
"""With the start of the process, it then ends within two seconds."""
MOST_BYTES = 4 * 150
"""150 tokens."""
LARGEST_EVENT = 4 << 20
TOLD = "told"
KEPT_SESSIONS = 50


class News(NamedTuple):
    key: str
    """By which it is told once."""
    text: str


def run(answer: Callable[[dict[str, Any]], dict[str, Any] | None], seconds: float = SECONDS) -> int:
    """Always 0."""
    ending = threading.Timer(seconds, os._exit, (0,))
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


def graph_of(event: dict[str, Any]) -> Path | None:
    """The graph of the folder that the client works in; none is made here."""
    from rpg.stores.graph_folder import graph_around

    roots = event.get("workspace_roots")
    folder = event.get("cwd") or (roots[0] if isinstance(roots, list) and roots else "") or os.getcwd()
    place = Path(str(folder)).absolute()
    return graph_around(place) if place.is_dir() else None


def untold(graph: Path, session: str, what: str, news: list[News], keeps_all: bool = False) -> list[News]:
    """Those that were not told in this session, and from now on are. What is no news any more is forgotten, unless
    `keeps_all`."""
    from hashlib import blake2b

    from rpg.stores.atomic import write
    from rpg.stores.installation import data_folder

    name = blake2b(f"{graph}\0{session}\0{what}".encode("utf-8", "replace"), digest_size=8).hexdigest()
    folder = data_folder() / TOLD
    file = folder / f"{name}.json"
    before = read_known_keys(file)
    now = {each.key for each in news} | (before if keeps_all else set())
    if now != before:
        folder.mkdir(parents=True, exist_ok=True)
        write(file, [json.dumps(sorted(now)).encode()])
        forget_old(folder)
    return [each for each in news if each.key not in before]


def read_known_keys(file: Path) -> set[str]:
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


def format_news(news: Iterable[News], head: str) -> str:
    """Within the limit; what has no room is counted."""
    from rpg.text.printable import make_printable, shorten

    texts = [make_printable(each.text) for each in news]
    lines = [head] if head else []
    room = MOST_BYTES - len(head) - 40
    for at, text in enumerate(texts):
        line = shorten(text, 300)
        room -= len(line.encode()) + 1
        if room < 0:
            lines.append(f"and {len(texts) - at} more: rpg check")
            break
        lines.append(line)
    return "\n".join(lines)
