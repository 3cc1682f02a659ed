"""Uses of one graph's symbols in the other graphs of a call, through a package that one repository requires from
another, or by a request to a route that a symbol handles.

In: the queried graphs and the symbols that each found. Out: the answers, with the uses from other graphs. Files and
lines are those of the graph with the use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rpg.errors import RpgError
from rpg.queries.graph.filters import Filter, format_count
from rpg.queries.graph.nodes import Node, nodes
from rpg.queries.graph.sources import Sources
from rpg.queries.inventories.sent_across import SentAcross, find_sent, names_of
from rpg.queries.inventories.stated_contracts import read_contracts
from rpg.queries.names.notations import plain_path
from rpg.queries.packages.package_exports import Definer
from rpg.queries.packages.package_uses import PackageUse, package_uses
from rpg.queries.usages.usage_sites import USAGE_KINDS
from rpg.tools.across.several import NOTHING, READY, UNAVAILABLE, AnswerOfSeveral, GraphAnswer, UsesOfPackage, UsesThere
from rpg.tools.find_usages import FEW, FoundUsages, owners

if TYPE_CHECKING:
    from rpg.tools.calling.call import Call, View


def add_uses_across(
    several: AnswerOfSeveral, call: Call, arguments: Mapping[str, Any], paths: Sequence[Path]
) -> AnswerOfSeveral:
    kinds = tuple(arguments.get("kinds") or USAGE_KINDS)
    graphs = drop_texts(several.graphs)
    views: dict[int, View] = {}
    with ExitStack() as open_views:
        for number, path in enumerate(paths):
            if graphs[number].state != UNAVAILABLE:
                try:
                    views[number] = open_views.enter_context(call.view(str(path)))
                except RpgError:
                    continue  # its answer says what is wrong, or it has just been removed
        for at, view in views.items():
            answer = graphs[at].answer
            if not isinstance(answer, FoundUsages):
                continue
            definer = Definer(view.index)
            for node in (node for each in answer.symbols for node in nodes_of(view, each.symbol)):
                for number, other in views.items():
                    if number != at:
                        found = package_uses(definer, node, other.index, kinds)
                        graphs[number] = add_uses(graphs[number], graphs[at].graph, node, found, other, arguments)
                        if "calls" in kinds:
                            names = names_of(
                                view.index, graphs[at].graph, str(view.header.get("repository", {}).get("name", ""))
                            )
                            sent = find_sent(read_contracts(other.index), read_contracts(view.index), names, node.id)
                            graphs[number] = add_requests(
                                graphs[number], graphs[at].graph, node, list(sent), other, arguments
                            )
    return replace(several, graphs=graphs)


def drop_texts(graphs: Sequence[GraphAnswer]) -> list[GraphAnswer]:
    """If some graph defines the name, the others use it through a package, if at all: where they have it as a text is
    another question."""
    if not any(isinstance(one.answer, FoundUsages) and one.answer.symbols for one in graphs):
        return list(graphs)
    return [
        replace(one, state=NOTHING, hits=0, answer=None)
        if isinstance(one.answer, FoundUsages) and one.answer.texts and not one.answer.symbols
        else one
        for one in graphs
    ]


def nodes_of(view: View, symbol: str) -> list[Node]:
    path = symbol.partition("::")[0]
    return [node for node in nodes(view.index, "s.path = ? AND s.symbol = ?", (path, symbol)) if not node.test]


def add_uses(
    one: GraphAnswer, of: str, node: Node, found: list[PackageUse], view: View, arguments: Mapping[str, Any]
) -> GraphAnswer:
    within = Filter(
        plain_path(arguments.get("path", ""), view.folder), plain_path(arguments.get("exclude_path", ""), view.folder),
        {"fold": "all"}.get(tests := arguments.get("tests", "fold"), tests),
    )  # fmt: skip
    admitted = [use for use in found if within.admits(use.path, use.test)]
    if not admitted:
        return one
    sources = Sources(view.index.source)
    shown = [
        UsesThere(
            path=use.path, site=f"{use.line}:{use.column}", source=use.source, kind=use.kind, test=use.test,
            certain=use.is_certain, why=use.why, text=sources.line(use.path, use.line),
        )
        for use in admitted
    ]  # fmt: skip
    of_package = UsesOfPackage(graph=of, symbol=node.id, uses=sorted(shown, key=lambda use: (not use.certain, use.why)))
    return replace(one, state=READY, hits=one.hits + len(shown), uses=[*one.uses, of_package])


def add_requests(
    one: GraphAnswer, of: str, node: Node, found: list[SentAcross], view: View, arguments: Mapping[str, Any]
) -> GraphAnswer:
    uses = [
        PackageUse(each.path, each.line, each.column, each.source, "calls", each.is_certain, each.why, each.test)
        for each in found
    ]
    added = add_uses(one, of, node, uses, view, arguments)
    if added is one:
        return one
    *before, last = added.uses
    sent = replace(last, uses=[replace(use, through="request") for use in last.uses])
    return replace(added, uses=[*before, sent])


def lines(one: GraphAnswer) -> Iterator[str]:
    for each in one.uses:
        yield f"uses of {each.symbol} of graph {each.graph}: {format_count(len(each.uses), 'use')}"
        for (certain, why, through), group in groupby(each.uses, key=lambda use: (use.certain, use.why, use.through)):
            members = list(group)
            yield f"-- {'' if certain else 'possible '}via {through}: {why}"
            for path, uses in groupby(members, key=lambda use: f"{use.path}{'  (test)' if use.test else ''}"):
                listed = list(uses)
                if len(each.uses) > FEW:
                    yield f"{path}: {owners(((use.source, use.site) for use in listed), 'sites')}"
                else:
                    yield path
                    yield from (f"  {use.site}  {use.kind} {use.source}: {use.text}" for use in listed)
