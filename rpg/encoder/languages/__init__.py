"""Which languages there are. A language is one file here: data, and how its syntax becomes facts.

`Language` is what the rest of the encoder knows of one; no language's name stands anywhere else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, Protocol


class Project(Protocol):
    """What a language may ask about the repository while names of modules are resolved."""

    roots: tuple[str, ...]
    """Folders given as import roots, `/`-terminated; the repository's root is the empty string."""

    def exists(self, path: str) -> bool:
        """Whether a source file of the graph has this path."""

    def paths(self) -> list[str]:
        """All source files of the graph, sorted."""

    def read(self, path: str) -> bytes:
        """The bytes of a file of the repository (a configuration); empty where it is not there."""


class Rules:
    """What resolution must know of a language, made once per repository. The defaults are a plain language's."""

    builtins: frozenset[str] = frozenset()
    """Names bound everywhere without an import."""
    builtin_members: frozenset[str] = frozenset()
    """Methods of builtin types: an unknown receiver of one of these is never guessed."""
    object_members: frozenset[str] = frozenset()
    """Members that objects, classes, functions and modules have without anybody defining them."""
    constructor = ""
    """Name of the method that calling a class runs."""
    classes_are_called = True
    """Whether `C(...)` calls (Go's is a conversion)."""
    async_returns_wrapped = True
    """Whether the return annotation of an async function names what awaiting it gives."""
    statics_are_apart = False
    """Whether instances lack the static members of their class, and classes those of their instances."""
    prototype = ""
    """Name of the member that holds what instances have, of functions and classes."""
    shares_package_scope = False
    """Whether all files of a directory see each other's top-level names."""

    imports_are_members = False
    """Whether what a module imports for itself is a member of it, taken by `from module import name`."""
    strings_name_types = False
    """Whether a string in a type is the name of one, and not the type of that string."""
    keeps_declared_types = False
    """Whether a variable stays what it was declared to be, whatever is assigned to it."""
    generators_return_last = False
    """Whether the type of a generator says what it yields, what is sent to it and what it returns, in this order."""
    follows_declared_functions = True
    """Whether values are followed through parameters, results and fields declared to be of functions."""

    makes_its_own: frozenset[str] | None = None
    """Libraries and names of the language whose functions never give back what they were given; None where types say
    what a library gives."""
    keeps_others: frozenset[str] = frozenset()
    """Libraries whose objects keep what they are given, and give it back."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def may_give_back(self, name: str, call: bool) -> bool:
        """Whether what a library gave, named by how it came about (`queue.Queue().get()`), may be what it was given,
        and so of the repository; `call`: whether it is asked for something to be called.

        What is called by a capital makes an object of the library's. What such an object gives is called for the
        repository's own (`session.query(User).first().greet()`), and read mostly for the library's
        (`client.get("/").status_code`).
        """
        library = name.partition(".")[0].partition("(")[0]
        if self.makes_its_own is None or library in self.makes_its_own:
            return False
        made = [called.rpartition(".")[2][:1].isupper() for called in name.split("(")[:-1]]
        return not all(made) and (call or library in self.keeps_others or not made[0])

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        """The files that an import names (a package's directory, `/`-terminated, in Go); empty where it should be in
        the repository and is not; None for a library."""
        raise NotImplementedError

    def submodule(self, path: str, name: str) -> str | None:
        """The module that is a member of the package whose module is `path`."""
        return None


class Language(NamedTuple):
    name: str
    """As in the graph."""
    module: str
    """The file here that holds `Lowering` (a Builder) and `Rules` (what resolution must know)."""
    grammar: str
    suffixes: tuple[str, ...]
    file_names: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    """Names in a `#!` line."""
    family: str = ""
    """Languages of one family see each other's names."""
    text: bool = False
    """Text with headings rather than code."""
    module_separator: str = ""
    """What parts a package from its modules in an import; empty where the import names the package itself."""

    @property
    def lowering(self) -> Callable[..., Any]:
        return import_module(f"rpg.encoder.languages.{self.module}").Lowering  # type: ignore[no-any-return]

    def is_too_deep(self, source: bytes) -> bool:
        """Whether the grammar must not see it, as it would write beyond its memory."""
        check = getattr(import_module(f"rpg.encoder.languages.{self.module}"), "is_too_deep", None)
        return check is not None and check(source)

    @property
    def rules(self) -> type[Rules]:
        return import_module(f"rpg.encoder.languages.{self.module}").Rules  # type: ignore[no-any-return]


LANGUAGES = (
    Language("go", "go", "go", (".go",), family="go"),
    Language(
        "javascript",
        "ecmascript",
        "javascript",
        (".js", ".mjs", ".cjs", ".jsx"),
        (),
        ("node",),
        "ecmascript",
        module_separator="/",
    ),
    Language("markdown", "markdown", "markdown", (".md", ".markdown", ".mdx"), text=True, family="markdown"),
    Language(
        "python", "python", "python", (".py", ".pyi", ".pyw"), (), ("python", "python3"), "python", module_separator="."
    ),
    Language("tsx", "ecmascript", "tsx", (".tsx",), family="ecmascript", module_separator="/"),
    Language(
        "typescript", "ecmascript", "typescript", (".ts", ".mts", ".cts"), family="ecmascript", module_separator="/"
    ),
)
"""Sorted by name."""

BY_NAME = {language.name: language for language in LANGUAGES}
_BY_SUFFIX = {suffix: language for language in LANGUAGES for suffix in language.suffixes}
_BY_FILE_NAME = {name: language for language in LANGUAGES for name in language.file_names}


@cache
def _by_interpreter() -> dict[str, Language]:
    return {name: language for language in LANGUAGES for name in language.interpreters}


def by_path(path: str, first_bytes: bytes = b"") -> Language | None:
    """The language of a file by its name, else by its `#!` line."""
    name = path.rsplit("/", 1)[-1]
    language = _BY_FILE_NAME.get(name)
    if language is None and "." in name[1:]:
        language = _BY_SUFFIX.get("." + name.rsplit(".", 1)[1].lower())
    elif language is None and first_bytes.startswith(b"#!"):
        words = first_bytes[2:].split(b"\n", 1)[0].decode("latin-1").split()
        for word in words[:3]:
            language = language or _by_interpreter().get(word.rsplit("/", 1)[-1])
    return language
