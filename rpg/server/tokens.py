"""The tokens of an HTTP server, and what each of them permits.

In: lines such as `TOKEN`, `TOKEN read-only`, `TOKEN tea milk-*` and `TOKEN read-only tea`; later, what a client sends.
Out: the `Grant` of that token, or none.

Invariants: only hashes of tokens are kept; whatever is sent, it is compared with every one of them, each in constant
time. A token that is given twice with different grants is refused.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from rpg.errors import BadRequest

READ_ONLY = "read-only"


class Grant(NamedTuple):
    graphs: tuple[str, ...] = ()
    """Names of graphs, or patterns with `*`; empty: all that the server serves."""
    reads_only: bool = False
    """Whether it changes nothing even on a server that allows that."""


EVERYTHING = Grant()


class Tokens:
    def __init__(self, lines: Iterable[str] = ()) -> None:
        """BAD_REQUEST for a line that is not a token."""
        granted: dict[bytes, Grant] = {}
        for line in lines:
            if line.strip():
                token, grant = parse_token(line)
                if granted.setdefault(digest(token.encode()), grant) != grant:
                    raise BadRequest("one token is given twice and permits different things: leave one line out")
        self._granted = list(granted.items())

    def __bool__(self) -> bool:
        return bool(self._granted)

    def grants(self) -> list[Grant]:
        """Each grant once; without tokens, the one that everybody has."""
        return list(dict.fromkeys(grant for _, grant in self._granted)) or [EVERYTHING]

    def grant_of(self, shown: bytes) -> Grant | None:
        own = digest(shown)
        found = None
        for each, grant in self._granted:
            if hmac.compare_digest(each, own):
                found = grant
        return found


def parse_token(line: str) -> tuple[str, Grant]:
    token, *rest = line.split()
    if not (token.isascii() and token.isprintable()):
        raise BadRequest("a token consists of letters, digits and punctuation, without spaces")
    return token, Grant(tuple(each for each in rest if each != READ_ONLY), READ_ONLY in rest)


def digest(token: bytes) -> bytes:
    return sha256(token).digest()
