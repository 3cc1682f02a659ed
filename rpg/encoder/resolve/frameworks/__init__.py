"""Knowledge of frameworks: conventions by which a framework reaches code without naming it.

In: an evaluator. Out: values (what a fixture returns, what a related field holds), and after resolution edges `via
framework`. Each framework is one file here, as data where possible; the rest of the resolver knows none of their names.

Invariant: a plug-in is used only if the repository imports its framework and does not contain it. A repository without
frameworks pays only for a scan of its imports.
"""

from rpg.encoder.resolve.frameworks.engine import Frameworks, find_frameworks
from rpg.encoder.resolve.frameworks.plugin import Mention

__all__ = ["Frameworks", "Mention", "find_frameworks"]
