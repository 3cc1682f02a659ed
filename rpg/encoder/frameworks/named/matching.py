"""Which takers a sender means.

In: the rows of all files, and what their texts say. Out: for each sender its takers, and whether that is certain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from rpg.encoder.frameworks.named.tables import BROADCAST
from rpg.encoder.frameworks.rows import FileRows, Sender, Taker
from rpg.encoder.frameworks.text import DEFAULT, ENVIRONMENT, OF, SAID, Text

MOST_TAKERS: Final = 5
"""The most takers of what one alone gets."""
MOST_LISTENERS: Final = 20
DIRECT: Final = "function"
"""The space where a symbol is passed that takes itself."""


class Taken(NamedTuple):
    sender: Sender
    name: str
    """Empty if it is not known before the program runs."""
    takers: tuple[tuple[str, str, bool], ...]
    """Symbol, path, whether it is a test's."""
    certain: bool


class Names:
    def __init__(self, files: Iterable[FileRows], texts: dict[str, Text], text: Callable[[Text], Text]) -> None:
        self._texts, self._text = texts, text
        self.takers: dict[tuple[str, str], list[tuple[Taker, FileRows]]] = {}
        for rows in files:
            for taker in rows.takers:
                name, _ = self.name(taker.name)
                if name:
                    self.takers.setdefault((taker.space, name), []).append((taker, rows))

    def name(self, text: Text) -> tuple[str, bool]:
        """A text as a name, and whether that is all that is meant."""
        if len(text) == 1 and text[0][0] == OF and text[0][1] not in self._texts:
            return f"@{text[0][1]}", True
        said = self._text(text)
        if said and all(kind == SAID for kind, _ in said):
            name = "".join(word for _, word in said)
            return ("", False) if " " in name or "\n" in name else (name, "${" not in name and "{{" not in name)
        if said and said[0][0] == ENVIRONMENT and all(kind == DEFAULT for kind, _ in said[1:]):
            return f"${said[0][1]}", False
        return "", False

    def outcomes(self, rows: FileRows) -> Iterable[Taken]:
        for sender in rows.senders:
            name, whole = self.name(sender.name)
            if sender.space == DIRECT:
                if name.startswith("@") and "::" in name:
                    yield Taken(sender, name, ((name[1:], name[1:].partition("::")[0], False),), True)
                continue
            found = self.takers.get((sender.space, name), []) if name else []
            if not rows.test or (
                any(not each[1].test for each in found) and not any(each[1].path == rows.path for each in found)
            ):
                found = [each for each in found if not each[1].test]
            takers = tuple(dict.fromkeys((taker.handler, of.path, of.test) for taker, of in found))
            broadcast = sender.space in BROADCAST
            if len(takers) > (MOST_LISTENERS if broadcast else MOST_TAKERS):
                takers = ()
            yield Taken(sender, name, takers, whole and (broadcast or len(takers) == 1))
