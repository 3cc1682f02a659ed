"""What every site refers to: the result of the rounds, with what frameworks and guesses by name add.

In: the facts of files. Out: the outcome of each site, and the evaluator that can explain it. No symbol and no edge is
made here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from rpg.encoder.facts import FileFacts
from rpg.encoder.resolve.evaluate import Evaluator
from rpg.encoder.resolve.frameworks import Frameworks, Mention, find_frameworks
from rpg.encoder.resolve.program.program import Program
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.references.method_sets import MethodSets
from rpg.encoder.resolve.references.name_fallback import NameFallback
from rpg.encoder.resolve.references.outcomes import Outcome
from rpg.encoder.resolve.references.rounds import Flow


class Resolution(NamedTuple):
    """The outcome of every site, and the evaluator that can explain it."""

    evaluator: Evaluator
    flow: Flow
    frameworks: Frameworks | None
    outcomes: dict[int, list[Outcome]]
    """By file, in the order of its sites."""
    mentions: dict[int, list[Mention]]
    """By file: edges without a site."""
    guesses: NameFallback

    def survey_all(self) -> None:
        """Computes every survey that an edit may need, so that it is saved."""
        classes, program = self.evaluator.classes, self.evaluator.program
        partial_types = self.evaluator.partial_types.parts
        for each in (
            classes.augmentations,
            classes.subclasses,
            partial_types,
            self.guesses.by_name,
            self.guesses.names,
        ):
            assert each is not None
        assert program.owned is not None
        MethodSets(self.evaluator).survey()
        if self.frameworks is not None:
            self.frameworks.survey()


def resolution(files: Iterable[FileFacts], read: Callable[[str], bytes], roots: tuple[str, ...] = ()) -> Resolution:
    flow, frameworks = run_flow(files, read, roots)
    return complete(flow, frameworks, flow.files)


def run_flow(
    files: Iterable[FileFacts],
    read: Callable[[str], bytes],
    roots: tuple[str, ...],
    report: Callable[[float], None] | None = None,
    texts: Collection[str] = (),
) -> tuple[Flow, Frameworks | None]:
    """A flow that has finished all rounds, and the frameworks that the program uses. `texts`: the files that refer to
    nothing."""
    facts = {each.path: each for each in files}
    program = Program({path: each.language for path, each in facts.items()}, facts.pop, read, roots, texts=texts)
    evaluator = Evaluator(program)
    evaluator.frameworks = frameworks = find_frameworks(evaluator)
    flow = Flow(evaluator)
    flow.run(report)
    return flow, frameworks


def complete(
    flow: Flow, frameworks: Frameworks | None, files: Iterable[SourceFile], guesses_all: bool = True
) -> Resolution:
    """Adds what frameworks and guesses by name contribute to a finished flow; without the latter, `guesses` makes
    them."""
    evaluator, outcomes = flow.evaluator, flow.outcomes
    guesses = NameFallback(evaluator)
    mentions: dict[int, list[Mention]] = {}
    for file in files:
        if frameworks is not None:
            mentions[file.index] = frameworks.complete(file, outcomes[file.index])
        if guesses_all:
            guesses.guess(file, outcomes[file.index])
    return Resolution(evaluator, flow, frameworks, outcomes, mentions, guesses)
