"""Lowers what opens a scope: functions, classes, lambdas, comprehensions.

In: nodes. Out: definitions, scopes, parameters, bases.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Final

from rpg.encoder.facts import BASE, DECORATOR, Definition, Parameter
from rpg.encoder.languages.python.conditions import lower_condition, narrow
from rpg.encoder.languages.python.targets import assign, is_enum, iterated
from rpg.encoder.languages.python.walker import PythonWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers
from rpg.encoder.operations import COMPREHENSION, DEFINITION, ELEMENT, FUNCTION, PARAMETER, TYPE_VARIABLE, YIELD

_PROPERTIES = {"property", "cached_property", "abstractproperty", "classproperty"}
_MARKS = {
    "overload": "overload",
    "classmethod": "classmethod",
    "staticmethod": "staticmethod",
    "contextmanager": "contextmanager",
    "asynccontextmanager": "contextmanager",
    "dataclass": "dataclass",
}
"""Last part of a decorator's name -> flag."""


def decorated_definition(walker: PythonWalker, node: Node) -> int:
    decorators: list[int] = []
    texts: list[str] = []
    for child in node.named_children:
        kind = child.type
        if kind == "decorator":
            for part in child.named_children:
                if part.type == "comment":
                    walker.comment(part)
                    continue
                texts.append(walker.folded(part.start_byte, part.end_byte))
                if part.type == "call":
                    made = walker.walk(part)
                    walker.site(made, DECORATOR)
                    decorators.append(made)
                else:
                    decorators.append(walker.with_role(part, DECORATOR))
        elif kind == "comment":
            walker.comment(child)
        elif kind == "function_definition":
            function_definition(walker, child, node.start_byte, texts, decorators)
        elif kind == "class_definition":
            class_definition(walker, child, node.start_byte, texts, decorators)
    return 0


def function_definition(
    walker: PythonWalker,
    node: Node,
    start: int = -1,
    texts: list[str] | None = None,
    decorators: list[int] | None = None,
) -> int:
    name_node = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    if name_node is None or body is None:
        return walker.through(node)
    walker.comments_before(body)
    name = walker.source_of(name_node)
    texts = texts or []
    first, end = node.start_byte, node.end_byte
    begin = first if start < 0 else start
    in_class = walker.scopes[walker.scope].kind == "class"
    lasts = {text.partition("(")[0].rpartition(".")[2] for text in texts}
    flags = [_MARKS[last] for last in sorted(lasts & _MARKS.keys())]
    kind = "function"
    if in_class:
        kind = "property" if lasts & _PROPERTIES else "method"
        if "setter" in lasts or "deleter" in lasts:
            kind = "property"
            flags.append("setter")
        if name in ("__new__", "__init_subclass__", "__class_getitem__"):
            flags.append("classmethod" if name != "__new__" else "staticmethod_with_class")
    modifiers = []
    if node.children[0].type == "async":
        modifiers.append("async")
    if "staticmethod" in lasts:
        modifiers.append("static")
    if lasts & {"abstractmethod", "abstractproperty"}:
        modifiers.append("abstract")
    returns = node.child_by_field_name("return_type")
    parameters = node.child_by_field_name("parameters")
    header = (returns or parameters or name_node).end_byte
    definition = walker.define(
        Definition(
            kind=kind,
            name=name,
            qualified_name=walker.qualified(name),
            parent=walker.definition,
            scope=len(walker.scopes),
            start_byte=begin,
            end_byte=end,
            name_byte=name_node.start_byte,
            body_byte=body.start_byte,
            signature=walker.folded(first, header),
            doc=docstring(walker, body),
            exported=not name.startswith("_"),
            decorators=tuple(texts),
            modifiers=tuple(modifiers),
            returns=walker.folded(returns.start_byte, returns.end_byte) if returns else "",
            flags=tuple(flags),
        )
    )
    if decorators:
        walker.decorators[definition] = decorators
    walker.bind(name, walker.emit(DEFINITION, name_node.start_byte, definition), end)
    around = walker.scope, walker.definition, walker.block
    type_parameters_of(walker, node, definition)
    rows, receiver, places = parameters_of(walker, parameters, definition)
    if not in_class or "staticmethod" in lasts:
        receiver = ""
    annotation = 0
    if returns is not None:
        walker.definition = definition
        annotation = walker.annotation(returns)
        walker.definition = around[1]
    scope = walker.open_scope("function", definition, begin, end, receiver)
    walker.definitions[definition].scope = scope
    if annotation:
        walker.annotations[scope] = annotation
    walker.scope, walker.definition = scope, definition
    walker.open_block(begin, end)
    if receiver:
        walker.receivers.append((receiver, around[1]))
    bind_parameters(walker, scope, rows, places, begin)
    walker.walk(body)
    if receiver:
        walker.receivers.pop()
    walker.scope, walker.definition, walker.block = around
    return 0


def type_parameters_of(walker: PythonWalker, node: Node, definition: int) -> None:
    """`[T]` after a name: type variables in a scope of their own, which becomes the current one."""
    listed = node.child_by_field_name("type_parameters")
    if listed is None:
        return
    walker.scope = walker.open_scope("block", walker.definition, node.start_byte, node.end_byte)
    names = walker.type_parameters.setdefault(definition, [])
    for child in listed.named_children:
        parts = child.named_children[0] if child.type == "type" and child.named_child_count else child
        bound = 0
        if parts.type == "constrained_type":
            bound = walker.annotation(parts.named_children[-1])
            parts = parts.named_children[0]
        text = walker.source_of(parts).lstrip("*")
        walker.bind(text, walker.emit(TYPE_VARIABLE, parts.start_byte, walker.string(text), bound), node.start_byte)
        names.append(text)


def parameters_of(walker: PythonWalker, node: Node | None, definition: int) -> tuple[list[Parameter], str, list[int]]:
    """Parameters with their annotations (which belong to the function) and defaults (to the enclosing scope); the first
    name; the places of the names."""
    rows: list[Parameter] = []
    around = walker.definition
    kind = "positional"
    places: list[int] = []
    for child in node.named_children if node is not None else ():
        shape = child.type
        name, annotation, default, this = child, 0, 0, kind
        if shape == "comment":
            walker.comment(child)
            continue
        if shape == "keyword_separator":
            kind = "keyword"
            continue
        if shape == "positional_separator":
            continue
        if shape in ("typed_parameter", "typed_default_parameter", "default_parameter"):
            type_node = child.child_by_field_name("type")
            if type_node is not None:
                walker.definition = definition
                annotation = walker.annotation(type_node)
                walker.definition = around
            value = child.child_by_field_name("value")
            if value is not None:
                default = walker.walk(value)
            name = child.child_by_field_name("name") or child.named_children[0]
            shape = name.type
        if shape == "list_splat_pattern":
            this, kind = "list", "keyword"
            name = name.named_children[0] if name.named_child_count else name
        elif shape == "dictionary_splat_pattern":
            this = "map"
            name = name.named_children[0] if name.named_child_count else name
        rows.append(Parameter(walker.source_of(name), this, annotation, default))
        places.append(name.start_byte)
    receiver = rows[0].name if rows and rows[0].kind == "positional" else ""
    return rows, receiver, places


def bind_parameters(walker: PythonWalker, scope: int, rows: list[Parameter], places: list[int], byte: int) -> None:
    if rows:
        walker.parameters[scope] = rows
    for index, row in enumerate(rows):
        walker.bind(row.name, walker.emit(PARAMETER, places[index], scope, index), byte)


def class_definition(
    walker: PythonWalker,
    node: Node,
    start: int = -1,
    texts: list[str] | None = None,
    decorators: list[int] | None = None,
) -> int:
    name_node = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    if name_node is None or body is None:
        return walker.through(node)
    walker.comments_before(body)
    name = walker.source_of(name_node)
    texts = texts or []
    first, end = node.start_byte, node.end_byte
    begin = first if start < 0 else start
    arguments = node.child_by_field_name("superclasses")
    flags = [_MARKS[last] for last in {text.partition("(")[0].rpartition(".")[2] for text in texts} & _MARKS.keys()]
    header = (arguments or name_node).end_byte
    scope = len(walker.scopes)
    definition = walker.define(
        Definition(
            kind="class",
            name=name,
            qualified_name=walker.qualified(name),
            parent=walker.definition,
            scope=scope,
            start_byte=begin,
            end_byte=end,
            name_byte=name_node.start_byte,
            body_byte=body.start_byte,
            signature=walker.folded(first, header),
            doc=docstring(walker, body),
            exported=not name.startswith("_"),
            decorators=tuple(texts),
            flags=tuple(flags),
        )
    )
    if decorators:
        walker.decorators[definition] = decorators
    around = walker.scope, walker.definition, walker.block
    # The class is the source of its bases, although they are looked up around it.
    walker.bind(name, walker.emit(DEFINITION, name_node.start_byte, definition), end)
    walker.definition = definition
    type_parameters_of(walker, node, definition)
    if arguments is not None:
        walker.bases[definition] = [base for child in arguments.named_children for base in lower_base(walker, child)]
    scope = walker.open_scope("class", definition, begin, end)
    walker.definitions[definition].scope = scope
    walker.scope = scope
    walker.open_block(begin, end)
    walker.walk(body)
    walker.scope, walker.definition, walker.block = around
    if is_enum(walker, definition):
        walker.definitions[definition].kind = "enum"
    return 0


def lower_base(walker: PythonWalker, node: Node) -> Iterable[tuple[str, int]]:
    if node.type == "comment":
        walker.comment(node)
    elif node.type == "keyword_argument":
        keyword = node.child_by_field_name("name")
        yield walker.source_of(keyword) if keyword is not None else "", walker.field(node, "value")
    elif node.type == "list_splat":
        walker.walk(node)
    else:
        yield "", walker.with_role(node, BASE)


def docstring(walker: PythonWalker, body: Node) -> str:
    for child in body.named_children:
        if child.type == "comment":
            continue
        # Some versions of the grammar have the string itself here, some a statement around it.
        string = child.named_children[0] if child.type == "expression_statement" and child.named_children else child
        strings = string.named_children if string.type == "concatenated_string" else [string]
        parts = [part for each in strings if each.type == "string" for part in each.named_children]
        starts = {letter for part in parts if part.type == "string_start" for letter in walker.source_of(part)}
        if not starts.isdisjoint("bBfFtT"):
            return ""
        contents = [walker.source_of(part) for part in parts if part.type == "string_content"]
        return inspect.cleandoc("".join(contents))
    return ""


def lambda_expression(walker: PythonWalker, node: Node) -> int:
    rows, _, places = parameters_of(walker, node.child_by_field_name("parameters"), walker.definition)
    around = walker.scope, walker.block
    start, end = node.start_byte, node.end_byte
    walker.scope = scope = walker.open_scope("lambda", walker.definition, start, end)
    walker.open_block(start, end)
    bind_parameters(walker, scope, rows, places, start)
    value = walker.field(node, "body")
    if value:
        walker.returns[scope] = [value]
    walker.scope, walker.block = around
    return walker.emit(FUNCTION, start + walker.shift, scope)


def comprehension(walker: PythonWalker, node: Node) -> int:
    body = node.child_by_field_name("body")
    scope_around, block_around = walker.scope, walker.block
    scope = -1
    for child in node.named_children:
        if child.type == "for_in_clause":
            rights = child.children_by_field_name("right")
            right = walker.walk(rights[0]) if len(rights) == 1 else 0
            element = iterated(walker, right, rights[0].start_byte if rights else child.start_byte)
            if scope < 0:
                # The first iterable is evaluated outside the comprehension's own scope.
                scope = walker.open_scope("comprehension", walker.definition, node.start_byte, node.end_byte)
                walker.scope = scope
                walker.open_block(node.start_byte, node.end_byte)
            assign(walker, child.child_by_field_name("left"), element, node.start_byte)
        elif child.type == "if_clause":
            for test in child.named_children:
                narrow(walker, lower_condition(walker, test), node.start_byte)
    key = value = 0
    if body is not None and body.type == "pair":
        key, value = walker.field(body, "key"), walker.field(body, "value")
    elif body is not None:
        key = walker.walk(body)
    walker.scope, walker.block = scope_around, block_around
    kind = walker.string(node.type.partition("_")[0])
    return walker.emit(COMPREHENSION, node.start_byte + walker.shift, kind, key, value)


def yield_expression(walker: PythonWalker, node: Node) -> int:
    value = walker.wrapped(node)
    scope = walker.function_scope()
    delegated = 0
    if any(child.type == "from" for child in node.children):
        delegated, value = value, walker.emit(ELEMENT, node.start_byte + walker.shift, value)
    walker.yields.setdefault(scope, []).append(value)
    return walker.emit(YIELD, node.start_byte + walker.shift, delegated, scope)


HANDLERS: Final[Handlers] = {
    "function_definition": function_definition,
    "class_definition": class_definition,
    "decorated_definition": decorated_definition,
    "list_comprehension": comprehension,
    "set_comprehension": comprehension,
    "dictionary_comprehension": comprehension,
    "generator_expression": comprehension,
    "lambda": lambda_expression,
    "yield": yield_expression,
}
