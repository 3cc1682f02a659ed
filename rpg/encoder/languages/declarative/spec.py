"""The syntax of a defined language: `Spec`, a table of node kinds.

In: nothing. Out: the types of the table. Parts of a node are named by field (`name`), or by kind of child if the word
begins with a colon (`:identifier`); of several, the first that exists counts. What a table cannot express is a handler
of the language (`Spec.handlers`).
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
    """Kind of the symbol. Class kinds open a scope of members, `function` and `method` one of parameters."""
    name: Parts = ("name",)
    body: Parts = ("body",)
    bases: Parts = ()
    """Every part that contains base types, whatever is between them."""
    parameters: Parts = ("parameters",)
    result: Parts = ()
    generics: Parts = ("type_parameters",)
    inside: str = ""
    """Kind of the symbol directly in a class; else `kind`."""
    is_space: bool = False
    """Whether it is a namespace: its contents see each other, and it has no instances."""
    fields: Parts = ()
    """Parameters in the header that are fields as well (records)."""
    has_accessors: bool = False
    """Whether these fields are read by calling them."""
    is_macro: bool = False
    """Whether its name is one of macros, which other symbols may have as well."""


class Variable(NamedTuple):
    """A kind of node that declares variables, or fields in a class. `each`: kinds of children that declare one each;
    empty if the node itself does."""

    type: Parts = ("type",)
    each: frozenset[str] = NONE
    name: Parts = ("name",)
    value: Parts = ("value",)
    inside: str = ""
    """Kind of the child that has all of this, if it is not the node itself."""
    kind: str = "field"
    """Kind of the symbol in a class."""
    outside: str = "constant"
    """Kind of the symbol at the top of a file."""


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
    """Kinds of nodes after a header with constraints of type parameters: lists of them, and single ones, which begin
    with the parameter."""
    calls: Mapping[str, Call] = {}
    containers: frozenset[str] = NONE
    """Generic types of the library that are created empty, to be filled: `new List<Cart>()`."""
    creations: Mapping[str, Creation] = {}
    members: Mapping[str, Member] = {}
    type_members: Mapping[str, Member] = {}
    """The same in types."""
    names: frozenset[str] = NONE
    """Kinds of identifiers that are values."""
    type_names: frozenset[str] = NONE
    generics: Mapping[str, tuple[Parts, Parts]] = {}
    """Types with arguments: the type, the node with its arguments."""
    lists: Mapping[str, Parts] = {}
    """Types of arrays: their element."""
    tuples: frozenset[str] = NONE
    """Tuples among expressions, types and patterns."""
    wrappers: frozenset[str] = NONE
    """Expressions and types that stand for the last one inside them."""
    parentheses: frozenset[str] = NONE
    """Those of them that make a value of what they hold: `(x.name)()` calls what the field holds."""
    primitives: frozenset[str] = NONE
    """Kinds of nodes that are builtin types."""
    literals: Mapping[str, str] = {}
    """Kinds of literals: their types."""
    literal_endings: Mapping[str, Mapping[str, str]] = {}
    """Kinds of literals: letters at their end, in lower case, that say another type; longer ones first."""
    subscripts: Mapping[str, Parts] = {}
    """Kinds of accesses by index: what is indexed."""
    declared: Mapping[str, Callable[[Node], list[Node]]] = {}
    """Kinds of other nodes that declare names: which."""
    this: frozenset[str] = NONE
    super: frozenset[str] = NONE
    patterns: frozenset[str] = NONE
    """Kinds of parameters, and of their names, that are taken apart (`DeclarativeWalker.take_apart`)."""
    lambdas: Mapping[str, Parts] = {}
    """Kinds of functions without names: their parameters."""
    blocks: frozenset[str] = NONE
    """Kinds of nodes that open a scope of variables."""
    alternatives: Mapping[str, Parts] = {}
    """Kinds of expressions that have the value of one of these parts: `ready ? first : second`."""
    coalescing: frozenset[str] = NONE
    """Kinds of expressions that have the value of either side if `??` is between."""
    converts_to: frozenset[str] = NONE
    """Methods that give their receiver as the type that is written for them."""
    casts: Mapping[str, tuple[Parts, Parts]] = {}
    """Casts and the like: type, value."""
    loops: Mapping[str, tuple[Parts, Parts, Parts]] = {}
    """Loops over elements: type of the variable, its name, what is iterated over."""
    looping: tuple[str, ...] = ()
    """The members that a loop runs of what it iterates over."""
    assignments: Mapping[str, tuple[Parts, Parts]] = {}
    returns: frozenset[str] = NONE
    no_result: str = ""
    """The type of what a function returns that returns nothing, if that tells overloads apart: it is the type of a
    function without a name whose block returns nothing."""
    blocks_have_values: bool = False
    """Whether the last expression of a function's block is what it returns."""
    decorators: frozenset[str] = NONE
    """Annotations and attributes; their `name` part is the first child."""
    comments: frozenset[str] = frozenset({"comment"})
    directives: frozenset[str] = frozenset()
    """What tells the compiler something, also between arguments, and is none of the code."""
    skipped: frozenset[str] = NONE
    handlers: Mapping[str, Handler] = {}
    """Everything else: handlers by kind of node, which take precedence over all tables."""

    implicit_members: bool = False
    """Whether a bare name may be a member of the classes around."""
    no_functions: frozenset[str] = NONE
    """Types whose values cannot be called: a call of a parameter's name means a function if it has such a type, or one
    that a type parameter names. Elsewhere a parameter hides the functions of its name."""
    keeps_types: bool = False
    """Whether an assignment says nothing of what a variable holds."""
    lambdas_have_receivers: bool = False
    """Whether a bare name in a lambda may be a member of what its type says it extends."""
    values_behind: frozenset[str] = NONE
    """Where defaults stand behind parameters, in their list: the kinds of nodes in that list that are none."""
    capitalised_types: bool = False
    """Whether names of types begin with a capital letter, and others do not."""
    types_are_no_values: bool = False
    """Whether a type stands in an expression only before what is read of it."""
    locals_begin_late: bool = False
    """As in `Builder`."""
    member_groups: frozenset[str] = NONE
    """Kinds of nodes in the body of a type that contain some of its members."""
    puts: frozenset[str] = NONE
    """Methods that put their last argument into a container."""
    labelled: Mapping[str, tuple[Parts, Parts]] = {}
    """Kinds of arguments that may have a label, the name of a parameter: the name, the value."""
    label_mark: str = ""
    """The token behind a label, where an argument without one has the same parts."""
    spreads: frozenset[str] = NONE
    """Kinds of arguments that pass any number of values; only among those that may have a label."""
    argument_lists: frozenset[str] = NONE
    """Kinds of nodes between a call and its arguments."""
    constructors_are_called_like_functions: bool = False
    """Whether a function may have the name of a class, so that what the class takes decides which of them is called."""
    types_beside_arguments: bool = False
    """Whether the type arguments of a call stand in front of its arguments, in the same node."""
    field_mark: str = ""
    """Kind of child that makes a parameter of a class a field; empty: all are."""
    base_kinds: frozenset[str] = NONE
    """Kinds of types in a header that a handler lowers."""
    inferred: str = ""
    """The word in place of an inferred type."""
    self_types: frozenset[str] = NONE
    """Names for the enclosing type."""
    offers_nested: bool = False
    """Whether other files see types in types by their last names, too."""
    rest_word: str = ""
    """The token before the last parameter if it takes all other arguments, or a word among the kinds of
    `values_behind`."""
    receiver: str = ""
    """Name of the parameter that is the receiver."""
    public: frozenset[str] = NONE
    """Words before the name one of which an exported symbol needs; empty: none."""
    private: frozenset[str] = NONE
    """Words before the name that no exported symbol has."""
    modifiers: Mapping[str, str] = {}
    """Words before the name that are recorded in the graph: word -> modifier."""
    test_marks: frozenset[str] = NONE
    """Annotations and attributes of test functions."""
    has_overloads: bool = False
    """Whether several methods may have one name and differ in their parameters."""
    declarations_construct: bool = False
    """Whether a declaration of a variable makes an object of its type."""
    keeps_type_arguments: bool = False
    """Whether type arguments of a call tell which function is called, and what it returns."""
    has_arities: bool = False
    """Whether types and methods of one name may differ in the number of their type parameters."""
    partial: str = ""
    """The word before a type that may have other parts in other files."""
    promised: str = ""
    """The word before what is only declared for all platforms, and defined for each."""
    owners_are_named: bool = False
    """Whether a method outside its type is named within the module where it stands."""
    has_tags: bool = False
    """Whether a function or variable may have the name of a type, which is then read behind a word for its kind."""
    types_are_apart: bool = False
    """Whether a type and a function may have one name."""
    types_outside_owners: bool = False
    """Whether a class's types may be defined outside of it, as `struct Owner::Name`."""
    types_beside_members: bool = False
    """Whether a member may have the name of a type; in type positions the name then still means the type."""
    private_to_file: bool = False
    """Whether other files do not see what is not exported."""
    name_quotes: bytes = b""
    """Quotes around a name that would otherwise be a keyword."""
    is_global: bool = False
    """Whether names at the top of a file are seen by other files without an import (of the same package)."""
