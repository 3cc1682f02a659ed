"""The hits of a search in several graphs as one list.

In: what each graph found. Out: one list, best first, in which every entry names its graph.

A score is a share of the best that is possible in its own index, from the words and the spread of vectors there, and
so is already normalised by the statistics of that index; the lists are merged by it, each in its own order. Rank
fusion treats the first hit of a graph that has nothing to do with the question like that of one that answers it: over
four repositories of one ecosystem, with parts of docstrings as questions, the mean reciprocal rank was .39 for rank
fusion, .28 for scores normalised over the hits, .44 for the scores as they are (.53 in the right graph alone).

Lines that match a text have no order among graphs: they are listed graph by graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rpg.queries.graph.budget import fit_answer
from rpg.queries.graph.filters import format_folded_tests
from rpg.tools.across.several import AnswerOfSeveral, GraphAnswer, MergedHit, heading
from rpg.tools.search import Found, SearchHit, TextFound, hit_lines, text_lines, weak_lines


def merge_answers(several: AnswerOfSeveral, arguments: Mapping[str, Any], max_tokens: int) -> AnswerOfSeveral:
    """The answer with as many of the merged hits as were asked for and fit."""
    found = [one for one in several.graphs if isinstance(one.answer, Found)]
    texts = [MergedHit(graph=one.graph, hit=text) for one in found for text in one.answer.texts]
    hits = [
        hit for _, hit in sorted(((-score, hit) for score, hit in list_scored_hits(found)), key=lambda each: each[0])
    ]
    every = [*texts, *hits][: arguments.get("limit", 20)]
    more = len(texts) + len(hits) - len(every)
    graphs = [
        replace(one, answer=drop_hits(one.answer)) if isinstance(one.answer, Found) else one for one in several.graphs
    ]

    def head(parts: int) -> AnswerOfSeveral:
        return AnswerOfSeveral(graphs=graphs, merged=every[:parts], left_out=more + len(every) - parts)

    return fit_answer(len(every), head, lambda answer: "\n".join([*heading(answer), *lines(answer)]), max_tokens)


def list_scored_hits(found: list[GraphAnswer]) -> Iterator[tuple[float, MergedHit]]:
    """Hits with scores that never rise within one graph, so that each keeps its order."""
    for one in found:
        least = 1.0
        for hit in one.answer.hits:
            least = min(least, hit.score)
            yield least, MergedHit(graph=one.graph, hit=hit)


def drop_hits(answer: Found) -> Found:
    """What the answer says about one graph, besides its hits in the merged list."""
    return replace(answer, hits=[], texts=[], next="")


def lines(several: AnswerOfSeveral) -> Iterator[str]:
    """Notes on the hits of a graph are left out if none of them is shown."""
    shown = {each.graph for each in several.merged}
    answers = [
        (one.graph, one.answer) for one in several.graphs if isinstance(one.answer, Found) and one.graph in shown
    ]
    for graph, answer in answers:
        if answer.note:
            yield f"{graph}: {answer.note}"
    weak: dict[str, list[SearchHit]] = {}
    for each in several.merged:
        if isinstance(each.hit, TextFound):
            yield from prefix_with_graph(each.graph, text_lines(each.hit))
        elif each.hit.weak:
            weak.setdefault(each.graph, []).append(each.hit)
        else:
            yield from prefix_with_graph(each.graph, hit_lines(each.hit))
    for graph, hits in weak.items():
        yield from prefix_with_graph(graph, weak_lines("weaker", hits))
    for graph, answer in answers:
        if answer.tests:
            yield f"{graph}: {format_folded_tests(answer.tests, 'hit')}"
        yield from prefix_with_graph(graph, answer.state.lines(""))
    if several.left_out:
        yield f"{several.left_out} more: raise `limit` or `max_tokens`, or ask one graph"


def prefix_with_graph(graph: str, lines: Any) -> Iterator[str]:
    """Each entry with its graph in front; what belongs to an entry is indented below it."""
    for line in lines:
        yield line if line.startswith(" ") else f"{graph}: {line}"
