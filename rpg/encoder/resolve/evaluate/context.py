"""What the rules ask of the evaluator: the questions that lead back into evaluation, whatever the construct.

In: expressions, values, names. Out: values. The rules for one kind of construct know this, and beside it only the rules
below them, which their constructors name: so they form no circle, though what they compute does. Absent: the answers,
which `evaluator.py` has from the rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpg.encoder.resolve.program.source_file import ANY
from rpg.encoder.resolve.values.fixpoint import Fixpoint
from rpg.encoder.resolve.values.flow_tables import Tables
from rpg.encoder.resolve.values.values import few

if TYPE_CHECKING:
    from rpg.encoder.resolve.evaluate.conventions import Conventions
    from rpg.encoder.resolve.evaluate.hit import Hit
    from rpg.encoder.resolve.program.program import Program
    from rpg.encoder.resolve.program.source_file import SourceFile
    from rpg.encoder.resolve.values.mro import Order
    from rpg.encoder.resolve.values.values import Value, Values


class Context(Fixpoint):
    def __init__(self, program: Program) -> None:
        super().__init__()
        self.program = program
        self.files = program.files
        self.tables = Tables()
        self.limited: dict[int, str] = {}
        """Files in which something was cut off because following it would cost too much -> the first such reason."""
        self.cut: dict[int, set[str]] = {}
        """Files with places whose evaluation was cut off, as the budget for all was used up -> the words of these
        places; an empty word stands for one without."""
        self.frameworks: Conventions | None = None
        self.members_of_records = frozenset(name for rules in program.all_rules() for name in rules.methods.of_records)
        """Records carry no language: only one language has them."""

    def limit(self, file: SourceFile, reason: str) -> None:
        """Records that something in a file is not followed to its end."""
        self.limited.setdefault(file.index, reason)

    def stored_on(self, owner: tuple[int, int] | str, name: str) -> Values:
        """What is assigned to a member from outside its class, object or module."""
        self.depend_on((owner, name))
        return few(self.tables.stored_on(owner, name))

    # Expressions and names

    def eval(self, file: SourceFile, e: int) -> Values:
        """The values that an expression can have; empty if nothing is known."""
        raise NotImplementedError

    def free(self, file: SourceFile, text: str, byte: int) -> Values:
        """A name that nothing in the file binds."""
        raise NotImplementedError

    def module_member(self, path: str, name: str, as_type: bool = False) -> Values:
        raise NotImplementedError

    # Members and types

    def member_of(self, file: SourceFile, value: Value, name: str, space: int = ANY, is_called: bool = False) -> Values:
        """What a member is, for the language that reads it."""
        raise NotImplementedError

    def member_values(self, value: Value, name: str, space: int = ANY) -> Values:
        raise NotImplementedError

    def member_hit(self, value: Value, name: str, space: int = ANY) -> Hit | None:
        """Where a value's member is defined."""
        raise NotImplementedError

    def class_order(self, file: int, index: int) -> Order:
        """A class and those above it, as its members are looked up."""
        raise NotImplementedError

    def types_written(self, file: SourceFile, e: int) -> Values:
        """The classes that an expression in a type position names."""
        raise NotImplementedError

    def underlying_values(self, value: Value) -> Values:
        raise NotImplementedError

    def substitute(self, values: Values, bound: dict[str, Values]) -> Values:
        """Values with type variables replaced by what they are bound to."""
        raise NotImplementedError

    # Contents

    def elements(self, values: Values) -> Values:
        """What iterating over values gives."""
        raise NotImplementedError

    def await_values(self, values: Values) -> Values:
        raise NotImplementedError

    # Calls

    def arguments(self, file: SourceFile, e: int) -> list[Values]:
        """The values of the positional arguments."""
        raise NotImplementedError

    def argument(self, file: SourceFile, e: int, position: int, name: str) -> Values:
        """The values passed for a parameter, by position or name."""
        raise NotImplementedError

    def result(self, callee: Value, file: SourceFile | None, e: int) -> Values:
        """The result of calling a value; `file` and `e` are the call, if there is one."""
        raise NotImplementedError

    def returned(self, function: Value, file: SourceFile | None = None, e: int = 0) -> Values:
        """What a function of the repository returns."""
        raise NotImplementedError

    def method_result(self, value: Value, name: str, file: SourceFile | None = None, e: int = 0) -> Values:
        """The result of calling a method of an instance."""
        raise NotImplementedError

    def construct(self, callee: Value, file: SourceFile | None, e: int) -> Values:
        """An instance of a class."""
        raise NotImplementedError

    def decorated(self, file: SourceFile, index: int, decorators: list[int]) -> Values:
        """A function, followed by whatever else its decorators made of it."""
        raise NotImplementedError

    def lambda_receiver(self, file: SourceFile, scope: int) -> Values:
        """What a function without a name extends."""
        raise NotImplementedError

    def find_library_argument(self, file: SourceFile, e: int, position: int = 0) -> Values:
        """An argument of a library's type."""
        raise NotImplementedError
