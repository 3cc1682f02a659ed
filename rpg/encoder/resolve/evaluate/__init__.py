"""The evaluator: what an expression can be, on demand, and the rules for each construct.

A module holds the rules for one kind of thing, in one class that the evaluator makes and keeps under the module's name
(`evaluator.members`, `evaluator.calls`). Other packages import from here, not from the modules. What may call what:

    evaluator               has one of each, and answers what the context asks
    names                   what a name, a member, a path or a key gives where it is read
    operators, narrowing    operators; tests that prove a type, declared types
    calls                   overloads, arguments, parameters, callbacks, results
    containers              what they hold, what their methods return
    members                 what a value has as members
    types                   annotations, aliases, classes and their order, type variables
    lookup                  names: of modules, packages, namespaces, globals
    context                 what any of them may ask: `eval`, `result` of a call, `member_values`, caches

A rule gets those below it that it calls when it is made, and the context as `evaluator`. Where a rule needs one above,
as a type needs the value of an expression, it asks the context.

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

from rpg.encoder.resolve.evaluate.calls.library import WRAPPED
from rpg.encoder.resolve.evaluate.calls.overloads import is_innermost
from rpg.encoder.resolve.evaluate.calls.parameters import CALLED_BACK, MOST_CALLERS, Caller
from rpg.encoder.resolve.evaluate.containers.elements import LARGEST
from rpg.encoder.resolve.evaluate.evaluator import Evaluator
from rpg.encoder.resolve.evaluate.hit import Hit
from rpg.encoder.resolve.evaluate.lookup.modules import Named
from rpg.encoder.resolve.evaluate.lookup.namespaces import View, is_in_space, space_in_front
from rpg.encoder.resolve.evaluate.lookup.platforms import filter_by_platform, prefer_defined
from rpg.encoder.resolve.evaluate.members.object_members import is_closed, may_lack
from rpg.encoder.resolve.evaluate.types.annotations import OF_TYPE
from rpg.encoder.resolve.evaluate.types.member_lookup import space_of

__all__ = [
    "CALLED_BACK",
    "LARGEST",
    "MOST_CALLERS",
    "OF_TYPE",
    "WRAPPED",
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
