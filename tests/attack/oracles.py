"""What must hold of every answer, whatever was asked.

In: an answer, the world before. Out: complaints, empty where all is well. What was tried is not known here, but for how
much of it may come back.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from attack.canaries import MARKS, Snapshot, World, differences, strange_in_own_places
from attack.server_process import Answer, Message
from rpg import errors

CODES = tuple(
    sorted(
        {each.code for each in vars(errors).values() if isinstance(each, type) and issubclass(each, errors.RpgError)}
    )
)
PROTOCOL_CODES = (-32700, -32600, -32601, -32602, -32603, -32002, -32001, -32000)
ERROR_BYTES = 3_000
"""An error says what is wrong and what to do; of what was given it repeats at most a kilobyte."""
ECHO_BYTES = 1_500
FRAME_BYTES = 1_000
"""What a text may have over its budget: the frame around the items."""
TRACES = ("Traceback (most recent call last)", "a bug in rpg", "RecursionError", "AssertionError", ", in <module>")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f]")


def complaints(answer: Answer, max_tokens: int = 4_000) -> list[str]:
    """Of any answer: it is one, without traces of a crash, without a mark, of a bounded size."""
    found = []
    message = answer.message
    written = json.dumps(message, ensure_ascii=False)
    if ("result" in message) == ("error" in message):
        found.append(f"neither result nor error: {written[:300]}")
    found += [f"{trace!r} in the answer: {around(written, trace)}" for trace in TRACES if trace in written]
    found += [f"{trace!r} on stderr: {answer.said[-1500:]}" for trace in TRACES[:1] if trace in answer.said]
    found += leaked(written, "the answer")
    text = text_of(message)
    if is_error(message):
        if len(text.encode("utf-8", "replace")) > ERROR_BYTES:
            found.append(f"an error of {len(text)} characters: {text[:200]}…")
        if "error" in message and message["error"].get("code") not in PROTOCOL_CODES:
            found.append(f"an unknown code: {message['error']}"[:300])
        if "result" in message and not text.startswith(tuple(f"{code}: " for code in CODES)):
            found.append(f"an error without one of our codes: {text[:200]}")
    elif len(text.encode("utf-8", "replace")) > 4 * max_tokens + FRAME_BYTES:
        found.append(f"an answer of {len(text.encode('utf-8', 'replace'))} bytes for {max_tokens} tokens")
    return found


def is_error(message: Message) -> bool:
    return "error" in message or bool(message.get("result", {}).get("isError"))


def text_of(message: Message) -> str:
    """What a model reads of an answer."""
    if "error" in message:
        return str(message["error"].get("message", ""))
    result = message.get("result", {})
    parts = [*result.get("content", []), *result.get("contents", [])]
    return "\n".join(part.get("text", "") for part in parts if isinstance(part, dict))


def code_of(message: Message) -> str:
    """The word that an error begins with."""
    text = text_of(message)
    return text.partition(":")[0] if is_error(message) else ""


def leaked(text: str, where: str) -> list[str]:
    return [
        f"a mark of a file that nobody may read stands in {where}: {around(text, mark)}"
        for mark in MARKS
        if mark in text
    ]


def around(text: str, word: str) -> str:
    at = text.find(word)
    return repr(text[max(0, at - 120) : at + 120])


def changes_outside(world: World, before: Snapshot, contents: bool = False) -> list[str]:
    """What was written where nobody may write, what rpg has in its own places and does not belong there, and what was
    run."""
    found = [f"outside: {line}" for line in differences(before, world.snapshot(contents))]
    found += strange_in_own_places(world)
    if world.sprung.exists():
        found.append(f"a command was run: {world.sprung.read_text()[:300]}")
    return found


def echoed(given: Any, text: str) -> list[str]:
    """Long strings that were given and came back whole."""
    return [
        f"{len(each)} characters that were given came back" for each in strings(given)
        if len(each) > ECHO_BYTES and each[:ECHO_BYTES] in text
    ]  # fmt: skip


def strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [each for item in value.items() for part in item for each in strings(part)]
    if isinstance(value, list):
        return [each for item in value[:100] for each in strings(item)]
    return []


def stored(graph: Path) -> list[str]:
    """Marks in a graph file and in its index, also in what is compressed there; and whether the file is JSON at all."""
    found = []
    if graph.exists():
        text = graph.read_text("utf-8", "replace")
        found += leaked(text, graph.name)
        try:
            header = json.loads(text)["graph"]
        except (ValueError, KeyError, TypeError) as error:
            return [*found, f"{graph.name} is no graph any more: {error!r}"]
        if not isinstance(header, dict) or "version" not in header:
            found.append(f"{graph.name} has no header any more")
    return found + stored_in_index(graph.with_name(graph.name.replace(".graph.json", ".graph.db")))


def stored_in_index(index: Path) -> list[str]:
    import apsw
    import zstandard

    if not index.exists():
        return []
    found = []
    try:
        connection = apsw.Connection(str(index), flags=apsw.SQLITE_OPEN_READONLY)
        for path, source in connection.execute("SELECT path, source FROM files WHERE length(source) > 0"):
            text = zstandard.ZstdDecompressor().decompress(source, max_output_size=1 << 26).decode("utf-8", "replace")
            found += leaked(text, f"the source of {path} in the index")
            parts = path.split("/")
            if path.startswith("/") or ".." in parts or ".git" in [part.lower() for part in parts]:
                found.append(f"the index has a file {path!r}")
        connection.close()
    except (apsw.Error, zstandard.ZstdError) as error:
        return [*found, f"{index.name} cannot be read: {error!r}"]
    return found
