"""The token that clients of a server over HTTP must show.

In: RPG_TOKEN. Out: the token, taken out of the environment, so that neither git nor any other process that is started
here inherits it.
"""

from __future__ import annotations

import os

_taken = [""]


def take_from_environment() -> None:
    _taken[0] = os.environ.pop("RPG_TOKEN", "") or _taken[0]


def chosen(given: str | None) -> str:
    """What --token says, else what RPG_TOKEN said."""
    return given or _taken[0]
