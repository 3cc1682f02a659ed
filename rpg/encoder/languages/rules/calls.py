"""What a call passes, and which of several functions it means."""

from __future__ import annotations

from typing import Literal

from rpg.encoder.facts import Parameter
from rpg.encoder.languages.rules.attribute_types import Arguments


class CallRules:
    interfaces_are_functions = False
    """Whether a function can stand for an interface with one method."""
    classes_are_called = True
    """Whether `C(...)` is a call (in Go it is a conversion)."""
    reads_are_calls = False
    """Whether a member is read by calling it: calling a value that is not a function returns the value."""
    lambdas_have_receivers = False
    """Whether the type that is expected of a function without a name may say what it extends."""
    implicit_parameter = ""
    """The name of the parameter that a function without a name may have without declaring it."""
    trailing_functions = False
    """Whether a function that stands last among the arguments is passed for the last parameter."""
    rest_takes_arrays = False
    """Whether an array may be passed in place of all that a parameter takes which takes any number of arguments."""
    labels_arguments = False
    """Whether a label of an argument may be the name of a field, which the constructor's header declares."""
    overloads: Literal["none", "methods", "constructors"] = "none"
    """Whether a class may have several methods of one name, which differ in their parameters; `constructors`: and a
    function may have the name of a class, where what they take decides which one is called."""
    argument_types: Literal["plain", "exact", "deduced"] = "plain"
    """What the type of an argument says of the overload that is called; `exact`: no argument is converted to another
    type, so of what fits none is meant, but what lies further outside; `deduced`: it may be converted, so its type says
    little, and it tells the type arguments that a call does not write."""
    argument_count: Literal["any", "most", "all"] = "any"
    """Whether a call is never certain if the callee cannot take as many arguments (`most`), or if it has fewer than the
    callee needs (`all`); only if there are `overloads`."""
    refuses_more_arguments = False
    refuses_fewer_arguments = False
    """Whether a call is an error that has more arguments than its callee takes, or fewer than it needs."""
    counts_select_functions = False
    """Whether a function is another one if it takes another number of arguments: no call can mean it that passes as
    many as it took before."""
    always_checks_arguments = True
    """Whether such a call fails also where nothing says what is called: not where a type checker alone refuses it, or
    where the text of a call does not say how many it passes."""
    keywords_are_pairs = False
    """Whether the facts do not tell what is passed by name from what is passed by position; the text of a call does."""
    spreads_results = False
    """Whether what a call returns may be several arguments of another."""

    def judges_arguments(self, path: str) -> bool:
        """Whether calls in a file are refused for their arguments, if the language refuses them at all."""
        return self.refuses_more_arguments or self.refuses_fewer_arguments

    def may_add_functions(self, source: bytes) -> bool:
        """Whether code that runs while a file is compiled may give its modules functions that the file does not spell;
        asked only if `counts_select_functions`."""
        return True

    def written_arguments(self, text: str) -> Arguments | None:
        """What a call passes, as its text says from its callee on, where `keywords_are_pairs`; None if that cannot be
        told."""
        return None

    def written_parameter(self, row: Parameter, text: str) -> Parameter | None:
        """A parameter with what its text in the signature says beyond the facts: its kind, and whether it may be left
        out (any default). None if it takes no argument."""
        return row
