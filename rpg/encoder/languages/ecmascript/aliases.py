"""Names for folders that the configuration of a bundler gives, `alias: { '@': path.resolve(__dirname, 'src') }`, or an
import map of Rails, `pin_all_from "app/javascript/lib", under: "lib"`.

In: the text of a configuration, which is never run. Out: names with what stands for them, relative to its folder, to
the application's for an import map: an entry's strings are the parts of a path.

Absent: aliases that are computed, or expressions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

CONFIGURATIONS: Final = tuple(
    f"{name}.config{suffix}"
    for name in ("svelte", "vite", "vitest", "vue", "nuxt", "astro", "webpack", "rollup")
    for suffix in (".ts", ".js", ".mjs", ".mts", ".cjs")
)
IMPORT_MAP: Final = "config/importmap.rb"
SCRIPTS: Final = "app/javascript/"
"""Where the scripts of an application of Rails are that an import map names alone."""
_PINNED: Final = re.compile(r"^[ \t]*(pin|pin_all_from)[ \t(]+[\"']([^\"'\n]+)[\"']([^\n]*)", re.MULTILINE)
_UNDER: Final = re.compile(r"\bunder:\s*[\"']([^\"'\n]*)[\"']")
_TO: Final = re.compile(r"\bto:\s*[\"']([^\"'\n]+)[\"']")
_BEGIN: Final = re.compile(r"\balias\s*[:=]\s*(?=[{\[])")
_TOKEN: Final = re.compile(r"//[^\n]*|/\*.*?\*/|'[^'\n]*'|\"[^\"\n]*\"|[\[{(]|[\]})]|,|[^'\"\[\](){},/]+|.", re.DOTALL)
_PAIR: Final = re.compile(r"\s*(?:'([^']*)'|\"([^\"]*)\"|([\w$@~]+))\s*:(.*)", re.DOTALL)
_FOUND: Final = re.compile(r"\bfind\s*:\s*(?:'([^']*)'|\"([^\"]*)\").*?\breplacement\s*:(.*)", re.DOTALL)
_STRING: Final = re.compile(r"'([^'\n]*)'|\"([^\"\n]*)\"")
_LONGEST: Final = 20_000
"""Characters of a table that are read."""


def aliases(text: str) -> Iterator[tuple[str, str]]:
    """Names without the suffix `/` or `/*`, and the paths that they stand for."""
    for begin in _BEGIN.finditer(text):
        for entry in _entries(text, begin.end()):
            written = _FOUND.search(entry) or _PAIR.match(entry)
            if written is None:
                continue
            *names, value = written.groups("")
            name = remove_rest("".join(names))
            parts = [one or other for one, other in _STRING.findall(value)]
            if name and parts:
                # The last `$` of `vue$` means that nothing may follow.
                yield (name[:-1] if name[1:].endswith("$") else name), remove_rest("/".join(parts)).lstrip("/")


def pins(text: str) -> Iterator[tuple[str, str]]:
    """What an import map gives names to: folders, under the empty name too, and scripts."""
    for kind, named, options in _PINNED.findall(text):
        under, to = _UNDER.search(options), _TO.search(options)
        if kind == "pin":
            yield named, SCRIPTS + (to[1] if to is not None else named)
        elif under is not None and under[1]:
            yield under[1], named.rstrip("/")
        else:
            yield "", f"{named.rstrip('/')}/"


def remove_rest(text: str) -> str:
    """Without what stands for the rest of a name or path."""
    return text.removesuffix("*").removesuffix("/")


def _entries(text: str, start: int) -> Iterator[str]:
    """The parts between the commas of the brackets that begin there, without comments."""
    depth = 0
    parts: list[str] = []
    for token in _TOKEN.finditer(text, start, start + _LONGEST):
        word = token[0]
        if word in "[{(":
            depth += 1
            if depth == 1:
                continue
        elif word in "]})":
            depth -= 1
        if depth == 0 or (depth == 1 and word == ","):
            yield "".join(parts)
            parts = []
            if depth == 0:
                return
        elif not word.startswith(("//", "/*")):
            parts.append(word)
