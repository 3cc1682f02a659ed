"""What a model writes that is too small to choose: one sentence for each excerpt.

In: evidence, whose symbols the ranking chose and whose order the graph knows; a model. Out: sentences, each about one
symbol, with its citations, and who calls whom as the graph has it. The model sees one excerpt at a time, and a grammar
lets it write nothing but one predicate in lower-case words and names of the excerpt. Of several predicates the one is
taken that has most ground (ground.py), without what it adds in a second clause; if none has any, the symbol is passed
over.

Absent: the question. A model of this size repeats a question instead of reading the code.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.models.answerer import Answerer, Finished, Message, Sampling, Text
from rpg.queries.answer import evidence_weights as weights
from rpg.queries.answer.call_order import calls_between, flow
from rpg.queries.answer.citations import Lines
from rpg.queries.answer.evidence import Evidence
from rpg.queries.answer.excerpt_choice import Piece
from rpg.queries.answer.ground import Grounds, grounds, is_alike
from rpg.queries.answer.prompt import fence_for, fill_template, literal, template
from rpg.text.features import VERBS
from rpg.text.words import distinct_terms

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

Report = Callable[[str, int, int], None]

TEMPLATE: Final = "retelling.txt"
SUBJECT: Final = "It "
GRAMMAR: Final = r"""
root ::= "{subject}" verb (gap word){{{fewest},{most}}} "."
gap ::= " " | ", "
verb ::= {verbs}
word ::= [a-z] [a-z]{{0,15}} ([-'] [a-z]{{1,12}})? | name
name ::= {names}
"""
IDENTIFIER: Final = re.compile(r"(?<![\w.'-])[^\W\d]\w*")
DIGRESSION: Final = re.compile(
    r",? (?:which|who|where|while|so|but|allowing|making|ensuring|enabling|in order|such as|like)\b"
    r"|, (?:and )?(?:it|then|that|this|is|are|the)\b"
)
"""What follows is seldom in the code."""
ABBREVIATION: Final = re.compile(r"[A-Z]{2,5}s?")
OF_CODE: Final = re.compile(r"_|[a-z0-9][A-Z]|^[A-Z]")
VAGUE: Final = frozenset(
    "allow do enable get give go has have help is issue let look make provide represent take".split()
)
"""Verbs after which a small model tells of code in general, and one that it makes of `is`."""
SAMPLES: Final = (
    Sampling(0.0, 1, weights.REPETITION),
    Sampling(weights.VARIED, 1, weights.REPETITION),
    Sampling(weights.VARIED, 2, weights.REPETITION),
)


class Run(NamedTuple):
    """Lines of an excerpt, and what stands there."""

    lines: Lines
    text: str


class Sentence(NamedTuple):
    piece: Piece
    text: str
    """With its citations."""
    cited: tuple[Lines, ...]
    terms: frozenset[str]


@dataclass
class Retold:
    sentences: list[Sentence] = field(default_factory=list)
    is_cut: bool = False
    """Whether it was stopped before every excerpt was read."""
    prompt_tokens: int = 0
    tokens: int = 0
    prompt_seconds: float = 0.0
    seconds: float = 0.0

    @property
    def text(self) -> str:
        return "\n".join(sentence.text for sentence in self.sentences)

    @property
    def citations(self) -> list[Lines]:
        return list(dict.fromkeys(lines for sentence in self.sentences for lines in sentence.cited))

    def count(self, finished: Finished) -> None:
        self.prompt_tokens += finished.prompt_tokens - finished.kept_tokens
        self.tokens += finished.tokens
        self.prompt_seconds += finished.prompt_seconds
        self.seconds += finished.seconds


def retell(
    index: Index,
    evidence: Evidence,
    answerer: Answerer,
    report: Report,
    on_text: Callable[[str], None],
    cancelled: Callable[[], bool],
) -> Retold:
    """Stops when it is cancelled, with what there is so far. Raises MODEL_UNAVAILABLE and Interrupted."""
    told = order_pieces(index, tellable(evidence))
    callers = callers_of(index, told)
    retold = Retold()
    for number, piece in enumerate(told):
        if len(retold.sentences) == weights.SENTENCES:
            break
        if cancelled():
            retold.is_cut = True
            break
        report("reading the evidence", number, len(told))
        runs = fitting(answerer, piece)
        found = predicate(answerer, piece, runs, retold, cancelled)
        if found is None:
            continue
        written = build_sentence(
            piece, *found, [each for each in retold.sentences if each.piece in callers[piece.node.row]]
        )
        on_text(("\n" if retold.sentences else "") + written.text)
        retold.sentences.append(written)
    retold.is_cut = retold.is_cut or cancelled()
    return retold


def tellable(evidence: Evidence) -> list[Piece]:
    """The best excerpts of code that show the name of what they are about."""
    best = sorted(evidence.pieces, key=lambda piece: -piece.candidate.score)
    code = [
        piece
        for piece in best
        if piece.node.kind in CLASS_KINDS | FUNCTION_KINDS
        and not piece.node.test
        and any(is_named(run, piece.node.name) for run in runs_of(piece))
    ]
    return code[: weights.EXCERPTS_TOLD]


def order_pieces(index: Index, pieces: Sequence[Piece]) -> list[Piece]:
    """`pieces`: the best first. Those that call one another together, callers before callees, the group of the best
    first."""
    by_row = {piece.node.row: piece for piece in pieces}
    groups: list[list[int]] = []
    for step in flow(index, [piece.node for piece in pieces]):
        if step.depth == 0:
            groups.append([])
        groups[-1].append(step.node.row)
    grouped = {row for group in groups for row in group}
    groups += [[row] for row in by_row if row not in grouped]
    rank = {row: number for number, row in enumerate(by_row)}
    groups.sort(key=lambda group: min(rank[row] for row in group))
    return [by_row[row] for group in groups for row in group]


def callers_of(index: Index, pieces: Sequence[Piece]) -> dict[int, list[Piece]]:
    by_row = {piece.node.row: piece for piece in pieces}
    found: dict[int, list[Piece]] = {row: [] for row in by_row}
    for caller, called in calls_between(index, {row: piece.node for row, piece in by_row.items()}).items():
        for row in called:
            found[row].append(by_row[caller])
    return found


def runs_of(piece: Piece) -> list[Run]:
    return [Run(lines, text) for lines, text in zip(piece.lines, piece.texts, strict=True)]


def is_named(run: Run, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", run.text) is not None


def fitting(answerer: Answerer, piece: Piece) -> list[Run]:
    """The excerpt cut at its end to what the model reads at once."""
    left = weights.EXCERPT_TOKENS
    found = []
    for run in runs_of(piece):
        lines = run.text.split("\n")
        sizes = [size + 1 for size in answerer.count(lines)]
        fit = 0
        while fit < len(lines) and left >= sizes[fit]:
            left -= sizes[fit]
            fit += 1
        if fit:
            start = run.lines.start
            found.append(Run(Lines(run.lines.path, start, start + fit - 1), "\n".join(lines[:fit])))
        if fit < len(lines):
            break
    return found


def predicate(
    answerer: Answerer, piece: Piece, runs: Sequence[Run], retold: Retold, cancelled: Callable[[], bool]
) -> tuple[str, list[Run], Grounds] | None:
    """The predicate with most ground, the runs that it stands on, and its words."""
    code = "\n…\n".join(run.text for run in runs)
    asked = messages(code, piece.node.name)
    rules = grammar(code, is_class=piece.node.kind in CLASS_KINDS)
    best: tuple[str, list[Run], Grounds] | None = None
    for sampling in SAMPLES:
        if cancelled():
            break
        written = ""
        for event in answerer.stream(
            asked, grammar=rules, max_tokens=weights.SENTENCE_TOKENS, sampling=sampling, cancelled=cancelled
        ):
            if isinstance(event, Text):
                written += event.text
            elif isinstance(event, Finished):
                retold.count(event)
        if not written.startswith(SUBJECT) or not written.endswith("."):
            continue
        text = DIGRESSION.split(written[len(SUBJECT) : -1], maxsplit=1)[0]
        found = standing_on(text, piece, runs)
        if found is None or any(is_alike(found[1].terms, each.terms) for each in retold.sentences):
            continue
        if best is None or found[1].worth > best[2].worth:
            best = (text, *found)
        if best[2].worth >= weights.WORTH_ENOUGH:
            break
    return best


def standing_on(text: str, piece: Piece, runs: Sequence[Run]) -> tuple[list[Run], Grounds] | None:
    """Few runs with the symbol's name and all words of the sentence that the excerpt has; None without ground."""
    whole = grounds(text, "\n".join(run.text for run in runs), piece.node.signature)
    named = next((run for run in runs if is_named(run, piece.node.name)), None)
    if whole is None or named is None or piece.node.name in IDENTIFIER.findall(text):
        return None
    chosen = [named]
    left = set(whole.held - distinct_terms(named.text))
    while left and len(chosen) < weights.RUNS_CITED:
        more = max(runs, key=lambda run: len(left & distinct_terms(run.text)))
        left -= distinct_terms(more.text)
        chosen.append(more)
    found = grounds(text, "\n".join(run.text for run in chosen), piece.node.signature)
    return None if found is None else (sorted(set(chosen), key=lambda run: run.lines), found)


def build_sentence(
    piece: Piece, text: str, runs: Sequence[Run], found: Grounds, callers: Sequence[Sentence]
) -> Sentence:
    """A sentence with its citations, after the caller that was told before, if its lines show the call."""
    name = piece.node.name
    cited = [run.lines for run in runs]
    begin = f"`{name}` "
    for caller in callers:
        called_by = caller.piece.node.name
        shown = next((run for run in runs_of(caller.piece) if is_named(run, called_by) and is_named(run, name)), None)
        if shown is not None and called_by != name:
            begin = f"`{called_by}` calls `{name}`, which "
            cited = list(dict.fromkeys([shown.lines, *cited]))
            break
    sentence = begin + mark_code_names(text)
    return Sentence(piece, f"{sentence} {' '.join(map(str, cited))}.", tuple(cited), found.terms)


def mark_code_names(text: str) -> str:
    """Names of code in backticks; an abbreviation is none."""

    def marked(match: re.Match[str]) -> str:
        return f"`{match[0]}`" if OF_CODE.search(match[0]) and not ABBREVIATION.fullmatch(match[0]) else match[0]

    return IDENTIFIER.sub(marked, text)


def messages(code: str, name: str) -> list[Message]:
    values: Mapping[str, str] = {"fence": fence_for(code), "code": code, "name": name}
    return [Message(role, fill_template(text, dict(values))) for role, text in template(TEMPLATE)]


def grammar(code: str, *, is_class: bool) -> str:
    """A function does something, a class may also be something. Words of prose, and the names in the excerpt that
    nobody would take for one."""
    names = " | ".join(map(literal, sorted(set(names_in(code))))) or '"it"'
    return GRAMMAR.format(
        subject=SUBJECT,
        verbs=verbs() + (' | "is"' if is_class else ""),
        fewest=weights.SENTENCE_WORDS[0],
        most=weights.SENTENCE_WORDS[1],
        names=names,
    ).strip()


@cache
def verbs() -> str:
    """Verbs of code as they follow `It`, grouped by their first letter: a grammar takes longer the more alternatives it
    has at once."""
    rests: defaultdict[str, list[str]] = defaultdict(list)
    for verb in sorted(VERBS - VAGUE):
        rests[verb[0]].append(f'"{third_person(verb)[1:]}"')
    return " | ".join(f'"{letter}" ({" | ".join(ends)})' for letter, ends in rests.items())


def third_person(verb: str) -> str:
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def names_in(code: str) -> Iterator[str]:
    for match in IDENTIFIER.finditer(code):
        if OF_CODE.search(match[0]) and len(match[0]) > 1 and not match[0].startswith("__"):
            yield match[0]
