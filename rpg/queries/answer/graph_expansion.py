"""Expands from what search found and a question names, along the graph's edges, to what an answer needs.

In: a question and the symbols that search gives for it. Out: candidates, best first, each with its role, the reason for
including it, and the lines that matter. The question decides which edges are followed. No source is read here and
nothing is truncated.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.graph import CLASS_KINDS, FUNCTION_KINDS, POSSIBLE_VIAS
from rpg.queries.answer import evidence_weights as weights
from rpg.queries.answer.question_analysis import Question
from rpg.queries.graph.filters import is_beside
from rpg.queries.graph.nodes import Node, batches, nodes_by_row
from rpg.queries.graph.popularity import popularity
from rpg.queries.names.symbols import find_by_name
from rpg.queries.search.naming import names
from rpg.queries.search.order.question_order import standing
from rpg.stores.index.edge_reads import list_edges_at

if TYPE_CHECKING:
    from rpg.stores.index.index import Index


class Candidate(NamedTuple):
    node: Node
    score: float
    role: str
    """named, match, called, caller, used, user, base, derived, around, part."""
    why: str
    lines: frozenset[int] = frozenset()
    """Lines that matter besides those of `sites`."""
    seed: bool = False
    sites: tuple[str, ...] = ()
    """Where it names, or is named by, the symbols that led to it, as the index has them: hundreds are candidates for
    the dozens whose lines are read."""

    @property
    def marked(self) -> frozenset[int]:
        """All lines that matter."""
        return self.lines | lines_of(self.sites) if self.sites else self.lines


class Step(NamedTuple):
    kind: str
    out: bool
    """From source to target, or against the edge."""
    weight: float
    role: str
    why: str


CALLED = Step("calls", True, weights.CALLED, "called", "called by {}")
CALLER = Step("calls", False, weights.CALLER, "caller", "calls {}")
USED = Step("references", True, weights.USED, "used", "used by {}")
USER = Step("references", False, weights.USER, "user", "uses {}")
OVERRIDDEN = Step("overrides", True, weights.OVERRIDDEN, "base", "overridden by {}")
OVERRIDING = Step("overrides", False, weights.OVERRIDING, "derived", "overrides {}")
BASE = Step("inherits", True, weights.BASE, "base", "base of {}")
DERIVED = Step("inherits", False, weights.DERIVED, "derived", "derives from {}")

STEPS: Mapping[str, tuple[Step, ...]] = {
    "how": (CALLED, CALLER, USED, OVERRIDING, OVERRIDDEN, BASE),
    # A callee returns a value; callers and references set it.
    "where": (CALLED, CALLER, USED, USER, OVERRIDING, OVERRIDDEN),
    "who": (
        CALLER._replace(weight=weights.CALLER_ASKED),
        USER._replace(weight=weights.USER_ASKED),
        DERIVED._replace(weight=weights.DERIVED_ASKED),
        OVERRIDING,
    ),
    "breaks": (
        CALLER._replace(weight=weights.CALLER_ASKED),
        USER._replace(weight=weights.USER_ASKED),
        DERIVED._replace(weight=weights.DERIVED_ASKED),
        OVERRIDING,
    ),
}

OF_CLASSES = {"used": weights.NAMED_CLASS, "called": weights.CONSTRUCTED}
"""Factors by role, where the neighbour is a class."""
OUT_KINDS = tuple(sorted({step.kind for steps in STEPS.values() for step in steps if step.out}))
SUPPOSED_NAME = re.compile(r"[^\W\d]\w+(?:(?:\.|::|#)[^\W\d]\w*)*")


def candidates(index: Index, question: Question, likeness: Mapping[int, float]) -> list[Candidate]:
    """`likeness`: symbols by row with their similarity to the question, 0 to 1."""
    seeds = find_named(index, question)
    if question.asks in ("who", "breaks") and any(seed.role == "named" for seed in seeds.values()):
        found = users(index, question, seeds)
    else:
        found = diversify(weigh_candidates(index, surroundings(index, question, seeds, likeness)))
    return sorted(found.values(), key=lambda candidate: (-candidate.score, candidate.node.row))


def weigh_candidates(index: Index, found: Mapping[int, Candidate]) -> dict[int, Candidate]:
    """Questions in words are about the parts that the others depend on, and seldom about examples and tools; what
    answers them is code that does something."""
    used = popularity(index, found)
    return {
        row: candidate
        if candidate.role == "named"
        else set_score(candidate, candidate.score * standing(candidate.node, used[row]) * substance(candidate.node))
        for row, candidate in found.items()
    }


def substance(node: Node) -> float:
    """A factor: how much of an answer a symbol may hold. A few lines pass a call on, and a class or a constant says
    that there is something, not what it does."""
    lines = min(node.end_line - node.start_line + 1, weights.FULL_LENGTH)
    runs = 1.0 if node.kind in FUNCTION_KINDS else weights.RUNS_NOTHING
    return runs * float((lines / weights.FULL_LENGTH) ** weights.LENGTH_POWER)


def diversify(found: Mapping[int, Candidate]) -> dict[int, Candidate]:
    """The tenth implementation of one method, or the tenth method that only passes on a call, explains less than the
    first."""
    names: Counter[str] = Counter()
    brief: Counter[int] = Counter()
    out = {}
    for candidate in sorted(found.values(), key=lambda candidate: (-candidate.score, candidate.node.row)):
        node = candidate.node
        more = max(0, names[node.name] - weights.NAMESAKES_IN_FULL)
        names[node.name] += 1
        if node.parent is not None and node.kind in FUNCTION_KINDS and is_brief(node):
            more += max(0, brief[node.parent] - weights.NAMESAKES_IN_FULL)
            brief[node.parent] += 1
        out[node.row] = set_score(candidate, candidate.score * weights.NAMESAKE**more) if more else candidate
    return out


def set_score(candidate: Candidate, score: float) -> Candidate:
    """The candidate with another score. Hundreds are scored for the dozens that are shown, and `_replace` is slow."""
    return Candidate(
        candidate.node, score, candidate.role, candidate.why, candidate.lines, candidate.seed, candidate.sites
    )


def is_brief(node: Node) -> bool:
    return node.end_line - node.name_line <= weights.BRIEF


def users(index: Index, question: Question, seeds: dict[int, Candidate]) -> dict[int, Candidate]:
    """What depends on the named symbols, hop by hop."""
    found = dict(seeds)
    frontier = list(seeds.values())
    surveyed = Surveyed(index)
    for _ in range(weights.HOPS[question.asks]):
        fresh = [
            candidate
            for candidate in find_neighbours(surveyed, question, frontier, {})
            if candidate.node.row not in found or candidate.marked - found[candidate.node.row].marked
        ]
        for candidate in fresh:
            found[candidate.node.row] = merge_candidates(found.get(candidate.node.row), candidate)
        frontier = fresh
    return found


def surroundings(
    index: Index, question: Question, seeds: dict[int, Candidate], likeness: Mapping[int, float]
) -> dict[int, Candidate]:
    """The similar symbols, and what surrounds them in the graph."""
    found = dict(seeds)
    surveyed = Surveyed(index)
    for row, node in surveyed.nodes(likeness).items():
        if row not in found:
            found[row] = Candidate(node, likeness[row], "match", "", seed=True)
        elif found[row].role == "match":
            found[row] = found[row]._replace(score=found[row].score + likeness[row])
    base = dict(found)
    for _ in range(weights.HOPS[question.asks]):
        lenders = sorted(found.values(), key=lambda candidate: (-candidate.score, candidate.node.row))[
            : weights.LENDERS
        ]
        for candidate in find_neighbours(surveyed, question, lenders, base):
            known = base.get(candidate.node.row)
            found[candidate.node.row] = candidate if known is None else raise_score(known, candidate)
    for candidate in classes_around(index, found):
        found[candidate.node.row] = merge_candidates(found.get(candidate.node.row), candidate)
    return found


def raise_score(known: Candidate, fresh: Candidate) -> Candidate:
    """A similar symbol next to another one keeps its reason and gains weight."""
    return known._replace(
        score=known.score + weights.BESIDE * fresh.score, sites=known.sites + fresh.sites, why=known.why or fresh.why
    )


def find_named(index: Index, question: Question) -> dict[int, Candidate]:
    found = find_supposed(index, question)
    for name, score in [
        *((name, weights.NAMED) for name in question.names),
        *((word, weights.CAPITAL) for word in question.capitals),
    ]:
        nodes = find_by_name(index, name)
        why = "named in the question"
        if score == weights.CAPITAL:
            nodes = [node for node in nodes if node.name == name and node.kind in CLASS_KINDS | FUNCTION_KINDS]
        elif not nodes:
            spelled = nearly(index, name)
            nodes = find_by_name(index, spelled) if spelled else []
            why = f"{name} is read as it"
        nodes = [node for node in nodes if not node.test] or nodes
        nodes = list({node.id.partition("~")[0]: node for node in nodes}.values())
        if len(nodes) <= weights.NAMESAKES:
            for node in nodes:
                found[node.row] = Candidate(node, score, "named", why, seed=True)
    return found


def find_supposed(index: Index, question: Question) -> dict[int, Candidate]:
    """The symbols whose names are among the words of the code that came with the question."""
    found: dict[int, Candidate] = {}
    for name in dict.fromkeys(SUPPOSED_NAME.findall(question.in_code)):
        nodes = [
            node
            for node in find_by_name(index, name)
            if not node.test and node.kind in CLASS_KINDS | FUNCTION_KINDS and not is_beside(node.path)
        ]
        if len(nodes) <= weights.NAMESAKES:
            for node in nodes:
                found.setdefault(node.row, Candidate(node, weights.SUPPOSED, "match", "named by terms", seed=True))
    return found


def nearly(index: Index, name: str) -> str:
    """The one name that this can be a misspelling of; empty if there is none or more than one."""
    like = names.find_similar_names(index, re.split(r"\W+", name)[-1])
    close = [each for each in like if each.score >= weights.MISSPELLED and each.how in ("exact", "spelling", "typo")]
    return close[0].name if close and (len(close) == 1 or close[0].score > close[1].score) else ""


class Surveyed:
    """The part of the graph that a question has read: each hop covers much of what the hop before covered."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._nodes: dict[int, Node] = {}
        self._edges: dict[tuple[str, bool], dict[int, list[Around]]] = defaultdict(dict)
        """By kind and direction, then by row."""

    def nodes(self, rows: Iterable[int]) -> dict[int, Node]:
        wanted = list(rows)
        self._nodes |= nodes_by_row(self.index, [row for row in wanted if row not in self._nodes])
        return {row: self._nodes[row] for row in wanted if row in self._nodes}

    def edges(self, step: Step, rows: Iterable[int]) -> list[Around]:
        """In the order of rows."""
        wanted = sorted(rows)
        known = self._edges[step.kind, step.out]
        near, far = ("source", "target") if step.out else ("target", "source")
        # All edges of a symbol are stored together, and after one kind is followed the others soon are.
        kinds = OUT_KINDS if step.out else (step.kind,)
        for batch in batches([row for row in wanted if row not in known]):
            for kind in kinds:
                self._edges[kind, step.out].update((row, []) for row in batch)
            for row, other, via, sites, kind in list_edges_at(self.index, near, far, batch, kinds):
                self._edges[kind, step.out][row].append((row, other, via, sites))
        return [edge for row in wanted for edge in known[row]]


Around = tuple[Any, ...]
"""An edge as seen from one end: row, row of the other end, via, sites."""


class Loan(NamedTuple):
    """What one candidate passes to one neighbour."""

    amount: float
    step: Step
    lender: Candidate
    sites: str


def find_neighbours(
    surveyed: Surveyed, question: Question, lenders: Iterable[Candidate], base: Mapping[int, Candidate]
) -> list[Candidate]:
    """The neighbours of some candidates, with the score passed to them. The strongest contributor gives the reason."""
    sources = {candidate.node.row: candidate for candidate in lenders if not candidate.node.is_file}
    directed = question.asks in ("who", "breaks")
    shares: dict[int, float] = {}
    if directed:
        loans_by_row = loans(surveyed, question, sources)
    else:
        faint = weights.FAINT * max((lender.score for lender in sources.values()), default=0.0)
        loans_by_row = temper_loans(surveyed, question, sources, faint)
        loans_by_row = {
            row: offers
            for row, offers in loans_by_row.items()
            if row in base or together([loan.amount for loan in offers]) >= faint
        }
        shares = unpopularity(surveyed.index, loans_by_row)
    fresh = []
    for row, node in surveyed.nodes(loans_by_row).items():
        if node.holds_files:
            continue
        offers, share = loans_by_row[row], shares.get(row, 1.0)
        amounts = [loan.amount * (share if loan.step.out else 1.0) for loan in offers]
        if node.kind in CLASS_KINDS:
            amounts = [
                amount * OF_CLASSES.get(loan.step.role, 1.0) for loan, amount in zip(offers, amounts, strict=True)
            ]
        best, most = offers[0], amounts[0]
        if len(offers) > 1:
            most = max(amounts)
            best = min(
                (loan for loan, amount in zip(offers, amounts, strict=True) if amount == most),
                key=lambda loan: loan.lender.node.row,
            )
        amount = most if directed else together(amounts)
        amount *= (weights.IN_TESTS if node.test else 1.0) * (weights.TOP_LEVEL if node.is_file else 1.0)
        if not directed and row not in base:
            amount *= weights.ALIEN
        # The lines of a caller are in the caller; those of a callee are in its caller.
        read = tuple(loan.sites for loan in offers if not loan.step.out)
        why = best.step.why.format(best.lender.node.label)
        fresh.append(Candidate(node, amount, best.step.role, why, sites=read))
    return fresh


Loans = dict[int, list[Loan]]
"""By row of the neighbour."""


def loans(surveyed: Surveyed, question: Question, sources: Mapping[int, Candidate]) -> Loans:
    loans_by_row: Loans = defaultdict(list)
    for step in STEPS[question.asks]:
        amounts = {row: lender.score * step.weight for row, lender in sources.items()}
        lend(loans_by_row, step, sources, amounts, surveyed.edges(step, sources))
    return loans_by_row


def temper_loans(surveyed: Surveyed, question: Question, sources: Mapping[int, Candidate], faint: float) -> Loans:
    """One of many users of a symbol says little about it, and so does one of many symbols that it uses."""
    loans_by_row: Loans = defaultdict(list)
    used = popularity(surveyed.index, sources)
    for step in STEPS[question.asks]:
        amounts = {row: lender.score * step.weight for row, lender in sources.items()}
        if step.out:
            found = surveyed.edges(step, sources)
            fan = Counter(row for row, _, _, _ in found)
            amounts = {row: amount / crowd(fan[row], weights.MANY) for row, amount in amounts.items()}
        else:
            amounts = {row: amount / crowd(used[row], weights.RARE) for row, amount in amounts.items()}
            # Thousands may use it; they are not read only to receive next to nothing.
            amounts = {row: amount for row, amount in amounts.items() if amount >= weights.NOTHING * faint}
            found = surveyed.edges(step, amounts)
        if step in (CALLED, OVERRIDING):
            amounts = {
                row: each * (weights.PASSES_ON if is_short(sources[row].node) else 1) for row, each in amounts.items()
            }
        lend(loans_by_row, step, sources, amounts, found)
    return loans_by_row


def lend(
    loans_by_row: Loans,
    step: Step,
    sources: Mapping[int, Candidate],
    amounts: Mapping[int, float],
    found: Iterable[Around],
) -> None:
    for row, other, via, sites in found:
        amount = amounts[row] * (weights.POSSIBLE if via in POSSIBLE_VIAS else 1.0)
        loans_by_row[other].append(Loan(amount, step, sources[row], sites))


def unpopularity(index: Index, rows: Iterable[int]) -> dict[int, float]:
    """The factor for each symbol: what everything uses explains little."""
    return {row: 1 / crowd(used, weights.COMMON) for row, used in popularity(index, rows).items()}


def together(amounts: Sequence[float]) -> float:
    """Several contributors count for more than one, but for less than their sum."""
    return math.hypot(*amounts)


def lines_of(sites: Iterable[str]) -> frozenset[int]:
    return frozenset(int(site.partition(":")[0]) for each in sites for site in each.split())


def is_short(node: Node) -> bool:
    return node.kind in FUNCTION_KINDS and node.end_line - node.start_line < weights.SHORT


def crowd(users: int, usual: int) -> float:
    return 1 + math.log2(max(1.0, users / usual))


def classes_around(index: Index, found: Mapping[int, Candidate]) -> list[Candidate]:
    members: dict[int, list[Candidate]] = defaultdict(list)
    for candidate in sorted(found.values(), key=lambda candidate: -candidate.score):
        if candidate.node.parent is not None and candidate.node.kind in FUNCTION_KINDS:
            members[candidate.node.parent].append(candidate)
    return [
        Candidate(node, score_class(members[row]), "around", f"class of {members[row][0].node.name}")
        for row, node in nodes_by_row(index, members).items()
        if node.kind in CLASS_KINDS
    ]


def score_class(members: Sequence[Candidate]) -> float:
    """The score of the class around these members, best first."""
    together = math.hypot(*(member.score for member in members))
    return min(weights.AROUND * together, weights.AROUND_MOST * members[0].score)


def merge_candidates(known: Candidate | None, fresh: Candidate) -> Candidate:
    """The better reason, and the lines of both."""
    if known is None:
        return fresh
    better = known if known.seed or known.score >= fresh.score else fresh
    both = known.lines | fresh.lines
    return better._replace(score=max(known.score, fresh.score), lines=both, sites=known.sites + fresh.sites)
