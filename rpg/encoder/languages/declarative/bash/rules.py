"""Which file `source` names. A name that no script of the repository defines is a program's or the environment's."""

from __future__ import annotations

import posixpath

from rpg.encoder.languages.declarative.rules import DeclarativeRules


class Rules(DeclarativeRules):
    has_packages = True
    imports_name_packages = False
    unknown_is_outside = True
    test_functions = "test"

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        for folder in (importer.rpartition("/")[0], ""):
            path = posixpath.normpath(posixpath.join(folder, module))
            if self.project.exists(path):
                return (path,)
        return () if module.startswith(".") else None
