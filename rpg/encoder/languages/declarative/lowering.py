"""The lowering of a whole file of a defined language: the table of handlers that its Spec amounts to.

In: a Spec; a syntax tree. Out: handlers; `FileFacts`.
"""

from __future__ import annotations

from rpg.encoder.languages.declarative import definitions, expressions, functions, variables
from rpg.encoder.languages.declarative.spec import Spec
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handler, Handlers, Table, Walker


def handlers_of(spec: Spec, otherwise: Handler | None = None) -> Handlers:
    """What is done with each kind of node; `otherwise`: with all that the language does not mention."""
    table: Handlers = {}

    def add(kinds: object, handler: Handler) -> None:
        for kind in kinds:  # type: ignore[attr-defined]
            table[kind] = handler

    table["ERROR"] = expressions.lower_damaged
    add(spec.comments, Walker.comment)
    add(spec.skipped, Walker.skip)
    add(spec.names, expressions.name)
    for types in (spec.type_names, spec.type_members, spec.generics, spec.lists, spec.primitives):
        add([kind for kind in types if kind not in spec.names], expressions.annotation_type)
    add(spec.tuples, expressions.tuple_of)
    add(spec.wrappers, expressions.lower_wrapped)
    add(spec.alternatives, expressions.alternatives)
    add(spec.coalescing, expressions.coalescing)
    add(spec.literals, expressions.literal)
    add(spec.this, expressions.this)
    add(spec.super, expressions.super_object)
    add(spec.members, expressions.member)
    add(spec.calls, expressions.call)
    add(spec.creations, definitions.creation)
    add(spec.casts, expressions.cast)
    add(spec.subscripts, expressions.subscript)
    add(spec.blocks, expressions.block)
    add(spec.loops, expressions.loop)
    add(spec.assignments, expressions.assignment)
    add(spec.returns, expressions.return_statement)
    add(spec.decorators, expressions.decorator)
    add(spec.lambdas, functions.lambda_expression)
    add(spec.variables, variables.variable_declaration)
    add(spec.definitions, definitions.definition)
    table.update(spec.handlers)
    return Table(table, otherwise=otherwise)


class DeclarativeLowering(DeclarativeWalker):
    """Walks one syntax tree; a language's own gives the Spec and the handlers."""

    def lower(self, root: Node) -> None:
        """The whole file."""
        self.define_file()
        definitions.foresee(self, root)
        self.walk_top(root)

    def walk_top(self, root: Node) -> None:
        self.through(root)
