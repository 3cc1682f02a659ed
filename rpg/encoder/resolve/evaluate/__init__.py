"""The evaluator: what an expression can be, on demand, and the rules for each construct.

A module holds the rules for one kind of thing, in one class that the evaluator makes and keeps under the module's name
(`evaluator.members`, `evaluator.calls`). The rules know each other through the evaluator; functions of a module need no
evaluator. Other packages import from here, not from the modules.

What counts as resolved:

- Iterating over an object of the repository `calls` its `__iter__` and `__next__`, because a loop runs that code.
  Operators, indexing and `with` are `references`. All are `via protocol`.
- A library may return what it was passed (`queue.get()`, `copy.deepcopy(x)`, `session.query(User).first()`), and code
  that calls a member which a known type lacks knows more than we do. Both count as unresolved if some symbol has that
  name, so that no list claims to be complete without them; neither is guessed by name. Reading such a member is not
  counted: there are thousands, mostly set at run time. Objects that a library creates itself stay external
  (`Rules.makes_its_own`).
- A value is followed from calls into parameters one call further in each of four rounds. Evaluation never runs from a
  function into its callers, so the cost stays linear.
- Inside a package, an import of a standard-library module never resolves to a file of that name next to the importer,
  as in Python.
"""

from rpg.encoder.resolve.evaluate.calls.overloads import is_innermost
from rpg.encoder.resolve.evaluate.calls.parameters import CALLED_BACK, MOST_CALLERS, Caller
from rpg.encoder.resolve.evaluate.containers.elements import LARGEST
from rpg.encoder.resolve.evaluate.evaluator import Evaluator
from rpg.encoder.resolve.evaluate.hit import Hit
from rpg.encoder.resolve.evaluate.lookup.member_lookup import space_of
from rpg.encoder.resolve.evaluate.lookup.modules import Named
from rpg.encoder.resolve.evaluate.lookup.namespaces import View, is_in_space, space_in_front
from rpg.encoder.resolve.evaluate.lookup.object_members import is_closed, may_lack
from rpg.encoder.resolve.evaluate.lookup.platforms import filter_by_platform, prefer_defined
from rpg.encoder.resolve.evaluate.types.annotations import OF_TYPE

__all__ = [
    "CALLED_BACK",
    "LARGEST",
    "MOST_CALLERS",
    "OF_TYPE",
    "Caller",
    "Evaluator",
    "Hit",
    "Named",
    "View",
    "filter_by_platform",
    "is_closed",
    "is_in_space",
    "is_innermost",
    "may_lack",
    "prefer_defined",
    "space_in_front",
    "space_of",
]
