"""The conditions around a place in code.

In: the lines of a file, a line, and the line where the symbol around begins. Out: the texts of the conditions on which
the line depends, as far as the layout shows them: a line that is less indented and begins with a word for a condition
is one around what follows it, in every language. They only order what is reached, and say which words a test has that
fulfils them. Loops are no conditions: most run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

MOST = 3
"""More conditions than this are not looked for."""
_CONDITION = re.compile(r"[\s{}()]*(?:if|elif|else|elsif|elseif|unless|case|when|except|catch|rescue)\b")
_FURTHER = re.compile(r"[\s{}()]*(?:elif|else|elsif|elseif|case|when|except|catch|rescue)\b")
"""What is on such a line itself runs only if an earlier condition did not hold."""
_BETWEEN = re.compile(r"\S\s(?:if|unless)\s|\?.*:")
"""A condition within a line."""
_BLANK = re.compile(r"\s*(?:#|//|\*|/\*|$)")


def conditions_around(lines: Sequence[str], line: int, start: int) -> tuple[str, ...]:
    """`line` and `start` are counted from 1."""
    if not 0 < start <= line <= len(lines):
        return ()
    text = lines[line - 1]
    found = [text] if _FURTHER.match(text) or _BETWEEN.search(text) else []
    indent = indentation(text)
    for above in range(line - 2, start - 1, -1):
        if not indent or len(found) >= MOST:
            break
        text = lines[above]
        if _BLANK.match(text) or (outer := indentation(text)) >= indent:
            continue
        indent = outer
        if _CONDITION.match(text):
            found.append(text)
    return tuple(found)


def indentation(text: str) -> int:
    return len(text) - len(text.lstrip())
