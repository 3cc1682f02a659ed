"""Files that are there at one time and not at another.

In: facts, and the programs at both times. Out: the facts of an empty file, for a place where none is, and the parts of
the survey that list files by what their facts say.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import BLOCK_WORDS, FileFacts
from rpg.encoder.languages import BY_NAME
from rpg.encoder.resolve.program.program import Program, Survey

_LISTED: Final[Mapping[str, Callable[[FileFacts], Iterable[str]]]] = {
    "package names": lambda facts: facts.exports.get("package names", ()),
    "globals": lambda facts: dict.fromkeys(facts.exports.get("globals", ())),
    "packages": lambda facts: (f"{BY_NAME[facts.language].family} {facts.package}",),
}
"""Parts of the survey that list files by what their facts say -> under which keys a file stands there."""


def list_amended(now: Program, then: Program, changed: Collection[int], there: Mapping[str, FileFacts]) -> Survey:
    """Those parts as they are in `then`, where the `changed` files contain something else: those that are `there`.
    Numbers are those of both programs."""
    amended: Survey = {}
    for name, keys in _LISTED.items():
        table = now.known(name)
        if table is None:
            continue
        found = {key: kept for key, files in table.items() if (kept := [each for each in files if each not in changed])}
        for path, facts in sorted(there.items()):
            if name != "packages" or then.rules(facts.language).has_packages:
                for key in keys(facts):
                    found[key] = sorted([*found.get(key, ()), then.number_of(path)], key=then.order.__getitem__)
        amended[name] = found
    return amended


def without_contents(facts: FileFacts) -> FileFacts:
    """The facts of a file as if it were empty."""
    return FileFacts(
        path=facts.path,
        language=facts.language,
        definitions=facts.definitions[:1],
        scopes=facts.scopes[:1],
        blocks=facts.blocks[:BLOCK_WORDS],
        bindings=[],
        parameters={},
        returns={},
        yields={},
        bases={},
        decorators={},
        annotations={},
        fields={},
        members=[],
        items=[],
        imports=[],
        exports={},
        type_parameters={},
        type_arguments={},
        sites=array(facts.sites.typecode),
        code=facts.code[: op.length(facts.code, 0)],
        strings=[],
        line_starts=facts.line_starts[:1],
        wide=array(facts.wide.typecode),
        comments=[],
        problems=[],
    )
