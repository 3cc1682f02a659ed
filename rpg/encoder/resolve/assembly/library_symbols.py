"""The symbols of libraries, as the graph of a repository has them.

In: the files of libraries. Out: their symbols, what contains what, which class inherits and which method overrides
which within them. What their code calls and imports is not resolved: a library is there as what the repository's
references end in.
"""

from __future__ import annotations

from rpg.encoder.facts import BASE, ROLE, SITE_WORDS
from rpg.encoder.resolve.assembly.library_names import LibraryNames
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.name_fallback import NameFallback
from rpg.encoder.resolve.references.outcomes import NOTHING_TO_FIND, Outcome
from rpg.encoder.resolve.references.rounds import Flow
from rpg.encoder.resolve.resolved_sites import Resolution

KEPT_KINDS = frozenset({"contains", "inherits", "overrides"})


def resolve_bases(names: LibraryNames) -> Resolution:
    """The outcomes of the bases of classes alone."""
    flow = Flow(names.evaluator)
    outcomes = {file.index: [*_outcomes(file, flow)] for file in names.program.files_there()}
    return Resolution(names.evaluator, flow, None, outcomes, {}, NameFallback(names.evaluator))


def _outcomes(file: SourceFile, flow: Flow) -> list[Outcome]:
    sites = file.facts.sites
    found = []
    for at in range(0, len(sites), SITE_WORDS):
        outcome = NOTHING_TO_FIND
        if sites[at + ROLE] == BASE:
            flow.evaluator.start()
            outcome = flow.references.outcome(file, sites[at], BASE)
        found.append(outcome if outcome.targets else NOTHING_TO_FIND)
    return found
