"""The key of a bundle's seal: made of RPG_BUNDLE_KEY, which a team shares, else of this installation's secret.

In: the environment, the head of a bundle. Out: 32 bytes, another one for each bundle. Absent: the seal itself.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from typing import Any

from rpg.errors import BadRequest
from rpg.stores import installation

VARIABLE = "RPG_BUNDLE_KEY"
SHORTEST = 20
"""Characters: whoever has a bundle can try keys at his leisure."""
SHARED, OWN = "key", "installation"
SALT_BYTES = 16
PURPOSE = b"rpg bundle key"
MAKE_ONE = "`openssl rand -hex 32` makes one"


def choose_key() -> tuple[dict[str, str], bytes]:
    """What the head says of the key, and the key."""
    salt = os.urandom(SALT_BYTES)
    shared = _read_shared()
    about = {"sealed_with": SHARED if shared else OWN, "salt": salt.hex()}
    return about, _of_shared(shared, salt) if shared else _of_installation(salt)


def find_key(head: Mapping[str, Any]) -> bytes:
    """The key with which a bundle should have been sealed, by its head, which may say anything. Raises BadRequest if
    the user has to name it."""
    try:
        salt = bytes.fromhex(head["salt"])
    except (LookupError, TypeError, ValueError):
        salt = b""
    if head.get("sealed_with") == OWN:
        return _of_installation(salt[:SALT_BYTES])
    shared = _read_shared()
    if not shared:
        raise BadRequest(
            f"the bundle is sealed with a key: set {VARIABLE} to the one that it was made with. "
            "Only if you know who made it, and nobody else could replace it, use it without with --trust"
        )
    return _of_shared(shared, salt[:SALT_BYTES])


def _read_shared() -> str:
    key = os.environ.get(VARIABLE, "").strip()
    if key and len(key) < SHORTEST:
        raise BadRequest(f"{VARIABLE} has {len(key)} characters, and needs at least {SHORTEST}: {MAKE_ONE}")
    return key


def _of_shared(key: str, salt: bytes) -> bytes:
    return hashlib.scrypt(key.encode("utf-8", "surrogateescape"), salt=salt, n=1 << 14, r=8, p=1, dklen=32)


def _of_installation(salt: bytes) -> bytes:
    return hashlib.blake2b(salt, key=installation.secret(), person=PURPOSE, digest_size=32).digest()
