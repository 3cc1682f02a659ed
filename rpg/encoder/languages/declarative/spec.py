"""What a defined language says of its syntax: `Spec`, a table of node kinds.

In: nothing. Out: the types of the table. Parts of a node are named by field (`name`), or by kind of child if the word
begins with a colon (`:identifier`); of several the first that exists is meant. What a table cannot say is a handler of
the language's own (`Spec.handlers`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handler

Parts = tuple[str, ...]
"""Ways to find a part of a node, the first that exists counts."""

NONE: frozenset[str] = frozenset()


class Form(NamedTuple):
    """A kind of node that defines a symbol."""

    kind: str
    """Of the symbol. Class kinds open a scope of members, `function` and `method` one of parameters."""
    name: Parts = ("name",)
    body: Parts = ("body",)
    bases: Parts = ()
    """Every part that holds base types, whatever is between them."""
    parameters: Parts = ("parameters",)
    result: Parts = ()
    generics: Parts = ("type_parameters",)
    inside: str = ""
    """Kind if it stands directly in a class; else `kind`."""
    is_space: bool = False
    """A namespace: its contents see each other, and it has no instances."""
    fields: Parts = ()
    """Parameters in the header that are fields as well (records)."""
    has_accessors: bool = False
    """Whether these fields are read by calling them."""


class Variable(NamedTuple):
    """A kind of node that declares variables, in a class fields. `each`: kinds of children that declare one each; empty
    if the node does itself."""

    type: Parts = ("type",)
    each: frozenset[str] = NONE
    name: Parts = ("name",)
    value: Parts = ("value",)
    inside: str = ""
    """Kind of the child that has all of this, if it is not the node itself."""
    kind: str = "field"
    """Of the symbol, in a class."""
    outside: str = "constant"
    """Of the symbol, at the top of a file."""


class Slot(NamedTuple):
    """A kind of node that is a parameter."""

    name: Parts = ("name",)
    type: Parts = ("type",)
    default: Parts = ()
    is_list: bool = False


class Call(NamedTuple):
    """A kind of node that is a call: of a function, or of the member `name` of `holder` (of the object around, if there
    is no holder)."""

    function: Parts = ("function",)
    arguments: Parts = ("arguments",)
    holder: Parts = ()
    name: Parts = ()


class Member(NamedTuple):
    """A kind of node that is a member of something."""

    holder: Parts
    name: Parts


class Creation(NamedTuple):
    """A kind of node that makes an instance."""

    type: Parts = ("type",)
    arguments: Parts = ("arguments",)
    body: Parts = ()
    """The body of a class without a name."""
    initializer: Parts = ()
    """Values of its members."""


class Spec(NamedTuple):
    """A language. Kinds that it does not mention are descended into."""

    definitions: Mapping[str, Form] = {}
    variables: Mapping[str, Variable] = {}
    parameters: Mapping[str, Slot] = {}
    type_parameters: frozenset[str] = NONE
    """Kinds of children of `Form.generics` that name one each."""
    constraints: frozenset[str] = NONE
    """Kinds of nodes behind a header that hold constraints of type parameters: lists of them, and single ones, which
    begin with the parameter."""
    calls: Mapping[str, Call] = {}
    containers: frozenset[str] = NONE
    """Generic types of the library that are made to hold something: `new List<Cart>()`."""
    creations: Mapping[str, Creation] = {}
    members: Mapping[str, Member] = {}
    type_members: Mapping[str, Member] = {}
    """The same in types."""
    names: frozenset[str] = NONE
    """Kinds of identifiers that are values."""
    type_names: frozenset[str] = NONE
    generics: Mapping[str, tuple[Parts, Parts]] = {}
    """Types with arguments: the type, what holds its arguments."""
    lists: Mapping[str, Parts] = {}
    """Types of arrays: their element."""
    tuples: frozenset[str] = NONE
    """Tuples among expressions, types and patterns."""
    wrappers: frozenset[str] = NONE
    """Expressions and types that stand for the one that they hold, the last."""
    primitives: frozenset[str] = NONE
    """Kinds of nodes that are builtin types."""
    literals: Mapping[str, str] = {}
    """Kinds of literals: their types."""
    subscripts: Mapping[str, Parts] = {}
    """Kinds of accesses by index: what is indexed."""
    declared: Mapping[str, Callable[[Node], list[Node]]] = {}
    """Kinds of other nodes that declare names: which."""
    this: frozenset[str] = NONE
    super: frozenset[str] = NONE
    lambdas: Mapping[str, Parts] = {}
    """Kinds of functions without names: their parameters."""
    blocks: frozenset[str] = NONE
    """Kinds of nodes with variables of their own."""
    alternatives: Mapping[str, Parts] = {}
    """Kinds of expressions that have the value of one of these parts: `ready ? first : second`."""
    coalescing: frozenset[str] = NONE
    """Kinds of expressions that have the value of either side if `??` stands between."""
    casts: Mapping[str, tuple[Parts, Parts]] = {}
    """Casts and the like: type, value."""
    loops: Mapping[str, tuple[Parts, Parts, Parts]] = {}
    """Loops over elements: type of the variable, its name, what is iterated over."""
    assignments: Mapping[str, tuple[Parts, Parts]] = {}
    returns: frozenset[str] = NONE
    blocks_have_values: bool = False
    """Whether the last expression of a function's block is what it returns."""
    decorators: frozenset[str] = NONE
    """Annotations and attributes; their `name` part is the first child."""
    comments: frozenset[str] = frozenset({"comment"})
    skipped: frozenset[str] = NONE
    handlers: Mapping[str, Handler] = {}
    """What else there is: handlers by kind of node, which count before all tables."""

    implicit_members: bool = False
    """Whether a bare name may be a member of the classes around."""
    capitalised_types: bool = False
    """Whether names of types begin with a capital letter, and others do not."""
    declares_late: bool = True
    """Whether functions and types are known before they are defined, also in functions."""
    member_groups: frozenset[str] = NONE
    """Kinds of nodes in the body of a type that hold some of its members."""
    labelled: Mapping[str, tuple[Parts, Parts]] = {}
    """Kinds of arguments that may have the name of a parameter in front: the name, the value."""
    argument_lists: frozenset[str] = NONE
    """Kinds of nodes between a call and its arguments."""
    field_mark: str = ""
    """Kind of child that makes a parameter of a class a field; empty: all are."""
    base_kinds: frozenset[str] = NONE
    """Kinds of types in a header that a handler lowers."""
    inferred: str = ""
    """What stands in place of a type that is inferred."""
    self_types: frozenset[str] = NONE
    """Names of the type around, in it."""
    offers_nested: bool = False
    """Whether other files see types in types by their last names, too."""
    rest_word: str = ""
    """What stands before the last parameter if it takes all other arguments."""
    receiver: str = ""
    """Name of the parameter that is the object around."""
    public: frozenset[str] = NONE
    """Words before the name one of which an exported symbol needs; empty: none."""
    private: frozenset[str] = NONE
    """Words before the name that none of them has."""
    modifiers: Mapping[str, str] = {}
    """Words before the name that the graph tells: word -> modifier."""
    test_marks: frozenset[str] = NONE
    """Annotations and attributes of test functions."""
    has_overloads: bool = False
    """Whether parameters tell apart several methods of one name."""
    has_arities: bool = False
    """Whether types and methods of one name may differ in the number of their type parameters."""
    partial: str = ""
    """What stands before a type that may have other parts in other files."""
    types_are_apart: bool = False
    """Whether a type and a function may have one name."""
    types_beside_members: bool = False
    """Whether a member may have the name of a type, which then stays the type's name where types stand."""
    private_to_file: bool = False
    """Whether other files do not see what is not exported."""
    name_quotes: bytes = b""
    """What may stand around a name that would be a word of the language."""
    is_global: bool = False
    """Whether names at the top of a file are seen by other files without an import (of the same package)."""
