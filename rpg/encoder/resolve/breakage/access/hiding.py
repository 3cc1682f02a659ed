"""Symbols that other files cannot see any more, because of a word in front of their names.

In: a symbol after an edit, and a file that uses it. Out: whether it said nothing of the kind before.
"""

from __future__ import annotations

import posixpath

from rpg.encoder.languages.rules.attribute_types import Words
from rpg.encoder.resolve.breakage.sides import Side
from rpg.encoder.resolve.breakage.signatures import words_before_name
from rpg.encoder.resolve.program.source_file import SourceFile

_SEEN = frozenset({"public", "protected"})


class Hiding:
    def __init__(self, before: Side, after: Side) -> None:
        self.before = before
        self.after = after

    def is_hidden(self, new: SourceFile, number: int, index: int) -> bool:
        """Whether a symbol of another file became private: what it says now, and did not say before. `number`, `index`:
        its file and definition after."""
        path = self.after.program.files[number].path
        rules = new.rules
        if path == new.path or rules.hiding == Words():
            return False
        definition = self.after.program.definition(number, index)
        earlier = self.before.named(path, definition.qualified_name)
        if not earlier or not index:
            return False
        file = self.before.file(path)
        was = words_before_name(file.definitions[earlier[0]]) if file is not None else frozenset()
        now = words_before_name(definition)
        if not (now - was).isdisjoint(rules.hiding.that_say_so):
            return True
        if rules.unsaid_visibility == "package" and "public" in was and now.isdisjoint(_SEEN):
            return posixpath.dirname(path) != posixpath.dirname(new.path)
        folder = path.rpartition(".")[0].removesuffix("/mod")
        return rules.hiding.is_no_longer_denied(was, now) and not new.path.startswith(f"{folder}/")
