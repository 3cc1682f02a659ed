"""What views, controllers and helpers of Rails have in common: the templates that `render` names, and the helpers that
every template sees.

In: a call of `render`, and a path. Out: files that it may name, of which the first that exists is meant.

Absent: templates that Rails finds by the name of an action, and by what is rendered (`render @stories`).
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.facts import Import
from rpg.encoder.languages.declarative.ruby.arguments import Written, option, options_of, positional, read_literal
from rpg.encoder.languages.declarative.ruby.inflection import constants
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_VIEW: Final = re.compile(r"((?:.*/)?views/)((?:[\w.-]+/)*)[\w-]+((?:\.\w+)*)\.(?:erb|haml|slim|builder|jbuilder)")
_CONTROLLER: Final = re.compile(r"((?:.*/)?app/)controllers/((?:\w+/)*\w+)_controller\.rb")
_APPLICATION: Final = re.compile(r"((?:.*/)?app/)\w+/.*\.rb")
_HELPER: Final = re.compile(r"(?:.*/)?helpers/.*\.rb")
_TEST: Final = re.compile(r"(?:^|/)(?:test|spec|features)/")
_NAME: Final = re.compile(r"/?[\w./-]+")
_FORMATS: Final = (".html", "", ".text", ".js", ".turbo_stream", ".json", ".xml", ".rss", ".atom")
_HANDLERS: Final = ("erb", "haml", "slim", "builder", "jbuilder", "rb")


def is_view(path: str) -> bool:
    return path.endswith((".erb", ".haml", ".slim", ".builder", ".jbuilder"))


def has_helpers(path: str) -> bool:
    """Whether every template sees the methods of the modules in a file."""
    return _HELPER.fullmatch(path) is not None and _TEST.search(path) is None


def controller_of(path: str) -> list[str]:
    """The class whose instance variables a template has, by its folder: a controller, or a mailer."""
    view = _VIEW.fullmatch(path)
    folder = view[2].rstrip("/") if view is not None else ""
    parts = constants("application" if folder == "layouts" else folder)
    if not parts or not all(part.isidentifier() for part in parts):
        return []
    if not folder.endswith("_mailer"):
        parts[-1] += "Controller"
    return parts


def render(walker: DeclarativeWalker, arguments: Node | None) -> None:
    """`render "stories/form"`, `render partial: "form"`, `render :edit`, `render template: "stories/edit"`"""
    path = walker.path
    view, controller = _VIEW.fullmatch(path), _CONTROLLER.fullmatch(path)
    application = _APPLICATION.fullmatch(path)
    if view is not None:
        root, folder, own_format = view[1], view[2], view[3]
    elif controller is not None:
        root, folder, own_format = f"{controller[1]}views/", f"{controller[2]}/", ""
    elif application is not None:
        root, folder, own_format = f"{application[1]}views/", "", ""
    else:
        return
    formats = (own_format, *_FORMATS) if own_format else _FORMATS
    parts, options = positional(arguments), options_of(walker, arguments)
    names: list[tuple[Written | None, bool]] = [
        (read_literal(walker, option(options, "partial")), True),
        (read_literal(walker, option(options, "template")), False),
        (read_literal(walker, option(options, "action")), False),
    ]
    if parts:
        names.append((read_literal(walker, parts[0]), view is not None or controller is None))
    for name, is_partial in names:
        if name is not None and _NAME.fullmatch(name.text) and ".." not in name.text:
            candidates = files_of(root, folder, name.text.lstrip("/"), is_partial, formats)
            if candidates:
                walker.imports.append(Import("\n".join(candidates), 0, name.byte, 0, "file"))


def files_of(root: str, folder: str, name: str, is_partial: bool, formats: tuple[str, ...]) -> list[str]:
    """The files that a name may mean, the likeliest first. A name without a folder is of the folder of who names it, or
    shared by all."""
    place, _, last = name.rpartition("/")
    if place:
        folders = [f"{root}{place}/"]
    elif folder:
        folders = [f"{root}{folder}", f"{root}application/"]
    else:
        return []
    stem = f"_{last}" if is_partial else last
    return [
        f"{each}{stem}{format}.{handler}"
        for each in folders
        for handler in _HANDLERS
        for format in dict.fromkeys(formats)
    ]
