"""Compiles the sources of this clone, for later starts: `bin/setup --compile`.

Out: the compiled form, whole or not at all. One process compiles at a time; another one waits. Told to end, it ends all
that it started and leaves nothing behind.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from compiled import FORMS, LOG, ROOT, is_made, key_of, publish
from prepare import fail, say, wheel_command


class Stopped(BaseException):
    """The process was asked to end."""


class Ending:
    """Whether to end, and whether a process is just being started: told to end then, it could not end that one."""

    is_wanted = False
    is_starting = False


def compile_sources() -> None:
    FORMS.mkdir(parents=True, exist_ok=True)
    key = key_of(ROOT)
    with only_one():
        if is_made(key):
            say("the sources are compiled already")
            return
        say("compiling the sources, two to four minutes ...")
        if why := build(str(os.cpu_count() or 1)):
            fail(f"{why}: rpg runs the sources, and encoding takes half as long again")
        say("compiled; the next start uses it" if is_made(key) else "the sources changed meanwhile: run this again")


def build(compilers: str) -> str:
    """Why there is no compiled form; '' if there is one. Stopped if the process is told to end meanwhile."""
    for left in FORMS.glob("building-*"):  # by a process that was killed
        shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix="building-", dir=FORMS))
    builder = None
    try:
        settings = {
            "TMPDIR": str(folder),
            "RPG_COMPILE": "1",
            "RPG_COMPILERS": compilers,
            "RPG_COMPILE_LOG": str(folder / LOG),
        }
        Ending.is_starting = True
        builder = subprocess.Popen(
            wheel_command(folder), stdin=subprocess.DEVNULL, stdout=2, env=os.environ | settings, cwd=ROOT,
            process_group=0,
        )  # fmt: skip
        Ending.is_starting = False
        if Ending.is_wanted:
            raise Stopped
        if builder.wait():
            return "the wheel could not be built (the reason stands above)"
        (wheel,) = folder.glob("*.whl")
        return publish(wheel)
    finally:
        if builder is not None and builder.poll() is None:
            os.killpg(builder.pid, signal.SIGKILL)
            builder.wait()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def only_one() -> Iterator[None]:
    """Until no other process compiles. The system releases the lock when its holder ends, however it ends."""
    import fcntl

    with (FORMS / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("the sources are being compiled by another process: waiting for that ...")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def stop(number: int, frame: object) -> None:
    Ending.is_wanted = True
    if not Ending.is_starting:
        raise Stopped


if __name__ == "__main__":
    for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(each, stop)
    try:
        compile_sources()
    except Stopped:
        sys.exit(130)
