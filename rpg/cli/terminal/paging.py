"""What a person at a terminal gets besides the text: colours, and a pager for what is longer than the screen.

In: painted text, in which everything foreign is escaped already. Out: the same on stdout, or in the user's pager. In a
pipe, and with NO_COLOR or TERM=dumb, nothing here does anything.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
from contextlib import suppress

from rpg.cli.terminal.output import say_as_it_is

LESS = "FRX"
"""less: exits if everything fits on the screen, shows colours, leaves the text on the screen."""


def has_colors() -> bool:
    return is_screen() and not os.environ.get("NO_COLOR")


def is_screen() -> bool:
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def show(painted: str) -> None:
    """Uses the pager if the text is longer than the screen; PAGER names another pager, or none if it is empty or
    `cat`."""
    if painted.count("\n") + 1 < shutil.get_terminal_size().lines or not (is_screen() and sys.stdin.isatty()):
        say_as_it_is(painted)
        return
    command = pager()
    if not command or not is_paged(command, painted):
        say_as_it_is(painted)


def pager() -> list[str]:
    with suppress(ValueError):  # quotation marks that are not closed
        words = shlex.split(os.environ.get("PAGER", "less"))
        if words and words[0] != "cat" and (found := shutil.which(words[0])):
            return [found, *words[1:]]
    return []


def is_paged(command: list[str], painted: str) -> bool:
    """Whether the pager ran. While it runs, Ctrl-C goes to it."""
    environment = {"LESS": LESS, **os.environ}
    try:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment)
    except OSError:
        return False
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with suppress(OSError):  # it was left before it had read everything
            process.communicate(painted.encode("utf-8", "backslashreplace") + b"\n")
        process.wait()
    finally:
        signal.signal(signal.SIGINT, before)
    return True
