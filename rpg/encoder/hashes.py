"""Content hashes: of a file, for caching facts and detecting changes; of a symbol's span, which the graph shows.

In: bytes in the form that `contents.normalise` returns, so that the hashes are the same on every machine. Out: hex
digits.
"""

from __future__ import annotations

import hashlib


def content_hash(data: bytes) -> str:
    """Of a file's bytes: 32 hex digits."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def span_hash(data: bytes) -> str:
    """Of a span's text, line ends normalised: 16 hex digits."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return hashlib.blake2b(data, digest_size=8).hexdigest()
