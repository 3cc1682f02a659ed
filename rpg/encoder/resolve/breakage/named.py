"""What configuration and frameworks name without a site: symbols in strings, files by their paths.

In: a file before and after, both resolved. Out: a finding for each name that led somewhere before and does not now.
"""

from __future__ import annotations

from collections.abc import Iterator

from rpg.encoder.facts import NAMING, line_and_column
from rpg.encoder.resolve.breakage.findings import GONE, IMPORT, Finding
from rpg.encoder.resolve.breakage.lines import LineMap
from rpg.encoder.resolve.breakage.sides import Side
from rpg.encoder.resolve.program.source_file import SourceFile


class NamedElsewhere:
    def __init__(self, before: Side, after: Side) -> None:
        self.before = before
        self.after = after

    def find(self, old: SourceFile, new: SourceFile, lines: LineMap) -> Iterator[Finding]:
        yield from self.files(old, new, lines)
        yield from self.mentions(old, new, lines)

    def files(self, old: SourceFile, new: SourceFile, lines: LineMap) -> Iterator[Finding]:
        """Files that are named by their paths."""
        for each in old.facts.imports:
            if each.kind not in NAMING:
                continue
            gone = [path for path in old.rules.files_named(old.path, each) if self.before.has_file(path)]
            if not gone or any(map(self.after.has_file, new.rules.files_named(new.path, each))):
                continue
            line, column = line_and_column(old.facts, each.byte)
            now = lines.after_of.get(line)
            if now is not None:
                # Places that are tried one after another stand below each other.
                yield Finding(new.path, now, column, True, IMPORT, each.module.partition("\n")[0], gone[0])

    def mentions(self, old: SourceFile, new: SourceFile, lines: LineMap) -> Iterator[Finding]:
        """Symbols that a framework finds by a string or a convention."""
        for mention in self.before.world.mentions.get(old.index, ()):
            file, index = mention.target
            path = self.before.program.files[file].path
            definition = self.before.program.definition(file, index)
            name = definition.qualified_name if index else ""
            if self.after.has(path, name) if index else self.after.has_file(path):
                continue
            line, column = line_and_column(old.facts, mention.byte)
            now = lines.after_of.get(line)
            if now is None or self.is_meant_elsewhere(new, now, column):
                continue
            yield Finding(new.path, now, column, False, GONE, definition.name or path, self.before.id_of(file, index))

    def is_meant_elsewhere(self, new: SourceFile, line: int, column: int) -> bool:
        """Whether the same place means something else now."""
        mentions = self.after.world.mentions.get(new.index, ())
        return any(line_and_column(new.facts, each.byte) == (line, column) for each in mentions)
