"""Names for what markup says, apart from the names of code: an element, an attribute and a pipe that a class stands
for, as a file declares for all (`<app-menu>`, `[appMenu]`, `| money`); a tag or function (`{% menu %}`)."""

from __future__ import annotations

_MARKS = ("<", "[", "|", "{%")


def symbol_of_element(tag: str) -> str:
    return f"<{tag.lower()}"


def symbol_of_attribute(attribute: str) -> str:
    return f"[{attribute}"


def symbol_of_pipe(pipe: str) -> str:
    return f"|{pipe}"


def symbol_of_tag(tag: str) -> str:
    return f"{{% {tag}"


def is_of_markup(name: str) -> bool:
    """Whether a name is what markup of any language says."""
    return name.startswith(_MARKS)
