"""Secrets in a source, put out of sight before anything is made of it: no signature, doc, constant, index or vector
holds one.

Comes in: a file's bytes in the form of `normalise`. Goes out: as many bytes, with the same lines and columns, secrets
replaced by `*`. Absent on purpose: any notion of a language, and what only looks random: a secret is told by the form
that its issuer gives it, by the armour of a private key, by its place in a URL, or by a telling name that is given a
random-looking literal.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from math import log2

_ISSUED: tuple[tuple[bytes, bytes], ...] = (
    (b"AKIA", rb"(AKIA)[0-9A-Z]{16}\b"),
    (b"ASIA", rb"(ASIA)[0-9A-Z]{16}\b"),
    (b"AIza", rb"(AIza)[0-9A-Za-z_-]{35}(?![\w-])"),
    (b"GOCSPX-", rb"(GOCSPX-)[0-9A-Za-z_-]{20,}"),
    (b"SG.", rb"(SG\.)[0-9A-Za-z_-]{22}\.[0-9A-Za-z_-]{43}"),
    (b"dop_v1_", rb"(dop_v1_)[0-9a-f]{64}"),
    (b"eyJ", rb"(eyJ)[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{20,}"),
    (b"gho_", rb"(gho_)[0-9A-Za-z]{36,}"),
    (b"ghp_", rb"(ghp_)[0-9A-Za-z]{36,}"),
    (b"ghr_", rb"(ghr_)[0-9A-Za-z]{36,}"),
    (b"ghs_", rb"(ghs_)[0-9A-Za-z]{36,}"),
    (b"ghu_", rb"(ghu_)[0-9A-Za-z]{36,}"),
    (b"github_pat_", rb"(github_pat_)[0-9A-Za-z_]{22,}"),
    (b"glpat-", rb"(glpat-)[0-9A-Za-z_-]{20,}"),
    (b"hf_", rb"(hf_)[0-9A-Za-z]{34,}"),
    (b"npm_", rb"(npm_)[0-9A-Za-z]{36}\b"),
    (b"pypi-AgE", rb"(pypi-)AgE[0-9A-Za-z_-]{50,}"),
    (b"rk_live_", rb"(rk_live_)[0-9A-Za-z]{16,}"),
    (b"sk-", rb"(sk-(?:ant-|proj-|svcacct-|or-)?)(?=[\w-]*[0-9])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{32,}"),
    (b"sk_live_", rb"(sk_live_)[0-9A-Za-z]{16,}"),
    (b"xox", rb"(xox[abeoprs]-)[0-9A-Za-z-]{16,}"),
)
"""What every secret of an issuer begins with, and its whole form. The group stays, and says whose secret it was."""
_ARMOUR = re.compile(rb"-----(BEGIN|END) [A-Z0-9 ]{0,20}PRIVATE KEY(?: BLOCK)?-----")
_HIDDEN = re.compile(rb"[^\r\n]")
_KEY_ALONE = re.compile(rb"(?:[\w+/=:,-]|\s|\\[nr])*")
_RUN = re.compile(rb"[A-Za-z0-9+/=]{24,}")
_IN_URL = re.compile(rb"[^\s/:@\"'`<>{}$%*]*:([^\s/@\"'`<>{}$*]{6,})(?=@[\w.-])")
"""What follows `://`: a user, and the password."""
_TELLING = (b"passw", b"passphrase", b"secret", b"token", b"key", b"credential")
_KINDS_OF_KEYS = (b"api", b"access", b"account", b"auth", b"private", b"signing", b"encryption", b"secret", b"shared")
_GIVEN = re.compile(
    rb"[\w-]{0,40}[\"'`]?\]?(?:\s?:\s?[A-Za-z]\w{0,20})?\s{0,8}(?:=>|:=|=|:)\s{0,8}[bru]?([\"'`])([\w+/=.~!@#^&*-]{16,})\1"
)
"""What follows a telling part of a name: its rest, and the literal that it is given."""
_LEAST_ENTROPY = 3.2
"""Bits a character, of a literal beside a telling name: names and words stay below, random ones do not."""
_PLACEHOLDER = re.compile(
    rb"example|placeholder|changeme|dummy|sample|your|redacted|xxxx|1234567|abcdef|passw|pwd|secret|token",
    re.IGNORECASE,
)
_ISSUED_FORMS = tuple((start, re.compile(rb"(?<![\w-])" + form)) for start, form in _ISSUED)
"""None begins inside a word: there is one try for each word, so that the cost stays linear."""


def mask(source: bytes) -> bytes:
    """The source itself where it holds no secret. Its own fixed point."""
    found: list[tuple[int, int]] = []
    for opening, form in _ISSUED_FORMS:
        if opening in source:
            found += [(match.end(1), match.end()) for match in form.finditer(source)]
    if b"PRIVATE KEY" in source:
        found += _private_keys(source)
    if b"@" in source:
        found += _passwords(source)
    issued = [start for start, _ in found]
    found += [each for each in _given_to_names(source) if not any(each[0] <= start < each[1] for start in issued)]
    if not found:
        return source
    masked = bytearray(source)
    for start, end in found:
        masked[start:end] = _HIDDEN.sub(b"*", source[start:end])
    return bytes(masked)


def _private_keys(source: bytes) -> Iterator[tuple[int, int]]:
    """All between the lines of armour; where code stands there as well, what in it is as long as a line of a key."""
    begin = -1
    for match in _ARMOUR.finditer(source):
        if match[1] == b"BEGIN":
            begin = match.end()
        elif begin >= 0:
            inside = source[begin : match.start()]
            alone = _KEY_ALONE.fullmatch(inside)
            runs = [alone.span()] if alone else [run.span() for run in _RUN.finditer(inside)]
            yield from ((begin + start, begin + end) for start, end in runs)
            begin = -1


def _passwords(source: bytes) -> Iterator[tuple[int, int]]:
    """Passwords in URLs, but for those that only stand for one."""
    at = source.find(b"://")
    while at >= 0:
        match = _IN_URL.match(source, at + 3)
        if match and not _PLACEHOLDER.search(match[1]):
            yield match.span(1)
        at = source.find(b"://", at + 3)


def _given_to_names(source: bytes) -> Iterator[tuple[int, int]]:
    """Random-looking literals that are given to a telling name."""
    lower = source.lower()
    for word in _TELLING:
        at = lower.find(word)
        while at >= 0:
            end = at + len(word)
            if word != b"key" or lower[max(at - 11, 0) : at].rstrip(b"_-").endswith(_KINDS_OF_KEYS):
                match = _GIVEN.match(source, end)
                if match and _is_random(match[2]):
                    yield match.span(2)
            at = lower.find(word, end)


def _is_random(value: bytes) -> bool:
    """Whether letters and digits stand in no order that a person would give them."""
    if value.isalpha() or value.isdigit() or _PLACEHOLDER.search(value):
        return False
    if not re.search(rb"[0-9]", value) or not re.search(rb"[A-Za-z]", value):
        return False
    words = re.findall(rb"[a-z]{4,}|[A-Z]{4,}", value)
    if 2 * sum(map(len, words)) > len(value):
        return False
    counts = Counter(value)
    entropy = -sum(count / len(value) * log2(count / len(value)) for count in counts.values())
    return entropy >= _LEAST_ENTROPY
