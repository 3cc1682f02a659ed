"""The walker of PHP: what names mean in a file.

In: names as they are written. Out: expressions, and the imports that they are.
"""

from __future__ import annotations

from rpg.encoder import operations as op
from rpg.encoder.facts import Import
from rpg.encoder.languages.declarative.lowering import DeclarativeLowering
from rpg.encoder.languages.declarative.php.routes import FACADE
from rpg.encoder.languages.declarative.php.views import lower_labelled_view
from rpg.encoder.lowering.node import Node, ReadPiece


class PhpWalker(DeclarativeLowering):
    def __init__(self, path: str, language: str, source: bytes, parse: ReadPiece) -> None:
        super().__init__(path, language, source, parse)
        self.aliases: dict[str, str] = {}
        """What a `use` binds -> its full name."""
        self.spelled: set[str] = set()
        """Names with a namespace in front that are bound."""
        self.says_types = b"/**" in source
        """Whether comments may say types."""

    def label(self, node: Node) -> int:
        """A parameter's name begins like that of any variable, its label does not."""
        if node.parent is not None:
            lower_labelled_view(self, node.parent)
        return self.string(f"${self.source_of(node)}")

    def bind_spelled(self, text: str, byte: int) -> None:
        """Binds a name with a namespace in front, in the whole file."""
        if text in self.spelled:
            return
        self.spelled.add(text)
        prefix, _, name = text.rpartition("\\")
        if not text.startswith("\\"):
            head, _, rest = prefix.partition("\\")
            base = self.package if head == "namespace" else self.aliases.get(head, "")
            if not base:
                base, rest = self.package, prefix
            prefix = f"{base}\\{rest}" if base and rest else base or rest
        self.imports.append(Import(prefix.lstrip("\\"), 0, byte, 0, "parent", (name,)))
        value = self.emit(op.IMPORTED, byte, len(self.imports) - 1, self.string(name))
        around, self.block = self.block, 0
        self.bind(text, value, 0, "", 0)
        self.block = around

    def name_at_top(self, text: str, byte: int) -> int:
        """What a name means at the top of the file, without a site."""
        if "\\" in text:
            self.bind_spelled(text, byte)
        around, self.scope = self.scope, 0
        value = self.variable(self.string(text), byte)
        self.scope = around
        return value

    @property
    def names_routes(self) -> bool:
        """Whether `Route` is Laravel's: outside namespaces it is known everywhere, if a file says nothing else."""
        return self.aliases.get("Route", "" if self.package else FACADE) == FACADE
