"""Ends git, and what it has started, when this process is killed.

In: the process group of a git that runs. Out: nothing. Absent: the ordinary end of git, which its starter sees to.

A killed process can end nothing, and git's own children (git-remote-https, index-pack) would wait for a server that
says nothing. A shell waits at a pipe whose other end only this process holds: the system closes it, whatever ends us.
"""

from __future__ import annotations

import os
import subprocess
import sys
from types import TracebackType

SHELL = "/bin/sh"
_WAIT = 'read -r group && ! read -r more && kill -s KILL -- "-$group"'


class Companion:
    """Of one run of git. Costs a process, so it is started only for runs that take long."""

    def __init__(self) -> None:
        self._shell: subprocess.Popen[bytes] | None = None
        self._followed = 0

    def __enter__(self) -> Companion:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shell is not None:
            self._shell.kill()  # before its pipe is closed, which would end git's successor with the same number
            self._shell.__exit__(kind, error, trace)

    def start(self) -> None:
        """Without a shell, as on Windows, git is ended only by us."""
        if self._shell is not None or sys.platform == "win32":
            return
        try:
            self._shell = subprocess.Popen(
                [SHELL, "-c", _WAIT],
                cwd="/",
                env={},
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError:
            return

    def follow(self, group: int) -> None:
        if self._shell is None or self._followed == group:
            return
        assert self._shell.stdin is not None
        os.write(self._shell.stdin.fileno(), b"%d\n" % group)
        self._followed = group
