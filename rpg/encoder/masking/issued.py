"""Secrets recognised by their form: tokens that issuers begin in a characteristic way, and random-looking ones next to
a name.

In: a file's bytes. Out: spans to mask; the beginning of a token stays and says whose it was. The forms are those of
gitleaks (rules.json, LICENSE-gitleaks), and some from issuers' documentation.

Every secret has a run of twenty letters, digits, `_` and `-`. Only these runs, a few per thousand bytes, are searched
for, and all rules are tried at their beginnings. So two hundred rules cost less than twenty searches of the whole text
would, and no file makes them cost more than linear time. Rules are compiled when first needed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rpg.encoder.masking.judging import DIGIT, entropy, is_random

LEAST: Final = 20
_NEEDLE: Final = b"a" * LEAST
_LETTERS: Final = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
_CLASSES: Final = bytes(97 if byte in _LETTERS else 32 for byte in range(256))
_FURTHER: Final[tuple[tuple[str, str], ...]] = (
    ("aws", r"A[KS]IA[0-9A-Z]{16}(?![\w-])"),
    ("aws-bedrock-short-lived", r"bedrock-api-key-[\w+/-]{16,2000}"),
    ("bitbucket-app-password", r"ATBB[0-9A-Za-z_=-]{24,}"),
    ("atlassian-api-token", r"AT(?:ATT|CTT)3[0-9A-Za-z_=-]{60,}"),
    ("cargo", r"cio[0-9A-Za-z]{32}(?![\w-])"),
    ("contentful-management", r"CFPAT-[\w-]{40,}"),
    ("docker-hub", r"dckr_(?:pat|oat)_[\w-]{20,}"),
    ("figma", r"figd_[\w-]{38,}"),
    ("github", r"gh[oprsu]_[0-9A-Za-z]{36,}"),
    ("github-fine-grained", r"github_pat_[0-9A-Za-z_]{22,}"),
    ("gitlab", r"gl(?:pat|rt|dt|ptt|soat|ft|cbt|imt|agent|oas|ffct|rtr)-[\w-]{20,}"),
    ("google-client-secret", r"GOCSPX-[\w-]{20,}"),
    ("google-access-token", r"ya29\.[\w-]{20,}"),
    ("groq", r"gsk_[0-9A-Za-z]{40,}"),
    ("hugging-face", r"hf_[0-9A-Za-z]{34,}"),
    ("json-web-token", r"eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}"),
    ("json-web-token-base64", r"ZXlK[0-9A-Za-z+/]{60,2000}"),
    ("linear-oauth", r"lin_oauth_[0-9A-Za-z]{40,}"),
    ("mailchimp", r"[0-9a-f]{32}-us[0-9]{1,2}(?![\w-])"),
    ("mailgun", r"key-[0-9a-f]{32}(?![\w-])"),
    ("mapbox", r"pk\.eyJ[\w-]{30,}\.[\w-]{20,}"),
    ("mapbox-secret", r"sk\.eyJ[\w-]{30,}\.[\w-]{20,}"),
    ("maxmind", r"[0-9A-Za-z]{6}_[0-9A-Za-z]{29}_mmk"),
    ("netlify", r"nfp_[0-9A-Za-z]{36,}"),
    ("new-relic", r"NR(?:AK|II|JS|RA)-[0-9A-Za-z-]{19,}"),
    ("notion", r"secret_[0-9A-Za-z]{43}(?![\w-])"),
    ("npm", r"npm_[0-9A-Za-z]{36,}"),
    ("nvidia", r"nvapi-[\w-]{60,}"),
    ("openai", r"sk-(?:proj|svcacct|admin|None)-[\w-]{32,}"),
    ("pypi", r"pypi-AgE[\w-]{50,}"),
    ("replicate", r"r8_[0-9A-Za-z]{37,}"),
    ("sentry", r"sntry[su]_[0-9A-Za-z+/=_-]{40,400}"),
    ("sk", r"sk-(?:ant-|proj-|or-)?(?=[\w-]*[0-9])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{32,}"),
    ("slack", r"xox[abeoprs]-[0-9A-Za-z-]{16,}"),
    ("sourcegraph", r"sgp_(?:[0-9A-Fa-f]{16}_|local_)?[0-9A-Fa-f]{40}"),
    ("square-client-secret", r"sq0csp-[\w-]{30,}"),
    ("stripe-webhook", r"whsec_[0-9A-Za-z]{24,}"),
    ("supabase", r"sb[p]_[0-9a-f]{40}|sb_secret_[\w-]{20,}"),
    ("tailscale", r"tskey-(?:auth|api|client|webhook|scim)-[0-9A-Za-z]+-[0-9A-Za-z]{16,}"),
    ("terraform", r"[0-9A-Za-z]{14}\.atlasv1\.[\w=-]{60,70}"),
    ("vault", r"hv[sbr]\.[\w-]{24,}"),
    ("x.ai", r"xai-[0-9A-Za-z]{60,}"),
    ("datadog", r"dd[pa]at_[0-9A-Za-z]{30,}"),
    ("stability", r"sk-[0-9A-Za-z]{48}(?![\w-])"),
    ("azure-devops", r"[0-9A-Za-z]{76}AZDO[0-9A-Za-z]{4}(?![\w-])"),
    (
        "azure-storage",
        r"[0-9A-Za-z+/]{0,76}(?:AStaAzFu|ACDbAzFu|AIoTAzFu|ARmAzFu|AzSeAzFu|AEhAzFu|AzCaAzFu)[0-9A-Za-z+/=]{6,}",
    ),
    ("discord", r"[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,}"),
)
"""In addition to the table: newer forms, and shorter ones."""
_KEPT: Final = {b"pypi": 5, b"gith": 11, b"dop_": 7, b"glpa": 6, b"gocs": 7, b"rk_l": 8, b"sk_l": 8, b"age-": 16}
"""How much of the beginning stays, if not the first four characters."""
LONGEST: Final = 2048
FAR: Final = 120
"""How many bytes before a value may say what it is."""
_OUTWARD: Final = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+/.~%")
_AZURE: Final = re.compile(rb"[\w~.]{3}[0-9]Q~[\w~.-]{31,34}\Z")
_VALUE: Final = re.compile(rb"[\w+/=.~%-]{1,2100}")
_HOOKS: Final = (
    b"hooks.slack.com/", b"/api/webhooks/", b".webhook.office.com/", b".logic.azure.com", b"api.telegram.org/bot",
    b"hooks.zapier.com/", b"chat.googleapis.com/", b"outlook.office.com/webhook", b"/open-apis/bot",
    b"oapi.dingtalk.com/",
)  # fmt: skip
_NO_ADDRESS: Final = re.compile(rb"[\s\"'`<>]")
_GIVES: Final = re.compile(rb"[=>:|,][`'\"\s=]{0,5}\Z")
_HEADER: Final = re.compile(
    rb"(?:bearer|basic|token|apikey|api-key|digest|auth)[\"'`]?[ \t:=+,\"'`]{1,6}[bfru]?[\"'`]?\Z"
)
_NAMED: Final = re.compile(
    rb"(?:passw(?:or)?d|passphrase|passwd|(?<![a-z0-9+/])pwd|pwd(?![a-z0-9+/])|secret|token|credential|"
    rb"(?:api|access|account|auth|private|signing|"
    rb"encryption|shared|license|master|client)[_ .-]?keys?|_auth(?![a-z])|authorization)"
    rb"(?![a-z]{0,3}(?:hash|size|len|type))"
)
_NO_SECRET: Final = re.compile(
    rb"hash|sha[0-9_-]|digest|checksum|integrity|commit|uuid|guid|fingerprint|public|etag|\bmd5|signature|csrf|\bid\b|"
    rb"crypt|base64,|pbkdf|assert|expect|salt|nonce|example|test|resolved|revision|\brev\b|tag"
)
_SIGN: Final = re.compile(rb"[_.-]")
_ALL_HEX: Final = re.compile(rb"[0-9A-Fa-f-]+")
_FORM_OF_IDENTIFIER: Final = re.compile(rb"[A-Za-z_]+[0-9]{0,4}(?:[_-][A-Za-z]*[0-9]{0,4})*")
_OPERATOR: Final = rb")[ \t\w.-]{0,20}[\s'\"]{0,3}(?:=>|:=|:{1,3}=|\|\||\?=|=|>|:|,)[`'\"\s=]{0,5}\Z"


class Rule:
    """One form, compiled when it is first needed."""

    __slots__ = ("_compiled", "entropy", "form", "name")

    def __init__(self, name: str, form: str, least_entropy: float) -> None:
        self.name = name
        self.form = form
        self.entropy = least_entropy
        self._compiled: re.Pattern[bytes] | None = None

    def end(self, source: bytes, at: int) -> int:
        """The end of the secret that begins at `at`; -1 if there is none."""
        compiled = self._compiled
        if compiled is None:
            compiled = self._compiled = re.compile(self.form.encode())
        match = compiled.match(source, at)
        if match is None or (self.entropy and entropy(match[0]) < self.entropy):
            return -1
        return match.end()


class Named:
    """A form that is a secret only after the name of a service."""

    __slots__ = ("_compiled", "keywords", "least", "most", "names", "rule")

    def __init__(self, keywords: list[bytes], names: str, least: int, most: int, rule: Rule) -> None:
        self.keywords = keywords
        self.names = names
        self.least = least
        self.most = most
        self.rule = rule
        self._compiled: re.Pattern[bytes] | None = None

    def is_revealed(self, source: bytes, lower: bytes, begin: int, value: bytes) -> bool:
        """Whether a value has the form, and is assigned to one of the names."""
        near = lower[max(0, begin - 80) : begin]
        for word in self.keywords:
            if word in near or word in value.lower():
                return self.rule.end(value, 0) == len(value) and self.is_before(source, max(0, begin - 80), begin)
        return False

    def is_before(self, source: bytes, start: int, end: int) -> bool:
        """Whether what begins at `end` is assigned to one of the names."""
        compiled = self._compiled
        if compiled is None:
            compiled = self._compiled = re.compile(b"(?i:" + self.names.encode() + _OPERATOR)
        return compiled.search(source, start, end) is not None


class Table:
    """All rules, by how their secrets begin, in lower case: by 4, 3 or 2 characters. Rules without a fixed beginning
    are listed under the words that reveal them."""

    __slots__ = ("by_start", "named", "others", "services")

    def __init__(self) -> None:
        table = json.loads(Path(__file__).with_name("rules.json").read_text())
        self.by_start: dict[bytes, list[Rule]] = {}
        self.others: list[Rule] = []
        for each in table["issued"]:
            self._add(
                Rule(each["id"], each["form"], float(each["entropy"])), [start.encode() for start in each["starts"]]
            )
        for name, form in _FURTHER:
            self._add(Rule(name, form, 0.0), starts(form))
        self.named = [
            Named(
                [word.encode() for word in each["keywords"]], each["names"], each["least"], each["most"],
                Rule(each["id"], each["form"], 0.0),
            )
            for each in table["named"]
        ]  # fmt: skip

    def _add(self, rule: Rule, beginnings: list[bytes]) -> None:
        if not beginnings:
            self.others.append(rule)
        for start in beginnings:
            self.by_start.setdefault(start, []).append(rule)


def starts(form: str) -> list[bytes]:
    """The possible beginnings of a form of the list above; empty if it may begin with any letter."""
    found: list[bytes] = []
    for branch in form.split("|") if "(" not in form else [form]:
        head = re.match(r"[A-Za-z0-9_]*(?:-|\\\.)?", branch)
        plain = head[0].replace("\\.", ".") if head else ""
        rest = branch[len(head[0]) :] if head else ""
        letters = re.match(r"\[([a-zA-Z]+)\]|\(\?:((?:\w|\|)+)\)", rest)
        if len(plain) < 4 and letters and "-" not in (letters[1] or ""):
            ends = list(letters[1]) if letters[1] else letters[2].split("|")
            found += [(plain + end)[:4].lower().encode() for end in ends]
        else:
            found.append(plain[:4].lower().encode())
    return [] if any(len(start) < 2 for start in found) else found


_loaded: list[Table] = []


def table() -> Table:
    if not _loaded:
        _loaded.append(Table())
    return _loaded[0]


def secrets_by_form(source: bytes, lower: bytes, words: list[bytes]) -> Iterator[tuple[int, int]]:
    """Spans of the secrets recognised by their form or by the text before them; `words` are the words of named.TELLING
    that occur in the text."""
    classes = source.translate(_CLASSES)
    at = classes.find(_NEEDLE)
    if at < 0:
        return
    rules = table()
    by_start = rules.by_start
    size = len(source)
    done = tried = 0
    while at >= 0:
        end = classes.find(b" ", at + LEAST)
        if end < 0:
            end = size
        key = lower[at : at + 4]
        has_digit = DIGIT.search(source, at, end) is not None
        if not has_digit and key[:3] != b"hf_" and key != b"api_":  # all others have one
            done = end
            at = classes.find(_NEEDLE, end)
            continue
        found = -1
        begin = at
        if key in by_start or key[:3] in by_start or key[:2] in by_start:
            found = _begun(rules, source, key, at)
        if found < 0 and has_digit:
            before = source[at - 1] if at else 0
            if before == 46 or before == 126:  # '.', '~': the text before belongs to the token
                begin = at - 1
                while begin > done and at - begin < 40 and (classes[begin - 1] == 97 or source[begin - 1] == 46):
                    begin -= 1
                found = _begun(rules, source, lower[begin : begin + 4], begin)
            elif before == 92:  # an escape, as in "\nTOKEN"
                begin = at + 1
                found = _begun(rules, source, lower[begin : begin + 4], begin)
            if found < 0:
                begin = at
                for rule in rules.others:
                    found = rule.end(source, at)
                    if found >= 0:
                        break
            if found >= 0 and begin < done:
                found = -1
            if found < 0 and at >= tried:
                begin, tried, is_secret = _revealed_value(rules, source, lower, at, done, bool(words))
                if is_secret:
                    yield begin, tried
                    done = max(end, tried)
                    at = classes.find(_NEEDLE, done)
                    continue
        if found >= 0 and begin and source[begin - 1] in b"/+" and not _SIGN.search(source, begin, begin + 8):
            found = -1  # letters in the middle of base64, as of an image
        if found >= 0:
            end = max(end, found) if found > end else _end_of_run(classes, found, size)
            yield begin + _kept(lower[begin : begin + 4]), end
        done = end
        at = classes.find(_NEEDLE, end)


def _begun(rules: Table, source: bytes, key: bytes, at: int) -> int:
    for length in (4, 3, 2):
        for rule in rules.by_start.get(key[:length], ()):
            end = rule.end(source, at)
            if end >= 0:
                return end
    return -1


def _kept(key: bytes) -> int:
    return 3 if key[2:3] == b"_" or key[:3] in (b"sg.", b"eyj") else _KEPT.get(key, 4)


def _end_of_run(classes: bytes, at: int, size: int) -> int:
    end = classes.find(b" ", at)
    return size if end < 0 else end


def _revealed_value(
    rules: Table, source: bytes, lower: bytes, at: int, least: int, has_words: bool
) -> tuple[int, int, bool]:
    """The value that a run belongs to, and whether the text before it on its line reveals it as a secret."""
    line = source.rfind(b"\n", max(0, at - FAR), at) + 1
    begin = at
    while begin > least and at - begin < 512 and source[begin - 1] in _OUTWARD:  # base64 has more than letters
        begin -= 1
    match = _VALUE.match(source, begin)
    value = match[0] if match else b""
    if begin < at and (b"//" in value or value[:1] in b"/.%-"):
        begin = at
        match = _VALUE.match(source, begin)
        value = match[0] if match else b""
        if _is_hook(lower, line, at):
            return at, at + len(value), True
    end = begin + len(value)
    if _AZURE.match(value) or _is_bot(source, begin, value):
        return begin, end, True
    if not LEAST <= len(value) <= LONGEST or not is_random(value):
        return begin, end, False
    if begin > least and source[begin - 1] in b"+/%=":  # in the middle of something longer, as of an image
        return begin, end, False
    start = max(line, begin - FAR)
    window = lower[start:begin]
    if _HEADER.search(window, max(0, len(window) - 24)):
        return begin, end, not _FORM_OF_IDENTIFIER.fullmatch(value)
    if _GIVES.search(window, max(0, len(window) - 8)):
        for each in rules.named:
            if each.least <= len(value) <= each.most and each.is_revealed(source, lower, begin, value):
                return begin, end, True
    if has_words and _NAMED.search(window) and not _NO_SECRET.search(window):
        return begin, end, not (_ALL_HEX.fullmatch(value) or _FORM_OF_IDENTIFIER.fullmatch(value))
    return begin, end, False


def _is_hook(lower: bytes, line: int, at: int) -> bool:
    """Whether it is part of a webhook's address."""
    window = lower[max(line, at - FAR) : at]
    for hook in _HOOKS:
        found = window.rfind(hook)
        if found >= 0 and _NO_ADDRESS.search(window, found) is None:
            return True
    return False


def _is_bot(source: bytes, begin: int, value: bytes) -> bool:
    """Whether it is a Telegram bot's token, after the bot's number."""
    return len(value) == 35 and value.startswith(b"AA") and source[max(0, begin - 2) : begin - 1].isdigit()
