"""Pairs to vectors: one for each term, and how much the term counts in a question and in code.

A sentence and the code that it documents become sums of term vectors, scaled to length 1. Among the pairs of a batch
each sentence shall be nearest to its own code, and each code to its own sentence (softmax over the cosines of the
batch, both ways). Half of the batches are pairs of one tree: what tells two functions of one repository apart is what
search needs, and is harder than telling Rust from JavaScript.

In: pairs. Out: arrays. Seeded, one thread, numpy alone: the same bytes again on the same kind of machine.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rpg.stores.search.field_weights import VECTOR_WEIGHTS
from training.pairs import Levels, Pair

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]
Progress = Callable[[str], None]


class Settings(NamedTuple):
    dimensions: int = 128
    most_terms: int = 9_000
    """The file stays under 1.5 MB."""
    least_pairs: int = 2
    """Sentences and codes that a term must stand in, to be learned at all."""
    least_trees: int = 2
    """Trees that it must stand in: what one project alone calls something says nothing about others."""
    epochs: int = 4
    batch: int = 1024
    rate: float = 0.014
    """Of Adam, falling in a line."""
    sharpness: float = 14.0
    """Of the softmax, over cosines."""
    one_tree: float = 0.5
    """Share of the batches whose pairs come from one tree."""
    whole_doc: float = 0.5
    """Share of the batches that take the whole doc comment for the question: longer, and more like a bug report."""
    seed: int = 0


class Learned(NamedTuple):
    terms: list[str]
    vectors: Floats
    in_questions: Floats
    in_code: Floats
    loss: float


class Rows(NamedTuple):
    """Bags of terms, one after another: `starts` has where each begins. None is empty."""

    starts: Integers
    columns: Integers
    values: Floats

    def take(self, chosen: Integers) -> Rows:
        ends = np.append(self.starts, len(self.columns))
        lengths = ends[chosen + 1] - ends[chosen]
        starts = np.cumsum(lengths) - lengths
        at = np.arange(lengths.sum()) + np.repeat(ends[chosen] - starts, lengths)
        return Rows(starts, self.columns[at], self.values[at])


def learn(pairs: Sequence[Pair], settings: Settings, progress: Progress = lambda _: None) -> Learned:
    """Raises ValueError where there are too few pairs to learn from."""
    sentences = [question_weights(pair.sentence) for pair in pairs]
    codes = [code_weights(pair.code) for pair in pairs]
    terms = vocabulary(sentences, codes, [pair.source for pair in pairs], settings)
    number = {term: i for i, term in enumerate(terms)}
    known = [
        (pair, sentence, code)
        for pair, sentence, code in zip(pairs, sentences, codes, strict=True)
        if len(number.keys() & sentence.keys()) >= 2 and len(number.keys() & code.keys()) >= 2
    ]
    if len(known) < 2:
        raise ValueError(
            f"{len(known)} of {len(pairs)} documented definitions share words with others: name more trees"
        )
    progress(f"{len(known)} pairs, {len(terms)} terms")
    return _descend(
        terms,
        _rows([sentence for _, sentence, _ in known], number),
        _rows([question_weights({**pair.sentence, **pair.doc}) for pair, _, _ in known], number),
        _rows([code for _, _, code in known], number),
        [pair.source for pair, _, _ in known],
        settings,
        progress,
    )


def question_weights(counts: Mapping[str, int]) -> dict[str, float]:
    return {term: 1 + math.log(n) for term, n in counts.items()}


def code_weights(levels: Levels) -> dict[str, float]:
    """As `vector_part` of the index weighs them: logarithms of unit, class and file are added."""
    found: dict[str, float] = {}
    for fields in levels:
        level: dict[str, float] = {}
        for field, counts in fields.items():
            weight = VECTOR_WEIGHTS.get(field, 0.0)
            if weight:
                for term, n in counts.items():
                    level[term] = level.get(term, 0.0) + weight * (1 + math.log(n))
        for term, value in level.items():
            found[term] = found.get(term, 0.0) + math.log1p(value)
    return found


def vocabulary(
    sentences: Sequence[Mapping[str, float]],
    codes: Sequence[Mapping[str, float]],
    sources: Sequence[str],
    settings: Settings,
) -> list[str]:
    """Terms that stand on both sides often enough, sorted; where there are too many, those most frequent on both."""
    asked = Counter(term for each in sentences for term in each)
    coded = Counter(term for each in codes for term in each)
    trees: dict[str, set[str]] = {}
    for source, sentence, code in zip(sources, sentences, codes, strict=True):
        for term in sentence.keys() | code.keys():
            trees.setdefault(term, set()).add(source)
    least = settings.least_pairs
    shared = [
        term
        for term, n in asked.items()
        if n >= least and coded[term] >= least and len(trees[term]) >= settings.least_trees
    ]
    shared.sort(key=lambda term: (-asked[term] * coded[term], term))
    return sorted(shared[: settings.most_terms])


def _rows(file_terms: Sequence[Mapping[str, float]], number: Mapping[str, int]) -> Rows:
    starts: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    for term_counts in file_terms:
        starts.append(len(columns))
        for term in sorted(number.keys() & term_counts.keys()):
            columns.append(number[term])
            values.append(term_counts[term])
    return Rows(np.array(starts, np.int64), np.array(columns, np.int64), np.array(values, np.float32))


def _descend(
    terms: list[str],
    sentences: Rows,
    docs: Rows,
    codes: Rows,
    sources: Sequence[str],
    settings: Settings,
    progress: Progress,
) -> Learned:
    random = np.random.default_rng(settings.seed)
    scale = 1 / math.sqrt(settings.dimensions)
    vectors = (random.standard_normal((len(terms), settings.dimensions)) * scale).astype(np.float32)
    # Logarithms of the weights are what is learned, so that no weight falls below 0; they begin near idf.
    asked = _first_weights(sentences, len(terms))
    coded = _first_weights(codes, len(terms))
    adam = _Adam([vectors, asked, coded], settings.rate)
    loss = 0.0
    for epoch in range(settings.epochs):
        batches = list(_batches(sources, settings, random))
        losses = []
        for at, chosen in enumerate(batches):
            questions = docs if random.random() < settings.whole_doc else sentences
            question, code = questions.take(chosen), codes.take(chosen)
            each, gradients = _gradients(vectors, asked, coded, question, code, settings.sharpness)
            losses.append(each)
            adam.step(gradients, 1 - (epoch + at / len(batches)) / settings.epochs)
        loss = float(np.mean(losses))
        progress(f"epoch {epoch + 1} of {settings.epochs}: loss {loss:.3f}")
    return Learned(terms, vectors, np.exp(asked), np.exp(coded), loss)


def _first_weights(rows: Rows, terms: int) -> Floats:
    having = np.bincount(rows.columns, minlength=terms)
    return np.log(np.log(1 + len(rows.starts) / (having + 1)) / 3).astype(np.float32)


def _batches(sources: Sequence[str], settings: Settings, random: np.random.Generator) -> Iterator[Integers]:
    """As many pairs as there are, in random order: first share by share from one tree, the rest from all."""
    size = min(settings.batch, len(sources))
    total = len(sources) // size
    names = sorted(set(sources))
    tree_of = np.array([names.index(source) for source in sources])
    of_one_tree: list[Integers] = []
    for tree in range(len(names)):
        members = random.permutation(np.flatnonzero(tree_of == tree))
        of_one_tree += [members[at : at + size] for at in range(0, len(members) - size + 1, size)]
    wanted = min(len(of_one_tree), int(total * settings.one_tree))
    batches = [of_one_tree[i] for i in random.permutation(len(of_one_tree))[:wanted]]
    mixed = random.permutation(len(sources))
    batches += [mixed[at * size : (at + 1) * size] for at in range(total - wanted)]
    for i in random.permutation(len(batches)):
        yield batches[i]


def _gradients(
    vectors: Floats, asked: Floats, coded: Floats, question: Rows, code: Rows, sharpness: float
) -> tuple[float, list[Floats]]:
    """The loss of a batch, and its derivatives by vectors and by the logarithms of both weights."""
    question = question._replace(values=question.values * np.exp(asked[question.columns]))
    code = code._replace(values=code.values * np.exp(coded[code.columns]))
    of_question, of_code = vectors[question.columns], vectors[code.columns]
    q, q_length = _unit(np.add.reduceat(of_question * question.values[:, None], question.starts))
    c, c_length = _unit(np.add.reduceat(of_code * code.values[:, None], code.starts))
    likeness = sharpness * (q @ c.T)
    rows, columns = _softmax(likeness, 1), _softmax(likeness, 0)
    loss = -float(np.log(np.diagonal(rows) + 1e-9).mean())
    slope: Floats = ((rows + columns) / 2).astype(np.float32)
    np.fill_diagonal(slope, np.diagonal(slope) - 1)
    slope *= sharpness / len(slope)
    by_vectors = np.zeros_like(vectors)
    by_asked = _add_slopes(by_vectors, question, of_question, _through_length(slope @ c, q, q_length))
    by_coded = _add_slopes(by_vectors, code, of_code, _through_length(slope.T @ q, c, c_length))
    return loss, [by_vectors, by_asked, by_coded]


def _unit(sums: Floats) -> tuple[Floats, Floats]:
    lengths = np.linalg.norm(sums, axis=1, keepdims=True) + 1e-4
    return sums / lengths, lengths


def _softmax(values: Floats, axis: int) -> Floats:
    powers = np.exp(values - values.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)  # type: ignore[no-any-return]


def _through_length(slope: Floats, unit: Floats, length: Floats) -> Floats:
    """From derivatives by vectors of length 1 to those by the sums that they were made of."""
    return (slope - (slope * unit).sum(1, keepdims=True) * unit) / length  # type: ignore[no-any-return]


def _add_slopes(total: Floats, rows: Rows, vectors: Floats, slope: Floats) -> Floats:
    """Adds to the derivatives by term vectors; returns those by the logarithm of the terms' weights."""
    lengths = np.diff(np.append(rows.starts, len(rows.columns)))
    of_entry = np.repeat(slope, lengths, axis=0)
    by_weight = np.bincount(
        rows.columns, weights=rows.values * np.einsum("ij,ij->i", of_entry, vectors), minlength=len(total)
    )
    order = np.argsort(rows.columns, kind="stable")
    sorted_columns = rows.columns[order]
    first = np.flatnonzero(np.append(True, sorted_columns[1:] != sorted_columns[:-1]))
    of_entry *= rows.values[:, None]
    total[sorted_columns[first]] += np.add.reduceat(of_entry[order], first)
    return by_weight.astype(np.float32)


class _Adam:
    """Adam (Kingma, Ba, 2015)."""

    def __init__(self, values: list[Floats], rate: float) -> None:
        self._values = values
        self._rate = rate
        self._means = [np.zeros_like(each) for each in values]
        self._squares = [np.zeros_like(each) for each in values]
        self._steps = 0

    def step(self, slopes: list[Floats], share: float) -> None:
        self._steps += 1
        # Both averages begin at 0: this takes the first steps' bias out.
        rate = self._rate * share / (1 - 0.9**self._steps)
        bias = 1 - 0.999**self._steps
        for value, slope, mean, square in zip(self._values, slopes, self._means, self._squares, strict=True):
            mean *= np.float32(0.9)
            mean += np.float32(0.1) * slope
            square *= np.float32(0.999)
            square += np.float32(0.001) * slope * slope
            value -= np.float32(rate) * mean / (np.sqrt(square / np.float32(bias)) + np.float32(1e-8))
