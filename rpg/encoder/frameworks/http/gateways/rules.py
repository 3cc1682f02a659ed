"""One rule of a gateway: which paths it takes, and where it hands them on.

In: parts of a configuration. Out: `Rule`, kept as a row of settings; the path and host that a path becomes. Paths have
COMPUTED for what a client computes, and a rule treats that as a word.
"""

from __future__ import annotations

import json
import re
from typing import Final, NamedTuple

from rpg.encoder.frameworks.http.addresses import COMPUTED
from rpg.encoder.frameworks.rows import Setting
from rpg.encoder.frameworks.source import Source

PROXY: Final = "proxy"
"""The space of rules among settings."""
PREFIX, EXACT, PATTERN = "prefix", "exact", "pattern"
_WORD: Final = "c0mputed"
"""Stands for what is computed where a pattern must match it."""
_LONGEST: Final = 200
"""The most characters of a pattern, and of a path that it is tried on."""
_REPEATED: Final = re.compile(r"[*+}]\)?[*+{]")
"""A repetition of a repetition, which may take as long as it likes."""
_HOST: Final = re.compile(r"^(?:https?|wss?|lb|h2c)://([^/:?#\s]*)(?::[^/]*)?(/[^?#\s]*)?$", re.IGNORECASE)


class Rule(NamedTuple):
    kind: str
    path: str
    """What paths begin with, are, or match."""
    rewrites: tuple[tuple[str, str], ...]
    """Patterns with what stands instead; the first that matches counts."""
    host: str
    """Empty if it is not known."""
    target: str | None
    """What stands instead of what the path begins with, or for all of it where the rule is a pattern; None: the path
    stays as it is."""


def rule_row(source: Source, rule: Rule, line: int, by: str) -> Setting:
    of = json.dumps([rule.kind, rule.rewrites, rule.host, rule.target])
    return Setting(PROXY, rule.path, source.symbol(0), line, by, of, True)


def rule_of(row: Setting) -> Rule:
    """Raises what damaged data raises."""
    kind, rewrites, host, target = json.loads(row.of)
    return Rule(kind, row.name, tuple((one, other) for one, other in rewrites), host, target)


def split_url(url: str) -> tuple[str, str | None] | None:
    """Host and path of an address that something is handed on to; None if it is none."""
    found = _HOST.match(url.strip())
    if found is None:
        return None
    host = found[1] if re.fullmatch(r"[\w.-]+", found[1]) else ""
    return host, found[2]


def takes(rule: Rule, path: str) -> bool:
    path = path.replace(COMPUTED, _WORD)
    if rule.kind == PATTERN:
        return _match(rule.path, path) is not None
    if rule.kind == EXACT:
        return path == rule.path
    return path.startswith(rule.path) or path == rule.path.rstrip("/")


def hand_on(rule: Rule, path: str) -> str:
    """The path that a path becomes which the rule takes."""
    path = path.replace(COMPUTED, _WORD)
    if rule.target is not None:
        if rule.kind == PATTERN:
            path = _filled(rule.target, _match(rule.path, path))
        else:
            rest = path[len(rule.path) :]
            path = f"{rule.target.rstrip('/')}/{rest.lstrip('/')}" if rest else rule.target
    for pattern, instead in rule.rewrites:
        found = _match(pattern, path)
        if found is not None:
            path = path[: found.start()] + _filled(instead, found) + path[found.end() :]
            break
    path = path.replace(_WORD, COMPUTED)
    return path if path.startswith("/") else f"/{path}"


def _match(pattern: str, path: str) -> re.Match[str] | None:
    """None as well where a pattern is none of ours, or may take too long."""
    if len(pattern) > _LONGEST or len(path) > _LONGEST or _REPEATED.search(pattern):
        return None
    try:
        return re.search(re.sub(r"\(\?<(?=[A-Za-z_])", "(?P<", pattern), path)
    except re.error:
        return None


def _filled(instead: str, found: re.Match[str] | None) -> str:
    """`$1`, `${name}` and `\\1` with what a pattern has found."""

    def group(mark: re.Match[str]) -> str:
        name = mark[1] or mark[2]
        if found is None:
            return ""
        if name.isdecimal():
            return (found[int(name)] or "") if len(name) < 3 and int(name) <= found.re.groups else ""
        return found.groupdict().get(name) or ""

    return re.sub(r"\\?\$\\?\{?(\w+)\}?|\\(\d)", group, instead)
