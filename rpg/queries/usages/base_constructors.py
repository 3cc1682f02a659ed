"""Which constructors of subclasses run one that takes nothing, because they name none of their base.

In: a constructor, and the classes whose construction runs it. Out: the constructors of the classes below those, as
places. Only in languages that do so; where the constructor needs arguments, others must name it.
"""

from __future__ import annotations

import re

from rpg.encoder.languages import BY_NAME
from rpg.queries.graph.arguments_taken import find_numbers_taken
from rpg.queries.graph.families import is_constructor
from rpg.queries.graph.nodes import Node, batches
from rpg.queries.graph.sources import Sources
from rpg.queries.usages.usage_sites import UsageQuery, UsageSite
from rpg.stores.index.hierarchy_reads import list_methods_of_heirs


def find_constructors_below(question: UsageQuery, node: Node, built: list[Node]) -> list[UsageSite]:
    """`built`: the classes that the constructor makes, its own and those below it without one."""
    if not built or question.from_graph_only or node.language not in BY_NAME:
        return []
    rules = BY_NAME[node.language].rules
    names_other = rules.names_other_constructor
    named = "" if rules.constructors_are_named_like_classes else node.name
    if not names_other or not is_constructor(node) or find_numbers_taken(question.index, node)[0] > 0:
        return []
    bases = {each.row: each.name for each in built}
    sources = Sources(question.index.source)
    found = []
    for batch in batches(bases):
        for base, own, path, name, is_test, line, column, end in list_methods_of_heirs(
            question.index, batch, named, node.language, [*bases]
        ):
            if not question.filter.admits(path, is_test):
                continue
            text = "\n".join((sources.lines(path) or [])[line - 1 : end])[column - 1 :].partition(")")[2]
            if not re.search(names_other.replace("BASE", re.escape(bases[base])).replace("OWN", re.escape(own)), text):
                found.append(UsageSite("certain", is_test, path, "calls", "inherited", "", "", line, column, name))
    return found
