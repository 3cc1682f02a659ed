"""What definitions of all defined languages do with names: who sees them, which decorators and type parameters are at
them.

In: nodes, and the forms that the Spec gives them. Out: bindings, names that a file offers, references to decorators.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import ALIAS, ARITY, MACRO, TAG
from rpg.encoder.languages.declarative.expressions import type_of
from rpg.encoder.languages.declarative.spec import Form
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.lowering.node import Node
from rpg.graph import CLASS_KINDS

_WORD: Final = re.compile(r"\w+")


def is_exported(walker: DeclarativeWalker, words: frozenset[str], name: str) -> bool:
    spec = walker.spec
    if not spec.private.isdisjoint(words) or walker.scopes[walker.scope].kind not in ("module", "class", "block"):
        return False
    return not spec.public or not spec.public.isdisjoint(words)


def offer_name(walker: DeclarativeWalker, text: str) -> None:
    """Lets other files of the package see a name of the file."""
    if walker.spec.is_global:
        walker.offered[text] = None


def bound_name(walker: DeclarativeWalker, node: Node, form: Form, text: str) -> str:
    """What a definition is bound to: its name, for a generic type with the number of its type parameters, where that
    tells types apart; a macro to that of macros."""
    if form.is_macro:
        return text + MACRO
    if not walker.spec.has_arities or form.kind in ("function", "method") or not form.generics:
        return text
    generics = walker.part(node, form.generics)
    count = len(names_of_type_parameters(walker, generics)) if generics is not None else 0
    return f"{text}{ARITY}{count}" if count else text


def names_of_type_parameters(walker: DeclarativeWalker, node: Node) -> list[str]:
    kinds = walker.spec.type_parameters
    names = [walker.part(child, ("name",)) for child in node.named_children if child.type in kinds]
    return [walker.source_of(name) for name in names if name is not None]


def is_uninferred(walker: DeclarativeWalker, node: Node, form: Form) -> bool:
    """Whether a generic function has a type parameter that none of its parameters mentions."""
    if not walker.spec.has_arities or form.kind not in ("function", "method"):
        return False
    generics, parameters = walker.part(node, form.generics), walker.part(node, form.parameters)
    if generics is None:
        return False
    mentioned = _WORD.findall(walker.source_of(parameters)) if parameters is not None else []
    return not set(mentioned).issuperset(names_of_type_parameters(walker, generics))


def offer(walker: DeclarativeWalker, index: int, text: str) -> None:
    """Binds a definition to its name, in its scope; a type in a type also to its full name, in the file."""
    here = walker.definitions[index]
    scope = walker.scopes[walker.scope]
    value = walker.definition_value(index)
    held = 0 if here.kind in ("constant", "field") else value
    is_tag = walker.spec.types_are_apart and here.kind in CLASS_KINDS
    walker.bind(text, held, scope.start_byte, "type" if is_tag else "")
    if walker.spec.has_tags and here.kind in CLASS_KINDS and not walker.is_untagged:
        walker.bind(text + TAG, value, scope.start_byte, "type")
        if walker.scope == 0:
            walker.tags.append(index)
            offer_name(walker, text + TAG)
    if walker.scope == 0:
        if here.kind in ("method", "property"):
            return  # what is left of a type that was not understood
        if here.exported or walker.offers_all or not walker.spec.private_to_file:
            offer_name(walker, text)
    elif walker.spec.offers_nested and here.kind in CLASS_KINDS and not walker.function:
        around, walker.block = walker.block, 0
        walker.bind(text, value, 0, "", 0)
        walker.block = around
        offer_name(walker, text)
    elif scope.kind == "class" and not walker.function:
        around, walker.block = walker.block, 0
        walker.bind(here.qualified_name, value, 0, "", 0)
        walker.block = around


def type_parameters(walker: DeclarativeWalker, node: Node, index: int) -> None:
    spec = walker.spec
    names: list[str] = []
    start = walker.scopes[walker.scope].start_byte
    constrained_apart: dict[str, list[Node]] = {}
    if node.parent is not None and spec.constraints:
        constraints_in(walker, node.parent, constrained_apart)
    elsewhere = walker.bounds_written_elsewhere.get(walker.definitions[index].name, {}) if index >= 0 else {}
    for child in node.named_children:
        if child.type in spec.parameters:
            value_parameter(walker, child, start)
        if child.type not in spec.type_parameters:
            continue
        name, bounds = None, []
        default = child.child_by_field_name("default_type")
        kinds = spec.type_names | spec.names
        if child.type in kinds:
            name = child
        else:
            for part in child.named_children:
                if name is None and part.type in kinds:
                    name = part
                elif name is not None and part.type not in spec.comments:
                    bound = type_of(walker, part)
                    if bound and part != default:
                        bounds.append(bound)
        if name is not None:
            text = walker.text_of(name)
            apart = [*constrained_apart.get(text, ()), *elsewhere.get(len(names), ())]
            if apart:
                written_here = {walker.source_of(part) for part in child.named_children}
                bounds += bounds_of(walker, [each for each in apart if walker.source_of(each) not in written_here])
            names.append(text)
            bound = walker.union(bounds, name.start_byte)
            variable = walker.emit(op.TYPE_VARIABLE, name.start_byte, walker.string(text), bound)
            walker.bind(text, variable, start, "type")
    if names and index >= 0:
        walker.type_parameters[index] = names


def value_parameter(walker: DeclarativeWalker, node: Node, start: int) -> None:
    """A parameter of a template that is no type: a variable of what the template makes."""
    slot = walker.spec.parameters[node.type]
    typed, name = walker.part(node, slot.type), walker.part(node, slot.name)
    held = walker.part(node, slot.default) if slot.default else None
    annotation = type_of(walker, typed) if typed is not None else 0
    if held is not None and held not in (name, typed):
        walker.walk(held)
    if name is not None and name.type in walker.spec.names:
        value = walker.emit(op.TYPED, name.start_byte, annotation, 0) if annotation else 0
        walker.bind(walker.text_of(name), value, start)


def constraints_in(walker: DeclarativeWalker, node: Node, found: dict[str, list[Node]]) -> None:
    """Type parameter -> the types that it is constrained by behind the header: `where T: A + B`."""
    kinds = walker.spec.constraints
    for child in node.named_children:
        if child.type in kinds:
            parts = child.named_children
            if any(part.type in kinds for part in parts):
                constraints_in(walker, child, found)
            elif parts:
                found.setdefault(walker.source_of(parts[0]), []).extend(parts[1:])


def bounds_of(walker: DeclarativeWalker, nodes: Iterable[Node]) -> list[int]:
    """Types that are mentioned where they stand, as bounds."""
    first = len(walker.sites)
    bounds = [bound for node in nodes if (bound := type_of(walker, node))]
    del walker.sites[first:]
    return bounds


def name_parts(walker: DeclarativeWalker, index: int, beginning: str, end: int) -> None:
    """Gives the fields of a type that stand in front of a place the names, too, by which a pattern reads them in their
    order: `component1`."""
    fields = [each for each in walker.definitions[index + 1 :] if each.parent == index and each.start_byte < end]
    for at, each in enumerate(each for each in fields if each.kind == "field"):
        each.flags = (*each.flags, f"{ALIAS}{beginning}{at + 1}")


def lower_decorators(walker: DeclarativeWalker, node: Node, name: Node) -> list[str]:
    """The names of the annotations before a definition's name; each is a reference."""
    decorators = walker.spec.decorators
    found: list[str] = []
    if not decorators:
        return found
    for child in node.named_children:
        if child.start_byte >= name.start_byte:
            break
        for each in [child] if child.type in decorators else child.named_children:
            if each.type in decorators:
                found += names_of_decorator(walker, each)
                walker.walk(each)
    return found


def names_of_decorator(walker: DeclarativeWalker, node: Node) -> list[str]:
    """What an annotation, or each of a group of attributes, is called."""
    inner = [child for child in node.named_children if child.type in walker.spec.decorators]
    if inner:
        return [each for child in inner for each in names_of_decorator(walker, child)]
    return [walker.source_of(node.named_children[0]).split("(", 1)[0]] if node.named_child_count else []
