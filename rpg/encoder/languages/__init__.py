"""The languages. Each is one file or folder here: data, and how its syntax becomes facts.

`Language` is what the rest of the encoder knows about one; no language's name appears anywhere else.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any, Literal, NamedTuple

from rpg.encoder.languages.project import Naming, Placed, Project, folders_of, may_configure
from rpg.encoder.languages.rules import Rules
from rpg.system.imports import import_in_turn

__all__ = [
    "BY_NAME",
    "LANGUAGES",
    "Language",
    "Naming",
    "Placed",
    "Project",
    "Rules",
    "Tier",
    "declaration_suffixes",
    "find_language",
    "folders_of",
    "may_configure",
    "may_hold_code",
    "may_name_code",
    "ranks_behind",
    "suffix_of",
]  # fmt: skip


Tier = Literal["resolved", "defined", "outlined", "text"]
"""How a language is read: `resolved`, its references are followed through types and values; `defined`, its definitions,
imports and bases are known, and calls as far as scopes and declared types determine them; `outlined`, its definitions
and imports are known, and no use of them; `text`, found by its words only, with headings as sections."""


@cache
def _import_language(module: str) -> Any:
    """Once, as it is asked for at every symbol of an answer."""
    return import_in_turn(f"rpg.encoder.languages.{module}")


class Language(NamedTuple):
    name: str
    """Its name in the graph."""
    module: str
    """The module here that has `Lowering` (a Builder) and `Rules` (what resolution must know)."""
    grammar: str
    """Empty: nothing parses it, and it refers to nothing."""
    suffixes: tuple[str, ...]
    file_names: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    """Names in a `#!` line, without the version: `python` is also `python3.12`."""
    family: str = ""
    """Languages of one family see each other's names."""
    tier: Tier = "resolved"
    has_regions: bool = False
    """Whether its files are markup around other languages; the lowering finds their regions and has each parsed."""
    has_examples: bool = False
    """Whether its texts name code, and contain pieces of code in other languages; the lowering has each piece read
    separately."""
    is_prose: bool = False
    """Whether it is written for people only: documents, which search lists separately."""
    is_markup: bool = False
    """Whether its files are markup or style: search shows code first."""
    is_template: bool = False
    """Whether its files may name code of other languages, which their parser does not see."""
    module_separator: str = ""
    """Separator of a package and its modules in an import; empty if the import names the package itself."""
    declarations: tuple[str, ...] = ()
    """Suffixes of files that repeat what others define."""
    shared_suffixes: tuple[str, ...] = ()
    """Suffixes of files that may be in another language; its module tells which. Empty text: any file."""
    configures: bool = False
    """Whether its files say how the repository is built, tested and run: they name code of any language, and no code
    names what is in them."""

    @property
    def _code(self) -> Any:
        """Its module, which is imported only when a file is in the language."""
        return _import_language(self.module)

    @property
    def is_text(self) -> bool:
        """Whether it is text with headings rather than code."""
        return self.tier == "text"

    @property
    def is_outlined(self) -> bool:
        """Whether nothing is known of what its code refers to, but for imports."""
        return self.tier == "outlined"

    @property
    def refers(self) -> bool:
        """Whether its files may refer to code."""
        return bool(self.grammar) or self.has_examples

    @property
    def is_opaque(self) -> bool:
        """Whether nothing is known of its files but their text."""
        return self.is_text and not self.is_prose

    def count_search_bytes(self, path: str) -> int:
        """How many bytes of a file count for search by words."""
        limit = getattr(self._code, "count_search_bytes", None)
        return sys.maxsize if limit is None else int(limit(path))

    def counted(self, path: str, source: bytes) -> bytes:
        """The bytes of a file that count for search by words, in place."""
        text = getattr(self._code, "extract_search_text", None)
        return source[: self.count_search_bytes(path)] if text is None else text(source)

    def is_data(self, path: str, size: int) -> bool:
        """Whether a file that nothing parses holds only data."""
        judge = getattr(self._code, "is_data", None)
        return judge is not None and judge(path, size)

    @property
    def lowering(self) -> Callable[..., Any]:
        return self._code.Lowering  # type: ignore[no-any-return]

    def is_too_deep(self, source: bytes) -> bool:
        """Whether the grammar must not see it, because it would write beyond its memory."""
        check = getattr(self._code, "is_too_deep", None)
        return check is not None and check(source)

    def choose_language(self, path: str, source: bytes) -> Language:
        """The language of a file with this one's suffix: headers may be of either of two languages, YAML of several
        kinds."""
        if not path.endswith(self.shared_suffixes):
            return self
        return BY_NAME[self._code.choose_language(path, source)]

    @property
    def rules(self) -> type[Rules]:
        return self._code.Rules  # type: ignore[no-any-return]


LANGUAGES = (
    Language("asciidoc", "asciidoc", "", (".adoc", ".asciidoc"), tier="text", is_prose=True, family="prose"),
    Language(
        "astro",
        "ecmascript.components.astro",
        "typescript",
        (".astro",),
        family="ecmascript",
        has_regions=True,
        module_separator="/",
    ),
    Language(
        "bash",
        "declarative.bash",
        "bash",
        (".sh", ".bash"),
        (),
        ("sh", "bash", "dash", "ksh"),
        tier="defined",
        family="bash",
        module_separator="/",
    ),
    Language(
        "blade",
        "declarative.php.blade",
        "php",
        (".blade.php",),
        tier="defined",
        family="php",
        has_regions=True,
        module_separator="\\",
        is_markup=True,
    ),
    Language(
        "c",
        "declarative.c",
        "c",
        (".c", ".h"),
        tier="defined",
        family="c",
        module_separator="/",
        shared_suffixes=(".h",),
    ),
    Language(
        "cpp",
        "declarative.cpp",
        "cpp",
        (".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".inl", ".ipp"),
        tier="defined",
        family="c",
        module_separator="/",
    ),
    Language("csharp", "declarative.csharp", "csharp", (".cs",), tier="defined", family="csharp", module_separator="."),
    Language(
        "css", "declarative.css", "css", (".css",), tier="defined", family="web", module_separator="/", is_markup=True
    ),
    Language("dart", "declarative.dart", "dart", (".dart",), (), ("dart",), "dart", "defined", module_separator="/"),
    Language(
        "dockerfile",
        "configuration.dockerfile",
        "dockerfile",
        (".dockerfile",),
        ("Dockerfile", "Containerfile"),
        tier="defined",
        family="configuration",
        configures=True,
    ),
    Language(
        "eex",
        "declarative.elixir.eex",
        "elixir",
        (".eex", ".heex", ".leex"),
        tier="defined",
        family="elixir",
        has_regions=True,
        module_separator=".",
        is_markup=True,
    ),
    Language(
        "elixir",
        "declarative.elixir",
        "elixir",
        (".ex", ".exs"),
        (),
        ("elixir",),
        "elixir",
        tier="defined",
        module_separator=".",
    ),
    Language(
        "erb",
        "declarative.ruby.erb",
        "ruby",
        (".erb",),
        tier="defined",
        family="ruby",
        has_regions=True,
        module_separator="/",
        is_markup=True,
    ),
    Language("erlang", "outlined.erlang", "erlang", (".erl", ".hrl"), tier="outlined", interpreters=("escript",)),
    Language("go", "go", "go", (".go",), family="go"),
    Language(
        "graphql",
        "declarative.graphql",
        "graphql",
        (".graphql", ".gql", ".graphqls"),
        tier="defined",
        family="graphql",
    ),
    Language(
        "haml",
        "declarative.ruby.haml",
        "ruby",
        (".haml",),
        tier="defined",
        family="ruby",
        has_regions=True,
        module_separator="/",
        is_markup=True,
    ),
    Language(
        "haskell", "outlined.haskell", "haskell", (".hs",), tier="outlined", interpreters=("runghc", "runhaskell")
    ),
    Language(
        "hcl",
        "declarative.hcl",
        "terraform",
        (".hcl", ".tf", ".tfvars", ".tofu"),
        tier="defined",
        family="hcl",
        module_separator="/",
    ),
    Language(
        "html",
        "declarative.html",
        "html",
        (".html", ".htm"),
        tier="defined",
        family="web",
        module_separator="/",
        is_markup=True,
        is_template=True,
    ),
    Language(
        "ini",
        "configuration.ini",
        "ini",
        (),
        ("setup.cfg", "pytest.ini", "tox.ini"),
        tier="defined",
        family="configuration",
        configures=True,
    ),
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
    Language("java", "declarative.java", "java", (".java",), tier="defined", family="jvm", module_separator="."),
    Language(
        "json",
        "configuration.json",
        "json",
        (),
        ("package.json", "composer.json", "tsconfig.json", "jsconfig.json"),
        tier="defined",
        family="configuration",
        configures=True,
    ),
    Language("julia", "outlined.julia", "julia", (".jl",), tier="outlined", interpreters=("julia",)),
    Language(
        "kotlin",
        "declarative.kotlin",
        "kotlin",
        (".kt", ".kts"),
        interpreters=("kotlin",),
        tier="defined",
        family="jvm",
        module_separator=".",
    ),
    Language(
        "lua",
        "declarative.lua",
        "lua",
        (".lua",),
        interpreters=("lua", "luajit", "texlua"),
        tier="defined",
        family="lua",
        module_separator=".",
    ),
    Language(
        "makefile",
        "configuration.makefile",
        "make",
        (".mk",),
        ("Makefile", "makefile", "GNUmakefile"),
        tier="defined",
        family="configuration",
        configures=True,
    ),
    Language(
        "markdown",
        "markdown",
        "markdown",
        (".md", ".markdown", ".mdx"),
        tier="text",
        has_examples=True,
        is_prose=True,
        family="markdown",
    ),
    Language(
        "notebook",
        "python.notebook",
        "python",
        (".ipynb",),
        family="python",
        has_regions=True,
        module_separator=".",
        shared_suffixes=(".ipynb",),
    ),
    Language("objc", "outlined.objc", "objc", (".m", ".mm"), tier="outlined"),
    Language("ocaml", "outlined.ocaml", "ocaml", (".ml",), tier="outlined", family="ocaml", interpreters=("ocaml",)),
    Language("ocaml_interface", "outlined.ocaml", "ocaml_interface", (".mli",), tier="outlined", family="ocaml"),
    Language(
        "page_template",
        "declarative.html.template",
        "html",
        (
            ".cshtml",
            ".ejs",
            ".ftl",
            ".gohtml",
            ".handlebars",
            ".hbs",
            ".html.j2",
            ".html.tmpl",
            ".jinja",
            ".jinja2",
            ".jsp",
            ".liquid",
            ".mustache",
            ".njk",
            ".razor",
            ".twig",
        ),
        tier="defined",
        family="web",
        has_regions=True,
        module_separator="/",
        is_markup=True,
        is_template=True,
    ),
    Language("perl", "outlined.perl", "perl", (".pl", ".pm"), tier="outlined", interpreters=("perl",)),
    Language(
        "php",
        "declarative.php",
        "php",
        (".php",),
        interpreters=("php",),
        tier="defined",
        family="php",
        module_separator="\\",
    ),
    Language(
        "plaintext",
        "underlined",
        "",
        (".txt", ".text"),
        tuple(
            "AUTHORS CHANGELOG CHANGES CONTRIBUTING CONTRIBUTORS COPYING COPYRIGHT HISTORY INSTALL LICENCE LICENSE"
            " MAINTAINERS NEWS NOTICE README THANKS TODO".split()
        ),
        tier="text",
        is_prose=True,
        family="prose",
        shared_suffixes=(".txt",),
    ),
    Language(
        "protobuf",
        "declarative.protobuf",
        "proto",
        (".proto",),
        tier="defined",
        family="protobuf",
        module_separator="/",
    ),
    Language(
        "python",
        "python",
        "python",
        (".py", ".pyi", ".pyw"),
        (),
        ("python", "python3", "pypy"),
        "python",
        module_separator=".",
        declarations=(".pyi",),
    ),
    Language("r", "outlined.r", "r", (".r",), tier="outlined", interpreters=("Rscript",)),
    Language(
        "restructuredtext",
        "restructuredtext",
        "",
        (".rst", ".rest"),
        tier="text",
        has_examples=True,
        is_prose=True,
        family="prose",
    ),
    Language(
        "ruby",
        "declarative.ruby",
        "ruby",
        (".rb", ".rake", ".gemspec", ".builder", ".jbuilder", ".ru"),
        ("Rakefile", "Gemfile"),
        ("ruby",),
        tier="defined",
        family="ruby",
        module_separator="/",
    ),
    Language("rust", "declarative.rust", "rust", (".rs",), tier="defined", family="rust", module_separator="::"),
    Language(
        "scala",
        "declarative.scala",
        "scala",
        (".scala", ".sc"),
        interpreters=("scala", "scala-cli", "amm"),
        tier="defined",
        family="jvm",
        module_separator=".",
    ),
    Language("solidity", "outlined.solidity", "solidity", (".sol",), tier="outlined"),
    Language(
        "svelte",
        "ecmascript.components.svelte",
        "javascript",
        (".svelte",),
        family="ecmascript",
        has_regions=True,
        module_separator="/",
    ),
    Language(
        "scss",
        "declarative.css",
        "scss",
        (".scss",),
        tier="defined",
        family="web",
        module_separator="/",
        is_markup=True,
    ),
    Language(
        "slim",
        "declarative.ruby.slim",
        "ruby",
        (".slim",),
        tier="defined",
        family="ruby",
        has_regions=True,
        module_separator="/",
        is_markup=True,
    ),
    Language("sql", "declarative.sql", "sql", (".sql",), tier="defined", family="sql"),
    Language("swift", "declarative.swift", "swift", (".swift",), (), ("swift",), tier="defined", family="swift"),
    Language(
        "toml",
        "configuration.toml",
        "toml",
        (),
        ("pyproject.toml", "Cargo.toml"),
        tier="defined",
        family="configuration",
        configures=True,
    ),
    Language("tsx", "ecmascript", "tsx", (".tsx",), family="ecmascript", module_separator="/"),
    Language(
        "typescript",
        "ecmascript",
        "typescript",
        (".ts", ".mts", ".cts"),
        interpreters=("deno", "bun", "ts-node"),
        family="ecmascript",
        module_separator="/",
        declarations=(".d.ts", ".d.mts", ".d.cts"),
    ),
    Language("unparsed", "text", "", (), tier="text", shared_suffixes=("",)),
    Language(
        "vue",
        "ecmascript.components.vue",
        "javascript",
        (".vue",),
        family="ecmascript",
        has_regions=True,
        module_separator="/",
    ),
    Language(
        "yaml",
        "configuration.yaml",
        "yaml",
        (),
        ("compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml", "action.yaml", "action.yml"),
        tier="defined",
        family="configuration",
        configures=True,
    ),
    Language("zig", "outlined.zig", "zig", (".zig",), tier="outlined"),
)
"""Sorted by name. `unparsed` takes what no other does: configuration, data, languages that rpg does not parse."""

BY_NAME = {language.name: language for language in LANGUAGES}
_BY_SUFFIX = {suffix: language for language in LANGUAGES for suffix in language.suffixes}
_BY_FILE_NAME = {name: language for language in LANGUAGES for name in language.file_names}


@cache
def _by_interpreter() -> dict[str, Language]:
    return {name: language for language in LANGUAGES for name in language.interpreters}


def declaration_suffixes() -> tuple[str, ...]:
    """Suffixes of files that repeat what others define."""
    return tuple(suffix for language in LANGUAGES for suffix in language.declarations)


def ranks_behind(path: str, language: str) -> bool:
    """Whether search shows code first: the file repeats what others define, configures, is markup, or no parser reads
    it."""
    known = BY_NAME.get(language)
    is_behind = known is not None and (known.is_opaque or known.configures or known.is_markup)
    return path.endswith(declaration_suffixes()) or is_behind


def may_name_code(path: str, language: str, size: int) -> bool:
    """Whether a file may name code of the repository where no parser sees it, as configuration and templates do."""
    known = BY_NAME.get(language)
    if known is None or not (known.is_opaque or known.configures or known.is_template):
        return False
    return not known.is_data(path, size)


def may_hold_code(path: str) -> bool:
    """Whether a file that may name code may also contain code: configuration does not."""
    return not import_in_turn("rpg.encoder.languages.text").is_configuration(path)


def suffix_of(path: str) -> str:
    """What identifies the kind of a file: the suffix of its name in lower case, or the whole name if it has none."""
    name = path.rpartition("/")[2]
    return "." + name.rpartition(".")[2].lower() if "." in name[1:] else name


def find_language(path: str, first_bytes: bytes = b"") -> Language:
    """The language of a file by its name, else by its `#!` line."""
    name = path.rpartition("/")[2]
    language = _BY_FILE_NAME.get(name)
    if language is None and "." in name[1:]:
        parts = name[1:].lower().rsplit(".", 2)
        language = _BY_SUFFIX.get(f".{parts[-2]}.{parts[-1]}") if len(parts) > 2 else None
        language = language or _BY_SUFFIX.get(f".{parts[-1]}")
    elif language is None and first_bytes.startswith(b"#!"):
        words = first_bytes[2:].split(b"\n", 1)[0].decode("latin-1").split()
        for word in words[:3]:
            program = word.rsplit("/", 1)[-1]
            language = language or _by_interpreter().get(program.rstrip("0123456789."))
    return language or BY_NAME["unparsed"]
