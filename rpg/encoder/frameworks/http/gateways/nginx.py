"""The rules of nginx: `location /api/ { rewrite …; proxy_pass http://service:3000/; }`.

In: a file of nginx (`Source`). Out: rules, in the order in which nginx tries them. `upstream` blocks and variables that
the file sets are filled in; what the environment fills in is no known host.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.http.gateways.rules import EXACT, PATTERN, PREFIX, Rule, rule_row, split_url
from rpg.encoder.frameworks.rows import Setting
from rpg.encoder.frameworks.source import Source

BY: Final = "nginx"
_LOCATION: Final = re.compile(
    r"^[ \t]*location[ \t]+(?:(?P<mark>=|~\*?|\^~)[ \t]*)?(?P<path>\"[^\"\n]+\"|'[^'\n]+'"
    r"|[^\s{]+(?:\{\d[^}\s]*\}[^\s{]*)*)[ \t\r\n]*\{",
    re.MULTILINE,
)
_PASS: Final = re.compile(r"^[ \t]*(?:proxy_pass|grpc_pass)[ \t]+[\"']?([^;\"'\n]+?)[\"']?[ \t]*;", re.MULTILINE)
_REWRITE: Final = re.compile(
    r"^[ \t]*rewrite[ \t]+[\"']?([^\s\"';]+)[\"']?[ \t]+[\"']?([^\s\"';]*)[\"']?(?:[ \t]+\w+)?[ \t]*;", re.MULTILINE
)
_UPSTREAM: Final = re.compile(r"^[ \t]*upstream[ \t]+([\w.-]+)[ \t\r\n]*\{[^}]*?\bserver[ \t]+([\w.-]+)", re.MULTILINE)
_SET: Final = re.compile(r"^[ \t]*set[ \t]+\$(\w+)[ \t]+[\"']?([^\s;\"']+)[\"']?[ \t]*;", re.MULTILINE)
_COMMENT: Final = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)


def rules_of_nginx(source: Source) -> Iterator[Setting]:
    if "proxy_pass" not in source.text and "grpc_pass" not in source.text:
        return
    text = _COMMENT.sub(lambda found: " " * len(found[0]), source.text)
    upstreams = {found[1]: found[2] for found in _UPSTREAM.finditer(text)}
    values = {found[1]: found[2] for found in _SET.finditer(text)}
    for found in _LOCATION.finditer(text):
        end = _end(text, found.end())
        inner = _LOCATION.search(text, found.end(), end)
        body = text[found.end() : inner.start() if inner is not None else end]
        passed = _PASS.search(body)
        if passed is None:
            continue
        url = re.sub(r"\$\{?(\w+)\}?", lambda name: values.get(name[1], name[0]), passed[1])
        parted = split_url(url) or _of_variable(url)
        if parted is None:
            continue
        host, target = parted
        mark, path = found["mark"] or "", found["path"].strip("\"'")
        kind = EXACT if mark == "=" else PATTERN if mark.startswith("~") else PREFIX
        rewrites = tuple((one[1], one[2]) for one in _REWRITE.finditer(body))
        if rewrites and kind != PATTERN:
            target = None  # the path of `proxy_pass` does not count where a rule has changed it
        rule = Rule(kind, path, rewrites, upstreams.get(host, host), target)
        yield rule_row(source, rule, text.count("\n", 0, found.start("path")) + 1, BY)


def _of_variable(url: str) -> tuple[str, str | None] | None:
    """A host that is not known before the container starts: `http://${API_HOST}/api/`, `$upstream`."""
    found = re.match(r"^(?:https?://)?\$\{?\w+\}?(?::[^/\s]+)?(/\S*)?$", url.strip())
    return ("", found[1]) if found is not None else None


def _end(text: str, at: int) -> int:
    depth = 1
    for found in re.compile(r"[{}]").finditer(text, at):
        depth += 1 if found[0] == "{" else -1
        if not depth:
            return found.start()
    return len(text)
