"""Which folder the source of a module names, and that the files of a folder are one module."""

from __future__ import annotations

import posixpath

from rpg.encoder.facts import Import
from rpg.encoder.languages.declarative.rules import DeclarativeRules
from rpg.encoder.languages.project import Project
from rpg.encoder.languages.tests import Tests


class Rules(DeclarativeRules):
    shares_package_scope = True
    classes_are_called = False
    tests = Tests(endings=("_test", ".tftest", ".tofutest"))

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self.folders = {path.rpartition("/")[0] for path in project.paths() if path.endswith((".tf", ".tofu", ".hcl"))}

    def files_named(self, importer: str, statement: Import) -> tuple[str, ...]:
        """The file that a path from the folder of a module names."""
        path = posixpath.normpath(posixpath.join(importer.rpartition("/")[0], statement.module))
        return (path,) if self.project.has_file(path) else ()

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        if not module.startswith(("./", "../")) and module not in (".", ".."):
            return None
        folder = posixpath.normpath(posixpath.join(importer.rpartition("/")[0], module.replace("//", "/")))
        if folder.startswith(".."):
            return None
        folder = "" if folder == "." else folder
        return (f"{folder}/" if folder else "./",) if folder in self.folders else ()
