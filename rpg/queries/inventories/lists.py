"""The lists that `stats` offers, and which part of a list an answer shows.

In: an index, the name of a list, a filter. Out: entries. A list is computed once, until the index changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from rpg.queries.graph.filters import Filter
from rpg.queries.graph.memo import memoize
from rpg.queries.inventories.entry import Entry

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


def routes(index: Index) -> list[Entry]:
    from rpg.queries.inventories.reading import Code
    from rpg.queries.inventories.routes.annotated import find_annotated_routes
    from rpg.queries.inventories.routes.django import django_routes
    from rpg.queries.inventories.routes.kept import kept_routes
    from rpg.queries.inventories.routes.laravel import laravel_routes
    from rpg.queries.inventories.routes.rails import rails_routes
    from rpg.queries.inventories.routes.router_calls import router_routes

    code = Code(index)
    called = [*router_routes(code), *django_routes(code), *find_annotated_routes(code)]
    found = [*called, *laravel_routes(code), *rails_routes(code), *kept_routes(index)]
    entries = {(each.name, each.kind, each.handler, *each.places): each for each in found}
    return sorted(entries.values(), key=lambda each: (each.test, each.name, each.kind))


def commands(index: Index) -> list[Entry]:
    from rpg.queries.inventories.commands import commands
    from rpg.queries.inventories.reading import Code

    return commands(Code(index))


def tasks(index: Index) -> list[Entry]:
    from rpg.queries.inventories.reading import Code
    from rpg.queries.inventories.registrations import tasks

    return tasks(Code(index))


def signals(index: Index) -> list[Entry]:
    from rpg.queries.inventories.reading import Code
    from rpg.queries.inventories.registrations import signals

    return signals(Code(index))


def models(index: Index) -> list[Entry]:
    from rpg.queries.inventories.reading import Code
    from rpg.queries.inventories.registrations import models

    return models(Code(index))


def messages(index: Index) -> list[Entry]:
    from rpg.queries.inventories.messages import messages

    return messages(index)


def environment(index: Index) -> list[Entry]:
    from rpg.queries.inventories.environment import environment
    from rpg.queries.inventories.reading import Code

    return environment(Code(index))


def api(index: Index) -> list[Entry]:
    from rpg.queries.inventories.api import api
    from rpg.queries.inventories.reading import Code

    return api(Code(index))


def packages(index: Index) -> list[Entry]:
    from rpg.queries.inventories.packages import packages

    return packages(index)


LISTS: dict[str, Callable[[Index], list[Entry]]] = {
    "routes": routes,
    "commands": commands,
    "tasks": tasks,
    "signals": signals,
    "models": models,
    "messages": messages,
    "environment": environment,
    "api": api,
    "packages": packages,
}


_ROUTE = re.compile(r"([A-Z]+) +(/\S*)")
_NAME = re.compile(r"[\w-]+(?:[.:/-][\w-]+)+")
"""What no symbol is called as a whole."""
_PART = re.compile(r"\{[^}/]*\}|<[^>/]*>|:\w+")
_MOST_NAMED = 5
_EVERY = frozenset({"", "ANY", "ALL"})


def find_handlers(index: Index, written: str) -> list[str]:
    """The symbols that handle a request as people write one, `GET /users/{id}`, whatever its parts are called, or that
    take what is sent by a name, `orders.placed`. Empty if it is not written so, or there is no such route or name."""
    request = _ROUTE.fullmatch(written.strip())
    if request is None:
        from rpg.queries.inventories.messages import find_handlers

        return find_handlers(index, written) if _NAME.fullmatch(written) else []
    method, path = request[1], _PART.sub("{}", request[2])
    every = memoize(index, "inventory routes", lambda: routes(index))
    handlers = [
        each.handler
        for each in every
        if each.handler and _PART.sub("{}", each.name) == path and _takes(each.kind, method)
    ]
    return list(dict.fromkeys(handlers))


def describe_unseen(index: Index, written: str) -> str:
    """What a list of the uses of a route or a message cannot have, counted; empty if there is nothing."""
    if _ROUTE.fullmatch(written.strip()) is None:
        from rpg.queries.inventories.messages import count_unnamed

        number = count_unnamed(index) if _NAME.fullmatch(written) else 0
        places = "1 place sends" if number == 1 else f"{number} places send"
        return f"{places} by a name that is not known before the program runs" if number else ""
    from rpg.queries.inventories.stated_contracts import read_contracts

    return format_unseen(read_contracts(index).unseen_requests())


def format_unseen(places: list[tuple[str, int]]) -> str:
    if not places:
        return ""
    named = ", ".join(f"{path}:{line}" for path, line in places[:_MOST_NAMED])
    more = f" and {len(places) - _MOST_NAMED} more" if len(places) > _MOST_NAMED else ""
    sent = "1 request is" if len(places) == 1 else f"{len(places)} requests are"
    return f"{sent} sent to an address that is not known before the program runs, and in no list: {named}{more}"


def _takes(methods: str, method: str) -> bool:
    named = set(re.split(r"\W+", methods.upper()))
    return method in named or method in _EVERY or not named.isdisjoint(_EVERY)


def inventory(index: Index, of: str, name: str, wanted: Filter) -> list[Entry]:
    """The entries of a list in part of a repository whose name, handler or kind contains `name`; if there are any, only
    those with exactly that name."""
    found = memoize(index, f"inventory {of}", lambda: LISTS[of](index))
    if name:
        exact = [each for each in found if each.name == name]
        folded = name.lower()
        found = exact or [each for each in found if folded in f"{each.kind} {each.name} {each.handler}".lower()]
    return [
        kept_places
        for each in found
        if (kept_places := _within(each, wanted)) is not None
    ]  # fmt: skip


def _within(entry: Entry, wanted: Filter) -> Entry | None:
    """The entry with the places that the filter admits; None if there are none."""
    if not entry.places:
        return entry if wanted.admits(entry.handler.partition("::")[0], entry.test) else None
    places = [place for place in entry.places if wanted.admits(place.rpartition(":")[0], entry.test)]
    if not places:
        return None
    if len(places) == len(entry.places):
        return entry
    from dataclasses import replace

    return replace(entry, places=places)
