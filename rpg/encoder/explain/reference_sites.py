"""The references that stand in a line, as the resolver is given them.

In: a file's facts, a line, a name. Out: sites. What became of them is not known here.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rpg.encoder.explain.annotated_source import written
from rpg.encoder.facts import line_and_column
from rpg.encoder.operations import ATTRIBUTE, BYTE, CALL, CALLEE, NAME, PATH
from rpg.encoder.resolve.program.source_file import SourceFile


class Site(NamedTuple):
    number: int
    expression: int
    role: int
    definition: int

    def named(self, file: SourceFile) -> int:
        """The expression that bears the name."""
        code = file.code
        return code[self.expression + CALLEE] if code[self.expression] == CALL else self.expression


def sites(file: SourceFile, line: int, name: str) -> list[Site]:
    """References in a line by their name; where none bears it, those whose expression holds it."""
    facts, code = file.facts, file.code
    found: list[Site] = []
    others: list[Site] = []
    for at in range(0, len(facts.sites), 3):
        site = Site(at // 3, *facts.sites[at : at + 3])
        if line_and_column(facts, code[site.expression + BYTE])[0] != line:
            continue
        named = site.named(file)
        if (
            code[named] in (NAME, ATTRIBUTE, PATH)
            and file.strings[code[named + (2 if code[named] == NAME else 3)]] == name
        ):
            found.append(site)
        elif re.search(rf"(?<!\w){re.escape(name)}(?!\w)", written(facts, site.expression)):
            others.append(site)
    return found or others
