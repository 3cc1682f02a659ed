"""GitHub Actions: jobs are functions; what they need, the actions and workflows of the repository that they use, the
files that their steps run or are given.

In: a document. Out: symbols and references.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.languages.configuration.commands import Commands, is_path
from rpg.encoder.languages.configuration.lowering import ConfigurationLowering, join_path
from rpg.encoder.languages.configuration.values import Value

_NEEDED: Final = re.compile(r"\bneeds\.([A-Za-z_][\w-]*)\.")
_EXPRESSION: Final = re.compile(r"\$\{\{.*?\}\}")
_UNREAD: Final = frozenset({"python", "node", "perl", "ruby", "pwsh", "powershell", "cmd"})
"""Shells whose scripts are code."""


def read(walker: ConfigurationLowering, value: Value) -> None:
    place = _directory(value.get("defaults", "run"), "")
    for pair in value.entries("jobs"):
        job = pair.value
        named = job.get("name")
        shown = f"job {pair.key}" + (f": {' '.join(named.text.split())}" if named is not None and named.text else "")
        index = walker.symbol(
            "function", pair.key, pair.start, pair.end, pair.key_byte, f"job {pair.key}", 0, f"jobs.{pair.key}", shown
        )
        for needed in job.texts("needs"):
            walker.means(f"job {needed.text}", needed.byte, index)
        for text in job.texts("uses"):
            _uses(walker, text)
        inside = _directory(job.get("defaults", "run"), place)
        _steps(walker, job.get("steps"), inside, index)
        for text in job.all_texts():
            for found in _NEEDED.finditer(text.text) if "needs." in text.text else ():
                walker.means(f"job {found[1]}", text.byte + len(text.text[: found.start(1)].encode()), index)


def read_action(walker: ConfigurationLowering, value: Value) -> None:
    """A composite action, or one that runs a file."""
    _steps(walker, value.get("runs", "steps"), "", 0)
    for key in ("main", "pre", "post", "image"):
        for text in value.texts("runs", key):
            walker.names_file(text.byte, [join_path(walker.folder, text.text)])


def _directory(value: Value | None, around: str) -> str:
    """The folder in which scripts run; a star if it is computed."""
    named = value.get("working-directory") if value is not None else None
    if named is None:
        return around
    if named.text in (".", "./"):
        return ""
    return join_path("", named.text) or "*"


def _steps(walker: ConfigurationLowering, steps: Value | None, place: str, maker: int) -> None:
    for step in steps.items if steps is not None else ():
        for text in step.texts("uses"):
            _uses(walker, text)
        inside = _directory(step, place)
        script, shell = step.get("run"), step.get("shell")
        if script is not None and script.text and inside != "*" and (shell is None or shell.text not in _UNREAD):
            Commands(walker, (inside,), maker).read(script.start, script.end)
        given = step.get("with")
        for pair in given.pairs if given is not None else ():
            value = pair.value.text
            if is_path(value.encode()):
                walker.names_file(pair.value.byte, [join_path("", value)])


def _uses(walker: ConfigurationLowering, text: Value) -> None:
    if text.text.startswith("./"):
        path = join_path("", text.text)
        walker.names_file(text.byte, [path, f"{path}/action.yml", f"{path}/action.yaml"] if path else ())
