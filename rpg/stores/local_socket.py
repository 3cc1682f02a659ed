"""A socket on this machine by which another process of the same user asks the server of a graph.

In: the graph's file; for a server, a function that answers a line. Out: the answer to a line, if a server listens. The
socket is in the user's data folder, which only the user may enter, and both sides look who the other is where the
system says. One server listens for a graph; the place that one left that was killed is taken over.

Absent: what is asked. Where the system has no such sockets, or the folder's path is too long for one, nobody listens.
"""

from __future__ import annotations

import os
import socket
import stat
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from rpg.stores.installation import data_folder

FOLDER = "sockets"
LONGEST_PATH = 100
"""Bytes; systems allow a few more."""
LONGEST_LINE = 1 << 16
SECONDS = 2.0
"""How long either side waits for the other."""
ENDING = ".sock"


def place(graph: Path) -> Path | None:
    """Where the server of a graph listens; None if it cannot."""
    if not hasattr(socket, "AF_UNIX"):
        return None
    name = blake2b(os.fsencode(graph.resolve()), digest_size=8).hexdigest()
    found = data_folder() / FOLDER / f"{name}{ENDING}"
    return found if len(os.fsencode(found)) <= LONGEST_PATH else None


def ask(graph: Path, line: bytes) -> bytes | None:
    """The answer of the server that listens; None if there is none, or it says nothing in time."""
    path = place(graph)
    if path is None or not is_ours(path):
        return None
    with suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(SECONDS)
        connection.connect(str(path))
        if is_same_user(connection):
            connection.sendall(line + b"\n")
            return read_line(connection) or None
    return None


def listen(graph: Path, answer: Callable[[bytes], bytes]) -> Callable[[], None]:
    """Answers in a thread of its own, one at a time. Returns what ends it. Does nothing where it cannot listen, or
    another server does."""
    path = place(graph)
    listener = bound(path) if path is not None else None
    if path is None or listener is None:
        return lambda: None
    threading.Thread(target=_serve, args=(listener, answer), daemon=True).start()

    def end() -> None:
        with suppress(OSError):
            listener.close()
        with suppress(OSError):
            path.unlink()

    return end


def bound(path: Path) -> socket.socket | None:
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not is_private(path.parent):
            return None
        if path.exists() or path.is_symlink():
            if not is_ours(path) or is_answered(path):
                return None
            path.unlink()
        listener = socket.socket(socket.AF_UNIX)
        try:
            listener.bind(str(path))
            listener.listen(8)
        except OSError:
            listener.close()
            return None
        return listener
    return None


def is_answered(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(SECONDS)
        try:
            connection.connect(str(path))
        except OSError:
            return False
        return True


def is_private(folder: Path) -> bool:
    """Whether it is a folder of the user's that nobody else may enter."""
    status = os.lstat(folder)
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & 0o077


def is_ours(path: Path) -> bool:
    with suppress(OSError):
        status = os.lstat(path)
        return stat.S_ISSOCK(status.st_mode) and status.st_uid == os.geteuid() and is_private(path.parent)
    return False


def is_same_user(connection: socket.socket) -> bool:
    """Whether the process at the other end is the user's, as far as the system says."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _, user, _ = struct.unpack("3i", credentials)
    return bool(user == os.geteuid())


def read_line(connection: socket.socket) -> bytes:
    found = b""
    while not found.endswith(b"\n") and len(found) <= LONGEST_LINE:
        more = connection.recv(1 << 14)
        if not more:
            break
        found += more
    return found.removesuffix(b"\n") if found.endswith(b"\n") else b""


def _serve(listener: socket.socket, answer: Callable[[bytes], bytes]) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:  # it was closed
            return
        with suppress(OSError), connection:
            connection.settimeout(SECONDS)
            line = read_line(connection) if is_same_user(connection) else b""
            if line:
                connection.sendall(answer(line)[:LONGEST_LINE] + b"\n")
