"""The last door: whatever the server says about foreign text passes here, and controls no terminal.

In: what a handler returned; a record of a log. Out: the same with the texts escaped (printable.py). Typed records stay
exact, but for what UTF-8 cannot encode: they are data for programs, which escape them where they print them. JSON as
the text of a resource has escapes of JSON instead, so that it is read back exactly.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar
from urllib.parse import quote

from pydantic import BaseModel

from rpg.text.printable import encodable, is_printable, make_printable, one_line

Context = TypeVar("Context")
Params = TypeVar("Params")
Result = TypeVar("Result", bound=BaseModel)
EXACT = frozenset({"structured_content"})


def leaving(
    handle: Callable[[Context, Params], Awaitable[Result]],
) -> Callable[[Context, Params], Awaitable[Result]]:
    """The same handler, whose results are printable."""

    async def handled(context: Context, params: Params) -> Result:
        result: Result = printable(await handle(context, params))
        return result

    return handled


def printable(value: Any, clean: Callable[[str], str] = make_printable) -> Any:
    """The value itself if `clean` changes none of its texts."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, BaseModel):
        parts = value.__dict__.items()
        cleaned = {name: printable(part, encodable if name in EXACT else clean) for name, part in parts}
        changed = {name: cleaned[name] for name, part in parts if cleaned[name] is not part}
        return value.model_copy(update=changed) if changed else value
    if isinstance(value, list):
        items = [printable(item, clean) for item in value]
        return items if any(new is not item for new, item in zip(items, value, strict=True)) else value
    if isinstance(value, dict):
        pairs = {printable(key, clean): printable(item, clean) for key, item in value.items()}
        return pairs if any(pairs.get(key) is not item for key, item in value.items()) else value
    return value


def percent_encoded(text: str) -> str:
    """For a part of a URI that a client fills in and shows: characters that are not printable, and a percent sign that
    would be read as the beginning of one of these."""
    if is_printable(text) and "%" not in text:
        return text
    return "".join(quote(each, safe="") if each == "%" or not is_printable(each) else each for each in text)


class PrintableLines(logging.Formatter):
    """Log lines, which repeat what clients sent: each message is one line."""

    def format(self, record: logging.LogRecord) -> str:
        line = one_line(record.getMessage())
        return f"{line}\n{make_printable(self.formatException(record.exc_info))}" if record.exc_info else line


def log_to_stderr() -> None:
    """For all libraries, too: none of them has a handler of its own."""
    handler = logging.StreamHandler()
    handler.setFormatter(PrintableLines())
    logging.getLogger().handlers[:] = [handler]
