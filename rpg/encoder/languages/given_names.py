"""The names that frameworks and generators make of a symbol's name, by the conventions of its language.

In: the kind and the name of a symbol. Out: other names, each with where it may stand for the symbol. What is resolved
to an edge needs none of this: these names are looked for where no edge says what they mean.

Absent: names that depend on more than the name, such as one in an annotation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

STRINGS, PAGES, OWN_CODE, ANYWHERE = "strings", "pages", "own code", "anywhere"
"""Strings and configuration; pages and templates too; code of the symbol's own languages too; all code too."""
MEMBERS: Final = frozenset(("field", "property", "method", "constant"))
VALUES: Final = frozenset(("field", "property", "constant"))
_ACCESSOR: Final = re.compile(r"(?:get|set|is|has)(?=[A-Z])")
_CONTROLLER: Final = re.compile(r"(?:^|/)controllers/(.+)_controller\.[jt]s\Z")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class Given(NamedTuple):
    name: str
    where: str


def find_identifier(path: str) -> str:
    """By what pages name the class of a script, in front of its methods: `shelf--composer#send`, of
    `controllers/shelf/composer_controller.js`. Empty for other files."""
    found = _CONTROLLER.search(path)
    return found[1].replace("/", "--").replace("_", "-") if found is not None else ""


def words_of(name: str) -> list[str]:
    """`user`, `name` of `userName`, `user_name` and `UserName`, in small letters."""
    return [part.lower() for each in name.split("_") for part in _HUMP.split(each) if part]


def camel(name: str) -> str:
    first, *rest = words_of(name) or [""]
    return first + "".join(each.capitalize() for each in rest)


def pascal(name: str) -> str:
    return "".join(each.capitalize() for each in words_of(name))


def snake(name: str) -> str:
    return "_".join(words_of(name))


def kebab(name: str) -> str:
    return "-".join(words_of(name))


def decapitalise(name: str) -> str:
    return name[:1].lower() + name[1:]


def spellings(name: str) -> Iterator[str]:
    """The same words as generators and converters of data write them."""
    for each in (camel(name), snake(name), pascal(name)):
        if each and each != name:
            yield each


def property_of(method: str) -> str:
    """The property that expressions read through an accessor: `name` of `getName`; empty for another method."""
    found = _ACCESSOR.match(method)
    return decapitalise(method[found.end() :]) if found is not None else ""


def remove_ending(name: str, *endings: str) -> str:
    """The name before one of the endings; empty if it has none of them, or is one."""
    return next((name.removesuffix(each) for each in endings if name.endswith(each) and name != each), "")


def names_of_beans(kind: str, name: str) -> tuple[Given, ...]:
    """What expressions and data call a member of a bean, and a container the bean of a class."""
    if kind in ("class", "enum", "interface", "struct"):
        return (Given(decapitalise(name), STRINGS),) if len(words_of(name)) > 1 and name[:1].isupper() else ()
    read = property_of(name) if kind in MEMBERS or kind == "function" else ""
    # As a word of plain language, it is too common among other names.
    return (Given(read, ANYWHERE if len(words_of(read)) > 1 else PAGES),) if read else ()
