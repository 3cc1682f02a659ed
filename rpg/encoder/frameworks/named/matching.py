"""Which takers a sender means.

In: the rows of all files, and what their texts say. Out: for each sender its takers, and whether that is certain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from rpg.encoder.frameworks.named.grpc import ANY_SERVICE, DECLARED, GO_METHOD, OF_STRUCT, SERVED
from rpg.encoder.frameworks.named.tables import BROADCAST, EVENT_BUS, LISTENER
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


def _nearest(takers: list[tuple[Taker, FileRows]], path: str) -> list[tuple[Taker, FileRows]]:
    """Of several copies of a declaration the one that is nearest to a file, or those that are."""
    if len(takers) < 2:
        return takers
    shared = [_count_shared(path, of.path) for _, of in takers]
    return [each for each, parts in zip(takers, shared, strict=True) if parts == max(shared)]


def _last(name: str) -> str:
    """The name of a type without its place."""
    return re.split(r"[.:]", name)[-1]


def _count_shared(path: str, other: str) -> int:
    """How many folders two paths begin with alike."""
    count = 0
    for one, two in zip(path.split("/")[:-1], other.split("/")[:-1], strict=False):
        if one != two:
            break
        count += 1
    return count


class Names:
    def __init__(self, files: Iterable[FileRows], texts: dict[str, Text], text: Callable[[Text], Text]) -> None:
        self._texts, self._text = texts, text
        self.takers: dict[tuple[str, str], list[tuple[Taker, FileRows]]] = {}
        for rows in files:
            for taker in rows.takers:
                name, _ = self.name(taker.name)
                if name:
                    self.takers.setdefault((taker.space, name), []).append((taker, rows))

        self._add_listeners()
        self._of_bus: dict[str, list[tuple[Taker, FileRows]]] = {}
        """What takes messages of other programs, by the name of their type."""
        for (space, name), takers in self.takers.items():
            if space == "type":
                bus = [each for each in takers if each[0].library == EVENT_BUS]
                self._of_bus.setdefault(_last(name), []).extend(bus)
        self._structs: dict[str, set[str]] = {}
        """Go: the services that a struct serves, by its folder and name."""
        self._add_structs()
        self.methods: dict[tuple[str, str], set[str]] = {}
        """The services that have a method of a name."""
        for space, name in self.takers:
            if space in (SERVED, DECLARED):
                self.methods.setdefault((space, name.partition("/")[2]), set()).add(name)

    def _add_listeners(self) -> None:
        """The methods of classes that a list names."""
        for (space, name), takers in [*self.takers.items()]:
            for taker, _ in takers if space == LISTENER else ():
                own = self.takers.get(("type", f"@{taker.handler}"), [])
                known = self.takers.setdefault(("type", name), [])
                known += [each for each in own if all(each[0].handler != other.handler for other, _ in known)]

    def _add_structs(self) -> None:
        """Go: the methods of the structs that serve."""
        services = self._structs
        for (space, struct), takers in self.takers.items():
            if space == OF_STRUCT:
                services[struct] = {taker.handler for taker, _ in takers}
        found: dict[tuple[str, str], list[tuple[Taker, FileRows]]] = {}
        for (space, name), takers in self.takers.items() if services else ():
            struct, _, method = name.rpartition("/")
            for service in sorted(services.get(struct, ())) if space == GO_METHOD else ():
                key = SERVED, f"{service.lower()}/{method.replace('_', '').lower()}"
                if (DECLARED, key[1]) in self.takers:
                    found.setdefault(key, []).extend(takers)
        for each, takers in found.items():
            self.takers.setdefault(each, []).extend(takers)

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
            if sender.space == GO_METHOD:
                yield from self._declared(sender, name, rows.path)
                continue
            if name.startswith(ANY_SERVICE + "/"):
                meant = self.methods.get((sender.space, name[2:]), set())
                name, whole = next(iter(meant)) if len(meant) == 1 else "", False
            found = self.takers.get((sender.space, name), []) if name else []
            if sender.space == DECLARED:
                found = _nearest(found, rows.path)
            if not rows.test or (
                any(not each[1].test for each in found) and not any(each[1].path == rows.path for each in found)
            ):
                found = [each for each in found if not each[1].test]
            if sender.space == "type" and not found:
                found = self._of_bus.get(_last(name), [])
                found, whole = [each for each in found if rows.test or not each[1].test], False
            takers = tuple(dict.fromkeys((taker.handler, of.path, of.test) for taker, of in found))
            broadcast = sender.space in BROADCAST
            if len(takers) > (MOST_LISTENERS if broadcast else MOST_TAKERS):
                takers = ()
            yield Taken(sender, name, takers, whole and (broadcast or len(takers) == 1))

    def _declared(self, sender: Sender, name: str, path: str) -> Iterable[Taken]:
        """What a method of a struct serves, as it is declared."""
        struct, _, method = name.rpartition("/")
        for service in sorted(self._structs.get(struct, ())):
            known = f"{service.lower()}/{method.replace('_', '').lower()}"
            found = _nearest(self.takers.get((DECLARED, known), []), path)
            takers = tuple(dict.fromkeys((taker.handler, of.path, of.test) for taker, of in found))
            if takers:
                yield Taken(sender._replace(space=DECLARED), known, takers, len(takers) == 1)
