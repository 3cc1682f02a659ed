"""What the rest of the encoder knows about a language: its names, how far it is read, and its module here."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any, Literal, NamedTuple

from rpg.encoder.languages.rules import Rules
from rpg.system.imports import import_in_turn

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
    reaches: tuple[str, ...] = ()
    """Families of other languages whose symbols its code may name, if it is outlined: they share one program."""
    headers: tuple[str, ...] = ()
    """Suffixes of files in another language that its files include, and in which the same names stand."""
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

    def choose_name(self, path: str, source: bytes) -> str:
        """The name of the language of a file with this one's suffix: headers may be of either of two languages, YAML
        of several kinds."""
        shared = path.endswith(self.shared_suffixes)
        return str(self._code.choose_language(path, source)) if shared else self.name

    @property
    def rules(self) -> type[Rules]:
        return self._code.Rules  # type: ignore[no-any-return]
