"""Path patterns as in .gitignore, from any author, matched in time that only grows with their length.

In: lines of a .gitignore or of the options. Out: matches, or what is wrong with a pattern. The patterns are pathspec's,
which are regular expressions in which every star may backtrack. Therefore a star that is followed by another in the
same name takes the first place where the text between them fits, which loses no match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

LONGEST = 500
"""Characters of a pattern."""
MOST_FOLDERS = 2
"""How often a pattern may contain `**/`, each of which matches any number of folders."""
MOST_STARS_BESIDE_CLASSES = 2
"""Some classes match a slash too, so that stars next to them may have to backtrack."""
MOST_AT_A_NAME = 1000
"""Patterns of the .gitignore files above a name, each of which is tried on it; one with several stars counts as many.
"""
MOST_IN_ALL = 20_000
"""Patterns of all different .gitignore files of a folder, each of which is compiled."""

_CLASS = r"\[(?:[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]|[\w.])+\]"
"""A class of characters that cannot be a slash."""
_OTHER_CLASS = re.compile(rf"(?<!\\)\[(?!(?<=\[){_CLASS[2:]})")
_STAR = re.compile(rf"\[\^/\]\*((?:\\.|\[\^/\](?!\*)|{_CLASS}|[^\\\[\]()/*?+^$|])*)(?=\[\^/\]\*)")
"""In pathspec's regular expressions: a star, and the text between it and the next one in the same name."""

_BACKEND: Literal["simple"] = "simple"
"""pathspec's own expressions in Python's `re`: if re2 is installed pathspec would use it, and re2 has no atomic groups.
"""
_ANYWHERE = "(?:.+/)?"
"""The beginning of expressions that may match below any folder."""
_NAMED = re.compile(r"\(\?P<\w+>")


def problem_with_pattern(pattern: str) -> str:
    """Why a pattern is unusable; '' if it is usable."""
    return _problem_with_form(pattern) or ("" if _compile_line(pattern) is not None else "can match nothing")


def _problem_with_form(pattern: str) -> str:
    if len(pattern) > LONGEST:
        return f"is longer than {LONGEST} characters"
    if _OTHER_CLASS.search(pattern) and pattern.count("*") > MOST_STARS_BESIDE_CLASSES:
        return f"has more than {MOST_STARS_BESIDE_CLASSES} stars beside a class such as [!a]"
    if pattern.count("**/") > MOST_FOLDERS:
        return f"has '**/' more than {MOST_FOLDERS} times"
    return ""


class Ignored:
    """The patterns of a .gitignore; unusable ones are left out."""

    def __init__(self, lines: Sequence[str]) -> None:
        from pathspec import GitIgnoreSpec

        made = (_compile_line(line) for line in lines if line.strip() and not _problem_with_form(line))
        found = [_made_linear(pattern) for pattern in made if pattern is not None and pattern.regex is not None]
        self.number = number_of(lines)
        self._spec = GitIgnoreSpec(found, backend=_BACKEND)
        texts = [_NAMED.sub("(?:", pattern.regex.pattern.removeprefix("^")) for pattern in found]
        anywhere = "|".join(text.removeprefix(_ANYWHERE) for text in texts if text.startswith(_ANYWHERE))
        others = "|".join(text for text in texts if not text.startswith(_ANYWHERE))
        either = [f"{_ANYWHERE}(?:{anywhere})"] * bool(anywhere) + [f"(?:{others})"] * bool(others)
        self._any = [re.compile(text) for text in either]
        """Whether one of them matches: costs a tenth of trying each, and for most names none does."""

    def verdict(self, path: str) -> bool | None:
        """Whether it is ignored; None if no pattern matches."""
        if not any(each.match(path) for each in self._any):
            return None
        return self._spec.check_file(path).include


def number_of(lines: Iterable[str]) -> int:
    """How much they count towards MOST_AT_A_NAME."""
    return sum(max(1, line.count("*") - line.count("**")) for line in lines)


def compile_patterns(patterns: Iterable[str]) -> GitIgnoreSpec:
    """Usable patterns in their order: the last one that matches decides."""
    from pathspec import GitIgnoreSpec  # 50 ms: only if there are patterns

    spec = GitIgnoreSpec.from_lines(patterns, backend=_BACKEND)
    for pattern in spec.patterns:
        _made_linear(pattern)
    return spec


def _compile_line(line: str) -> Any:
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines([line], backend=_BACKEND).patterns[0]
    except (ValueError, IndexError):
        return None


def _made_linear(pattern: Any) -> Any:
    if pattern.regex is not None:
        linear = _STAR.sub(r"(?>[^/]*?\1)", pattern.regex.pattern)
        if linear != pattern.regex.pattern:
            pattern.regex = re.compile(linear, pattern.regex.flags)
    return pattern
