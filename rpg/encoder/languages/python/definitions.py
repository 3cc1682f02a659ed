"""What opens a scope: functions, classes, lambdas, comprehensions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable

from rpg.encoder.facts import BASE, DECORATOR, Definition, Parameter
from rpg.encoder.languages.python.targets import Targets
from rpg.encoder.languages.python.walk import Node
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


class Definitions(Targets):
    def __init__(self, path: str, language: str, source: bytes, parse: Callable[[bytes], Node]) -> None:
        super().__init__(path, language, source, parse)
        self.statements |= {
            "function_definition": self.function_definition,
            "class_definition": self.class_definition,
            "decorated_definition": self.decorated_definition,
        }
        self.expressions |= {
            "list_comprehension": self.comprehension,
            "set_comprehension": self.comprehension,
            "dictionary_comprehension": self.comprehension,
            "generator_expression": self.comprehension,
            "lambda": self.lambda_expression,
            "yield": self.yield_expression,
        }

    def decorated_definition(self, node: Node) -> None:
        decorators: list[int] = []
        texts: list[str] = []
        for child in node.named_children:
            kind = child.type
            if kind == "decorator":
                for part in child.named_children:
                    if part.type == "comment":
                        self.comment(part)
                        continue
                    texts.append(self.folded(part.start_byte, part.end_byte))
                    if part.type == "call":
                        made = self.expression(part)
                        self.site(made, DECORATOR)
                        decorators.append(made)
                    else:
                        decorators.append(self.with_role(part, DECORATOR))
            elif kind == "comment":
                self.comment(child)
            elif kind == "function_definition":
                self.function_definition(child, node.start_byte, texts, decorators)
            elif kind == "class_definition":
                self.class_definition(child, node.start_byte, texts, decorators)

    def function_definition(
        self, node: Node, start: int = -1, texts: list[str] | None = None, decorators: list[int] | None = None
    ) -> None:
        name_node = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        if name_node is None or body is None:
            return self.statements_of(node)
        self.comments_before(body)
        name = self.node_text(name_node)
        texts = texts or []
        first, end = node.start_byte, node.end_byte
        begin = first if start < 0 else start
        in_class = self.scopes[self.scope].kind == "class"
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
        definition = self.define(
            Definition(
                kind=kind,
                name=name,
                qualified_name=self.qualified(name),
                parent=self.definition,
                scope=len(self.scopes),
                start_byte=begin,
                end_byte=end,
                name_byte=name_node.start_byte,
                body_byte=body.start_byte,
                signature=self.folded(first, header),
                doc=self.docstring(body),
                exported=not name.startswith("_"),
                decorators=tuple(texts),
                modifiers=tuple(modifiers),
                returns=self.folded(returns.start_byte, returns.end_byte) if returns else "",
                flags=tuple(flags),
            )
        )
        if decorators:
            self.decorators[definition] = decorators
        self.bind(name, self.emit(DEFINITION, name_node.start_byte, definition), end)
        around = self.scope, self.definition, self.block
        self.generic(node, definition)
        rows, receiver, places = self.parameters_of(parameters, definition)
        if not in_class or "staticmethod" in lasts:
            receiver = ""
        annotation = 0
        if returns is not None:
            self.definition = definition
            annotation = self.annotation(returns)
            self.definition = around[1]
        scope = self.enter("function", definition, begin, end, receiver)
        self.definitions[definition].scope = scope
        if annotation:
            self.annotations[scope] = annotation
        self.scope, self.definition = scope, definition
        self.open_block(begin, end)
        if receiver:
            self.receivers.append((receiver, around[1]))
        self.bind_parameters(scope, rows, places, begin)
        self.statement(body)
        if receiver:
            self.receivers.pop()
        self.scope, self.definition, self.block = around
        return None

    def generic(self, node: Node, definition: int) -> None:
        """`[T]` after a name: type variables in a scope of their own, which becomes the current one."""
        listed = node.child_by_field_name("type_parameters")
        if listed is None:
            return
        self.scope = self.enter("block", self.definition, node.start_byte, node.end_byte)
        names = self.type_parameters.setdefault(definition, [])
        for child in listed.named_children:
            parts = child.named_children[0] if child.type == "type" and child.named_child_count else child
            bound = 0
            if parts.type == "constrained_type":
                bound = self.annotation(parts.named_children[-1])
                parts = parts.named_children[0]
            text = self.node_text(parts).lstrip("*")
            self.bind(text, self.emit(TYPE_VARIABLE, parts.start_byte, self.string(text), bound), node.start_byte)
            names.append(text)

    def parameters_of(self, node: Node | None, definition: int) -> tuple[list[Parameter], str, list[int]]:
        """Parameters with their annotations (the function's own) and defaults (the scope's around); the first name;
        where each is named."""
        rows: list[Parameter] = []
        around = self.definition
        kind = "positional"
        places: list[int] = []
        for child in node.named_children if node is not None else ():
            shape = child.type
            name, annotation, default, this = child, 0, 0, kind
            if shape == "comment":
                self.comment(child)
                continue
            if shape == "keyword_separator":
                kind = "keyword"
                continue
            if shape == "positional_separator":
                continue
            if shape in ("typed_parameter", "typed_default_parameter", "default_parameter"):
                type_node = child.child_by_field_name("type")
                if type_node is not None:
                    self.definition = definition
                    annotation = self.annotation(type_node)
                    self.definition = around
                value = child.child_by_field_name("value")
                if value is not None:
                    default = self.expression(value)
                name = child.child_by_field_name("name") or child.named_children[0]
                shape = name.type
            if shape == "list_splat_pattern":
                this, kind = "list", "keyword"
                name = name.named_children[0] if name.named_child_count else name
            elif shape == "dictionary_splat_pattern":
                this = "map"
                name = name.named_children[0] if name.named_child_count else name
            rows.append(Parameter(self.node_text(name), this, annotation, default))
            places.append(name.start_byte)
        receiver = rows[0].name if rows and rows[0].kind == "positional" else ""
        return rows, receiver, places

    def bind_parameters(self, scope: int, rows: list[Parameter], places: list[int], byte: int) -> None:
        if rows:
            self.parameters[scope] = rows
        for index, row in enumerate(rows):
            self.bind(row.name, self.emit(PARAMETER, places[index], scope, index), byte)

    def class_definition(
        self, node: Node, start: int = -1, texts: list[str] | None = None, decorators: list[int] | None = None
    ) -> None:
        name_node = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        if name_node is None or body is None:
            return self.statements_of(node)
        self.comments_before(body)
        name = self.node_text(name_node)
        texts = texts or []
        first, end = node.start_byte, node.end_byte
        begin = first if start < 0 else start
        arguments = node.child_by_field_name("superclasses")
        flags = [_MARKS[last] for last in {text.partition("(")[0].rpartition(".")[2] for text in texts} & _MARKS.keys()]
        header = (arguments or name_node).end_byte
        scope = len(self.scopes)
        definition = self.define(
            Definition(
                kind="class",
                name=name,
                qualified_name=self.qualified(name),
                parent=self.definition,
                scope=scope,
                start_byte=begin,
                end_byte=end,
                name_byte=name_node.start_byte,
                body_byte=body.start_byte,
                signature=self.folded(first, header),
                doc=self.docstring(body),
                exported=not name.startswith("_"),
                decorators=tuple(texts),
                flags=tuple(flags),
            )
        )
        if decorators:
            self.decorators[definition] = decorators
        around = self.scope, self.definition, self.block
        # The class is the source of its bases, though they are looked up around it.
        self.bind(name, self.emit(DEFINITION, name_node.start_byte, definition), end)
        self.definition = definition
        self.generic(node, definition)
        if arguments is not None:
            self.bases[definition] = [base for child in arguments.named_children for base in self.base(child)]
        scope = self.enter("class", definition, begin, end)
        self.definitions[definition].scope = scope
        self.scope = scope
        self.open_block(begin, end)
        self.statement(body)
        self.scope, self.definition, self.block = around
        if self.is_enum(definition):
            self.definitions[definition].kind = "enum"
        return None

    def base(self, node: Node) -> Iterable[tuple[str, int]]:
        if node.type == "comment":
            self.comment(node)
        elif node.type == "keyword_argument":
            keyword = self.node_text(node.child_by_field_name("name"))
            yield keyword, self.expression_field(node, "value")
        elif node.type == "list_splat":
            self.expression(node)
        else:
            yield "", self.with_role(node, BASE)

    def docstring(self, body: Node) -> str:
        for child in body.named_children:
            if child.type == "comment":
                continue
            # Some versions of the grammar have the string itself here, some a statement around it.
            string = child.named_children[0] if child.type == "expression_statement" and child.named_children else child
            strings = string.named_children if string.type == "concatenated_string" else [string]
            parts = [part for each in strings if each.type == "string" for part in each.named_children]
            starts = {letter for part in parts if part.type == "string_start" for letter in self.node_text(part)}
            if not starts.isdisjoint("bBfFtT"):
                return ""
            contents = [self.node_text(part) for part in parts if part.type == "string_content"]
            return inspect.cleandoc("".join(contents))
        return ""

    def lambda_expression(self, node: Node) -> int:
        rows, _, places = self.parameters_of(node.child_by_field_name("parameters"), self.definition)
        around = self.scope, self.block
        start, end = node.start_byte, node.end_byte
        self.scope = scope = self.enter("lambda", self.definition, start, end)
        self.open_block(start, end)
        self.bind_parameters(scope, rows, places, start)
        value = self.expression_field(node, "body")
        if value:
            self.returns[scope] = [value]
        self.scope, self.block = around
        return self.emit(FUNCTION, start + self.shift, scope)

    def comprehension(self, node: Node) -> int:
        body = node.child_by_field_name("body")
        scope_around, block_around = self.scope, self.block
        scope = -1
        for child in node.named_children:
            if child.type == "for_in_clause":
                rights = child.children_by_field_name("right")
                right = self.expression(rights[0]) if len(rights) == 1 else 0
                element = self.iterated(right, rights[0].start_byte if rights else child.start_byte)
                if scope < 0:
                    # The first iterable is evaluated around the comprehension's own scope.
                    scope = self.enter("comprehension", self.definition, node.start_byte, node.end_byte)
                    self.scope = scope
                    self.open_block(node.start_byte, node.end_byte)
                self.assign(child.child_by_field_name("left"), element, node.start_byte)
            elif child.type == "if_clause":
                for test in child.named_children:
                    self.narrow(self.condition(test), node.start_byte)
        key = value = 0
        if body is not None and body.type == "pair":
            key, value = self.expression_field(body, "key"), self.expression_field(body, "value")
        elif body is not None:
            key = self.expression(body)
        self.scope, self.block = scope_around, block_around
        kind = self.string(node.type.partition("_")[0])
        return self.emit(COMPREHENSION, node.start_byte + self.shift, kind, key, value)

    def yield_expression(self, node: Node) -> int:
        value = self.wrapped(node)
        scope = self.function_scope()
        delegated = 0
        if any(child.type == "from" for child in node.children):
            delegated, value = value, self.emit(ELEMENT, node.start_byte + self.shift, value)
        self.yields.setdefault(scope, []).append(value)
        return self.emit(YIELD, node.start_byte + self.shift, delegated, scope)
