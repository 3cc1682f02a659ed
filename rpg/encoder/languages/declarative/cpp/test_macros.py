"""Tests that macros define: `TEST_F(LogTest, Reads) { ... }` of GoogleTest, `TEST_CASE("reads") { ... }` of Catch2 and
doctest, `BOOST_AUTO_TEST_CASE(reads) { ... }`.

In: what the grammar makes of them, a function without a result, or a call with a block behind it. Out: tests as
symbols, named as their runners print them. A test of a fixture is a member of a class without a name that is derived
from the fixture. Sections of a test are blocks of it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from rpg.encoder.facts import ANONYMOUS, Definition
from rpg.encoder.languages.declarative.expressions import type_of
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.titles import SOURCE_LIMIT, define_titled

ABSENT: Final = -1


class Form(NamedTuple):
    """A macro: the positions of what names the fixture, and of what names the test alone; whether it is a suite."""

    fixture: int = ABSENT
    title: int = ABSENT
    is_suite: bool = False


NAMED: Final = {
    "TEST": Form(),
    "GTEST_TEST": Form(),
    **dict.fromkeys(("TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P"), Form(fixture=0)),
    "BOOST_AUTO_TEST_CASE": Form(title=0),
    "BOOST_FIXTURE_TEST_CASE": Form(fixture=1, title=0),
}
"""Macros whose arguments are names, which together name the test."""
TITLED: Final = {
    **dict.fromkeys(("TEST_CASE", "TEMPLATE_TEST_CASE", "SCENARIO", "SCENARIO_TEMPLATE"), Form(title=0)),
    **dict.fromkeys(("TEST_CASE_METHOD", "TEST_CASE_FIXTURE", "SCENARIO_METHOD"), Form(fixture=0, title=1)),
    "TEST_SUITE": Form(title=0, is_suite=True),
}
"""Macros whose argument is a text."""
MARKS: Final = (b"TEST_CASE", b"SCENARIO")
"""Every file with a macro of these has one of these texts."""


def is_named_test(walker: DeclarativeWalker, node: Node, name: Node, function: Node) -> bool:
    """Whether what looks like a function is a test that a macro names."""
    if name.type != "identifier" or walker.function or walker.class_scope >= 0:
        return False
    if node.child_by_field_name("type") is not None or walker.source_of(name) not in NAMED:
        return False
    parameters = function.child_by_field_name("parameters")
    given = parameters.named_children if parameters is not None else []
    return bool(given) and all(
        each.type == "parameter_declaration" and each.child_by_field_name("declarator") is None for each in given
    )


def define_named_test(walker: DeclarativeWalker, node: Node, name: Node, function: Node) -> int:
    """`TEST_F(LogTest, Reads) { ... }`: the test `LogTest.Reads`."""
    form = NAMED[walker.source_of(name)]
    parameters, body = function.child_by_field_name("parameters"), node.child_by_field_name("body")
    given = parameters.named_children if parameters is not None else []
    names = [walker.source_of(each) for each in given]
    title = names[form.title] if form.title != ABSENT else ".".join(names)
    held = given[form.fixture].child_by_field_name("type") if ABSENT < form.fixture < len(given) > 1 else None
    define_test(walker, title, form, node, given[form.title], body if body is not None else node, held)
    return 0


def define_test(
    walker: DeclarativeWalker, title: str, form: Form, node: Node, name: Node, body: Node, fixture: Node | None
) -> None:
    """The symbol of a test or suite, with what is in it."""
    around, class_scope = walker.here(), walker.class_scope
    start, end = node.start_byte, max(node.end_byte, body.end_byte)
    head = walker.folded(start, body.start_byte)
    index = define_titled(
        walker,
        title[:SOURCE_LIMIT],
        form.is_suite,
        walker.definition,
        start,
        end,
        name.start_byte,
        body.start_byte,
        head,
    )
    walker.definition = index
    if form.is_suite:
        walk_children(walker, body)
        walker.return_to(around)
        return
    if fixture is not None:
        walker.scope = walker.class_scope = derive(walker, type_of(walker, fixture), start, end)
    walker.scope = walker.function = scope = walker.open_scope("function", index, start, end)
    walker.definitions[index].scope = scope
    walker.open_block(start, end)
    walker.walk(body)
    walker.class_scope = class_scope
    walker.return_to(around)


def derive(walker: DeclarativeWalker, base: int, start: int, end: int) -> int:
    """The scope of a class without a name that is derived from a fixture."""
    index = walker.define(
        Definition(
            kind="class",
            name="",
            qualified_name=walker.qualified("(anonymous)"),
            parent=walker.definition,
            start_byte=start,
            end_byte=end,
            name_byte=start,
            body_byte=start,
            exported=False,
            flags=(ANONYMOUS,),
        )
    )
    scope = walker.open_scope("class", index, start, end)
    walker.definitions[index].scope = scope
    if base:
        walker.bases[index] = [("", base)]
        walker.deriving.add(scope)
    return scope


def walk_children(walker: DeclarativeWalker, node: Node) -> int:
    """The children of a node, among which may be calls of macros with a block behind them."""
    children = node.named_children
    at = 0
    while at < len(children):
        child = children[at]
        behind = children[at + 1] if at + 1 < len(children) else None
        arguments = find_title_arguments(walker, child, behind)
        if arguments is None or behind is None:
            walker.walk(child)
            at += 1
        else:
            define_titled_test(walker, child, arguments, behind)
            at += 2
    return 0


def find_title_arguments(walker: DeclarativeWalker, node: Node, behind: Node | None) -> Node | None:
    """The arguments of a macro that makes a test of the block behind it."""
    if behind is None or behind.type != "compound_statement" or node.type != "expression_statement":
        return None
    call = node.named_children[0] if node.named_child_count else None
    function = call.child_by_field_name("function") if call is not None and call.type == "call_expression" else None
    if call is None or function is None or function.type != "identifier":
        return None
    form, arguments = TITLED.get(walker.source_of(function)), call.child_by_field_name("arguments")
    if form is None or arguments is None or arguments.named_child_count <= form.title:
        return None
    return arguments if "string" in arguments.named_children[form.title].type else None


def define_titled_test(walker: DeclarativeWalker, node: Node, arguments: Node, body: Node) -> None:
    """`TEST_CASE("reads", "[log]") { ... }`"""
    given = arguments.named_children
    form = TITLED[walker.source_of(node).partition("(")[0].strip()]
    title = given[form.title]
    text = "".join(
        walker.source_of(part)
        for each in ([title] if title.type == "string_literal" else title.named_children)
        for part in each.named_children
        if part.type in ("string_content", "escape_sequence")
    )
    define_test(walker, text, form, node, title, body, given[form.fixture] if form.fixture != ABSENT else None)
