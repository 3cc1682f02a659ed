"""The bare texts of files before and after, and what they declare of classes and functions.

In: a side, a file of it, a definition. Out: the text, and the declarations that it holds. Each text is made once.
"""

from __future__ import annotations

from rpg.encoder.resolve.breakage.sides import Side
from rpg.encoder.resolve.breakage.written.bare_text import bare_text
from rpg.encoder.resolve.breakage.written.class_texts import Declared, constructors_of, declarations_of, prototypes_of
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL


class Texts:
    def __init__(self) -> None:
        self._texts: dict[tuple[int, str], str] = {}

    def of(self, side: Side, file: SourceFile) -> str:
        known = self._texts.get((id(side), file.path))
        if known is None:
            quotes_twice = file.rules.literals_need == "all members"
            source = side.program.read(file.path)
            known = self._texts[id(side), file.path] = bare_text(source, file.facts.comments, quotes_twice)
        return known

    def constructors(self, side: Side, file: SourceFile, index: int) -> list[Declared] | None:
        """None if the text does not show all."""
        definition = file.definitions[index]
        text = self.of(side, file)
        begin = text.find("{", definition.body_byte, definition.end_byte)
        if begin < 0:
            return None
        access = "private" if definition.kind == "class" else "public"
        return constructors_of(text, definition.name, begin + 1, definition.end_byte, access)

    def declarations(self, side: Side, file: SourceFile, index: int) -> list[Declared]:
        """Those of a function or method, where its file, its class, or what its file includes has them."""
        definition = file.definitions[index]
        side.world.evaluator.start()
        owner = side.world.evaluator.receivers.of_member(file, index)
        if owner is not None:
            here = side.program.files[owner[OWNER_FILE]]
            around = here.definitions[owner[OWNER_SYMBOL]]
            text = self.of(side, here)
            begin = text.find("{", around.body_byte, around.end_byte)
            return list(declarations_of(text, definition.name, begin + 1, around.end_byte, "")) if begin >= 0 else []
        found: list[Declared] = []
        paths = {file.path}
        for number in range(len(file.facts.imports)):
            paths.update(side.world.evaluator.modules.files(file, number) or ())
        for path in sorted(paths):
            here_or_none = side.file(path)
            if here_or_none is not None:
                found += prototypes_of(self.of(side, here_or_none), definition.name)
        return found
