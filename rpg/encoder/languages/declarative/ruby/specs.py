"""Specs as RSpec, Minitest and FactoryBot have them: groups and examples, what `let` names, the objects that factories
make.

In: calls in files of tests. Out: tests and factories as symbols, bindings, and instances of the classes that factories
name. https://rspec.info/features and https://thoughtbot.github.io/factory_bot say what is meant.

Absent: shared examples and contexts, and what hooks (`before`) assign.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ALIAS, FACTORY, OFFERED
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
from rpg.encoder.languages.declarative.ruby.inflection import camelize
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.titles import SOURCE_LIMIT, define_titled

NO_MEANING: Final = -1
"""For a call that means nothing special in specs."""
_OF_TESTS: Final = re.compile(r"(?:.*/)?(?:spec|test)/.*\.rb")
_LIBRARIES: Final = frozenset(("FactoryBot", "RSpec"))
_NAMED: Final = frozenset(("let", "let!", "subject", "subject!"))
_GROUPS: Final = frozenset(("context", "describe", "feature"))
_EXAMPLES: Final = frozenset(("example", "it", "scenario", "should", "specify", "test"))
_MADE: Final = frozenset(("association", "build", "build_stubbed", "create"))
_MADE_SEVERAL: Final = frozenset(("build_list", "build_pair", "build_stubbed_list", "create_list", "create_pair"))
_FACTORY: Final = "factory"
_MEANT: Final = _NAMED | _GROUPS | _EXAMPLES | _MADE | _MADE_SEVERAL | {_FACTORY}
_SUBJECT: Final = "subject"
_DESCRIBED: Final = "described_class"
_AROUND: Final = "(factory)"
"""The class of the factory around: no name in the source is like it."""


def lower_spec_call(
    walker: DeclarativeWalker, text: str, node: Node, receiver: Node | None, arguments: Node | None
) -> int:
    """The value of a call with a meaning of its own in specs."""
    if text not in _MEANT or _OF_TESTS.fullmatch(walker.path) is None:
        return NO_MEANING
    if receiver is not None and walker.source_of(receiver) not in _LIBRARIES:
        return NO_MEANING
    block = block_of(node)
    if text in _NAMED and block is not None:
        return bind_named(walker, arguments, block)
    if text in _GROUPS and block is not None and arguments is not None:
        return group(walker, node, arguments, block)
    if text in _EXAMPLES and block is not None:
        return example(walker, node, arguments, block)
    if arguments is None:
        return NO_MEANING
    parts = positional(arguments)
    name = read_literal(walker, parts[0]) if parts else None
    if name is None or name.node.type != "simple_symbol":
        return NO_MEANING
    if text == _FACTORY:
        return factory(walker, name, node, arguments)
    return build_factory_instance(walker, name, arguments, block, text in _MADE_SEVERAL)


def bind_named(walker: DeclarativeWalker, arguments: Node | None, block: Node) -> int:
    """`let(:user) { create(:user) }`: within the group, the name is what the block gives."""
    parts = positional(arguments)
    name = read_literal(walker, parts[0]) if parts else None
    around = walker.here()
    walker.scope = walker.function = walker.open_scope("lambda", walker.definition, block.start_byte, block.end_byte)
    body = block.child_by_field_name("body")
    value = 0
    for child in body.named_children if body is not None else ():
        value = walker.walk(child)
    walker.return_to(around)
    walker.bind(name.text if name is not None else _SUBJECT, value, walker.scopes[walker.scope].start_byte)
    return 0


def group(walker: DeclarativeWalker, node: Node, arguments: Node, block: Node) -> int:
    """`describe User do`: within the group, its class and an instance of it have names."""
    around, outside = walker.definition, walker.enter_block(block)
    walker.definition = define_titled_test(walker, node, arguments, block, True)
    for at, child in enumerate(arguments.named_children):
        value = walker.walk(child)
        if value and at == 0 and child.type in ("constant", "scope_resolution"):
            walker.bind(_DESCRIBED, value, block.start_byte)
            walker.bind(_SUBJECT, walker.emit(op.INSTANCE, child.start_byte, value), block.start_byte)
    walker.walk(block)
    walker.leave_block(outside)
    walker.definition = around
    return 0


def example(walker: DeclarativeWalker, node: Node, arguments: Node | None, block: Node) -> int:
    """`it "is open" do`"""
    around = walker.definition
    walker.definition = define_titled_test(walker, node, arguments, block, False)
    if arguments is not None:
        walker.through(arguments)
    walker.walk(block)
    walker.definition = around
    return 0


def define_titled_test(
    walker: DeclarativeWalker, node: Node, arguments: Node | None, block: Node, is_suite: bool
) -> int:
    """The symbol of an example or group, named by what it is told to be."""
    parts = positional(arguments)
    texts = [
        name.text if (name := read_literal(walker, part)) is not None else walker.source_of(part) for part in parts
    ]
    start = node.start_byte
    title = " ".join(texts)[:SOURCE_LIMIT]
    name_byte = parts[0].start_byte if parts else start
    head = walker.folded(start, block.start_byte)
    return define_titled(
        walker, title, is_suite, walker.definition, start, node.end_byte, name_byte, block.start_byte, head
    )


def is_described(walker: DeclarativeWalker, node: Node) -> bool:
    """Whether a node names the class that the group around describes."""
    return node.type == "identifier" and walker.source_of(node) == _DESCRIBED and walker.scope_of(_DESCRIBED) > 0


def factory(walker: DeclarativeWalker, name: Written, node: Node, arguments: Node) -> int:
    """`factory :author, class: "User"`: what it makes; a factory inside it makes the same unless it says otherwise."""
    options = options_of(walker, arguments)
    aliases = option(options, "aliases")
    names = [name, *(names_in(walker, aliases) if aliases is not None else ())]
    index = walker.symbol("constant", name.text, name.byte, node, arguments.end_byte, full_name=name.text)
    walker.definitions[index].flags = tuple(ALIAS + each.text + FACTORY for each in names)
    around, walker.definition = walker.definition, index
    of_class = class_made(walker, name, options)
    walker.definition = around
    for each in names:
        known = each.text + FACTORY
        walker.bind(known, of_class, 0, "", 0)
        walker.offered[known] = None
    block = block_of(node)
    if block is not None:
        outside = walker.enter_block(block)
        walker.bind(_AROUND, of_class, block.start_byte)
        walker.walk(block)
        walker.leave_block(outside)
    return 0


def class_made(walker: DeclarativeWalker, name: Written, options: list[Option]) -> int:
    of_class, parent = option(options, "class"), read_literal(walker, option(options, "parent"))
    if of_class is not None and of_class.type in ("constant", "scope_resolution"):
        return walker.walk(of_class)
    if parent is not None:
        return walker.variable(walker.string(parent.text + FACTORY), parent.byte)
    place = read_literal(walker, of_class) or name
    if place is name and walker.scope_of(_AROUND) > 0:
        return walker.variable(walker.string(_AROUND), name.byte)
    parts = [part for part in place.text.split("::") if part]
    if not parts or not all(part.isidentifier() for part in parts):
        return 0
    value = constant_named(walker, [camelize(parts[0])] if place is name else parts, place.byte)
    walker.site(value, OFFERED)
    return value


def build_factory_instance(
    walker: DeclarativeWalker, name: Written, arguments: Node, block: Node | None, is_several: bool
) -> int:
    """`create(:user)`: an instance of the factory's class."""
    of_class = walker.variable(walker.string(name.text + FACTORY), name.byte)
    walker.site(of_class, OFFERED)
    for child in [*arguments.named_children, *([block] if block is not None else [])]:
        if child != name.node:
            walker.walk(child)
    value = walker.emit(op.INSTANCE, name.byte, of_class)
    return walker.emit(op.LIST, name.byte, 1, value) if is_several else value
