"""How many files the process may have open.

In: nothing. Out: as many as the system allows; an error that says what to do if that is too few for any command, before
one fails halfway: whatever a command imports then, and whatever explains its failure, is a file too.
"""

from __future__ import annotations

import sys
from contextlib import suppress

from rpg.errors import RpgError

MOST = 65_536
LEAST = 64
"""A command takes about 20, and some more for each process that parses."""


def allow_many_files() -> None:
    """Each open graph takes three files, and a process starts with a limit far below what the system allows."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = hard if 0 <= hard <= MOST else MOST
    if soft != most:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    if 0 <= soft < LEAST:
        raise RpgError(
            f"this process may have only {soft} files open, and needs {LEAST}: raise the limit with `ulimit -n 1024` "
            "(or the container's), then try again"
        )
