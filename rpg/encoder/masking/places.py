"""Secrets recognised by position: the armour of a private key, the user part of a URL, a header, a command line, a
manifest, a password file.

In: a file's bytes and its path. Out: spans to mask. Each kind of position has words that are searched first, and
bounded expressions that are tried there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.masking.judging import PLACEHOLDER, is_password, is_random, is_weak_password

_ARMOUR: Final = re.compile(rb"-----(BEGIN|END) [A-Z0-9 ]{0,20}PRIVATE KEY(?: BLOCK)?-----")
_KEY_ALONE: Final = re.compile(rb"(?:[\w+/=:,-]|\s|\\[nr])*")
_RUN: Final = re.compile(rb"[A-Za-z0-9+/=]{24,}")
_KEY_LINE: Final = re.compile(rb"[A-Za-z0-9+/=]{1,4096}")
_BETWEEN_LINES: Final = re.compile(rb"(?:\\[nr]|[ \t>#*\"'`+,\r\n]){1,200}")
_KEY_HEADER: Final = re.compile(rb"(?:Version|Comment|Proc-Type|DEK-Info|Hash|Charset): [^\n\\]{0,200}")
LEAST_OF_LINE: Final = 16
"""Least length of a line of a key, except its last."""
_PUTTY: Final = re.compile(rb"private-lines: ?[0-9]{1,4}\s+((?:[a-z0-9+/=]{1,76}\s+){1,400})")
_USER: Final = re.compile(rb"([^\s/:@\"'`<>{}$%*]*):([^\s/@\"'`<>{}*]{4,400})(?=@[\w\[{$%.-])")
"""What follows `://`: a user and the password."""
_USER_OF_TEMPLATE: Final = re.compile(rb"[^\s/@\"'`<>*]{0,80}?[}%\w]:([^\s/@\"'`<>{}$%*:]{6,400})(?=@[\w\[{$%.-])")
"""The same if the user is inserted: `postgres://{user}:password@host`."""
_USER_ALONE: Final = re.compile(rb"([0-9A-Za-z_-]{20,400})(?::[\w-]{0,64})?(?=@[\w.-])")
_NO_USER: Final = re.compile(rb"[\s@/\"'`<>{}$*()]")
_BASIC: Final = re.compile(rb"basic[ \t\"',+]{1,4}([A-Za-z0-9+/]{8,2000}={0,2})")
_HEADER: Final = re.compile(
    rb"authorization"
    rb"[\"'`]?\]?\s{0,3}[:=,]\s{0,3}[\"'`]?(?:(?:bearer|basic|token|apikey|digest)[ \t]{1,3})?([\w+/=.~-]{8,4096})"
)
_AUTH_OF_DOCKER: Final = re.compile(rb"\"auth\"\s?:\s?\"([A-Za-z0-9+/]{8,2000}={0,2})\"")
_COMMANDS: Final = (
    (b"curl ", re.compile(rb"[ \t](?:-u|--user|--proxy-user)[ =]?[\"']?[^\s:\"'$<{]{1,100}:([^\s\"'$<{]{6,200})")),
    (b"mysql", re.compile(rb"[ \t]-p([^\s\"'$<{-][^\s\"'$<{]{5,200})")),
)
_LINE_OF_COMMAND: Final = 2000
_KIND: Final = re.compile(rb"[\"']?kind[\"']?:[ \t]?[\"']?secret\b")
_MANIFEST: Final = re.compile(rb"^([ \t]*)(?:data|stringdata)[ \t]*:[ \t]*$", re.MULTILINE)
_ENTRY: Final = re.compile(
    rb"^([ \t]+)[\"']?[\w./-]{1,253}[\"']?[ \t]*:[ \t]*([|>][+-]?[0-9]?)?[ \t]*[\"']?([^\s\"'#][^\n\"']*)?",
    re.MULTILINE,
)
_PGPASS: Final = re.compile(
    rb"^(?:[^\s:#]{1,200}):(?:[0-9]{2,5}|\*):[^\s:]{1,100}:[^\s:]{1,100}:([^\s:\"'`*][^\s:\"'`]{3,200})[ \t]*\r?$",
    re.MULTILINE,
)
_HTPASSWD: Final = re.compile(rb"^[^\s:#]{1,100}:([^\s:]{8,400})\r?$", re.MULTILINE)
_DOTENV: Final = re.compile(
    rb"^(?:export[ \t]{1,8})?[\w.-]{0,80}(?:pass|secret|token|key|pwd|credential)[\w.-]{0,80}[ \t]{0,8}=[ \t]{0,8}"
    rb"[\"']?([^\s\"'#$<{*][^\n\"'#]{3,400})",
    re.MULTILINE,
)
_SAMPLES: Final = (".example", ".sample", ".template", ".dist")
_CRYPTED: Final = re.compile(rb"(?:apr1\$|2[aby]\$[0-9]{2}\$|[156]\$)([\w./$]{8,200})")


def secrets_by_place(source: bytes, lower: bytes, words: list[bytes], path: str) -> Iterator[tuple[int, int]]:
    """Spans of values in the position of a secret; `words` are the words of named.TELLING that occur in the text."""
    if b"PRIVATE KEY" in source:
        yield from _private_keys(source)
    if b"@" in source:
        yield from _users(source)
    if b"auth" in words:
        for match in _BASIC.finditer(lower) if b"basic " in lower else ():
            value = source[match.start(1) : match.end(1)]
            if _is_user_and_password(value):
                yield match.span(1)
        if b"authorization" in lower:
            for match in _HEADER.finditer(lower):
                value = source[match.start(1) : match.end(1)]
                if is_password(value) or (len(value) >= 12 and is_random(value)):
                    yield match.span(1)
        for match in _AUTH_OF_DOCKER.finditer(source) if b'"auth"' in source else ():
            if _is_user_and_password(match[1]):
                yield match.span(1)
    if b"secret" in words and _KIND.search(lower):
        yield from _manifests(source, lower)
    if b"key" in words and b"private-lines:" in lower:
        for match in _PUTTY.finditer(lower):
            yield match.span(1)
    yield from _command_lines(source, lower)
    of_text = path.endswith((".md", ".txt", ".rst"))
    if path.endswith("pgpass") or (of_text and b":5432:" in source):
        for match in _PGPASS.finditer(source):
            if not PLACEHOLDER.search(match[1]):
                yield match.span(1)
    if is_dotenv(path):
        for match in _DOTENV.finditer(lower):
            yield match.span(1)
    if path.endswith("htpasswd") or (of_text and b"$apr1$" in source):
        for match in _HTPASSWD.finditer(source):
            crypted = _CRYPTED.search(source, match.start(1), match.end(1))
            yield crypted.span(1) if crypted is not None else match.span(1)


def is_dotenv(path: str) -> bool:
    """Whether a file contains the settings of one machine, where the value of a telling name is a secret whatever it
    looks like."""
    name = path.rpartition("/")[2]
    return (name.startswith(".env.") or name.endswith(".env")) and not name.endswith(_SAMPLES)


def _private_keys(source: bytes) -> Iterator[tuple[int, int]]:
    """Everything between the lines of armour; if there is code as well, only parts as long as a line of a key. After
    armour without an end, everything that could belong to a key."""
    begin = -1
    for match in _ARMOUR.finditer(source):
        if match[1] == b"BEGIN":
            if begin >= 0:
                yield from _without_end(source, begin, match.start())
            begin = match.end()
        elif begin >= 0:
            inside = source[begin : match.start()]
            alone = _KEY_ALONE.fullmatch(inside)
            runs = [alone.span()] if alone else [run.span() for run in _RUN.finditer(inside)]
            yield from ((begin + start, begin + end) for start, end in runs)
            begin = -1
    if begin >= 0:
        yield from _without_end(source, begin, len(source))


def _without_end(source: bytes, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Lines of base64, up to the first line of anything else."""
    at = begin
    while at < end:
        between = _BETWEEN_LINES.match(source, at, end)
        if between is None:
            return
        at = between.end()
        header = _KEY_HEADER.match(source, at, end)
        if header is not None:
            at = header.end()
            continue
        line = _KEY_LINE.match(source, at, end)
        if line is None or line.end() - at < LEAST_OF_LINE:
            if line is not None and at > begin + 80 and b"=" in line[0]:
                yield line.span()
            return
        yield line.span()
        at = line.end()


def _users(source: bytes) -> Iterator[tuple[int, int]]:
    """Passwords in URLs and before `@tcp(`, except placeholders."""
    at = source.find(b"://")
    while at >= 0:
        match = _USER.match(source, at + 3)
        if match is not None:
            if _is_of_url(match[2]):
                yield match.span(2)
        else:
            match = _USER_OF_TEMPLATE.match(source, at + 3)
            if match is not None and _is_of_url(match[1]) and is_weak_password(match[1]):
                yield match.span(1)
            else:
                match = _USER_ALONE.match(source, at + 3)
                if match is not None and is_random(match[1]):
                    yield match.span(1)
        at = source.find(b"://", at + 3)
    at = source.find(b"@tcp(")
    while at >= 0:
        colon = source.rfind(b":", max(0, at - 200), at)
        if colon >= 0 and not _NO_USER.search(source, colon, at) and is_weak_password(source[colon + 1 : at]):
            yield colon + 1, at
        at = source.find(b"@tcp(", at + 4)


def _is_of_url(value: bytes) -> bool:
    if PLACEHOLDER.search(value) or value.startswith((b"$", b"%(", b"{")) or value[:1] in b"[#":
        return False
    return len(value) >= 6


def _is_user_and_password(value: bytes) -> bool:
    """Whether base64 contains a user and a password."""
    from base64 import b64decode
    from binascii import Error

    try:
        plain = b64decode(value + b"=" * (-len(value) % 4), validate=True)
    except (Error, ValueError):
        return False
    _, colon, password = plain.partition(b":")
    return bool(colon) and len(password) >= 6 and plain.isascii() and not PLACEHOLDER.search(password)


def _command_lines(source: bytes, lower: bytes) -> Iterator[tuple[int, int]]:
    """What follows the options of two commands that take user and password in one."""
    for name, option in _COMMANDS:
        at = lower.find(name)
        while at >= 0:
            end = source.find(b"\n", at, at + _LINE_OF_COMMAND)
            if end < 0:
                end = min(len(source), at + _LINE_OF_COMMAND)
            for match in option.finditer(source, at, end):
                if is_password(match[1]):
                    yield match.span(1)
            at = lower.find(name, end)


def _manifests(source: bytes, lower: bytes) -> Iterator[tuple[int, int]]:
    """Every value below `data` and `stringData` of a Kubernetes Secret."""
    begin = 0
    while begin <= len(source):
        end = lower.find(b"\n---", begin)
        end = len(source) if end < 0 else end
        if _KIND.search(lower, begin, end):
            for block in _MANIFEST.finditer(lower, begin, end):
                yield from _entries(source, len(block[1]), block.end(), end)
        begin = end + 4


def _entries(source: bytes, indent: int, begin: int, end: int) -> Iterator[tuple[int, int]]:
    at = begin + 1
    inner = -1
    """Indentation of the key whose value continues on the following lines."""
    while at < end:
        line = source.find(b"\n", at, end)
        line = end if line < 0 else line
        text = source[at:line]
        depth = len(text) - len(text.lstrip(b" \t"))
        if text.strip():
            if depth <= indent:
                return
            if 0 <= inner < depth:
                yield at + depth, at + len(text.rstrip())
            else:
                inner = -1
                match = _ENTRY.match(source, at, line)
                if match is None:
                    return
                if match[2]:
                    inner = depth
                elif match[3] and len(match[3].strip()) >= 4 and match[3][:2] not in (b"{{", b"${", b"<"):
                    yield match.start(3), match.start(3) + len(match[3].rstrip())
        at = line + 1
