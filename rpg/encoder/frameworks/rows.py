"""The rows that contracts are made from. Each belongs to one file, and says by symbol id what it names elsewhere.

In: nothing. Out: types, and how they are stored for the next edit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from rpg.encoder.frameworks.text import OF, RETURNED, Text, read_call

ANY = "ANY"
THROUGH = -2
"""The parameter of a request that whoever calls its maker sends too: a method of a generated client."""
Site = tuple[int, int]
"""Line and column."""


class Route(NamedTuple):
    framework: str
    router: str
    """What it is registered on: a key of Router and Mount rows."""
    methods: str
    """HTTP methods, separated by blanks, or ANY."""
    path: Text
    handler: str
    """Symbol id: of what runs, or of what registers a handler without a name."""
    line: int
    named: bool
    """Whether the handler is a symbol of its own."""
    name: str = ""
    """What templates and helpers call it."""


class Router(NamedTuple):
    """A router, or another name of it."""

    key: str
    same_as: str
    """The key of the router that it is; empty if it is itself."""
    prefix: Text
    replaced: bool
    """Whether a prefix where it is mounted replaces its own."""


class Mount(NamedTuple):
    child: str
    parent: str
    path: Text
    certain: bool = True
    """Whether it is certain that it is this one that is mounted."""


class Client(NamedTuple):
    """What sends requests, by the id of the constant or field that holds it."""

    key: str
    library: str
    base: Text
    known: bool
    """Whether it says what its requests are relative to."""


class Request(NamedTuple):
    library: str
    client: str
    """The key of its client, where another file defines that; else empty."""
    member: str
    """The method that is called on such a client."""
    method: str
    base: Text
    has_base: bool
    """Whether it is known what its address is relative to, if to anything."""
    address: Text
    maker: str
    site: Site
    tests: bool
    """Whether a test function sends it."""
    in_tests: bool
    """Whether it is sent to the program under test."""
    knows_host: bool
    """Whether a path alone is sent to where the page came from."""
    parameter: int = -1
    """The position of the parameter of its maker that its address has a part of; -1 if it has of none, or THROUGH."""
    parameter_name: str = ""


class Passed(NamedTuple):
    """An address, or a part of one, that a function of the repository is passed, which may send to it."""

    target: str
    position: int
    text: Text
    method: str
    """The HTTP method that an object of options beside it says; empty if none does."""
    maker: str
    site: Site
    tests: bool
    certain: bool
    """Whether it is certain that it is this function."""


class Handler(NamedTuple):
    """What handles a message, a job or an event."""

    library: str
    space: str
    """What is sent in another space is not meant by the same name."""
    name: Text
    """Or a symbol, as the text that it has."""
    symbol: str
    line: int


class Sender(NamedTuple):
    """A place that sends one, or that starts what handles it."""

    library: str
    space: str
    name: Text
    maker: str
    site: Site
    tests: bool


class Setting(NamedTuple):
    """A place that sets a variable of the environment or a key of a program's configuration, or declares a table."""

    space: str
    name: str
    symbol: str
    """What the place belongs to: a service, a job, a file."""
    line: int
    by: str
    """The kind of file."""
    of: str
    """For which program, as words: `folder:`, `image:`, `name:`, `taken:`; empty: what lies around the file."""
    known: bool
    """Whether it is set for sure: no comment, nothing that only a build has."""
    url: str = ""
    """The value, if it is an address of a service."""


class Reading(NamedTuple):
    """A place that reads one."""

    space: str
    name: Text
    maker: str
    site: Site
    tests: bool
    by: str = ""
    """The kind of file, if it is no code."""
    parameter: int = -1
    """The position of the parameter that the name is; -1 if it is none."""
    through: str = ""
    """The function that is passed the name, as that parameter."""
    known: bool = True
    """Whether it is known that it reads one."""


class FileRows(NamedTuple):
    path: str
    test: bool
    serves: bool
    """Whether it may register routes; where no file may, there are no contracts."""
    routes: tuple[Route, ...] = ()
    routers: tuple[Router, ...] = ()
    mounts: tuple[Mount, ...] = ()
    clients: tuple[Client, ...] = ()
    requests: tuple[Request, ...] = ()
    texts: tuple[tuple[str, Text], ...] = ()
    """Constants by symbol id."""
    passed: tuple[Passed, ...] = ()
    takes: bool = False
    """Whether it may take messages; where no file may, none is looked for."""
    handlers: tuple[Handler, ...] = ()
    senders: tuple[Sender, ...] = ()
    settings: tuple[Setting, ...] = ()
    readings: tuple[Reading, ...] = ()

    def constants(self) -> set[str]:
        """The constants of any file that its texts name."""
        texts = [
            *(each.path for each in self.routes), *(each.prefix for each in self.routers),
            *(each.path for each in self.mounts), *(each.base for each in self.clients),
            *(text for each in self.requests for text in (each.base, each.address)), *(text for _, text in self.texts),
            *(each.text for each in self.passed), *(each.name for each in self.handlers),
            *(each.name for each in self.senders), *(each.name for each in self.readings),
        ]  # fmt: skip
        return {each for text in texts for each in _named_by(text)}


def _named_by(text: Text) -> Iterator[str]:
    for kind, word in text:
        if kind == OF:
            yield word
        elif kind == RETURNED:
            named, passed = read_call(word)
            yield named
            for each in passed:
                yield from _named_by(each)


def dump_rows(rows: FileRows) -> list[Any]:
    return [[tuple(row) for row in each] if isinstance(each, tuple) else each for each in rows]


def parse_rows(data: list[Any]) -> FileRows:
    """Raises what damaged data raises."""
    path, test, serves, routes, routers, mounts, clients, requests, texts, passed, *named = data
    return FileRows(
        path,
        test,
        serves,
        tuple(
            Route(each[0], each[1], each[2], _text(each[3]), each[4], each[5], each[6], each[7])
            for each in routes
        ),
        tuple(Router(each[0], each[1], _text(each[2]), each[3]) for each in routers),
        tuple(Mount(each[0], each[1], _text(each[2]), each[3]) for each in mounts),
        tuple(Client(each[0], each[1], _text(each[2]), each[3]) for each in clients),
        tuple(
            Request(
                each[0], each[1], each[2], each[3], _text(each[4]), each[5], _text(each[6]), each[7],
                (each[8][0], each[8][1]), each[9], each[10], each[11], each[12], each[13],
            )
            for each in requests
        ),
        tuple((id, _text(text)) for id, text in texts),
        tuple(
            Passed(each[0], each[1], _text(each[2]), each[3], each[4], (each[5][0], each[5][1]), each[6], each[7])
            for each in passed
        ),
        *_parse_named(*named),
    )  # fmt: skip


def _parse_named(
    takes: bool, handlers: list[Any], senders: list[Any], settings: list[Any], readings: list[Any]
) -> tuple[bool, tuple[Handler, ...], tuple[Sender, ...], tuple[Setting, ...], tuple[Reading, ...]]:
    return (
        takes,
        tuple(Handler(each[0], each[1], _text(each[2]), each[3], each[4]) for each in handlers),
        tuple(Sender(each[0], each[1], _text(each[2]), each[3], (each[4][0], each[4][1]), each[5]) for each in senders),
        tuple(Setting(each[0], each[1], each[2], each[3], each[4], each[5], each[6], each[7]) for each in settings),
        tuple(
            Reading(
                each[0], _text(each[1]), each[2], (each[3][0], each[3][1]), each[4], each[5], each[6], each[7], each[8]
            )
            for each in readings
        ),
    )


def _text(data: list[Any]) -> Text:
    return tuple((kind, word) for kind, word in data)
