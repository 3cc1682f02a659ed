"""Names for what markup says, apart from the names of code: an element, an attribute and a pipe that a class stands
for, as a file declares for all (`<app-menu>`, `[appMenu]`, `| money`); a tag or function (`{% menu %}`)."""

from __future__ import annotations

_MARKS = ("<", "[", "|", "{%")


def element_name(tag: str) -> str:
    return f"<{tag.lower()}"


def attribute_name(attribute: str) -> str:
    return f"[{attribute}"


def pipe_name(pipe: str) -> str:
    return f"|{pipe}"


def tag_name(tag: str) -> str:
    return f"{{% {tag}"


def is_of_markup(name: str) -> bool:
    """Whether a name is what markup of any language says."""
    return name.startswith(_MARKS)
