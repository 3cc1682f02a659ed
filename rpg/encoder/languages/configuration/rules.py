"""Which files configuration means. A path counts if just one of the places where it may begin has it; a dotted name
means what it would mean to Python there.

In: what the lowering of a file named. Out: files of the repository, of any language or none.
"""

from __future__ import annotations

from rpg.encoder.facts import Import
from rpg.encoder.languages.rules import Rules


class ConfigurationRules(Rules):
    unknown_is_outside = True

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        found = tuple(path for path in module.split("\n") if self.project.has_file(path))
        if found:
            return found if len(found) == 1 else None
        of_modules = self.project.rules_of("python")
        if "/" in module or "\n" in module or of_modules is None:
            return None
        return of_modules.module(importer, module, level)

    def files_named(self, importer: str, statement: Import) -> tuple[str, ...]:
        if statement.kind == "file":
            found = tuple(path for path in statement.module.split("\n") if self.project.has_file(path))
            return found if len(found) == 1 else ()
        of_modules = self.project.rules_of("python")
        if of_modules is None:
            return ()
        places = of_modules.module(importer, statement.module, 0) or ()
        return tuple(of_modules.submodule(path, "__main__") or path for path in places)
