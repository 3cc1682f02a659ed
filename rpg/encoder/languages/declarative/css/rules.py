"""Which file a style sheet or a document names. All see each other's names; of several the imported one is meant."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from functools import cached_property

from rpg.encoder.facts import Import
from rpg.encoder.languages.declarative.rules import DeclarativeRules
from rpg.encoder.languages.page_templates import PARTS as FOLDERS
from rpg.encoder.languages.page_templates import PageTemplates

_SUFFIXES = (".css", ".scss")


class Rules(DeclarativeRules):
    classes_are_called = False
    has_packages = True
    imports = "files"

    @cached_property
    def by_name(self) -> dict[str, list[str]]:
        """The last part of a path -> the files that have it."""
        found: dict[str, list[str]] = {}
        for path in self.project.paths():
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return found

    @cached_property
    def templates(self) -> PageTemplates:
        return PageTemplates(self.project, folders=FOLDERS)

    def files_named(self, importer: str, statement: Import) -> tuple[str, ...]:
        """The template that another one includes or extends."""
        found = self.templates.named(importer, statement.module)
        if not found:
            beside = posixpath.normpath(posixpath.join(importer.rpartition("/")[0], statement.module))
            found = beside if self.project.has_file(beside) else ""
        return (found,) if found else ()

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        """A file beside the importer, or below any folder that may be served."""
        if "//" in module or ":" in module:
            return None
        folder = importer.rpartition("/")[0]
        for name in spellings(module.lstrip("~")):
            beside = posixpath.normpath(posixpath.join(folder, name.lstrip("/")))
            if not name.startswith("/") and self.project.exists(beside):
                return (beside,)
        for name in spellings(module.lstrip("~./")):
            served = [
                path
                for path in self.by_name.get(name.rpartition("/")[2], ())
                if path == name or path.endswith(f"/{name}")
            ]
            if served:
                return (
                    max(served, key=lambda path: (len(posixpath.commonprefix([path, importer])), -len(path), path)),
                )
        return None


def spellings(module: str) -> Iterator[str]:
    """The paths that an import may mean: partials begin with `_`, suffixes may be left out."""
    folder, slash, name = module.rpartition("/")
    yield module
    if not name.endswith(_SUFFIXES):
        for suffix in _SUFFIXES:
            yield f"{module}{suffix}"
            yield f"{folder}{slash}_{name}{suffix}"
        yield f"{module}/_index.scss"
