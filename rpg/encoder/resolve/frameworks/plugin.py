"""What a framework's plug-in may answer.

In: an evaluator; then expressions, values, files. Out: values, registrations and edges. The defaults know nothing.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.resolve.values.values import EXTERNAL, FILE, FUNC, INST, KIND, OWN_NAME, SYMBOL, Value, Values
from rpg.graph import CLASS_KINDS

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate import Evaluator
    from rpg.encoder.resolve.program.source_file import SourceFile

VIA = "framework"


class Mention(NamedTuple):
    """An edge without a site: a string that names something, a parameter filled by name."""

    source: int
    """Definition in the current file."""
    target: tuple[int, int]
    byte: int


class Plugin:
    """One framework. `library`, and what an expression is called there (`flask.Flask().route`), are dotted names."""

    library: frozenset[str] = frozenset()
    """Top-level packages that a program imports to use it."""
    own: frozenset[str] = frozenset()
    """Packages that only the framework's own repository contains."""
    registrars: dict[str, frozenset[str]] = {}  # noqa: RUF012
    """Class of the framework -> its methods that, as decorators, register a function; empty: functions of a module."""
    calls: frozenset[str] = frozenset()
    """Methods of a registered function that run it."""
    mentions: frozenset[str] = frozenset()
    """Methods of a registered function that refer to it."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.program = evaluator.program
        self.files = evaluator.files

    def registers(self, name: str) -> bool:
        """Whether a decorator of that dotted name registers what it decorates."""
        head, _, last = name.removesuffix("()").rpartition(".")
        if head.partition(".")[0] not in self.library:
            return False
        owner = head.rpartition(".")[2]
        return last in self.registrars.get(owner.removesuffix("()") if owner.endswith("()") else "", ())

    def parameter(self, file: SourceFile, scope: int, name: str) -> Values:
        """What the framework passes for a parameter."""
        return ()

    def result(self, name: str, file: SourceFile, e: int) -> Values:
        """The result of calling something from a library."""
        return ()

    def missing(self, value: Value, name: str) -> Values:
        """A member that a class gets from the framework."""
        return ()

    def bound(self, value: Value, receiver: Value) -> Value:
        """What a class attribute becomes when it is read through the class."""
        return value

    def found(self, file: SourceFile) -> Iterator[Mention]:
        """Edges of one file that no name in it accounts for."""
        return iter(())

    def survey(self) -> None:
        """Computes whatever needs all files, so that it is saved for the next edit."""

    # Shared by plug-ins

    def is_registered(self, value: Value) -> bool:
        """Whether a decorator registers a function."""
        if value[KIND] != FUNC:
            return False
        file = self.files[value[FILE]]
        return any(
            made[KIND] == EXTERNAL and self.registers(made[OWN_NAME])
            for expression in file.facts.decorators.get(value[SYMBOL], ())
            for made in self.evaluator.eval(file, expression)
        )

    def instance(self, owner: tuple[int, int], arguments: tuple[Values, ...] = ()) -> Value:
        """An instance known by a convention of the framework."""
        return (INST, *owner, arguments, False, VIA)


def parse_declared_name(decorator: str) -> str:
    """The `name="..."` of a decorator as written."""
    _, mark, rest = decorator.partition("name=")
    return rest[1:].split(rest[0], 1)[0] if mark and rest[:1] in ("'", '"') else ""


def name_byte(file: SourceFile, e: int) -> int:
    """Where the text of a string begins, which has one quote in front."""
    return file.code[e + op.BYTE] + 1


def find_named_strings(file: SourceFile, names: Container[str]) -> Iterator[tuple[str, int, int]]:
    """The strings of a file that are one of some names: the name, the definition around, and where it stands."""
    code, strings = file.code, file.strings
    words = {word for word, text in enumerate(strings) if text in names}
    e = 0
    while e < len(code) and words:
        if code[e] == op.STRING and code[e + op.WORD] in words:
            yield strings[code[e + op.WORD]], definition_around(file, code[e + op.BYTE]), name_byte(file, e)
        e += op.length(code, e)


def definition_around(file: SourceFile, byte: int) -> int:
    """The innermost function or class whose body a place is in; what decorates one belongs to what is around it."""
    index = 0
    for each, definition in enumerate(file.definitions):
        if definition.start_byte > byte:
            break
        if each and definition.scope >= 0 and definition.body_byte <= byte < definition.end_byte:
            index = each
    return index


def classes_of(file: SourceFile) -> Iterator[tuple[str, tuple[int, int]]]:
    """The classes with bases at the top of a file, by name."""
    for index, definition in enumerate(file.definitions):
        if definition.kind in CLASS_KINDS and definition.parent == 0 and index in file.facts.bases:
            yield definition.name, (file.index, index)
