"""Make: targets are functions; what a rule needs and what a recipe makes are targets that it means, of included
files as well. Rules of patterns and computed names define nothing. A file that does not parse is parsed again without
the variables that are set for one target alone, which the grammar reads in part.

In: a syntax tree. Out: facts.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.facts import Import
from rpg.encoder.languages.configuration.commands import Commands
from rpg.encoder.languages.configuration.lowering import ConfigurationLowering, join_path
from rpg.encoder.languages.configuration.rules import ConfigurationRules
from rpg.encoder.languages.prose.text import count_search_bytes, is_data
from rpg.encoder.lowering.node import Node, errors_in

__all__ = ["Lowering", "Rules", "count_search_bytes", "is_data"]

_NAME: Final = re.compile(r"(?!\.[A-Z])[\w./+-]+")


_OF_TARGET: Final = re.compile(
    rb"^(?![\t#])[^\n:=#]+::?[ \t]*(?:(?:export|override|private)[ \t]+)*[\w.-]+[ \t]*(?::{0,3}|[?+!])="
    rb"(?:[^\n\\]|\\[^\n]|\\\n)*",
    re.MULTILINE,
)
"""`target: NAME = value`, with the lines that continue it."""


class Rules(ConfigurationRules):
    pass


class Lowering(ConfigurationLowering):
    def lower(self, root: Node) -> None:
        if root.has_error:
            source = _OF_TARGET.sub(lambda found: re.sub(rb"[^\n]", b" ", found[0]), self.source)
            other = self.parse(source) if source != self.source else root
            root = other if errors_in(other) < errors_in(root) else root
        super().lower(root)

    def read(self, root: Node) -> None:
        self.of_target: dict[str, int] = {}
        self.read_parts(root)

    def read_parts(self, node: Node) -> None:
        for child in node.named_children:
            kind = child.type
            if kind == "rule":
                self.rule(child)
            elif kind == "include_directive":
                self.include(child)
            elif kind == "conditional" or kind.startswith(("else", "elsif")):
                self.read_parts(child)
            elif kind == "comment":
                self.comment(child)

    def rule(self, node: Node) -> None:
        maker = 0
        for child in node.named_children:
            kind = child.type
            if kind == "targets":
                for word in child.named_children:
                    index = self.target(word, node)
                    maker = maker or index
            elif kind == "prerequisites":
                for word in child.named_children:
                    text = self.source_of(word)
                    if word.type == "word" and _NAME.fullmatch(text):
                        self.prerequisite(text, word.start_byte, maker)
            elif kind == "recipe":
                self.recipe(child, maker)

    def target(self, word: Node, rule: Node) -> int:
        name = self.source_of(word)
        if word.type != "word" or _NAME.fullmatch(name) is None:
            return 0
        if name not in self.of_target:
            self.of_target[name] = self.symbol(
                "function", name, rule.start_byte, rule.end_byte, word.start_byte, name, 0, name.replace("::", ".")
            )
        return self.of_target[name]

    def prerequisite(self, text: str, byte: int, maker: int) -> None:
        if maker:
            self.means(text, byte, maker)
        self.names_file(byte, [join_path(self.folder, text)])

    def recipe(self, node: Node, maker: int) -> None:
        """Each line is a script of its own."""
        for child in node.named_children:
            if child.type in ("recipe_line", "shell_text"):
                Commands(self, (self.folder,), maker).read(child.start_byte, child.end_byte)
            elif child.type == "conditional":
                self.conditional(child, maker)

    def conditional(self, node: Node, maker: int) -> None:
        for child in node.named_children:
            if child.type == "rule":
                self.rule(child)
            elif child.type == "recipe":
                self.recipe(child, maker)
            elif child.type in ("recipe_line", "shell_text"):
                Commands(self, (self.folder,), maker).read(child.start_byte, child.end_byte)
            elif child.type.startswith(("else", "elsif")):
                self.conditional(child, maker)

    def include(self, node: Node) -> None:
        for child in node.named_children:
            for word in child.named_children if child.type == "list" else [child]:
                path = join_path(self.folder, self.source_of(word)) if word.type == "word" else ""
                if path:
                    self.imports.append(Import(path, 0, word.start_byte, 0, "star"))
                    self.sees_others = True
