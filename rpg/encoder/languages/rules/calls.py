"""What a call passes, and which of several functions it means."""

from __future__ import annotations

from typing import Literal

from rpg.encoder.facts import Parameter
from rpg.encoder.languages.rules.attribute_types import Arguments, Closures


class CallRules:
    closures = Closures()
    classes_are_called = True
    """Whether `C(...)` is a call (in Go it is a conversion)."""
    labels: Literal["apart", "of fields", "in text"] = "apart"
    """What names of arguments are: `of fields`, also labels that the constructor's header declares; `in text`: the
    facts do not tell them from what is passed by position, but the text of a call does."""
    spreads: Literal["nothing", "arrays", "results"] = "nothing"
    """What may be passed in place of several arguments: an array, of all that the last parameter takes which takes any
    number of them; or what a call returns."""
    overloads: Literal["none", "methods", "constructors", "by number"] = "none"
    """Whether a class may have several methods of one name, which differ in their parameters; `constructors`: and a
    function may have the name of a class, where what they take decides which one is called; `by number`: in how many
    they are alone, so that no call can mean one that passes as many as it took before."""
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
    always_checks_arguments = True
    """Whether such a call fails also where nothing says what is called: not where a type checker alone refuses it, or
    where the text of a call does not say how many it passes."""

    def judges_arguments(self, path: str) -> bool:
        """Whether calls in a file are refused for their arguments, if the language refuses them at all."""
        return self.refuses_more_arguments or self.refuses_fewer_arguments

    def may_add_functions(self, source: bytes) -> bool:
        """Whether code that runs while a file is compiled may give its modules functions that the file does not spell;
        asked only if `overloads` are `by number`."""
        return True

    def written_arguments(self, text: str) -> Arguments | None:
        """What a call passes, as its text says from its callee on, where `labels` are `in text`; None if that cannot be
        told."""
        return None

    def written_parameter(self, row: Parameter, text: str) -> Parameter | None:
        """A parameter with what its text in the signature says beyond the facts: its kind, and whether it may be left
        out (any default). None if it takes no argument."""
        return row
