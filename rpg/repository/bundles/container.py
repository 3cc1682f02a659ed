"""The file of a bundle: a head, compressed members, a seal over all of it.

In: files; or a bundle and a key. Out: the other. A reader copies the bundle to a file of its own while it computes the
seal, so that what is unpacked is what was sealed. A member is unpacked to as many bytes as the head says, and these are
limited by the length of the bundle: whoever is to be harmed by a bomb must be sent one of a hundredth of its size.

Absent: what the members mean.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import orjson

from rpg.errors import BadRequest
from rpg.stores import atomic
from rpg.system import filesystem
from rpg.system.compression import BrokenBlock, compress_file, decompress_file

MAGIC = b"rpg bundle 1\n"
ANY_MAGIC = re.compile(rb"rpg bundle (\d{1,4})\n")
LENGTH_BYTES = 4
LARGEST_HEAD = 64_000
SEAL_BYTES = 32
PURPOSE = b"rpg bundle"
RUN_BYTES = 1 << 20
MOST_RATIO = 100
"""A graph file shrinks to an eighth, an index to a third."""

Head = Mapping[str, Any]
Key = Callable[[Head], bytes]
"""The key of a bundle with that head. Raises an error that says what the user can do if there is none."""


class BrokenBundle(BadRequest):
    """Not a bundle, a damaged one, or one that somebody without the key made."""


class _Member(NamedTuple):
    name: str
    packed: int
    size: int


def write_bundle(path: Path, head: Head, members: Mapping[str, Path], key: bytes) -> None:
    """Raises OSError, or EncodeFailed if there is a file that is not ours."""
    filesystem.refuse_foreign(path)
    staged, packed = atomic.staging_path(path), atomic.staging_path(path)
    try:
        rows = []
        with filesystem.create(packed) as body:
            for name, member in members.items():
                start = body.tell()
                with filesystem.open_file(member) as source:
                    size = source.seek(0, 2)
                    source.seek(0)
                    compress_file(source, body, size)
                rows.append([name, body.tell() - start, size])
            encoded = orjson.dumps({**head, "members": rows})
            body.seek(0)
            with filesystem.create(staged) as file:
                digest = _new_digest(key)
                for chunk in (MAGIC, len(encoded).to_bytes(LENGTH_BYTES, "little"), encoded):
                    digest.update(chunk)
                    file.write(chunk)
                while chunk := body.read(RUN_BYTES):
                    digest.update(chunk)
                    file.write(chunk)
                file.write(digest.digest())
        atomic.sync(staged)
        atomic.publish(staged, path)
    finally:
        staged.unlink(missing_ok=True)
        packed.unlink(missing_ok=True)


def unpack_bundle(path: Path, copy: Path, targets: Mapping[str, Path], key: Key | None) -> dict[str, Any]:
    """Writes the members to `targets`, new files, and returns the head. `copy` is a name for a file that exists
    meanwhile. Without a `key` the seal is not looked at. Raises BrokenBundle, what `key` raises, or OSError."""
    try:
        with filesystem.open_file(path) as bundle, filesystem.create(copy) as own:
            head, seal = _copy_checked(bundle, own, key, path.name)
            if not hmac.compare_digest(seal, bundle_seal(own)):
                raise BrokenBundle(f"{path.name} was sealed with another key, or changed since: nothing of it was used")
            members = _members(head, path.name)
            if sorted(each.name for each in members) != sorted(targets):
                raise BrokenBundle(f"{path.name} is not a bundle that this rpg reads: nothing of it was used")
            for member in members:
                _unpack(own, member, targets[member.name], path.name)
    finally:
        copy.unlink(missing_ok=True)
    return head


def bundle_seal(file: BinaryIO) -> bytes:
    """The last bytes; the file is then where its members begin."""
    file.seek(-SEAL_BYTES, 2)
    seal = file.read(SEAL_BYTES)
    file.seek(len(MAGIC))
    file.seek(int.from_bytes(file.read(LENGTH_BYTES), "little"), 1)
    return seal


def _new_digest(key: bytes) -> hashlib.blake2b:
    return hashlib.blake2b(key=key, person=PURPOSE, digest_size=SEAL_BYTES)


def _head(bundle: BinaryIO, name: str) -> tuple[dict[str, Any], bytes]:
    """The head, and the bytes that it was read from."""
    start = bundle.read(len(MAGIC) + LENGTH_BYTES)
    if (known := ANY_MAGIC.match(start)) is None:
        raise BrokenBundle(f"{name} is not a bundle: `rpg bundle` makes one")
    if not start.startswith(MAGIC):
        raise BrokenBundle(f"{name} has version {int(known[1])} of bundles, which this rpg does not read")
    length = int.from_bytes(start[len(MAGIC) :], "little")
    encoded = bundle.read(length) if length <= LARGEST_HEAD else b""
    try:
        head = orjson.loads(encoded)
    except orjson.JSONDecodeError:
        head = None
    if not isinstance(head, dict):
        raise _build_damage_error(name)
    return head, start + encoded


def _copy_checked(bundle: BinaryIO, own: BinaryIO, key: Key | None, name: str) -> tuple[dict[str, Any], bytes]:
    """The head, and the seal that the bundle should have."""
    head, start = _head(bundle, name)
    digest = None if key is None else _new_digest(key(head))
    held = start
    while chunk := bundle.read(RUN_BYTES):
        held += chunk
        sealed, held = held[:-SEAL_BYTES], held[-SEAL_BYTES:]
        own.write(sealed)
        if digest is not None:
            digest.update(sealed)
    if own.tell() < len(start):
        raise _build_damage_error(name)
    own.write(held)
    return head, held if digest is None else digest.digest()


def _members(head: Head, name: str) -> list[_Member]:
    try:
        members = [_Member(*row) for row in head["members"]]
    except (LookupError, TypeError):
        raise _build_damage_error(name) from None
    for member in members:
        numbers = (member.packed, member.size)
        if type(member.name) is not str or any(type(each) is not int or each < 0 for each in numbers):
            raise _build_damage_error(name)
        if member.size > MOST_RATIO * member.packed:
            raise BrokenBundle(f"{name} would unpack to {member.size:,} bytes, which no graph does: it was not used")
    return members


def _unpack(own: BinaryIO, member: _Member, target: Path, name: str) -> None:
    """Reads from where the file is, which is then behind the member."""
    try:
        with filesystem.create(target) as file:
            decompress_file(own, member.packed, file, member.size)
    except BrokenBlock:
        raise _build_damage_error(name) from None


def _build_damage_error(name: str) -> BrokenBundle:
    return BrokenBundle(f"{name} is damaged or cut off: nothing of it was used; make it again with `rpg bundle`")
