"""Templates of pages by the names that code and other templates give them: their paths within a folder of templates,
with or without the suffix (Django, Flask and Jinja, Twig, Thymeleaf).

In: the paths of a repository; who names a template, and how. Out: its path.

Absent: templates whose names are computed, or that a framework finds by the name of a view.
"""

from __future__ import annotations

import posixpath
from typing import Final

from rpg.encoder.languages.project import Project
from rpg.text.paths import count_shared_folders

SUFFIXES: Final = (
    ".html", ".htm", ".cshtml", ".ejs", ".ftl", ".gohtml", ".handlebars", ".hbs", ".html.j2", ".html.tmpl", ".jinja",
    ".jinja2", ".jsp", ".liquid", ".mustache", ".njk", ".twig",
)  # fmt: skip
"""How their names end; what has none of them is looked for with each, in this order."""
_FOLDERS: Final = frozenset(("jinja2", "templates"))
PARTS: Final = frozenset(
    "Shared Views _includes _layouts includes jinja2 layouts partials sections snippets templates views".split()
)
"""Folders in which templates look for others."""


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
        found = self.files_of(name.lstrip("/"), importer)
        ranked = sorted(found, key=lambda path: -count_shared_folders(path, importer))
        if len(ranked) > 1 and count_shared_folders(ranked[0], importer) == count_shared_folders(ranked[1], importer):
            return ""
        return ranked[0] if ranked else ""

    def files_of(self, name: str, importer: str) -> list[str]:
        """The files of a name: a path, of which the suffix may be left out, or its parts with dots between. A template
        names others of its own kind."""
        found = self.by_name.get(name)
        own = next((each for each in self.suffixes if importer.endswith(each)), "")
        for stem in (name, name.replace(".", "/")) if found is None else ():
            for suffix in (own, *self.suffixes) if own else self.suffixes:
                found = found or self.by_name.get(f"{stem}{suffix}")
        return found or []

    def name_of(self, path: str) -> str:
        """The path of a template within the innermost folder of templates."""
        parts = path.split("/")
        at = max((at for at, part in enumerate(parts[:-1]) if part in self.folders), default=-1)
        return "/".join(parts[at + 1 :])
