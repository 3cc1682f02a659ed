"""Which file `source` names. A name that no script of the repository defines is a program's or the environment's."""

from __future__ import annotations

import posixpath

from rpg.encoder.languages.declarative.rules import DeclarativeRules
from rpg.encoder.languages.project import Project
from rpg.encoder.languages.tests import Tests


class Rules(DeclarativeRules):
    has_packages = True
    imports = "files"
    unknown_is_outside = True
    reached_by = frozenset({"strings", "commands"})
    tests = Tests(functions="test")

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self.by_name: dict[str, list[str]] = {}
        """The last part of a path -> the files that have it."""
        for path in project.paths():
            self.by_name.setdefault(path.rpartition("/")[2], []).append(path)

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        if module.startswith("*"):
            return self.find_below_any(importer, module[2:])
        for folder in (importer.rpartition("/")[0], ""):
            path = posixpath.normpath(posixpath.join(folder, module))
            if self.project.exists(path):
                return (path,)
        return () if module.startswith(".") else None

    def find_below_any(self, importer: str, path: str) -> tuple[str, ...] | None:
        """A path below a folder that is not known: the script's own, else the only one where it exists."""
        beside = posixpath.normpath(posixpath.join(importer.rpartition("/")[0], path))
        if self.project.exists(beside):
            return (beside,)
        named = self.by_name.get(path.rpartition("/")[2], ())
        found = [each for each in named if each == path or each.endswith(f"/{path}")]
        return (found[0],) if len(found) == 1 else None
