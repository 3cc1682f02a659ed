"""Lowers what opens a scope: functions, classes, lambdas, comprehensions.

In: nodes. Out: definitions, scopes, parameters, bases.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import BASE, DECORATOR, Definition, Parameter
from rpg.encoder.languages.python.conditions import lower_condition, narrow
from rpg.encoder.languages.python.strings.members import lower_declared_keys
from rpg.encoder.languages.python.strings.template_names import offer_to_templates
from rpg.encoder.languages.python.targets import assign, is_enum
from rpg.encoder.languages.python.walker import DISPLAYS, PythonWalker
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers

_PROPERTIES: Final = frozenset(("property", "cached_property", "abstractproperty", "classproperty"))
_ACCESSORS: Final = frozenset(("setter", "deleter"))
_ABSTRACT: Final = frozenset(("abstractmethod", "abstractproperty"))
_CLASS_METHODS: Final = {
    "__new__": "staticmethod_with_class",
    "__init_subclass__": "classmethod",
    "__class_getitem__": "classmethod",
}
"""Methods that take the class without a decorator -> flag."""
_MARKS: Final = {
    "overload": "overload",
    "classmethod": "classmethod",
    "staticmethod": "staticmethod",
    "contextmanager": "contextmanager",
    "asynccontextmanager": "contextmanager",
    "dataclass": "dataclass",
}
"""Last part of a decorator's name -> flag."""
_MAKES_FIELDS: Final = frozenset(
    f"{module}.{name}" for module in ("attr", "attrs") for name in ("s", "attrs", "define", "frozen", "mutable")
)
"""Decorators that turn what a class declares into fields, as `dataclass` does."""


_CONNECTING: Final = frozenset(("connect", "connect_via"))
_RECEIVER: Final = "receiver"
"""Decorators of signals."""


Decorators = tuple[int, list[str], list[int]]
"""(where the first one starts, their texts, their expressions)."""
_UNDECORATED: Final[Decorators] = (-1, [], [])


def connect(walker: PythonWalker, definition: int, values: list[int]) -> None:
    """Decorators that register a function with signals: `@paid.connect`, `@paid.connect_via(x)`, `@receiver(paid)`."""
    code, names = walker.code, walker.texts
    for value in values:
        callee = code[value + op.CALLEE] if code[value] == op.CALL else value
        if code[callee] not in (op.NAME, op.ATTRIBUTE, op.PATH):
            continue
        name = names[op.find_name_word(code, callee)]
        signals: tuple[int, ...] = ()
        if name in _CONNECTING and code[callee] != op.NAME:
            signals = (code[callee + op.HOLDER],)
        elif name == _RECEIVER and code[value] == op.CALL and code[value + op.ARGUMENT_COUNT]:
            first = code[value + op.ARGUMENTS]
            signals = tuple(op.items_of(code, first)) if code[first] in (op.LIST, op.TUPLE) else (first,)
        for signal in signals:
            walker.items.append((signal, 0, walker.definition_value(definition)))


def decorated_definition(walker: PythonWalker, node: Node) -> int:
    texts: list[str] = []
    values: list[int] = []
    for child in walker.parts(node):
        kind = child.type
        if kind == "decorator":
            for part in walker.parts(child):
                texts.append(walker.folded(part.start_byte, part.end_byte))
                if part.type == "call":
                    made = walker.walk(part)
                    walker.site(made, DECORATOR)
                    values.append(made)
                else:
                    values.append(walker.with_role(part, DECORATOR))
        elif kind == "function_definition":
            definition = len(walker.definitions)
            function_definition(walker, child, (node.start_byte, texts, values))
            if definition in walker.decorators:
                connect(walker, definition, values)
        elif kind == "class_definition":
            class_definition(walker, child, (node.start_byte, texts, values))
    return 0


def define_named(
    walker: PythonWalker, kind: str, node: Node, name_node: Node, body: Node, header_end: int, decorators: Decorators
) -> Definition:
    """The symbol of a function or class, and the name that it gives to it."""
    start, texts, values = decorators
    walker.comments_before(body)
    name = walker.source_of(name_node)
    definition = walker.define(
        Definition(
            kind=kind,
            name=name,
            qualified_name=walker.qualified(name),
            parent=walker.definition,
            scope=len(walker.scopes),
            start_byte=node.start_byte if start < 0 else start,
            end_byte=node.end_byte,
            name_byte=name_node.start_byte,
            body_byte=body.start_byte,
            signature=walker.folded(node.start_byte, header_end),
            doc=docstring(walker, body),
            exported=not name.startswith("_"),
            decorators=tuple(texts),
        )
    )
    if values:
        walker.decorators[definition] = values
    walker.bind(name, walker.definition_value(definition), node.end_byte)
    return walker.definitions[definition]


def last_parts(decorators: Decorators) -> set[str]:
    """The last parts of their names."""
    _, texts, _ = decorators
    return {text.partition("(")[0].rpartition(".")[2] for text in texts} if texts else set()


def function_definition(walker: PythonWalker, node: Node, decorators: Decorators = _UNDECORATED) -> int:
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name_node is None or body is None:
        return walker.through(node)
    in_class = walker.scopes[walker.scope].kind == "class"
    returns, parameters = node.child_by_field_name("return_type"), node.child_by_field_name("parameters")
    header_end = (returns or parameters or name_node).end_byte
    definition = len(walker.definitions)
    function = define_named(walker, "function", node, name_node, body, header_end, decorators)
    if decorators[1] and walker.scope == 0:
        offer_to_templates(walker, decorators[1], function.name, definition)
    begin, end = function.start_byte, function.end_byte
    lasts = last_parts(decorators)
    flags = [_MARKS[last] for last in sorted(lasts & _MARKS.keys())]
    if in_class:
        is_accessor = bool(lasts & _ACCESSORS)
        function.kind = "property" if is_accessor or lasts & _PROPERTIES else "method"
        if is_accessor:
            flags.append("setter")
        if function.name in _CLASS_METHODS:
            flags.append(_CLASS_METHODS[function.name])
    function.flags = tuple(flags)
    function.modifiers = tuple(
        modifier
        for modifier, is_there in (
            ("async", node.children[0].type == "async"),
            ("static", "staticmethod" in lasts),
            ("abstract", bool(lasts & _ABSTRACT)),
        )
        if is_there
    )
    around = walker.here()
    owner = walker.definition
    type_parameters_of(walker, node, definition)
    rows, receiver, places = parameters_of(walker, parameters, definition)
    if not in_class or "staticmethod" in lasts:
        receiver = ""
    annotation = 0
    if returns is not None:
        function.returns = walker.folded(returns.start_byte, returns.end_byte)
        walker.definition = definition
        annotation = walker.annotation(returns)
        walker.definition = owner
    scope = walker.open_scope("function", definition, begin, end, receiver)
    function.scope = scope
    if annotation:
        walker.annotations[scope] = annotation
    walker.scope, walker.definition = scope, definition
    walker.open_block(begin, end)
    if receiver:
        walker.receivers.append((receiver, owner))
    bind_parameters(walker, scope, rows, places, begin)
    walker.walk(body)
    if receiver:
        walker.receivers.pop()
    walker.return_to(around)
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
        walker.bind(text, walker.emit(op.TYPE_VARIABLE, parts.start_byte, walker.string(text), bound), node.start_byte)
        names.append(text)


def parameters_of(walker: PythonWalker, node: Node | None, definition: int) -> tuple[list[Parameter], str, list[int]]:
    """Parameters with their annotations (which belong to the function) and defaults (to the enclosing scope); the first
    name; the places of the names."""
    rows: list[Parameter] = []
    around = walker.definition
    kind = "positional"
    places: list[int] = []
    for child in walker.parts(node) if node is not None else ():
        shape = child.type
        name, annotation, default, this = child, 0, 0, kind
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
                if annotation:
                    lower_declared_keys(walker, annotation, default)
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
        walker.bind(row.name, walker.emit(op.PARAMETER, places[index], scope, index), byte)


def class_definition(walker: PythonWalker, node: Node, decorators: Decorators = _UNDECORATED) -> int:
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name_node is None or body is None:
        return walker.through(node)
    arguments = node.child_by_field_name("superclasses")
    definition = len(walker.definitions)
    made = define_named(walker, "class", node, name_node, body, (arguments or name_node).end_byte, decorators)
    flags = {_MARKS[last] for last in last_parts(decorators) & _MARKS.keys()}
    if any(text.partition("(")[0] in _MAKES_FIELDS for text in decorators[1]):
        flags.add("dataclass")
    made.flags = tuple(sorted(flags))
    around = walker.here()
    # The class is the source of its bases, although they are looked up around it.
    walker.definition = definition
    type_parameters_of(walker, node, definition)
    if arguments is not None:
        walker.bases[definition] = [base for child in walker.parts(arguments) for base in lower_base(walker, child)]
    walker.scope = made.scope = walker.open_scope("class", definition, made.start_byte, made.end_byte)
    walker.open_block(made.start_byte, made.end_byte)
    walker.properties[definition] = set(property_names(walker, body))
    walker.walk(body)
    walker.return_to(around)
    if is_enum(walker, definition):
        made.kind = "enum"
    return 0


def property_names(walker: PythonWalker, body: Node) -> Iterable[str]:
    """The names of the properties that a class body defines with a decorator."""
    for child in body.named_children:
        if child.type == "decorated_definition":
            function = child.child_by_field_name("definition")
            name = function.child_by_field_name("name") if function is not None else None
            if name is not None and any(
                walker.source_of(part).rpartition(".")[2] in _PROPERTIES
                for decorator in child.named_children
                if decorator.type == "decorator"
                for part in decorator.named_children
            ):
                yield walker.source_of(name)


def lower_base(walker: PythonWalker, node: Node) -> Iterable[tuple[str, int]]:
    if node.type == "keyword_argument":
        keyword = node.child_by_field_name("name")
        yield walker.source_of(keyword) if keyword is not None else "", walker.field(node, "value")
    elif node.type == "list_splat":
        walker.walk(node)
    else:
        yield "", walker.with_role(node, BASE)


def docstring(walker: PythonWalker, body: Node) -> str:
    """The documentation of the definition that comes next; what is typed at prompts in it is an example."""
    for child in body.named_children:
        if child.type == "comment":
            continue
        # Some versions of the grammar have the string itself here, some a statement around it.
        string = child.named_children[0] if child.type == "expression_statement" and child.named_children else child
        kind = string.type
        if kind != "string" and kind != "concatenated_string":
            return ""
        strings = [string] if kind == "string" else string.named_children
        parts = [part for each in strings if each.type == "string" for part in each.named_children]
        starts = {letter for part in parts if part.type == "string_start" for letter in walker.source_of(part)}
        if not starts.isdisjoint("bBfFtT"):
            return ""
        contents = [walker.source_of(part) for part in parts if part.type == "string_content"]
        if parts and any(">>>" in content and "import" in content for content in contents):
            walker.examples.append((len(walker.definitions), parts[0].end_byte, parts[-1].start_byte))
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
    return walker.emit(op.FUNCTION, start + walker.shift, scope)


def comprehension(walker: PythonWalker, node: Node) -> int:
    body = node.child_by_field_name("body")
    scope_around, block_around = walker.scope, walker.block
    scope = -1
    for child in node.named_children:
        if child.type == "for_in_clause":
            rights = child.children_by_field_name("right")
            right = walker.walk(rights[0]) if len(rights) == 1 else 0
            element = walker.iterated(right, rights[0].start_byte if rights else child.start_byte, DISPLAYS)
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
    return walker.emit(op.COMPREHENSION, node.start_byte + walker.shift, kind, key, value)


def yield_expression(walker: PythonWalker, node: Node) -> int:
    value = walker.wrapped(node)
    scope = walker.function_scope()
    delegated = 0
    if any(child.type == "from" for child in node.children):
        delegated, value = value, walker.emit(op.ELEMENT, node.start_byte + walker.shift, value)
    walker.yields.setdefault(scope, []).append(value)
    return walker.emit(op.YIELD, node.start_byte + walker.shift, delegated, scope)


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
