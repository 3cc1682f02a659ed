"""The tables of a Rails application: columns as attributes of the models that have them.

In: `create_table` in `db/schema.rb`. Out: a property for each column, owned by the class that Rails names after the
table, and for a boolean the predicate that Rails adds, `is_admin?`. Migrations are history: they define nothing.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.facts import Definition
from rpg.encoder.languages.declarative.ruby.arguments import Written, block_of, positional, read_literal
from rpg.encoder.languages.declarative.ruby.inflection import camelize, singular
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node

_OF_DATABASE: Final = re.compile(r"(?:.*/)?db/(?:\w*migrat\w*/|(?:\w+_)?schema\.rb)")
_SCHEMA: Final = re.compile(r"(?:.*/)?db/(?:\w+_)?schema\.rb")
_NO_COLUMNS: Final = frozenset(
    ("check_constraint", "exclusion_constraint", "foreign_key", "index", "unique_constraint")
)


def is_of_database(path: str) -> bool:
    """Whether it describes tables: a migration or the schema."""
    return _OF_DATABASE.match(path) is not None


def is_schema(path: str) -> bool:
    return _SCHEMA.fullmatch(path) is not None


def table(walker: DeclarativeWalker, node: Node, arguments: Node) -> None:
    """`create_table "users" do |t| ... end`"""
    parts, block = positional(arguments), block_of(node)
    name = read_literal(walker, parts[0]) if parts else None
    body = block.child_by_field_name("body") if block is not None else None
    if name is None or body is None:
        return
    model = camelize(singular(name.text))
    for each in body.named_children:
        method = each.child_by_field_name("method") if each.type == "call" else None
        if method is None or each.child_by_field_name("receiver") is None:
            continue
        kind = walker.source_of(method)
        if kind in _NO_COLUMNS:
            continue
        named = positional(each.child_by_field_name("arguments"))
        column = read_literal(walker, named[0]) if named else None
        if column is not None and column.text.isidentifier():
            attribute(walker, model, column, column.text, each)
            if kind == "boolean":
                attribute(walker, model, column, f"{column.text}?", each)


def attribute(walker: DeclarativeWalker, model: str, column: Written, name: str, node: Node) -> None:
    walker.define(
        Definition(
            kind="property",
            name=name,
            qualified_name=f"{model}.{name}",
            parent=walker.definition,
            owner=model,
            start_byte=node.start_byte,
            end_byte=node.end_byte,
            name_byte=column.byte,
            body_byte=node.end_byte,
            signature=walker.folded(node.start_byte, node.end_byte),
        )
    )
