"""The tokens that clients of an HTTP server must send.

In: --token, RPG_TOKEN, a file. Out: the tokens; RPG_TOKEN is removed from the environment so that no child process,
such as git, inherits it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rpg.errors import BadRequest, Forbidden
from rpg.system.filesystem import open_file

if TYPE_CHECKING:
    from rpg.server.tokens import Tokens

LARGEST = 1 << 20
_own = [""]


def take_from_environment() -> None:
    _own[0] = os.environ.pop("RPG_TOKEN", "") or _own[0]


def choose_tokens(options: Sequence[str], file: Path | None) -> Tokens:
    """Those of --token, else of RPG_TOKEN, which has one per line; and those of the file."""
    from rpg.server.tokens import Tokens

    if any(not Tokens([each]) for each in options):
        raise BadRequest("--token is empty: give a token, or leave the option out")
    lines = [*(options or _own[0].splitlines())]
    if file is not None:
        lines += read_token_file(file)
    return Tokens(lines)


def read_token_file(file: Path) -> list[str]:
    """Forbidden if others may read or change it."""
    try:
        with open_file(file) as content:
            status = os.fstat(content.fileno())
            if hasattr(os, "geteuid") and status.st_uid not in (os.geteuid(), 0):
                raise Forbidden(f"{file} belongs to another user: tokens are read from a file of your own")
            if hasattr(os, "geteuid") and stat.S_IMODE(status.st_mode) & 0o077:
                raise Forbidden(f"others may read {file}, which has tokens: `chmod 600 {file}`")
            read = content.read(LARGEST + 1)
            if len(read) > LARGEST:
                raise BadRequest(f"{file} has more than {LARGEST:,} bytes: a file of tokens has one per line")
            lines = [line for line in read.decode().splitlines() if not line.lstrip().startswith("#")]
    except (OSError, UnicodeDecodeError) as error:
        raise BadRequest(f"the tokens in {file} cannot be read: {getattr(error, 'strerror', '') or error}") from None
    from rpg.server.tokens import Tokens

    if not Tokens(lines):
        raise BadRequest(f"{file} has no token: write one per line, followed by the graphs that it is for")
    return lines
