"""The evaluator: what an expression can be, on demand, and the rules for each construct.

The rules know each other through the evaluator (`evaluator.members`, `evaluator.calls`) and are known to nobody else:
whoever evaluates imports from here.
"""

from rpg.encoder.resolve.evaluate.classes import Hit
from rpg.encoder.resolve.evaluate.containers import LARGEST
from rpg.encoder.resolve.evaluate.evaluator import Evaluator
from rpg.encoder.resolve.evaluate.object_members import beside, beside_alone, is_of_any_object, may_lack
from rpg.encoder.resolve.evaluate.operators import OPERATORS
from rpg.encoder.resolve.evaluate.parameters import CALLED_BACK, MOST_CALLERS, Caller

__all__ = [
    "CALLED_BACK",
    "LARGEST",
    "MOST_CALLERS",
    "OPERATORS",
    "Caller",
    "Evaluator",
    "Hit",
    "beside",
    "beside_alone",
    "is_of_any_object",
    "may_lack",
]  # fmt: skip
