"""Lowers imports and exports that have syntax of their own.

In: nodes. Out: imports, bindings, exports.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import Import
from rpg.encoder.languages.ecmascript.lowering.commonjs import WHOLE, find_exported_names
from rpg.encoder.languages.ecmascript.lowering.functions import lower_statements
from rpg.encoder.languages.ecmascript.lowering.libraries.library_calls import MERGING
from rpg.encoder.languages.ecmascript.lowering.named_values import FUNCTIONS, Target, own_name, shape_of, value_for
from rpg.encoder.languages.ecmascript.lowering.patterns import lower_decorator
from rpg.encoder.languages.ecmascript.runners import LIBRARIES
from rpg.encoder.languages.ecmascript.types.type_expressions import type_of
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker
from rpg.encoder.lowering.builder import parts_of
from rpg.encoder.lowering.node import Node
from rpg.encoder.lowering.walker import Handlers

DEFAULT: Final = "default"


def add_import(walker: EcmaScriptWalker, source: Node, kind: str, names: tuple[str, ...] = ()) -> int:
    """An import of the module that a string names. Returns its index."""
    module = walker.name_of(source)
    walker.makes_tests = walker.makes_tests or module in LIBRARIES
    walker.imports.append(Import(module, 0, source.start_byte, walker.scope, kind, names))
    return len(walker.imports) - 1


# Imports


def import_statement(walker: EcmaScriptWalker, node: Node) -> int:
    source = clause = None
    kind = ""
    walker.is_module = True
    for child in node.children:
        shape = child.type
        if shape == "string":
            source = child
        elif shape in ("import_clause", "import_require_clause"):
            clause = child
        elif shape in ("type", "typeof"):
            kind = "type"
        elif shape == "comment":
            walker.comment(child)
    start = walker.scopes[walker.scope].start_byte
    if clause is None:
        if source is not None:
            add_import(walker, source, "side-effect")
        return 0
    if clause.type == "import_require_clause":
        source = clause.child_by_field_name("source")
        if source is not None:
            index = add_import(walker, source, kind)
            name = clause.named_children[0]
            walker.bind(walker.text_of(name), walker.emit(op.IMPORT, source.start_byte, index), start)
        return 0
    if source is None:
        return 0
    names: list[tuple[str, str, int]] = []
    whole = ""
    for part in walker.parts(clause):
        shape = part.type
        if shape == "identifier":
            names.append((DEFAULT, walker.text_of(part), part.start_byte))
        elif shape == "namespace_import":
            whole = next((walker.text_of(child) for child in part.named_children if child.type == "identifier"), "")
        elif shape == "named_imports":
            names += specifiers(walker, part)
    index = add_import(walker, source, kind, tuple(name for name, _, _ in names))
    if whole:
        walker.bind(whole, walker.emit(op.IMPORT, source.start_byte, index), start)
    for imported, alias, byte in names:
        if imported == DEFAULT and walker.imports[index].module in MERGING:
            walker.mergers.add(alias)
        walker.bind(alias, walker.emit(op.IMPORTED, byte, index, walker.string(imported)), start)
    return 0


def specifiers(walker: EcmaScriptWalker, node: Node) -> list[tuple[str, str, int]]:
    """(name, alias or the same name, byte of the name) of `{ a, b as c }`."""
    found = []
    for child in node.named_children:
        if child.type not in ("import_specifier", "export_specifier"):
            walker.walk(child)
            continue
        name, alias = walker.name_node(child), child.child_by_field_name("alias")
        if name is not None:
            text = walker.name_of(name)
            found.append((text, walker.name_of(alias) if alias is not None else text, name.start_byte))
    return found


def import_alias(walker: EcmaScriptWalker, node: Node) -> int:
    """`import X = A.B`."""
    parts = parts_of(node)
    if len(parts) == 2:
        value = type_of(walker, parts[1])
        walker.bind(walker.text_of(parts[0]), value, walker.scopes[walker.scope].start_byte)
    return 0


# Exports


def ambient_declaration(walker: EcmaScriptWalker, node: Node) -> int:
    """`declare ...`: the declaration has no body."""
    around, walker.ambient = walker.ambient, True
    if walker.opening < 0:
        walker.opening = node.start_byte
    for child in node.named_children:
        if child.type == "statement_block":
            # declare global { ... }
            walker.opening = -1
            first = len(walker.bindings)
            lower_statements(walker, child.named_children)
            walker.everywhere += list_declared_since(walker, first)
        else:
            walker.walk(child)
    walker.opening = -1
    walker.ambient = around
    return 0


def export_statement(walker: EcmaScriptWalker, node: Node) -> int:
    declaration = value = source = clause = namespace = None
    walker.is_module = walker.is_module or walker.scope == 0
    marks: set[str] = set()
    for child in node.children:
        kind = child.type
        if kind == "string" and "from" in marks:
            source = child
        elif kind == "export_clause":
            clause = child
        elif kind == "namespace_export":
            namespace = child
        elif kind == "decorator":
            walker.decorators_before = [*walker.decorators_before, lower_decorator(walker, child)]
        elif kind == "comment":
            walker.comment(child)
        elif not child.is_named:
            marks.add(kind)
        elif kind.endswith(("_declaration", "_signature")) or kind in ("internal_module", "module", "import_alias"):
            declaration = child
        else:
            value = child
    if source is not None:
        export_from(walker, node, source, clause, namespace, "type" in marks)
    elif clause is not None:
        for name, alias, byte in specifiers(walker, clause):
            export_name(walker, alias, walker.variable(walker.string(name), byte))
    elif declaration is not None:
        export_declaration(walker, node, declaration, DEFAULT in marks)
    elif value is not None and "=" in marks:
        export_name(walker, WHOLE, walker.walk(value))
    elif value is not None and DEFAULT in marks:
        export_default(walker, node, value)
    elif value is not None and "namespace" not in marks:
        walker.walk(value)
    return 0


def export_name(walker: EcmaScriptWalker, name: str, value: int) -> None:
    """Exports a name, if it is at the top level of the module."""
    if walker.scope == 0:
        find_exported_names(walker)[name] = value


def export_from(
    walker: EcmaScriptWalker, node: Node, source: Node, clause: Node | None, namespace: Node | None, of_type: bool
) -> None:
    names = specifiers(walker, clause) if clause is not None else []
    index = add_import(walker, source, "re-export", tuple(name for name, _, _ in names))
    if namespace is not None:
        alias = next(iter(parts_of(namespace)), None)
        if alias is not None:
            export_name(walker, walker.name_of(alias), walker.emit(op.IMPORT, source.start_byte, index))
    elif clause is None and walker.scope == 0:
        walker.exports.setdefault("stars", []).append(index)
    for name, alias_name, byte in names:
        export_name(walker, alias_name, walker.emit(op.IMPORTED, byte, index, walker.string(name)))


def export_declaration(walker: EcmaScriptWalker, node: Node, declaration: Node, default: bool) -> None:
    walker.opening = node.start_byte
    first = len(walker.bindings)
    scope = walker.scope
    walker.walk(declaration)
    walker.opening = -1
    for binding in walker.bindings[first:]:
        if binding.scope == scope and binding.kind != "narrow" and "." not in binding.name:
            name = walker.variable(walker.string(binding.name), binding.byte)
            export_name(walker, DEFAULT if default else binding.name, name)


def export_default(walker: EcmaScriptWalker, node: Node, value_node: Node) -> None:
    shape = shape_of(walker, value_node)
    start, end = node.start_byte, node.end_byte
    if shape in FUNCTIONS or shape == "class":
        own = own_name(walker, value_node)
        name = walker.text_of(own) if own is not None else DEFAULT
        target = Target(name, own.start_byte if own is not None else value_node.start_byte, name, start, end)
        value = value_for(walker, value_node, target)
        if own is not None:
            walker.bind(name, value, walker.scopes[walker.scope].start_byte)
    elif shape == "identifier":
        value = walker.walk(value_node)
    else:
        value = default_value(walker, node, value_node)
    export_name(walker, DEFAULT, value)


def default_value(walker: EcmaScriptWalker, node: Node, value_node: Node) -> int:
    """`export default { ... }` is a constant of the module."""
    start, end = node.start_byte, node.end_byte
    constant = walker.leaf_of("constant", value_node, start, end, walker.definition)
    definition = walker.definitions[constant]
    definition.name, definition.qualified_name, definition.name_byte = (
        DEFAULT,
        walker.qualified(DEFAULT),
        value_node.start_byte,
    )
    around = walker.prefix, walker.holder
    walker.prefix, walker.holder = DEFAULT, constant
    value = value_for(walker, value_node, Target(DEFAULT, start, "", start, end))
    walker.prefix, walker.holder = around
    return value


# The end


def list_declared_since(walker: EcmaScriptWalker, first: int) -> list[str]:
    """Names of the module bound since the binding at `first`."""
    return [each.name for each in walker.bindings[first:] if each.scope == 0 and each.kind != "narrow"]


def mark_global(walker: EcmaScriptWalker) -> None:
    """Names that all files see: those of `declare global`, or of a declaration file that is no module."""
    names = list_declared_since(walker, 0) if walker.ambient and not walker.is_module else walker.everywhere
    if names:
        walker.exports["globals"] = list(dict.fromkeys(names))
    if walker.language != "javascript":
        walker.exports["declared"] = True


def mark_exported(walker: EcmaScriptWalker) -> None:
    """Marks the symbols that the module's exports reach: what they name, and its members."""
    exports = walker.exports.get("names", {})
    reached, named = find_reachable(walker, list(exports.values()))
    if DEFAULT in exports:
        named.add(DEFAULT)
    everything = walker.ambient and not walker.exports
    for index, definition in enumerate(walker.definitions):
        parent = definition.parent
        if definition.owner:
            exported = definition.owner in named
        elif definition.kind in ("method", "property", "field"):
            exported = parent in reached and definition.exported
        elif parent == 0:
            exported = everything or definition.name in named
        else:
            exported = parent in reached and "namespace" in walker.definitions[parent].flags
        exported = exported or index in reached or not index
        if exported and index:
            reached.add(index)
            if parent == 0 and not definition.owner:
                named.add(definition.name)
        definition.exported = exported


def find_reachable(walker: EcmaScriptWalker, values: list[int]) -> tuple[set[int], set[str]]:
    """The definitions and names in exported values, including those inside object literals."""
    code = walker.code
    reached: set[int] = set()
    named: set[str] = set()
    members: dict[int, list[int]] = {}
    if any(code[value] == op.OBJECT for value in values):
        for binding in walker.bindings:
            if walker.scopes[binding.scope].kind == "object" and binding.value:
                members.setdefault(binding.scope, []).append(binding.value)
    while values:
        value = values.pop()
        if code[value] == op.NAME:
            named.add(walker.texts[code[value + op.WORD]])
        elif code[value] == op.DEFINITION:
            reached.add(code[value + op.DEFINED])
        elif code[value] == op.OBJECT:
            values += members.pop(code[value + op.SCOPE], [])
    return reached, named


HANDLERS: Final[Handlers] = {
    "import_statement": import_statement,
    "import_alias": import_alias,
    "export_statement": export_statement,
    "ambient_declaration": ambient_declaration,
}
