"""Secrets recognised by name: the values of telling names.

In: a file's bytes, and whether it is a settings file. Out: spans to mask. In code only a literal can be a secret: text
without quotes is an expression. In a line of settings (`NAME=value`, `name: value` in a settings file,
`Password=value;` in a connection string, `--password value`) it is the value itself.

Invariant: the cost is linear: each name is tried once, with bounded expressions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.masking.judging import NO_PASSWORD, is_code, is_of_words, is_password, is_random, is_weak_password

TELLING: Final = (b"passw", b"passphrase", b"pwd", b"secret", b"token", b"key", b"credential", b"auth", b"sig=")
_KINDS_OF_KEYS: Final = (
    b"api", b"access", b"account", b"auth", b"private", b"signing", b"encryption", b"secret", b"shared", b"master",
    b"license", b"storage", b"crypt", b"hmac", b"app", b"client", b"service", b"admin",
)  # fmt: skip
_PASSWORDS: Final = (b"passw", b"passphrase", b"pwd")
_NAME: Final = re.compile(rb"[\w.-]{0,40}")
_LITERAL: Final = (
    rb"[\s(]{0,8}[bBrRuUfF]{0,2}(?:(\"\"\"|''')\s{0,8}([^\s\"']{6,400})\s{0,8}\1|([\"'`])([^\s\"'`]{6,400})\3)"
)
_ASSIGNED: Final = re.compile(
    rb"[\"'`]?\]?\)?(?:\s?[:?]\s?&?[A-Za-z][\w.]{0,20})?\s{0,8}(?:=>|:=|\?=|={1,3}|!==?|:|\|\||\?\?|\bor\b)" + _LITERAL
)
"""From a telling name to the end of the literal that is assigned to it."""
_SECOND: Final = re.compile(rb"[\"']\s?,\s?" + _LITERAL + rb"(?!\s?:)")
"""The same for a name that is looked up: its default. What a colon follows is the key of the next entry."""
_LATER: Final = re.compile(rb"[^\n]{0,120}?(?:default|value)\s?[=:(]" + _LITERAL)
"""The same for an option or an element: a parameter or an attribute."""
_UNQUOTED: Final = re.compile(rb"[\"']?[ \t]{0,8}(=>|:=|=|:)[ \t]{0,8}([^\s\"'`;,&<>]{6,256}+)(?=[\s;&\"'`<,]|\\n|\Z)")
_TAGGED: Final = re.compile(rb"[^<>\n]{0,20}>\s{0,40}([^<>\s]{6,256}+)\s{0,40}</")
_SPACED: Final = re.compile(rb"(?:=|[ \t]{1,8})[\"']?([^\s\"'`]{6,256}+)")
_UPPER_NAME: Final = re.compile(rb"[A-Z][A-Z0-9_]*\Z")
_LINE_OF_SHELL: Final = re.compile(
    rb"[ \t>]*(?:#[ \t]*)?(?:export |set |setx |ENV |ARG |declare -x |-e |--env |- |docker run .{0,80}-e )?[ \t]*\Z"
)
_COMMENT: Final = re.compile(rb"[ \t]*(?:#|//|/?\*|--|;)[ \t]")
_LOGIN: Final = re.compile(rb"\b(?:login|machine|user(?:name)?|host)\b")
_OF_NO_VALUE: Final = re.compile(
    rb"[_.-]?(?:hash|hashes|file|path|dir|url|uri|name|field|type|class|length|len|size|id|ids|regex|pattern|format|"
    rb"label|hint|prompt|help|policy|env|header|prefix|suffix|ttl|expir\w*|count|limit|version|algorithm|validators?|"
    rb"changed\w*|reset\w*|form|input|placeholder|ref|arn|digest)s?\Z",
    re.IGNORECASE,
)
"""Parts that turn the name into that of something else."""


def secrets_by_name(source: bytes, lower: bytes, words: list[bytes], is_settings: bool) -> Iterator[tuple[int, int]]:
    """Spans of the values of telling names; `words` are the words of TELLING that occur in the text."""
    for word in words:
        at = lower.find(word)
        while at >= 0:
            end = at + len(word)
            if word == b"key":
                names_secret = lower[max(at - 12, 0) : at].rstrip(b"_-. ").endswith(_KINDS_OF_KEYS)
            else:
                names_secret = word != b"auth" or (at > 0 and lower[at - 1] == 95 and lower[end : end + 1] != b"_")
            if names_secret:
                start, tried = _given(source, lower, word, at, end, is_settings)
                if start:
                    yield start, tried
                end = max(end, tried)
            at = lower.find(word, end)


def _given(source: bytes, lower: bytes, word: bytes, at: int, end: int, is_settings: bool) -> tuple[int, int]:
    """The value assigned to the name around a telling word: a span, which begins with 0 if it is not a secret, and ends
    where nothing is left to be tried for it."""
    if word == b"sig=":
        end -= 1
    else:
        rest = _NAME.match(source, end)
        if rest is not None and rest[0]:
            end = rest.end()
            if _OF_NO_VALUE.search(rest[0]):
                return 0, end
    following = source[end : end + 1]
    if not following or following in b"(\n\r/{}*+;":
        return 0, end
    is_of_password = word in _PASSWORDS
    match = _ASSIGNED.match(source, end)
    if match is None and following in b"\"'":
        match = _SECOND.match(source, end)
    if match is None and (lower.find(b"default", end, end + 130) >= 0 or lower.find(b"value", end, end + 130) >= 0):
        match = _LATER.match(source, end)
    if match is not None:
        group = 2 if match[2] is not None else 4
        if _is_secret(match[group], is_of_password, is_settings):
            return match.span(group)
        return 0, end
    if following == b">":
        match = _TAGGED.match(source, end)
        if match is not None and (is_weak_password(match[1]) if is_of_password else is_random(match[1])):
            return match.span(1)
    elif following in b" \t=":
        match = _SPACED.match(source, end)
        if match is not None and _is_spaced(source, lower, at, match[1], is_of_password, is_settings):
            return match.span(1)
    return _find_unquoted_value(source, at, end, is_of_password, is_settings)


def _is_secret(value: bytes, is_of_password: bool, is_settings: bool) -> bool:
    """Whether a literal next to a telling name is a secret."""
    if len(value) >= 12 and is_random(value):
        return True
    if is_settings and is_of_password and is_weak_password(value):
        return True
    return (is_of_password or len(value) < 12) and is_password(value)


def _is_spaced(source: bytes, lower: bytes, at: int, value: bytes, is_of_password: bool, is_settings: bool) -> bool:
    """Whether text that a space separates from a telling name is its value: after `--name`, and in .netrc, where a
    login may take several lines."""
    if _begins_flag(source, at):
        return is_password(value) or is_random(value)
    if not is_of_password or not (is_weak_password(value) if is_settings else is_password(value)):
        return False
    return _LOGIN.search(lower, max(0, at - 160), at) is not None


def _find_unquoted_value(source: bytes, at: int, end: int, is_of_password: bool, is_settings: bool) -> tuple[int, int]:
    match = _UNQUOTED.match(source, end)
    if match is None:
        return 0, end
    value = match[2]
    begin = at
    while begin > 0 and at - begin < 60 and (source[begin - 1 : begin].isalnum() or source[begin - 1] in b"_.-"):
        begin -= 1
    before = source[begin - 1] if begin else 10
    ending = source[match.end() : match.end() + 1]
    joined = match[1] == b"=" and match.start(2) == match.end(1) == match.start(1) + 1 == end + 1
    line = source.rfind(b"\n", max(0, begin - 200), begin) + 1
    in_shell = (
        joined and ending not in (b",", b"&") and _UPPER_NAME.match(source[begin:end]) is not None
        and _LINE_OF_SHELL.match(source[line:begin]) is not None
    )  # fmt: skip
    in_string = joined and (ending in (b";", b"&") or before in b";&?") and not is_code(value)
    in_comment = _COMMENT.match(source, line, begin) is not None
    upper = match[1] == b":" and ending != b"," and _UPPER_NAME.match(source[begin:end]) is not None
    if is_settings or in_shell or upper or in_comment or (joined and before in b";&?" and is_of_password):
        fits = is_weak_password(value) if is_of_password and (is_settings or in_shell) else is_password(value)
        if fits and not (value.isalpha() and is_of_words(value)) and not _is_call(source, match.end()):
            return match.span(2)
        if len(value) >= 16 and is_random(value) and not NO_PASSWORD.search(value):
            return match.span(2)
    elif in_string or ending in (b"\n", b"\r", b"", b'"', b"'", b"`", b"<", b"\\", b" ", b"&"):
        if not is_code(value) and is_password(value):
            return match.span(2)
        if len(value) >= 20 and joined and is_random(value) and b"." not in value:
            return match.span(2)
    return 0, match.end()


def _is_call(source: bytes, end: int) -> bool:
    return source[end : end + 1] in b"([" and end < len(source)


def _begins_flag(source: bytes, at: int) -> bool:
    """Whether a telling word is part of an option, as in `--db-password`."""
    begin = at
    while begin > 0 and at - begin < 40 and (source[begin - 1 : begin].isalnum() or source[begin - 1] in b"_-"):
        begin -= 1
    return source[begin : begin + 2] == b"--"
