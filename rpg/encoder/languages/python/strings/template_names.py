"""Filters and tags that Python registers for templates: `@register.filter`, `@register.simple_tag`,
`@app.template_filter("money")`.

In: the decorators of a function. Out: the names by which every template knows it.

Absent: what is registered by calls, `environment.filters["money"] = money`.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.languages.markup_names import symbol_of_pipe, symbol_of_tag
from rpg.encoder.languages.python.walker import PythonWalker

_REGISTERED: Final = re.compile(
    r"(?P<holder>[\w.]+)\.(?P<word>filter|simple_tag|simple_block_tag|inclusion_tag|tag|(?:app_)?template_(?:filter|global|test))"
    r"(?:\((?P<arguments>.*)\))?",
    re.DOTALL,
)
_LIBRARY: Final = re.compile(r"(?:^|[._])(?:register|library)$", re.IGNORECASE)
_FIRST: Final = re.compile(r"\s*(?:name\s*=\s*)?[\"'](\w+)[\"']")
_NAME: Final = re.compile(r"\bname\s*=\s*[\"'](\w+)[\"']")
_GLOBALS: Final = "globals"


def offer_to_templates(walker: PythonWalker, decorators: list[str], name: str, definition: int) -> None:
    """Lets templates see a function by the name that its decorators give it."""
    for text in decorators:
        found = _REGISTERED.fullmatch(text)
        if found is None:
            continue
        word = found["word"]
        if "template_" not in word and _LIBRARY.search(found["holder"]) is None:
            continue
        arguments = found["arguments"] or ""
        # The first argument of an inclusion tag is its template.
        given = _NAME.search(arguments) or (_FIRST.match(arguments) if word != "inclusion_tag" else None)
        shown = given[1] if given is not None else name
        known = symbol_of_pipe(shown) if word.endswith(("filter", "test")) else symbol_of_tag(shown)
        walker.bind(known, walker.definition_value(definition), 0, "", 0)
        walker.exports.setdefault(_GLOBALS, []).append(known)
