"""Calls in the body of a class that define members of it, as Ruby and Rails have them: accessors, associations, scopes,
enums, delegation.

In: a call and what it is called. Out: definitions, what they refer to, and what reading them returns: an association
is an instance of its class, a scope something that has the class's own methods. Whether a class is a model is not
asked.

Absent: what a macro of the repository's own defines.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import OFFERED, READ
from rpg.encoder.languages.declarative.functions import parameters_in
from rpg.encoder.languages.declarative.ruby.arguments import (
    Option,
    Written,
    block_of,
    constant_named,
    names_in,
    option,
    options_of,
    positional,
    read_literal,
)
from rpg.encoder.languages.declarative.ruby.inflection import camelize, plural, singular
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

Macro = Callable[[DeclarativeWalker, Node, Node], None]
"""Lowers a call with arguments, all of it but its receiver."""

_ENUM_OPTIONS: Final = frozenset(("prefix", "suffix", "default", "scopes", "instance_methods", "validate"))
_OF_OTHERS: Final = frozenset(("symbol", "simple_symbol", "string", "true", "false", "nil", "integer", "array"))
"""Kinds of values of options that name nothing of the class."""
_CALLBACKS: Final = frozenset(("before_add", "after_add", "before_remove", "after_remove", "through", "if", "unless"))
"""Options of associations that name members of the class."""
HELPER: Final = "(helper {})"
"""The name under which a class or module is known that gives templates a method: no name in the source is like it."""


def member(
    walker: DeclarativeWalker, kind: str, name: Written, node: Node, text: str = "", is_static: bool = False
) -> int:
    """A member that a call defines. `text`: its name, if it is not the one that is written."""
    text = text or name.text
    modifiers = ("static",) if is_static else ()
    index = walker.symbol(kind, text, name.byte, node, node.end_byte, modifiers=modifiers)
    walker.bind(text, walker.definition_value(index), walker.scopes[walker.scope].start_byte)
    return index


def enter(walker: DeclarativeWalker, index: int, node: Node) -> tuple[tuple[int, int, int, int], int]:
    """Opens the scope of what a member does. Returns where to go back to, and the scope."""
    around = walker.here()
    walker.definition = index
    walker.scope = walker.function = scope = walker.open_scope("function", index, node.start_byte, node.end_byte)
    walker.definitions[index].scope = scope
    return around, scope


def own(walker: DeclarativeWalker, name: Written, role: int = OFFERED) -> int:
    """A member of the class around, by its symbol."""
    holder = walker.emit(op.THIS, name.byte, walker.class_scope)
    value = walker.emit(op.ATTRIBUTE, name.byte, holder, walker.string(name.text))
    walker.site(value, role)
    return value


# Accessors


def accessors(walker: DeclarativeWalker, node: Node, arguments: Node) -> None:
    for each in positional(arguments):
        name = read_literal(walker, each)
        if name is not None:
            member(walker, "property", name, node)


def first_accessor(walker: DeclarativeWalker, node: Node, arguments: Node) -> None:
    """Only the first argument is a name."""
    parts = positional(arguments)
    name = read_literal(walker, parts[0]) if parts else None
    if name is not None:
        member(walker, "property", name, node)
    for each in options_of(walker, arguments):
        if each.value.type not in _OF_OTHERS:
            walker.walk(each.value)


def later_accessors(walker: DeclarativeWalker, node: Node, arguments: Node) -> None:
    """All but the first: that is where they are kept."""
    for each in positional(arguments)[1:]:
        for name in names_in(walker, each):
            member(walker, "property", name, node)


# Other names of a method


def alias(walker: DeclarativeWalker, node: Node, arguments: Node) -> None:
    """`alias_method :new, :old`"""
    names = positional(arguments)
    if len(names) == 2:
        define_alias(walker, node, names[0], names[1])


def define_alias(walker: DeclarativeWalker, node: Node, new: Node | None, old: Node | None) -> None:
    """A method under another name."""
    name, given = read_alias_name(walker, new), read_alias_name(walker, old)
    if name is not None and given is not None:
        around, scope = enter(walker, member(walker, "method", name, node, is_static=walker.is_of_type), node)
        walker.returns[scope] = [own(walker, given, READ)]
        walker.return_to(around)


def read_alias_name(walker: DeclarativeWalker, node: Node | None) -> Written | None:
    """The name in `alias new old` and `alias_method :new, :old`."""
    if node is not None and node.type in ("identifier", "constant"):
        return Written(walker.source_of(node), node.start_byte, node)
    return read_literal(walker, node)


def forwarding(walker: DeclarativeWalker, node: Node, arguments: Node) -> None:
    """`def_delegators :@cart, :add, :total`"""
    define_forwarders(walker, node, positional(arguments), [])


def forwarding_one(walker: DeclarativeWalker, node: Node, arguments: Node) -> None:
    """`def_delegator :@cart, :add, :add_to_cart`"""
    parts = positional(arguments)
    define_forwarders(walker, node, parts[:2], parts[2:3])


def define_forwarders(walker: DeclarativeWalker, node: Node, parts: list[Node], new: list[Node]) -> None:
    target = read_literal(walker, parts[0]) if parts else None
    if target is None:
        return
    for at, each in enumerate(parts[1:]):
        name = read_literal(walker, each)
        if name is None:
            walker.walk(each)
            continue
        given = read_literal(walker, new[at]) if at < len(new) else None
        around, scope = enter(walker, member(walker, "method", given or name, node), node)
        called = walker.emit(op.ATTRIBUTE, name.byte, lower_delegate_target(walker, target), walker.string(name.text))
        walker.returns[scope] = [walker.call(called, name.byte, [])]
        walker.return_to(around)


def lower_delegate_target(walker: DeclarativeWalker, target: Written) -> int:
    """What a class delegates to: one of its methods, or an instance variable, which is no symbol."""
    if not target.text.startswith("@"):
        return own(walker, target)
    holder = walker.emit(op.THIS, target.byte, walker.class_scope)
    return walker.emit(op.ATTRIBUTE, target.byte, holder, walker.string(target.text))


def define_method(walker: DeclarativeWalker, node: Node, arguments: Node) -> None:
    """`define_method(:name) do |argument| ... end`"""
    parts, block = positional(arguments), block_of(node)
    name = read_literal(walker, parts[0]) if parts else None
    if name is None:
        walker.through(arguments)
        if block is not None:
            walker.walk(block)
        return
    around, scope = enter(walker, member(walker, "method", name, node), node)
    for each in parts[1:]:
        walker.walk(each)
    if block is not None:
        body_of(walker, block, scope)
    walker.return_to(around)


def body_of(walker: DeclarativeWalker, node: Node, scope: int) -> int:
    """The parameters and the code of a block or lambda, as those of a method."""
    parameters = node.child_by_field_name("parameters")
    if parameters is not None:
        parameters_in(walker, parameters, scope)
    value = 0
    for child in node.named_children:
        if child != parameters:
            value = walker.walk(child)
    return value


def delegation(walker: DeclarativeWalker, node: Node, arguments: Node) -> None:
    """`delegate :name, to: :user, prefix: true`"""
    options = options_of(walker, arguments)
    target = read_literal(walker, option(options, "to"))
    if target is None or target.text == "class" or not target.text.lstrip("@").isidentifier():
        walker.through(arguments)
        return
    marked = option(options, "prefix")
    prefix = ""
    if marked is not None and marked.type != "false":
        chosen = read_literal(walker, marked)
        prefix = f"{chosen.text if chosen is not None else target.text.lstrip('@')}_"
    for each in positional(arguments):
        name = read_literal(walker, each)
        if name is None:
            walker.walk(each)
            continue
        around, scope = enter(walker, member(walker, "method", name, node, prefix + name.text), node)
        called = walker.emit(op.ATTRIBUTE, name.byte, lower_delegate_target(walker, target), walker.string(name.text))
        walker.returns[scope] = [walker.call(called, name.byte, [])]
        walker.return_to(around)


# Models


def define_to_one(walker: DeclarativeWalker, node: Node, arguments: Node) -> None:
    association(walker, node, arguments, False)


def define_to_many(walker: DeclarativeWalker, node: Node, arguments: Node) -> None:
    association(walker, node, arguments, True)


def association(walker: DeclarativeWalker, node: Node, arguments: Node, is_many: bool) -> None:
    """`has_many :comments, class_name: "Note"`: reading it returns an instance, of several any."""
    parts = positional(arguments)
    name = read_literal(walker, parts[0]) if parts else None
    if name is None:
        walker.through(arguments)
        return
    options = options_of(walker, arguments)
    around, scope = enter(walker, member(walker, "property", name, node), node)
    of_class = class_of(walker, name, options, is_many)
    if of_class:
        walker.returns[scope] = [walker.emit(op.INSTANCE, name.byte, of_class)]
    for each in parts[1:]:
        walker.walk(each)
    for each_option in options:
        own_name = read_literal(walker, each_option.value)
        if own_name is not None and each_option.key.text in _CALLBACKS:
            own(walker, own_name)
        elif each_option.value.type not in _OF_OTHERS:
            walker.walk(each_option.value)
    block = block_of(node)
    if block is not None:
        walker.walk(block)
    walker.return_to(around)


def class_of(walker: DeclarativeWalker, name: Written, options: list[Option], is_many: bool) -> int:
    """The class of what an association leads to: as its options say, else as its name does."""
    if option(options, "polymorphic") is not None or option(options, "source") is not None:
        return 0
    class_name = option(options, "class_name")
    place = name
    if class_name is not None:
        own_name = read_literal(walker, class_name)
        if own_name is None:
            return 0
        place = own_name
        parts = [part for part in own_name.text.split("::") if part]
        place = place._replace(byte=own_name.byte + own_name.text.rfind(parts[-1]) if parts else own_name.byte)
    else:
        parts = [camelize(singular(name.text) if is_many else name.text)]
    if not parts or not all(part.isidentifier() for part in parts):
        return 0
    value = constant_named(walker, parts, place.byte)
    walker.site(value, OFFERED)
    return value


def scope(walker: DeclarativeWalker, node: Node, arguments: Node) -> None:
    """`scope :recent, -> { ... }` is a method; what it returns has the methods of the class."""
    parts = positional(arguments)
    name = read_literal(walker, parts[0]) if parts else None
    if name is None:
        walker.through(arguments)
        return
    around, inner = enter(walker, member(walker, "method", name, node, is_static=True), node)
    for each in parts[1:]:
        if each.type == "lambda":
            body_of(walker, each, inner)
        else:
            walker.walk(each)
    block = block_of(node)
    if block is not None:
        body_of(walker, block, inner)
    walker.returns[inner] = [walker.emit(op.THIS, name.byte, walker.class_scope)]
    walker.return_to(around)


def enum(walker: DeclarativeWalker, node: Node, arguments: Node) -> None:
    """`enum :state, [:draft, :live]`: the values, with a predicate, a scope and a setter for each."""
    parts, options = positional(arguments), options_of(walker, arguments)
    name = read_literal(walker, parts[0]) if parts else None
    settings = [each for each in options if each.key.text.lstrip("_") in _ENUM_OPTIONS]
    others = [each for each in options if each not in settings]
    groups: list[tuple[Written, list[Written]]] = []
    if name is not None:
        values = [each.key for each in others]
        for each in parts[1:]:
            values += values_in(walker, each)
        groups.append((name, values))
    else:
        groups += [(each.key, values_in(walker, each.value)) for each in others]
    for attribute, values in groups:
        member(walker, "property", attribute, node, plural(attribute.text))
        before = affix(walker, settings, "prefix", attribute.text)
        after = affix(walker, settings, "suffix", attribute.text)
        for value in values:
            word = f"{before}_{value.text}" if before else value.text
            word = f"{word}_{after}" if after else word
            if word.isidentifier():
                for mark in ("", "?", "!"):
                    member(walker, "method", value, node, word + mark, not mark)


def values_in(walker: DeclarativeWalker, node: Node) -> list[Written]:
    if node.type == "hash":
        return [each.key for each in options_of(walker, node)]
    return names_in(walker, node) if node.type != "simple_symbol" else []


def affix(walker: DeclarativeWalker, settings: list[Option], key: str, attribute: str) -> str:
    value = option(settings, key) or option(settings, f"_{key}")
    if value is None or value.type in ("false", "nil"):
        return ""
    name = read_literal(walker, value)
    return name.text if name is not None else attribute


# What templates see


def helpers(walker: DeclarativeWalker, node: Node, arguments: Node) -> None:
    """`helper_method :current_user`: templates may call it."""
    holder = walker.scopes[walker.class_scope].definition
    for each in positional(arguments):
        name = read_literal(walker, each)
        if name is not None:
            own(walker, name, READ)
            offer_helper(walker, name.text, holder)


def offer_helper(walker: DeclarativeWalker, name: str, holder: int) -> None:
    """Lets templates see a method of a class or module."""
    known = HELPER.format(name)
    walker.bind(known, walker.definition_value(holder), 0, "", 0)
    walker.offered[known] = None


MACROS: Final[dict[str, Macro]] = {
    "alias_attribute": alias,
    "alias_method": alias,
    "attr_accessor": accessors,
    "attr_reader": accessors,
    "attr_writer": accessors,
    "attribute": first_accessor,
    "belongs_to": define_to_one,
    "cattr_accessor": accessors,
    "cattr_reader": accessors,
    "cattr_writer": accessors,
    "class_attribute": accessors,
    "composed_of": first_accessor,
    "def_delegator": forwarding_one,
    "def_delegators": forwarding,
    "def_instance_delegator": forwarding_one,
    "def_instance_delegators": forwarding,
    "define_method": define_method,
    "delegate": delegation,
    "enum": enum,
    "has_and_belongs_to_many": define_to_many,
    "has_many": define_to_many,
    "has_many_attached": first_accessor,
    "has_one": define_to_one,
    "has_one_attached": first_accessor,
    "has_rich_text": first_accessor,
    "helper_method": helpers,
    "mattr_accessor": accessors,
    "mattr_reader": accessors,
    "mattr_writer": accessors,
    "scope": scope,
    "store_accessor": later_accessors,
    "thread_cattr_accessor": accessors,
    "thread_mattr_accessor": accessors,
}
BODIES: Final = frozenset(("class_methods", "included", "prepended"))
"""Calls whose block is the body of the class that a module is mixed into, or of its methods."""
