"""The references in a line, as the resolver gets them.

In: a file's facts, a line, a name. Out: sites. Their outcomes are not known here.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.explain.annotated_source import format_expression
from rpg.encoder.facts import CREATED, RAISED, SITE_WORDS, line_and_column, strip_marks
from rpg.encoder.resolve.program.source_file import SourceFile


class Site(NamedTuple):
    number: int
    expression: int
    role: int
    definition: int

    def named(self, file: SourceFile) -> int:
        """The expression that has the name."""
        code = file.code
        return code[self.expression + op.CALLEE] if code[self.expression] == op.CALL else self.expression


def sites(file: SourceFile, line: int, name: str) -> list[Site]:
    """References in a line by their name; if none has it, those whose expression contains it."""
    facts, code = file.facts, file.code
    found: list[Site] = []
    others: list[Site] = []
    for at in range(0, len(facts.sites), SITE_WORDS):
        site = Site(at // SITE_WORDS, *facts.sites[at : at + SITE_WORDS])
        if code[site.expression] == op.CALL and site.role in (RAISED, CREATED):
            continue  # it only says what is done with the call, which has a separate site
        if line_and_column(facts, code[site.expression + op.BYTE])[0] != line:
            continue
        named = site.named(file)
        if (
            code[named] in (op.NAME, op.ATTRIBUTE, op.PATH)
            and strip_marks(file.strings[op.find_name_word(code, named)]) == name
        ):
            found.append(site)
        elif re.search(rf"(?<!\w){re.escape(name)}(?!\w)", format_expression(facts, site.expression)):
            others.append(site)
    return found or others
