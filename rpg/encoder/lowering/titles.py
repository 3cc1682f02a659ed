"""Symbols of tests that have a title: `it("adds", ...)`, `t.Run("empty", ...)`.

In: a walker and the text of a title. Out: a definition, named by the title (see rpg/text/titles.py). What counts as a
test is up to the language.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder.facts import SUITE, TEST, Definition
from rpg.encoder.lowering.walker import Walker
from rpg.text import titles

SOURCE_LIMIT: Final = 16 * titles.TITLE_LIMIT
"""Bytes of a title's source that are read."""


def define_titled(
    walker: Walker, title: str, is_suite: bool, parent: int, start: int, end: int, name_byte: int, body: int, head: str
) -> int:
    """The symbol of a test or of a group of tests. `head`: its signature up to the body, as written."""
    title = titles.clean(title) or "…"
    around = walker.definitions[walker.definition]
    if SUITE in around.flags or TEST in around.flags:
        qualified = titles.join_titles(around.qualified_name, title)
    else:
        qualified = walker.qualified(f'"{title}"')
    begin, doc = walker.documented(start)
    return walker.define(
        Definition(
            kind="function",
            name=f'"{title}"',
            qualified_name=qualified,
            parent=parent,
            start_byte=begin,
            end_byte=end,
            name_byte=name_byte,
            body_byte=body,
            signature=head,
            doc=doc,
            exported=False,
            flags=(SUITE if is_suite else TEST,),
        )
    )
