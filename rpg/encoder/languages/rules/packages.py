"""What a file sees of others: packages, modules, imports, platforms."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Literal

from rpg.encoder.facts import Import
from rpg.encoder.languages.project import Naming, Offer, Placed
from rpg.encoder.languages.rules.attribute_types import Macros, ModuleObjects
from rpg.encoder.languages.standard_library import NONE


class PackageRules:
    shares_package_scope = False
    """Whether all files of a directory see each other's top-level names."""
    module_objects = ModuleObjects()
    has_packages = False
    """Whether files say which package they belong to, and see the names that its files offer."""
    inherits_types = False
    """Whether a bare name may mean a type that is nested in a base of a class around it, or in a part of it in another
    file."""
    imports: Literal["packages", "files", "libraries"] = "packages"
    """What imports name where `has_packages`: packages and their members; files; or `libraries`: files without which
    a file sees nothing of others, and of which it sees what they export."""
    packages_are_written = False
    """Whether a name may have its package in front, without an import: `shop.stock.Item`."""
    unknown_is_outside = False
    """Whether a bare name that nothing in the repository defines comes from outside."""
    constants_are_capitalised = False
    """Whether a capitalised name is a constant: one that no file of the repository declares comes from outside; only if
    `has_packages`."""
    holders_are_named = False
    """Whether code names what has a member, but for what variables hold, by a path of capitalised words (`Shop.Cart`)
    that is one name: nothing is guessed of it, and what it means is recorded where it begins."""
    types_of_one_name: Literal["apart", "parts", "rivals", "platforms", "spaces"] = "apart"
    """What several types of one name in a package are: `parts` of one, if they say so; `rivals`, of which it is not
    known which one is meant, as files of one build never declare a type twice; of `platforms`, which `platform` tells
    apart, as functions are. Without `has_packages`, `spaces`: a namespace may have the name of a function, class or
    type, and both are meant."""
    has_alternatives = False
    """Whether functions of one name in one place are alternatives, of which a build has one."""
    macros = Macros()
    links_by_name = False
    """Whether functions of one name in several files are alternatives, because only the linker chooses."""
    configuration_files: frozenset[str] = NONE
    """Names of source files that say what other files mean."""
    for_types_only: tuple[str, ...] = ()
    """Text in an import, or in the condition around it, that makes it an import for type checkers only."""
    loads_in_order = False
    """Whether files run one after the other as they are imported, so that one of a cycle sees another unfinished."""
    named_in: tuple[str, ...] = ()
    """Manifests that name the package which others import; none: uses in other repositories are not followed."""
    manifests: frozenset[str] = NONE
    """Files without which the code around them cannot be imported by others; empty if any repository can be."""

    @classmethod
    def reads_alike(cls, path: str, before: bytes, after: bytes) -> bool:
        """Whether a configuration file still says the same after an edit. Only for what no other language reads."""
        return False

    @cached_property
    def stars_are_packages(self) -> bool:
        """Whether importing everything of a package only says whose declared names a file sees."""
        return self.has_packages and self.imports == "packages" and not self.shares_package_scope

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        """The files that an import names (a package's directory, `/`-terminated, in Go); empty if it should be in the
        repository and is not; None for a library."""
        return None

    def offer(self, path: str) -> Offer | None:
        """What other files see of a file without an import, by a convention about its place."""
        return None

    def files_named(self, importer: str, statement: Import) -> tuple[str, ...]:
        """The files or folders that a statement names besides importing them; only of the kinds in `NAMING`."""
        return ()

    def packages_imported(self, path: str) -> tuple[str, ...]:
        """The packages that a file imports in full because a configuration says so."""
        return ()

    def packages_seen(self, package: str) -> tuple[str, ...]:
        """The packages whose names a file of a package sees without an import; only if `has_packages`."""
        return (package,)

    def packages_around(self, package: str) -> tuple[str, ...]:
        """The packages within which a file of a package may import others by the rest of their names."""
        return ()

    def is_offering(self, module: str) -> bool:
        """Whether a file imports from a module what it also sees without an import (`offer`)."""
        return False

    @classmethod
    def may_be_imported(cls, path: str, package: str) -> bool:
        """Whether other repositories may import what is in a file; `package`: the one that it declares."""
        return True

    def sees_globals(self, path: str, other: str) -> bool:
        """Whether a file sees the global names that another file of its language declares."""
        return True

    def platform(self, path: str) -> str:
        """Which platform the code in a file is for; empty if for all of them. Code sees what is for its own platform or
        for all, where there is such."""
        return ""

    def is_nested(self, importer: str, place: str, module: str) -> bool:
        """Whether an import finds a module in a folder that is neither the importer's nor a main one."""
        return False

    def around_module(self, importer: str, module: str) -> tuple[str, str] | None:
        """The file that may define a module within it, and the dotted name of the module there."""
        return None

    def elsewhere(self, module: str, place: str) -> tuple[str, ...] | None:
        """The files that an import means if it does not name a place; None for a library."""
        return None

    def submodule(self, path: str, name: str) -> str | None:
        """The module that is a member of the package whose module is `path`."""
        return None

    def is_package(self, path: str) -> bool:
        """Whether a file is imported by the name of its folder."""
        return False

    def placed(self, path: str) -> Placed | None:
        """How other files name a file, or a folder (`/`-terminated), to find it; None if they may find it otherwise."""
        return None

    def module_name(self, path: str) -> str:
        """The name that a file is imported by; empty if there may be none."""
        folder, _, name = path.rpartition("/")
        return folder.rpartition("/")[2] if self.is_package(path) else name.partition(".")[0]

    def is_named(self, path: str, module: str) -> bool:
        """Whether a string in a file may name the file itself so."""
        return False

    def naming(self, path: str, names: Iterable[str]) -> Naming:
        """How source text names a file and names in it; asked only if `imports_are_members`."""
        raise NotImplementedError

    @classmethod
    def is_unit(cls, path: str) -> bool:
        """Whether others see of a file only what it is asked for by name, unless they include it; only if
        `imports` name files."""
        return False
