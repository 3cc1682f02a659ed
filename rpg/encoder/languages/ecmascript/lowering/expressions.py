"""Lowers expressions: members, calls, literals.

In: nodes. Out: expressions with their sites. Operators and JSX are in operators.py and jsx.py.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import CREATED, READ, SITE_WORDS, Import
from rpg.encoder.languages.ecmascript.lowering.commonjs import EXPORTS
from rpg.encoder.languages.ecmascript.lowering.libraries.library_calls import (
    MERGING,
    TELLING,
    fill,
    load,
    merge_all,
    note_types,
)
from rpg.encoder.languages.ecmascript.lowering.libraries.loaded_defaults import is_default_wanted
from rpg.encoder.languages.ecmascript.lowering.libraries.named_in_strings import NAMING, find_named_by_call
from rpg.encoder.languages.ecmascript.lowering.libraries.property_descriptors import (
    build_derived_object,
    describing_arguments,
    is_describing,
)
from rpg.encoder.languages.ecmascript.lowering.libraries.suites import MadeTest, begin_test, find_made_test
from rpg.encoder.languages.ecmascript.lowering.named_values import Target, value_for
from rpg.encoder.languages.ecmascript.runners import LIBRARIES
from rpg.encoder.languages.ecmascript.types.type_expressions import type_arguments_of
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import STRING_LIMIT, Handlers, Walker

DISPLAYS: Final = frozenset((op.LIST, op.STRING, op.LITERAL))
"""Values whose iteration is built in."""
_LOADERS: Final = frozenset((b"require", b"requirejs", b"define", b"__exportStar", b"__export"))
_HANDING_ON: Final = frozenset(
    ("arguments", "array", "arrow_function", "return_statement", "spread_element", "ternary_expression")
)

# Members and calls


def meta_property(walker: EcmaScriptWalker, node: Node) -> int:
    """`import.meta` is an object of the runtime; `new.target` may be any class."""
    return walker.literal("ImportMeta", node.start_byte) if node.children[0].type == "import" else 0


def this_expression(walker: EcmaScriptWalker, node: Node) -> int:
    this = walker.this
    return this.value or walker.emit(op.THIS, node.start_byte, this.scope)


def super_expression(walker: EcmaScriptWalker, node: Node) -> int:
    return walker.emit(op.SUPER, node.start_byte, walker.this.scope, 0)


def member_expression(walker: EcmaScriptWalker, node: Node) -> int:
    children = node.children
    if len(children) != 3:
        holder, name = node.child_by_field_name("object"), node.child_by_field_name("property")
        if holder is None or name is None:
            return walker.through(node)
    else:
        holder, name = children[0], children[2]
    container = walker.table[holder.type](walker, holder)
    start = name.start_byte
    piece = walker.source[start : name.end_byte]
    word = walker.words.get(piece)
    if word is None:
        word = walker.word(piece)
    code = walker.code
    if is_handed_on(node) if code[container] == op.IMPORT else not walker.paths:
        offset = len(code)
        code += (op.ATTRIBUTE, start, container, word)
        walker.sites += (offset, READ, walker.definition)
        return offset
    return member_of(walker, container, word, start)


def is_handed_on(node: Node) -> bool:
    """Whether a value is used where it stands, and does not get a name under which code uses it."""
    around = node.parent
    return around is not None and around.type in _HANDING_ON


def member_of(walker: EcmaScriptWalker, container: int, word: int, byte: int) -> int:
    """`container.word`, with its site."""
    code = walker.code
    if code[container] == op.IMPORT and walker.imports[code[container + op.STATEMENT]].kind != "dynamic":
        # A name taken directly from a module.
        return walker.emit(op.IMPORTED, byte, code[container + op.STATEMENT], word)
    path = walker.path_of(container) if walker.paths else ""
    dotted = f"{path}.{walker.texts[word]}" if path else ""
    if dotted in walker.paths:
        offset = walker.emit(op.PATH, byte, container, word, walker.function, walker.string(dotted))
    else:
        offset = walker.emit(op.ATTRIBUTE, byte, container, word)
    walker.sites += (offset, READ, walker.definition)
    return offset


def subscript_expression(walker: EcmaScriptWalker, node: Node) -> int:
    container = walker.field(node, "object")
    index = walker.field(node, "index")
    return build_element(walker, container, index, node.end_byte - 1)


def build_element(walker: EcmaScriptWalker, container: int, index: int, byte: int) -> int:
    """`container[index]`; a key that is a name is a member."""
    code = walker.code
    if code[index] == op.STRING:
        text, start = walker.texts[code[index + op.WORD]], code[index + op.BYTE] + 1
        if text.isidentifier() and walker.source.startswith(text.encode(), start):
            return member_of(walker, container, code[index + op.WORD], start)
    return walker.emit(op.SUBSCRIPT, byte, container, index)


def call_expression(walker: EcmaScriptWalker, node: Node) -> int:
    children = node.children
    function, arguments = children[0], children[-1]
    kind = function.type
    code = walker.code
    kept, walker.kept = walker.kept, None
    loads = False
    test = find_made_test(walker, function, arguments) if walker.makes_tests else None
    if kind == "identifier":
        start = byte = function.start_byte
        piece = walker.source[start : function.end_byte]
        if piece in _LOADERS and walker.scope_of(piece.decode()) < 0:
            module = module_call(walker, arguments, "") if piece == b"require" else 0
            if module:
                note_merger(walker, node)
                return module
            loads = True
        word = walker.words.get(piece)
        callee = len(code)
        code += (op.NAME, start, walker.word(piece) if word is None else word, walker.scope)
        walker.named.append(callee)
    elif kind == "import":
        return lower_dynamic_import(walker, node, arguments)
    elif kind == "super":
        byte = function.start_byte
        callee = walker.emit(op.SUPER, byte, walker.this.scope, 0)
        callee = walker.emit(op.ATTRIBUTE, byte, callee, walker.word(b"constructor"))
    else:
        callee, byte = lower_callee(walker, function)
    types: list[int] = []
    if len(children) > 2:
        for child in children[1:-1]:
            if child.type == "type_arguments":
                types = type_arguments_of(walker, child)
            elif child.is_named:
                walker.walk(child)
    method = walker.texts[code[callee + op.MEMBER]] if code[callee] in (op.ATTRIBUTE, op.PATH) else ""
    if method == "create" and is_describing(walker, callee, parts_of(arguments)):
        return build_derived_object(walker, callee, byte, arguments)
    if kept is not None:
        row = lower_kept_arguments(walker, arguments, kept)
    elif test is not None:
        row = test_arguments(walker, node, arguments, test)
    else:
        row = lower_arguments(walker, arguments) if method not in TELLING else arguments_of(walker, callee, arguments)
    offset = walker.call(callee, byte, row)
    if types:
        note_types(walker, offset, types)
    if row and (method or (walker.texts[code[callee + op.WORD]] if kind == "identifier" else "")) in NAMING:
        module = find_named_by_call(walker, callee, row, arguments)
        if module:
            return module
    if method in TELLING and row:
        fill(walker, callee, row)
    if loads:
        load(walker, row)
    elif walker.mergers and kind == "identifier" and walker.text_of(function) in walker.mergers:
        merge_all(walker, row)
    return offset


def note_merger(walker: EcmaScriptWalker, node: Node) -> None:
    """`const mixin = require("merge-descriptors")`: the name of a function like `Object.assign`."""
    around = node.parent
    if walker.imports[-1].module in MERGING and around is not None and around.type == "variable_declarator":
        name = around.child_by_field_name("name")
        if name is not None:
            walker.mergers.add(walker.text_of(name))


def lower_callee(walker: EcmaScriptWalker, function: Node) -> tuple[int, int]:
    """The callee, without a site of its own because the call is one, and the place of its name."""
    callee = walker.table[function.type](walker, function)
    code = walker.code
    if walker.drop_site(callee):
        return callee, code[callee + op.BYTE]
    inner = code[callee + op.TYPED_VALUE] if code[callee] == op.TYPED else 0
    if inner and code[inner] in (op.NAME, op.ATTRIBUTE, op.PATH):
        # `(object.member as T)(...)`: the sites of T come after the member's.
        for at in range(len(walker.sites) - SITE_WORDS, -1, -SITE_WORDS):
            if walker.sites[at] == inner:
                del walker.sites[at : at + SITE_WORDS]
                return callee, code[inner + op.BYTE]
            if walker.sites[at] < inner:
                break
    return callee, function.end_byte


def lower_arguments(walker: EcmaScriptWalker, node: Node) -> list[int]:
    """Pairs as in CALL; for a template call its substitutions."""
    row: list[int] = []
    if node.type == "template_string":
        row += (op.POSITIONAL, walker.literal("Array", node.start_byte))
        for child in node.named_children:
            if child.type == "template_substitution":
                row += (op.POSITIONAL, walker.only(child))
        return row
    table = walker.table
    for child in node.named_children:
        kind = child.type
        if kind == "spread_element":
            row += (op.STARRED, walker.only(child))
        elif kind == "comment":
            walker.comment(child)
        else:
            row += (op.POSITIONAL, table[kind](walker, child))
    return row


def lower_kept_arguments(walker: EcmaScriptWalker, node: Node, target: Target) -> list[int]:
    """Arguments of which the first is a function that takes its name from a target."""
    row: list[int] = []
    for child in walker.parts(node):
        if child.type == "spread_element":
            row += (op.STARRED, walker.only(child))
        else:
            row += (op.POSITIONAL, walker.walk(child) if row else value_for(walker, child, target))
    return row


def test_arguments(walker: EcmaScriptWalker, node: Node, arguments: Node, test: MadeTest) -> list[int]:
    """The title, and the rest, which belongs to the test."""
    around = walker.definition, walker.prefix, walker.holder
    row: list[int] = []
    for child in walker.parts(arguments):
        spread = child.type == "spread_element"
        row += (op.STARRED, walker.only(child)) if spread else (op.POSITIONAL, walker.walk(child))
        if child.start_byte == test.title.start_byte:
            begin_test(walker, node, test)
    walker.definition, walker.prefix, walker.holder = around
    return row


def module_call(walker: EcmaScriptWalker, arguments: Node, kind: str) -> int:
    """`require("m")`, `import("m")`; 0 if the module's name is computed."""
    parts = parts_of(arguments)
    if not parts or parts[0].type not in ("string", "template_string") or (not kind and len(parts) != 1):
        if kind:
            walker.through(arguments)
        return 0
    if parts[0].named_child_count > 1 or (parts[0].type == "template_string" and b"${" in walker.bytes_of(parts[0])):
        walker.through(arguments)
        return 0
    for other in parts[1:]:
        walker.walk(other)
    byte = parts[0].start_byte
    module = walker.text(byte + 1, parts[0].end_byte - 1)
    walker.makes_tests = walker.makes_tests or module in LIBRARIES
    walker.imports.append(Import(module, 0, byte, walker.scope, kind))
    return walker.emit(op.IMPORT, byte, len(walker.imports) - 1)


def lower_dynamic_import(walker: EcmaScriptWalker, node: Node, arguments: Node) -> int:
    """`import("m")`"""
    module = module_call(walker, arguments, "dynamic")
    if module and is_default_wanted(walker, node, walker.imports[walker.code[module + op.STATEMENT]].module):
        byte = walker.code[module + op.BYTE]
        awaited = walker.emit(op.AWAIT, byte, module)
        walker.site(walker.emit(op.ATTRIBUTE, byte, awaited, walker.string("default")), READ)
    return module


def new_expression(walker: EcmaScriptWalker, node: Node) -> int:
    made = node.child_by_field_name("constructor")
    if made is None:
        return walker.through(node)
    callee, byte = lower_callee(walker, made)
    row: list[int] = []
    types: list[int] = []
    for child in walker.parts(node):
        kind = child.type
        if kind == "arguments":
            row = lower_arguments(walker, child)
        elif kind == "type_arguments":
            types = type_arguments_of(walker, child)
    offset = walker.call(callee, byte, row)
    walker.site(offset, CREATED)
    if types:
        note_types(walker, offset, types)
    return offset


# Literals


def string_literal(walker: EcmaScriptWalker, node: Node) -> int:
    return walker.lower_quoted(node, "string")


def template_literal(walker: EcmaScriptWalker, node: Node) -> int:
    substituted = False
    for child in node.named_children:
        if child.type == "template_substitution":
            walker.only(child)
            substituted = True
    return walker.literal("string", node.start_byte) if substituted else string_literal(walker, node)


def number_literal(walker: EcmaScriptWalker, node: Node) -> int:
    start = node.start_byte
    return walker.emit(op.NUMBER, start, walker.word(walker.source[start : node.end_byte][:STRING_LIMIT]))


def regex_literal(walker: EcmaScriptWalker, node: Node) -> int:
    return walker.literal("RegExp", node.start_byte)


def boolean_literal(walker: EcmaScriptWalker, node: Node) -> int:
    return walker.literal("boolean", node.start_byte)


def empty_literal(walker: EcmaScriptWalker, node: Node) -> int:
    return walker.literal(node.type, node.start_byte)


def array_literal(walker: EcmaScriptWalker, node: Node) -> int:
    items = []
    table = walker.table
    for child in node.named_children:
        kind = child.type
        if kind == "comment":
            walker.comment(child)
        elif kind == "spread_element":
            items.append(walker.iterated(walker.only(child), child.start_byte + 3, DISPLAYS))
        else:
            items.append(table[kind](walker, child))
    return walker.emit(op.LIST, node.start_byte, len(items), *items)


def arguments_of(walker: EcmaScriptWalker, callee: int, node: Node) -> list[int]:
    """`Object.assign(X.prototype, { m() {} })`: the members are named after their target."""
    code, texts = walker.code, walker.texts
    parts = parts_of(node)
    if is_describing(walker, callee, parts):
        return describing_arguments(walker, callee, parts)
    if (
        len(parts) < 2
        or code[callee] != op.ATTRIBUTE
        or texts[code[callee + op.MEMBER]] != "assign"
        or code[code[callee + op.HOLDER]] != op.NAME
        or texts[code[code[callee + op.HOLDER] + op.WORD]] != "Object"
    ):
        return lower_arguments(walker, node)
    first = walker.walk(parts[0])
    path = walker.path_of(first)
    owner = path.removesuffix(".prototype") if path.endswith(".prototype") else ""
    fields = walker.definition_of(owner) if owner else -1
    row = [op.POSITIONAL, first]
    for child in parts[1:]:
        name = owner or ("" if path in EXPORTS else path)
        target = Target(name, child.start_byte, name, child.start_byte, child.end_byte, "method", owner, 0, fields)
        if child.type == "spread_element":
            row += (op.STARRED, walker.only(child))
        else:
            row += (op.POSITIONAL, value_for(walker, child, target))
    return row


HANDLERS: Final[Handlers] = {
    "identifier": Walker.identifier,
    "shorthand_property_identifier": Walker.identifier,
    "this": this_expression,
    "super": super_expression,
    "member_expression": member_expression,
    "nested_identifier": member_expression,
    "subscript_expression": subscript_expression,
    "call_expression": call_expression,
    "new_expression": new_expression,
    "string": string_literal,
    "template_string": template_literal,
    "template_substitution": Walker.only,
    "number": number_literal,
    "regex": regex_literal,
    "true": boolean_literal,
    "false": boolean_literal,
    "null": empty_literal,
    "undefined": empty_literal,
    "array": array_literal,
    "parenthesized_expression": Walker.only,
    "non_null_expression": Walker.only,
    "spread_element": Walker.only,
    "meta_property": meta_property,
    "property_identifier": Walker.skip,
    "private_property_identifier": Walker.skip,
    "statement_identifier": Walker.skip,
}
