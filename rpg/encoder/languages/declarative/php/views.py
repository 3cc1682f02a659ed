"""Names of views: `view('books.show')`, `View::make('books.show')`, `@include('books.show')`, `<x-alert>`,
`$this->render('books/show.html.twig')`.

In: calls, strings, names in templates. Out: imports that name a file, which rules.py finds.

Absent: names that are computed, views of packages.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.facts import Import
from rpg.encoder.languages.declarative.php.callables import content, values_of
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_NAME: Final = re.compile(r"[\w-]+(?:[./:][\w-]+|::[\w-]+)*")
_FUNCTIONS: Final[dict[str, tuple[int, ...]]] = {"view": (0,)}
_STATIC: Final[dict[str, tuple[int, ...]]] = {
    "View::make": (0,), "View::exists": (0,), "View::first": (0,), "View::composer": (0,), "View::creator": (0,),
    "Route::view": (1,), "Response::view": (0,), "Mail::send": (0,), "Pdf::loadView": (0,), "PDF::loadView": (0,),
    "Blade::render": (),
}  # fmt: skip
_METHODS: Final[dict[str, tuple[int, ...]]] = {"view": (0,), "markdown": (0,), "loadView": (0,)}
_LABELS: Final = frozenset(("html", "markdown", "text", "view"))
"""Labels of arguments that are views (`new Content(view: 'mail.order')`)."""


def views(walker: DeclarativeWalker, node: Node) -> None:
    """The views that a call names."""
    arguments = node.child_by_field_name("arguments")
    if node.type == "function_call_expression":
        function = node.child_by_field_name("function")
        places = _FUNCTIONS.get(walker.source_of(function), ()) if function is not None else ()
    else:
        named, scope = node.child_by_field_name("name"), node.child_by_field_name("scope")
        name = walker.source_of(named) if named is not None else ""
        if scope is not None:
            places = _STATIC.get(f"{walker.source_of(scope).rpartition(chr(92))[2]}::{name}", ())
        else:
            places = _METHODS.get(name, ())
    if places:
        values = values_of(arguments)
        for at in places:
            if at < len(values):
                view(walker, values[at])


def view(walker: DeclarativeWalker, node: Node) -> None:
    """The view that a string names; of a list each."""
    if node.type == "array_creation_expression":
        for element in node.named_children:
            if element.named_child_count == 1:
                view(walker, element.named_children[0])
        return
    found = content(walker, node)
    if found is not None and _NAME.fullmatch(found[0]):
        name_view(walker, [found[0]], node.start_byte + 1)


def lower_labelled_view(walker: DeclarativeWalker, node: Node) -> None:
    """`view: 'mail.order'` among the arguments of what is made."""
    label = node.child_by_field_name("name")
    if label is not None and walker.source_of(label) in _LABELS and node.named_child_count == 2:
        view(walker, node.named_children[1])


def name_view(walker: DeclarativeWalker, names: list[str], byte: int) -> None:
    walker.imports.append(Import("\n".join(names), 0, byte, 0, "file"))
