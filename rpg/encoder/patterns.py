"""Patterns of paths as in .gitignore, from whoever wrote them, matched in time that grows with their length alone.

In: lines of a .gitignore or of the options. Out: what matches, or what is wrong with one. The patterns are pathspec's;
as these are regular expressions in which every star may take back what it has taken, a star that another follows in the
same name takes the first place where what stands between them fits, which loses no match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

LONGEST = 500
"""Characters of a pattern."""
MOST_FOLDERS = 2
"""How often a pattern may say `**/`, each of which stands for any number of folders."""
MOST_STARS_BESIDE_CLASSES = 2
"""Some classes match a slash as well, so that stars beside them may have to take back."""
MOST_IGNORED = 2000
"""Patterns of one .gitignore that are heeded, each of which is tried at each name."""

_CLASS = r"\[(?:[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]|[\w.])+\]"
"""A class of characters that cannot be a slash."""
_OTHER_CLASS = re.compile(rf"(?<!\\)\[(?!(?<=\[){_CLASS[2:]})")
_STAR = re.compile(rf"\[\^/\]\*((?:\\.|\[\^/\](?!\*)|{_CLASS}|[^\\\[\]()/*?+^$|])*)(?=\[\^/\]\*)")
"""In pathspec's regular expressions: a star, and what stands between it and the next one in the same name."""


def fault_of_pattern(pattern: str) -> str:
    """Why a pattern is not matched; '' if it is."""
    if len(pattern) > LONGEST:
        return f"is longer than {LONGEST} characters"
    if _OTHER_CLASS.search(pattern) and pattern.count("*") > MOST_STARS_BESIDE_CLASSES:
        return f"has more than {MOST_STARS_BESIDE_CLASSES} stars beside a class such as [!a]"
    if pattern.count("**/") > MOST_FOLDERS:
        return f"has '**/' more than {MOST_FOLDERS} times"
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([pattern])
    except ValueError:
        return "can match nothing"
    return ""


def compiled(patterns: Iterable[str]) -> GitIgnoreSpec:
    """Patterns without a fault, in their order: the last one that matches decides."""
    from pathspec import GitIgnoreSpec  # 50 ms: only where there are patterns

    spec = GitIgnoreSpec.from_lines(patterns)
    for pattern in spec.patterns:
        if pattern.regex is not None:
            linear = _STAR.sub(r"(?>[^/]*?\1)", pattern.regex.pattern)
            if linear != pattern.regex.pattern:
                pattern.regex = re.compile(linear, pattern.regex.flags)
    return spec
