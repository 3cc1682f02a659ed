"""How many arguments calls of a function have, as far as its signature says it.

In: an index, a function or method. Out: numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpg.encoder.languages import BY_NAME
from rpg.encoder.languages.project import NoFiles
from rpg.encoder.parsing.packing import unpack
from rpg.system.compression import decompress

if TYPE_CHECKING:
    from rpg.queries.graph.nodes import Node
    from rpg.stores.index.index import Index


def find_numbers_taken(index: Index, node: Node) -> tuple[int, int | None]:
    """The least and the largest number of arguments that a call of it has; None where there is no largest one."""
    from rpg.encoder.resolve import count_arguments_taken  # takes 0.1 s to import, and is seldom needed

    facts = index.facts(node.path)
    rules = BY_NAME[node.language].rules(NoFiles())
    if not facts or not rules.judges_arguments(node.path):
        return 0, None
    return count_arguments_taken(unpack(decompress(facts)), rules, node.start_line, node.qualified_name)


def find_numbers_of_name(index: Index, node: Node) -> tuple[int, int | None]:
    """The same of the numbers with which it is named, `halt/1`; any where the language names no function like that."""
    from rpg.encoder.resolve import count_parameters

    facts = index.facts(node.path)
    if not facts or BY_NAME[node.language].rules.overloads != "by number":
        return 0, None
    rules = BY_NAME[node.language].rules(NoFiles())
    return count_parameters(unpack(decompress(facts)), rules, node.start_line, node.qualified_name)
