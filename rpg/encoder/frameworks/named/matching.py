"""Which handlers a sender means.

In: the rows of all files, and what their texts say. Out: for each sender its handlers, and whether that is certain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from rpg.encoder.frameworks.named.grpc import ANY_SERVICE, DECLARED, GO_METHOD, OF_STRUCT, SERVED
from rpg.encoder.frameworks.named.tables import BROADCAST, EVENT_BUS, LISTENER, MADE
from rpg.encoder.frameworks.rows import FileRows, Handler, Sender
from rpg.encoder.frameworks.text import DEFAULT, ENVIRONMENT, OF, SAID, Text
from rpg.text.paths import count_shared_folders

MOST_HANDLERS: Final = 5
"""The most handlers of what one alone gets."""
MOST_LISTENERS: Final = 20
DIRECT: Final = "function"
"""The space where a symbol is passed that takes itself."""


SOCKET: Final = "socket"
_OF_SOCKETS: Final = frozenset("connect connection disconnect disconnecting error close open data end drain".split())
"""Events that the library sends itself."""
_OTHERWISE: Final = re.compile(r"(?<=\w):[^}]*\}$")
"""What a key of configuration is if it is not set: `${orders.topic:orders}`."""
_QUEUE: Final = re.compile(r"^https?://[\w.:-]+/\d+/|^arn:aws:\w+:[\w-]*:\d*:")
"""What stands in front of a queue's name in its address."""


class Delivery(NamedTuple):
    sender: Sender
    name: str
    """Empty if it is not known before the program runs."""
    handlers: tuple[tuple[str, str, bool], ...]
    """Symbol, path, whether it is a test's."""
    certain: bool


def _nearest(handlers: list[tuple[Handler, FileRows]], path: str) -> list[tuple[Handler, FileRows]]:
    """Of several copies of a declaration the one that is nearest to a file, or those that are."""
    if len(handlers) < 2:
        return handlers
    shared = [count_shared_folders(path, of.path) for _, of in handlers]
    return [each for each, parts in zip(handlers, shared, strict=True) if parts == max(shared)]


def _other_side(handlers: list[tuple[Handler, FileRows]], path: str) -> list[tuple[Handler, FileRows]]:
    """Of what takes an event, those of other programs than the one that sends it."""
    away = [each for each in handlers if each[1].path != path]
    shared = [count_shared_folders(path, of.path) for _, of in away]
    return [each for each, parts in zip(away, shared, strict=True) if parts == min(shared)]


def _last(name: str) -> str:
    """The name of a type without its place."""
    return re.split(r"[.:]", name)[-1]


class Names:
    def __init__(self, files: Iterable[FileRows], texts: dict[str, Text], text: Callable[[Text], Text]) -> None:
        self._texts, self._text = texts, text
        self.handlers: dict[tuple[str, str], list[tuple[Handler, FileRows]]] = {}
        for rows in files:
            for handler in rows.handlers:
                name, _ = self.name(handler.name)
                if name:
                    self.handlers.setdefault((handler.space, name), []).append((handler, rows))

        self._add_listeners()
        self._of_bus: dict[str, list[tuple[Handler, FileRows]]] = {}
        """What takes messages of other programs, by the name of their type."""
        for (space, name), handlers in self.handlers.items():
            if space == "type":
                bus = [each for each in handlers if each[0].library == EVENT_BUS]
                self._of_bus.setdefault(_last(name), []).extend(bus)
        self._structs: dict[str, set[str]] = {}
        """Go: the services that a struct serves, by its folder and name."""
        self._add_structs()
        self.methods: dict[tuple[str, str], set[str]] = {}
        """The services that have a method of a name."""
        for space, name in self.handlers:
            if space in (SERVED, DECLARED):
                self.methods.setdefault((space, name.partition("/")[2]), set()).add(name)

    def _add_listeners(self) -> None:
        """The methods of classes that a list names."""
        for (space, name), handlers in [*self.handlers.items()]:
            for handler, _ in handlers if space == LISTENER else ():
                own = self.handlers.get(("type", f"@{handler.symbol}"), [])
                known = self.handlers.setdefault(("type", name), [])
                known += [each for each in own if all(each[0].symbol != other.symbol for other, _ in known)]

    def _add_structs(self) -> None:
        """Go: the methods of the structs that serve."""
        services = self._structs
        for (space, struct), handlers in self.handlers.items():
            if space == OF_STRUCT:
                services[struct] = {handler.symbol for handler, _ in handlers}
        found: dict[tuple[str, str], list[tuple[Handler, FileRows]]] = {}
        for (space, name), handlers in self.handlers.items() if services else ():
            struct, _, method = name.rpartition("/")
            for service in sorted(services.get(struct, ())) if space == GO_METHOD else ():
                key = SERVED, f"{service.lower()}/{method.replace('_', '').lower()}"
                if (DECLARED, key[1]) in self.handlers:
                    found.setdefault(key, []).extend(handlers)
        for each, handlers in found.items():
            self.handlers.setdefault(each, []).extend(handlers)

    def name(self, text: Text) -> tuple[str, bool]:
        """A text as a name, and whether that is all that is meant."""
        if len(text) == 1 and text[0][0] == OF and text[0][1] not in self._texts:
            return f"@{text[0][1]}", True
        said = self._text(text)
        if said and all(kind == SAID for kind, _ in said):
            name = "".join(word for _, word in said)
            name = _OTHERWISE.sub("}", _QUEUE.sub("", name))
            return ("", False) if " " in name or "\n" in name else (name, "${" not in name and "{{" not in name)
        if said and said[0][0] == ENVIRONMENT and all(kind == DEFAULT for kind, _ in said[1:]):
            return f"${said[0][1]}", False
        return "", False

    def outcomes(self, rows: FileRows) -> Iterable[Delivery]:
        sent = {each.name for each in rows.senders if each.space == "type"}
        for sender in rows.senders:
            name, whole = self.name(sender.name)
            if sender.space == MADE:
                if sender.name not in sent:
                    yield from self._made(sender, name)
                continue
            if sender.space == DIRECT:
                if name.startswith("@") and "::" in name:
                    yield Delivery(sender, name, ((name[1:], name[1:].partition("::")[0], False),), True)
                continue
            if sender.space == GO_METHOD:
                yield from self._declared(sender, name, rows.path)
                continue
            if name.startswith(ANY_SERVICE + "/"):
                meant = self.methods.get((sender.space, name[2:]), set())
                name, whole = next(iter(meant)) if len(meant) == 1 else "", False
            found = self.handlers.get((sender.space, name), []) if name else []
            if sender.space == DECLARED:
                found = _nearest(found, rows.path)
            elif sender.space == SOCKET:
                found = [] if name in _OF_SOCKETS else _other_side(found, rows.path)
            elif sender.space == "stomp" and not found and name.count("/") > 1:
                found = self.handlers.get(("stomp", name[name.index("/", 1) :]), [])  # below the broker's prefix
            if not rows.test or (
                any(not each[1].test for each in found) and not any(each[1].path == rows.path for each in found)
            ):
                found = [each for each in found if not each[1].test]
            if sender.space == "type" and not found:
                found = self._of_bus.get(_last(name), [])
                found, whole = [each for each in found if rows.test or not each[1].test], False
            handlers = tuple(dict.fromkeys((handler.symbol, of.path, of.test) for handler, of in found))
            broadcast = sender.space in BROADCAST
            if len(handlers) > (MOST_LISTENERS if broadcast else MOST_HANDLERS):
                handlers = ()
            yield Delivery(sender, name, handlers, whole and (broadcast or len(handlers) == 1))

    def _made(self, sender: Sender, name: str) -> Iterable[Delivery]:
        """What possibly takes a message that is made here: who sends it is not said."""
        own = [each for each in self.handlers.get(("type", name), ()) if each[0].library == EVENT_BUS]
        found = [each for each in own or self._of_bus.get(_last(name), []) if not each[1].test]
        handlers = tuple(dict.fromkeys((handler.symbol, of.path, of.test) for handler, of in found))
        if 0 < len(handlers) <= MOST_LISTENERS:
            yield Delivery(sender, name, handlers, False)

    def _declared(self, sender: Sender, name: str, path: str) -> Iterable[Delivery]:
        """What a method of a struct serves, as it is declared."""
        struct, _, method = name.rpartition("/")
        for service in sorted(self._structs.get(struct, ())):
            known = f"{service.lower()}/{method.replace('_', '').lower()}"
            found = _nearest(self.handlers.get((DECLARED, known), []), path)
            handlers = tuple(dict.fromkeys((handler.symbol, of.path, of.test) for handler, of in found))
            if handlers:
                yield Delivery(sender._replace(space=DECLARED), known, handlers, len(handlers) == 1)
