"""Resources of Rails and Laravel: the routes to the actions of their controllers, and the name of one object.

In: a resource's name. Out: the actions of each framework; the name of one object, as far as endings tell.
"""

from __future__ import annotations

from typing import NamedTuple


class Action(NamedTuple):
    """A method of a resource's controller."""

    name: str
    methods: str
    is_of_one: bool
    """Whether its path is that of one object, else that of all of them."""
    behind: str = ""
    """What is behind that path."""


def _actions(form: str, create: str, update: str) -> tuple[Action, ...]:
    """`form` shows what `create` is sent; `update` is the HTTP methods of the action of that name."""
    return (
        Action("index", "GET", False),
        Action(form, "GET", False, form),
        Action(create, "POST", False),
        Action("show", "GET", True),
        Action("edit", "GET", True, "edit"),
        Action("update", update, True),
        Action("destroy", "DELETE", True),
    )


OF_RAILS = _actions("new", "create", "PATCH PUT")
OF_LARAVEL = _actions("create", "store", "PUT PATCH")


def singular(name: str) -> str:
    if name.endswith("ies"):
        return name[:-3] + "y"
    if name.endswith(("sses", "shes", "ches", "xes")):
        return name[:-2]
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name
