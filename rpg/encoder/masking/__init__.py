"""Masks secrets in a source before anything is derived from it, so that no signature, doc, constant, index or vector
contains one.

In: a file's bytes as `normalise` returns them, and its path if it has one. Out: the same number of bytes, lines and
columns, with secrets replaced by `*`. Absent on purpose: any notion of a language, and guesses by randomness alone. A
secret is recognised by the form that its issuer gives it (issued.py), by a telling name (one that suggests a secret)
that a literal is assigned to (named.py), or by its position (places.py). SECURITY.md says what is found.

Only the user switches masking off, on the command line or in Python. A repository's own `mask_secrets` is ignored, and
so is what a graph's header says about it: data that came with a repository is read, never trusted.

The rules of gitleaks are data: `bin/developer/take-secret-rules` makes rules.json from a wheel with a pinned hash.
Expressions are tried only where a long run of letters begins; all rules together then cost less than one search of
the text for each possible beginning did.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

from rpg.encoder.masking.issued import secrets_by_form
from rpg.encoder.masking.judging import is_random
from rpg.encoder.masking.named import TELLING, secrets_by_name
from rpg.encoder.masking.places import secrets_by_place

ROUNDS: Final = 8
LEAST_ALONE: Final = 16
IN_HEXADECIMAL: Final = re.compile(rb"[0-9a-f-]+|[0-9A-F-]+")
_HIDDEN: Final = re.compile(rb"[^\r\n]")
_SETTINGS: Final = (
    ".env", ".envrc", ".properties", ".ini", ".cfg", ".conf", ".cnf", ".config", ".toml", ".yml", ".yaml", ".tfvars",
    ".json", ".xml", ".npmrc", ".yarnrc", ".pypirc", ".netrc", "_netrc", ".pgpass", ".htpasswd", ".boto", ".s3cfg",
    ".git-credentials", ".dockercfg", ".plist", ".service", ".credentials", "/credentials", ".pgservice",
)  # fmt: skip
"""Endings of files that contain values and no expressions."""


def mask(source: bytes, path: str = "") -> bytes:
    """The source itself if it contains no secret. Idempotent: masked text is searched again, because one secret may
    hide another."""
    is_settings = bool(path) and is_file_of_settings(path)
    for _ in range(ROUNDS):
        lower = source.lower()
        words = [word for word in TELLING if word in lower]
        found = list(secrets_by_form(source, lower, words))
        starts = [start for start, _ in found]  # in order
        issued = len(starts)
        spans = list(secrets_by_name(source, lower, words, is_settings)) if words else []
        spans += secrets_by_place(source, lower, words, path)
        # The name of a token's owner stays.
        for span in spans:
            at = bisect_left(starts, span[0])
            if at == issued or starts[at] >= span[1]:
                found.append(span)
        if not found:
            return source
        hidden = bytearray(source)
        for start, end in found:
            hidden[start:end] = _HIDDEN.sub(b"*", source[start:end])
        masked = bytes(hidden)
        if masked == source:
            return source
        source = masked
    return source


def is_secret_alone(value: bytes, may_be_a_name: bool) -> bool:
    """Whether a value without any surroundings is a secret: by its issuer's form, or, unless it may be a name, because
    it is long and random. Ids in hexadecimal are none."""
    if len(value) < LEAST_ALONE:
        return False
    return mask(value) != value or (not (may_be_a_name or IN_HEXADECIMAL.fullmatch(value)) and is_random(value))


def is_file_of_settings(path: str) -> bool:
    """Whether a file of that name contains only values."""
    name = path.lower()
    return name.endswith(_SETTINGS) or "/.env." in name or name.startswith(".env.")
