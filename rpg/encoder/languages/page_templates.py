"""Templates of pages by the names that code and other templates give them: their paths within a folder of templates,
with or without the suffix (Django, Flask and Jinja, Twig, Thymeleaf).

In: the paths of a repository; who names a template, and how. Out: its path.

Absent: templates whose names are computed, or that a framework finds by the name of a view.
"""

from __future__ import annotations

import posixpath
from typing import Final

from rpg.encoder.languages.project import Project

SUFFIXES: Final = (".html", ".htm")
_FOLDERS: Final = frozenset(("jinja2", "templates"))


class PageTemplates:
    def __init__(self, project: Project) -> None:
        self.by_name: dict[str, list[str]] = {}
        for path in project.paths():
            if path.endswith(SUFFIXES):
                parts = path.split("/")
                for at, part in enumerate(parts[:-1]):
                    if part in _FOLDERS:
                        self.by_name.setdefault("/".join(parts[at + 1 :]), []).append(path)

    def named(self, importer: str, name: str) -> str:
        """The template that a name means to a file: the nearest one; empty if there is none, or two are as near."""
        if name.startswith(("./", "../")):
            name = posixpath.normpath(posixpath.join(_name_of(importer), "..", name))
        name = name.lstrip("/")
        found = self.by_name.get(name) or self.by_name.get(f"{name}{SUFFIXES[0]}", [])
        ranked = sorted(found, key=lambda path: -_shared(path, importer))
        if len(ranked) > 1 and _shared(ranked[0], importer) == _shared(ranked[1], importer):
            return ""
        return ranked[0] if ranked else ""


def _name_of(path: str) -> str:
    """The path of a template within the innermost folder of templates."""
    parts = path.split("/")
    at = max((at for at, part in enumerate(parts[:-1]) if part in _FOLDERS), default=-1)
    return "/".join(parts[at + 1 :])


def _shared(path: str, other: str) -> int:
    """How many folders two paths begin with alike."""
    shared = 0
    for part, others in zip(path.split("/")[:-1], other.split("/")[:-1], strict=False):
        if part != others:
            break
        shared += 1
    return shared
