"""Dockerfiles: stages are structs; `FROM` and `--from` mean earlier stages; files of the build context are copied, and
run under the path that they were copied to.

In: a syntax tree. Out: facts. The context is the folder of the file or the root of the repository, whichever one has
the path.
"""

from __future__ import annotations

import posixpath
import re
from typing import Final

from rpg.encoder.languages.configuration.commands import is_path
from rpg.encoder.languages.configuration.lowering import ConfigurationLowering, join_path
from rpg.encoder.languages.configuration.rules import ConfigurationRules
from rpg.encoder.languages.prose.text import count_search_bytes, is_data
from rpg.encoder.lowering.node import Node

__all__ = ["Lowering", "Rules", "count_search_bytes", "is_data"]

_WORD: Final = re.compile(rb"[^\s\"'\[\],;&|()=`]+")
_RUNS: Final = frozenset({"run_instruction", "cmd_instruction", "entrypoint_instruction"})
_COPIES: Final = frozenset({"copy_instruction", "add_instruction"})
_STAGE: Final = re.compile(rb"--from=([\w.-]+)")
_MOUNTED: Final = re.compile(rb"(?:source|src)=([\w./@+-]+)")


class Rules(ConfigurationRules):
    pass


class Lowering(ConfigurationLowering):
    def read(self, root: Node) -> None:
        self.contexts = tuple(dict.fromkeys((self.folder, "")))
        self.place = "/"
        """The working directory in the image."""
        self.copied: list[tuple[str, str]] = []
        """Source in the context and place in the image."""
        self.stages: dict[str, tuple[str, list[tuple[str, str]]]] = {}
        """What a later stage begins with, by name: working directory and files."""
        nodes = [child for child in root.named_children if child.type != "ERROR"]
        starts = [child.start_byte for child in nodes if child.type == "from_instruction"]
        self.name_of_stage = ""
        maker = 0
        for node in nodes:
            kind = node.type
            if kind == "from_instruction":
                later = [start for start in starts if start > node.start_byte]
                maker = self.stage(node, later[0] if later else len(self.source))
            elif kind == "workdir_instruction":
                self.enter(node)
            elif kind in _COPIES:
                self.copy(node, maker)
            elif kind in _RUNS:
                self.run(node, maker)
            elif kind == "comment":
                self.comment(node)

    def stage(self, node: Node, end: int) -> int:
        """An image that others may begin with. One without a name is not a symbol."""
        image = alias = None
        for child in node.named_children:
            if child.type == "image_spec":
                image = child
            elif child.type == "image_alias":
                alias = child
        maker = 0
        base = self.source_of(image).lower() if image is not None else ""
        self.place, copied = self.stages.get(base, ("/", []))
        self.copied = list(copied)
        if alias is not None:
            name = self.source_of(alias)
            maker = self.symbol("struct", name, node.start_byte, end, alias.start_byte, f"stage {name.lower()}")
            self.stages[name.lower()] = (self.place, self.copied)
        if image is not None:
            self.means(f"stage {base}", image.start_byte, maker)
        self.name_of_stage = self.source_of(alias).lower() if alias is not None else ""
        return maker

    def enter(self, node: Node) -> None:
        for child in node.named_children:
            if child.type == "path":
                self.place = posixpath.join(self.place, self.source_of(child))
                if self.name_of_stage:
                    self.stages[self.name_of_stage] = (self.place, self.copied)

    def copy(self, node: Node, maker: int) -> None:
        begin = node.start_byte
        for child in node.named_children:
            if child.type == "param":
                stage = _STAGE.search(self.source, child.start_byte, child.end_byte)
                if stage is not None:
                    self.means(f"stage {stage[1].decode().lower()}", stage.start(1), maker)
                    return
                begin = child.end_byte
        text = self.source[begin : max(begin, node.end_byte)]
        words = [(found[0].decode("utf-8", "replace"), begin + found.start()) for found in _WORD.finditer(text)]
        if begin == node.start_byte:
            words = words[1:]
        if len(words) < 2:
            return
        into = posixpath.join(self.place, words[-1][0])
        for word, byte in words[:-1]:
            self.copied.append((word, into))
            self.names_file(byte, [join_path(folder, word.lstrip("/")) for folder in self.contexts])

    def run(self, node: Node, maker: int) -> None:
        start, end = node.start_byte, node.end_byte
        for child in node.named_children:
            if child.type == "mount_param" and b"type=bind" in self.source[child.start_byte : child.end_byte]:
                mounted = _MOUNTED.search(self.source, child.start_byte, child.end_byte)
                if mounted is not None and b"from=" not in self.source[child.start_byte : child.end_byte]:
                    self.names_file(mounted.start(1), [join_path(each, mounted[1].decode()) for each in self.contexts])
            elif child.type in ("shell_command", "json_string_array"):
                start = child.start_byte
        for found in _WORD.finditer(self.source, start, end):
            word = found[0]
            if not is_path(word.lstrip(b"/")):
                continue
            self.names_file(found.start(), self.sources_of(posixpath.join(self.place, word.decode())))

    def sources_of(self, place: str) -> list[str]:
        """What of the context may lie at a place of the image: files that were copied to it, or below a folder."""
        place = posixpath.normpath(place)
        found: list[str] = []
        for source, into in self.copied:
            folder = posixpath.normpath(into)
            if place != folder and not place.startswith(f"{folder.rstrip('/')}/"):
                continue
            below = place[len(folder) :].lstrip("/")
            paths = [source] if not below or posixpath.basename(source) == below else [posixpath.join(source, below)]
            found += [join_path(each, path.lstrip("/")) for each in self.contexts for path in paths]
        return found
