"""What the commands write: the only place that reaches stdout and stderr.

In: text, which may hold anything that a repository holds. Out: the same, with what commands a terminal written out
(printable.py), in a pipe too, as what is read there is often shown later. `Unwritable` where it could not be written:
no command ends well whose answer nobody got.
"""

from __future__ import annotations

import errno
import io
import os
import re
import sys
from contextlib import suppress
from typing import Any, NoReturn

from rpg.printable import escaped

_LEFT_BY_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]")
"""Of what is written out in text: what JSON may hold as it is."""


class Unwritable(Exception):
    """The answer did not get out. `is_unread`: whoever read it has gone."""

    def __init__(self, error: OSError | ValueError) -> None:
        reason = getattr(error, "strerror", None) or str(error)
        super().__init__(f"the answer could not be written: {reason}")
        self.is_unread = isinstance(error, BrokenPipeError)


class Closed(io.TextIOBase):
    """Stands for a stream that was closed before the program began."""

    def write(self, text: str) -> NoReturn:
        raise OSError(errno.EBADF, "stdout is closed")


def prepare() -> None:
    """Before anything else: no file that is opened later takes the place of a closed stream, nor does a name that the
    terminal's encoding lacks end a command."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest that is free, so this very one
    if sys.stdout is None:
        sys.stdout = Closed()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  stays open
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(text: str, *, end: str = "\n") -> None:
    say_as_it_is(escaped(text), end=end)


def say_json(value: Any) -> None:
    import orjson

    written = orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS, default=list).decode()
    say_as_it_is(json_escaped(written))


def json_escaped(written: str) -> str:
    return written if written.isascii() and "\x7f" not in written else _LEFT_BY_JSON.sub(_as_json, written)


def say_as_it_is(text: str, *, end: str = "\n") -> None:
    """For what has links in it, and nothing else of a repository's that was not made fit."""
    try:
        sys.stdout.write(text + end)
        sys.stdout.flush()
    except (OSError, ValueError) as error:
        raise Unwritable(error) from None


def complain(text: str) -> None:
    """To stderr; where that cannot be written, the exit code must do."""
    with suppress(OSError, ValueError):
        sys.stderr.write(escaped(text) + "\n")
        sys.stderr.flush()


def is_closed() -> bool:
    """Whether there is no stdout."""
    return isinstance(sys.stdout, Closed)


def _as_json(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
