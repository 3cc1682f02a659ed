"""The token that clients of an HTTP server must send.

In: RPG_TOKEN. Out: the token, removed from the environment so that no child process, such as git, inherits it.
"""

from __future__ import annotations

import os

_taken = [""]


def take_from_environment() -> None:
    _taken[0] = os.environ.pop("RPG_TOKEN", "") or _taken[0]


def chosen(token: str | None) -> str:
    """The value of --token, else of RPG_TOKEN."""
    return token or _taken[0]
