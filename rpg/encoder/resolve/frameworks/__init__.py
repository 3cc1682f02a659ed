"""Knowledge of frameworks: conventions by which one reaches a program without naming it.

In comes an evaluator, out come values (what a fixture gives, what a related field holds), and after resolution edges
`via framework`. A framework is one file here, data as far as it goes; the resolver knows none of their names.
A plug-in is asked only where the repository imports its framework and does not hold it: Invariant: never inside its
own framework's repository, and without a framework this costs one look at the imports.
"""

from rpg.encoder.resolve.frameworks.engine import Frameworks, in_use
from rpg.encoder.resolve.frameworks.plugin import Mention

__all__ = ["Frameworks", "Mention", "in_use"]
