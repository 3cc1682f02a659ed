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
    def __init__(
        self, project: Project, suffixes: tuple[str, ...] = SUFFIXES, folders: frozenset[str] = _FOLDERS
    ) -> None:
        self.suffixes = suffixes
        self.folders = folders
        self.by_name: dict[str, list[str]] = {}
        for path in project.paths():
            if path.endswith(suffixes):
                parts = path.split("/")
                for at, part in enumerate(parts[:-1]):
                    if part in folders:
                        self.by_name.setdefault("/".join(parts[at + 1 :]), []).append(path)

    def named(self, importer: str, name: str) -> str:
        """The template that a name means to a file: the nearest one; empty if there is none, or two are as near."""
        if name.startswith(("./", "../")):
            name = posixpath.normpath(posixpath.join(self.name_of(importer), "..", name))
        found = self.files_of(name.lstrip("/"))
        ranked = sorted(found, key=lambda path: -_shared(path, importer))
        if len(ranked) > 1 and _shared(ranked[0], importer) == _shared(ranked[1], importer):
            return ""
        return ranked[0] if ranked else ""

    def files_of(self, name: str) -> list[str]:
        """The files of a name: a path, of which the suffix may be left out, or its parts with dots between."""
        found = self.by_name.get(name)
        for stem in (name, name.replace(".", "/")) if found is None else ():
            for suffix in self.suffixes:
                found = found or self.by_name.get(f"{stem}{suffix}")
        return found or []

    def name_of(self, path: str) -> str:
        """The path of a template within the innermost folder of templates."""
        parts = path.split("/")
        at = max((at for at, part in enumerate(parts[:-1]) if part in self.folders), default=-1)
        return "/".join(parts[at + 1 :])


def _shared(path: str, other: str) -> int:
    """How many folders two paths begin with alike."""
    shared = 0
    for part, others in zip(path.split("/")[:-1], other.split("/")[:-1], strict=False):
        if part != others:
            break
        shared += 1
    return shared
