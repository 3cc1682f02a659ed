"""TOML that configures a package (`pyproject.toml`, `Cargo.toml`): tables are sections; entry points, targets and
features are symbols; files that are named by their paths.

In: a syntax tree. Out: facts.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder.languages.configuration.commands import Commands, is_path
from rpg.encoder.languages.configuration.lowering import ConfigurationLowering, join_path
from rpg.encoder.languages.configuration.rules import ConfigurationRules
from rpg.encoder.languages.configuration.values import Pair, Table, Value, tables
from rpg.encoder.languages.prose.text import count_search_bytes, is_data
from rpg.encoder.lowering.node import Node

__all__ = ["Lowering", "Rules", "count_search_bytes", "is_data"]

_ENTRIES: Final = ("project.scripts", "project.gui-scripts", "tool.poetry.scripts")
_PLUGINS: Final = ("project.entry-points.", "tool.poetry.plugins.")
_TASKS: Final = (
    "tool.poe.tasks",
    "tool.taskipy.tasks",
    "tool.pdm.scripts",
    "tool.hatch.envs",
    "tool.tox",
    "tool.pixi.tasks",
)
_FOLDERS: Final = frozenset({"testpaths"})
_SETTINGS: Final = frozenset({"DJANGO_SETTINGS_MODULE", "django_settings_module"})
_TARGETS: Final = frozenset({"bin", "lib", "test", "example", "bench"})


class Rules(ConfigurationRules):
    pass


class Lowering(ConfigurationLowering):
    def read(self, root: Node) -> None:
        is_crate = self.path.endswith("Cargo.toml")
        for table in tables(root, self.source):
            maker = 0
            if table.header:
                name = table.header
                maker = self.symbol("section", name, table.start, table.end, table.header_byte)
            for pair in table.pairs:
                if is_crate:
                    self.lower_crate_pair(table, pair, maker)
                else:
                    self.lower_project_pair(table, pair, maker)

    def lower_project_pair(self, table: Table, pair: Pair, maker: int) -> None:
        header, value = table.header, pair.value
        if header in _ENTRIES or header.startswith(_PLUGINS):
            index = self.symbol("constant", pair.key, pair.start, pair.end, pair.key_byte, "", maker)
            target = value if value.text else value.get("callable") or value.get("reference")
            if target is not None:
                self.names_object(target.text, target.byte, index)
        elif header.startswith(_TASKS):
            index = self.symbol("function", pair.key, pair.start, pair.end, pair.key_byte, f"task {pair.key}", maker)
            Commands(self, (self.folder,), index).read(value.start, value.end)
        elif pair.key in _FOLDERS:
            for text in value.texts():
                path = join_path(self.folder, text.text)
                self.names_file(text.byte, [path, f"{path}/" if path else ""])
        elif pair.key in _SETTINGS and value.text:
            self.names_module(value.text, value.byte)
        else:
            attribute = value.get("attr")
            if attribute is not None and "." in attribute.text:
                module, _, name = attribute.text.rpartition(".")
                self.names_member([module], name, attribute.byte + len(module.encode()) + 1, maker)
            self.files_in(value)

    def lower_crate_pair(self, table: Table, pair: Pair, maker: int) -> None:
        header, key, value = table.header, pair.key, pair.value
        if header in _TARGETS and key == "name" and value.text:
            self.symbol("constant", value.text, table.start, table.end, value.byte, "", maker)
        elif header == "features":
            index = self.symbol("constant", key, pair.start, pair.end, pair.key_byte, f"feature {key}", maker)
            for text in value.texts():
                self.means(f"feature {text.text}", text.byte, index)
        elif header == "workspace" and key in ("members", "default-members"):
            for text in value.texts():
                self.names_file(text.byte, [join_path(self.folder, f"{text.text}/Cargo.toml")])
        elif "dependencies" in header and value.get("path") is not None:
            for text in value.texts("path"):
                self.names_file(text.byte, [join_path(self.folder, f"{text.text}/Cargo.toml")])
        else:
            self.files_in(value)

    def files_in(self, value: Value) -> None:
        for text in value.all_texts():
            if is_path(text.text.encode()):
                self.names_file(text.byte, [join_path(self.folder, text.text)])
