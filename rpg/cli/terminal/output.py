"""Prints for all commands: the only place that writes to stdout and stderr.

In: text, which may contain anything that a repository contains. Out: the same text with control sequences escaped
(printable.py), in a pipe too, because piped output is often shown later. Raises `Unwritable` if it could not be
written: a command whose answer nobody received must not succeed. Reports on work that counts even if nobody reads them
go inside `report_output`.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

from rpg.text.printable import json_escaped, make_printable


class Unwritable(Exception):
    """The answer could not be written. `is_unread`: its reader has gone."""

    def __init__(self, error: OSError | ValueError) -> None:
        reason = getattr(error, "strerror", None) or str(error)
        super().__init__(f"the answer could not be written: {reason}")
        self.is_unread = isinstance(error, BrokenPipeError)


class Closed(io.TextIOBase):
    """Replaces a stream that was closed before the program began."""

    def write(self, text: str) -> NoReturn:
        raise OSError(errno.EBADF, "stdout is closed")


def prepare() -> None:
    """Call it first: it keeps files opened later from taking the place of a closed stream, and a character that the
    terminal's encoding lacks from ending a command."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free descriptor, so exactly this one
    if sys.stdout is None:
        sys.stdout = Closed()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  stays open
    if isinstance(sys.stdout, io.TextIOWrapper) and isinstance(sys.stdout.buffer, io.RawIOBase):
        # PYTHONUNBUFFERED: the rest of an answer of which only a part could be written would be lost without an error.
        whole = io.BufferedWriter(io.FileIO(sys.stdout.fileno(), "wb", closefd=False))
        sys.stdout = io.TextIOWrapper(whole, encoding=sys.stdout.encoding, line_buffering=True)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(text: str, *, end: str = "\n") -> None:
    say_as_it_is(make_printable(text), end=end)


def say_json(value: Any) -> None:
    import orjson

    written = orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS, default=list).decode()
    say_as_it_is(json_escaped(written))


def say_as_it_is(text: str, *, end: str = "\n") -> None:
    """For text with links only; any repository text in it must be escaped already."""
    try:
        sys.stdout.write(text + end)
        sys.stdout.flush()
    except (OSError, ValueError) as error:
        raise Unwritable(error) from None


@contextmanager
def report_output() -> Iterator[None]:
    """For output that only reports on the work of a command, as in `encode`: the work goes on and counts even if the
    reader has gone, as with `| head -1`."""
    try:
        yield
    except Unwritable as error:
        if not error.is_unread:
            raise
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)  # what is left in the buffer is written at the end
        os.close(nowhere)


def complain(text: str) -> None:
    """Writes to stderr; if that fails, only the exit code reports the failure."""
    with suppress(OSError, ValueError):
        sys.stderr.write(make_printable(text) + "\n")
        sys.stderr.flush()


def is_closed() -> bool:
    """Whether stdout is missing."""
    return isinstance(sys.stdout, Closed)
