"""What was learned to rows of the table: whole numbers, and what follows from the vectors (which terms are near).

In: arrays. Out: rows as `rpg.models.embedding_table.write_table` takes them.
"""

from __future__ import annotations

import numpy as np

from rpg.models.embedding import LARGEST_IN_CODE, Near, Row
from rpg.models.embedding_table import NEAR
from training.learning import Floats, Learned

LARGEST_IN_QUESTIONS = 8_000
"""A question has few words: its weights may be finer than those of code."""
LARGEST_NUMBER = 127
TELLING_POWER = 0.8
"""Of the learned weight in questions, by which the words of search are weighted too: more harms them, less gives away
half a point."""
LEAST_LIKENESS = 0.3
"""Less like terms are not kept as near ones; search asks for more."""


def rows(learned: Learned) -> dict[str, Row]:
    largest = np.abs(learned.vectors).max(1) + 1e-9
    numbers = np.round(learned.vectors / largest[:, None] * LARGEST_NUMBER).astype(np.int8)
    # Each row is scaled to use all of int8; its weights take back what that changed.
    in_code = _whole(learned.in_code * largest, LARGEST_IN_CODE)
    in_questions = _whole(learned.in_questions * largest, LARGEST_IN_QUESTIONS)
    telling = (learned.in_questions / np.median(learned.in_questions)) ** TELLING_POWER
    near = _near(learned)
    return {
        term: Row(numbers[i].tobytes(), in_code[i], in_questions[i], float(telling[i]), near[i])
        for i, term in enumerate(learned.terms)
    }


def _whole(weights: Floats, largest: int) -> list[int]:
    return [max(1, int(weight)) for weight in np.round(weights * (largest / weights.max()))]


def _near(learned: Learned) -> list[tuple[Near, ...]]:
    unit = learned.vectors / (np.linalg.norm(learned.vectors, axis=1, keepdims=True) + 1e-9)
    found = []
    for i, vector in enumerate(unit):
        likeness = unit @ vector
        likeness[i] = -1.0
        best = np.argsort(-likeness, kind="stable")[:NEAR]
        found.append(tuple(Near(learned.terms[j], float(likeness[j])) for j in best if likeness[j] > LEAST_LIKENESS))
    return found
