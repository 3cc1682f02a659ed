"""Lowers variables of all defined languages: fields of classes, variables of files and functions.

In: nodes, and the forms that the Spec gives them. Out: definitions and bindings.
"""

from __future__ import annotations

from rpg.encoder import operations as op
from rpg.encoder.facts import Definition
from rpg.encoder.languages.declarative.expressions import pattern, type_of, value_of
from rpg.encoder.languages.declarative.naming import is_exported, lower_decorators, offer_name
from rpg.encoder.languages.declarative.spec import Variable
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node


def declarators(walker: DeclarativeWalker, node: Node, variable: Variable) -> list[Node]:
    if variable.inside:
        node = walker.part(node, (":" + variable.inside,)) or node
    if not variable.each:
        return [node]
    return [child for child in node.named_children if child.type in variable.each]


def variable_declaration(walker: DeclarativeWalker, node: Node) -> int:
    """Variables of a function or file, fields of a class."""
    spec = walker.spec
    variable = spec.variables[node.type]
    inner = walker.part(node, (":" + variable.inside,)) if variable.inside else node
    typed = walker.part(inner or node, variable.type) if variable.type else None
    annotation = type_of(walker, typed) if typed is not None else 0
    here = walker.scopes[walker.scope].kind
    each_of = declarators(walker, node, variable)
    if each_of and spec.decorators:
        lower_decorators(walker, node, walker.part(each_of[0], variable.name) or each_of[0])
    for at, each in enumerate(each_of):
        name = walker.part(each, variable.name)
        if name is not None and name.start_byte == name.end_byte:
            name = None  # made up by the parser
        held = walker.part(each, variable.value) if variable.value else None
        if held is not None and held in (name, typed):
            held = None
        if typed is None and each is not node and variable.type:
            own = walker.part(each, variable.type)
            annotation = type_of(walker, own) if own is not None else 0
        if name is None or name.type not in spec.names:
            if name is not None:
                pattern(walker, name, value_of(walker, held) if held is not None else 0)
            elif held is not None:
                walker.walk(held)
            continue
        if here == "class" or (here in ("module", "block") and not walker.function and not walker.is_damaged):
            kind = variable.kind if here == "class" else variable.outside
            value = value_of(walker, held) if held is not None else 0
            field(walker, name, node if at == 0 else each, annotation, value, kind, node)
        else:
            value = value_of(walker, held) if held is not None else 0
            local(walker, name, annotation, value, node.end_byte)
    return 0


def field(
    walker: DeclarativeWalker,
    name: Node,
    node: Node,
    annotation: int,
    value: int,
    kind: str,
    whole: Node | None = None,
    is_offered: bool = True,
) -> int:
    """A symbol that holds a value."""
    text = walker.text_of(name)
    start, end = node.start_byte, whole.end_byte if whole is not None else node.end_byte
    shown = whole.start_byte if whole is not None else start
    words = walker.words_before(shown, name.start_byte)
    begin, doc = walker.documented(start)
    walker.marks, walker.attributes = [], -1
    owner = walker.owner if walker.function == 0 else ""
    index = walker.define(
        Definition(
            kind=kind,
            name=text,
            qualified_name=(f"{owner}.{text}" if owner else walker.qualified(text)).replace("::", "."),
            parent=walker.definition,
            owner=owner,
            start_byte=begin,
            end_byte=end,
            name_byte=name.start_byte,
            body_byte=end,
            signature=walker.folded(shown, end).rstrip(";,"),
            doc=doc,
            exported=is_exported(walker, words, text),
            modifiers=tuple(walker.spec.modifiers[each] for each in sorted(words) if each in walker.spec.modifiers),
        )
    )
    held = walker.emit(op.TYPED, name.start_byte, annotation, value) if annotation else value
    first = walker.scopes[walker.scope].start_byte
    if owner:
        if held and walker.owner_object:
            walker.bind(f"{owner}.{text}", held, first, ("declared" if value else "annotation") if annotation else "")
        return index
    walker.bind(text, held, first, ("declared" if value else "annotation") if annotation else "")
    if walker.scope == 0 and (is_offered or walker.offers_all):
        offer_name(walker, text)
    return index


def local(walker: DeclarativeWalker, name: Node, annotation: int, value: int, byte: int) -> None:
    """A variable that is no symbol."""
    held = walker.emit(op.TYPED, name.start_byte, annotation, value) if annotation else value
    kind = ("declared" if value else "annotation") if annotation else ""
    walker.bind(walker.text_of(name), held, byte, kind)
