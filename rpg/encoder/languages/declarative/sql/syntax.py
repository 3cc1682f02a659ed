"""SQL's kinds of nodes.

In: nodes. Out: `SPEC`, `Lowering`.
"""

from __future__ import annotations

import re
from typing import ClassVar, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import READ, WRITE
from rpg.encoder.languages.declarative.expressions import lower_damaged
from rpg.encoder.languages.declarative.lowering import DeclarativeLowering, handlers_of
from rpg.encoder.languages.declarative.spec import Spec
from rpg.encoder.lowering.node import Node, ReadPiece
from rpg.encoder.lowering.walker import Handlers

_KINDS: Final[dict[str, str]] = {
    "create_table": "struct",
    "create_view": "struct",
    "create_materialized_view": "struct",
    "create_type": "type",
    "create_function": "function",
    "create_procedure": "function",
    "create_trigger": "function",
    "create_sequence": "constant",
    "create_index": "constant",
}
_TEMPLATE: Final = re.compile(rb"\{\{[^{}]*\}\}\.?|\{%[^{}]*%\}|\{#[^{}]*#\}")
"""With the dot behind it, if it stands for a schema."""
_REFERENCE: Final = re.compile(rb"\bref\(\s*['\"](\w+)['\"]\s*\)")
_COLUMNS: Final = re.compile(rb"\(\s*\w+(?:\s*,\s*\w+)*\s*\)")
"""A list of columns, where the grammar does not know it."""
_WORD: Final = re.compile(rb"\w+")
_FRAMES: Final = frozenset({"statement", "subquery", "create_query"})
"""What has tables of its own."""
_WRITERS: Final = frozenset({"insert", "update", "delete"})


class SqlWalker(DeclarativeLowering):
    def __init__(self, path: str, language: str, source: bytes, parse: ReadPiece) -> None:
        super().__init__(path, language, source, parse)
        self.tables: dict[str, str] = {}
        """What columns may stand behind in the statement around -> the table; empty for what is no table."""
        self.only_table = ""
        """The one table of the statement around."""
        self.own_table = 0
        """The table that the statement around defines, as a definition."""
        self.own_names: frozenset[str] = frozenset()
        """Queries that the statement gives names."""
        self.role = READ
        """What is done with the next table."""

    def lower(self, root: Node) -> None:
        if _TEMPLATE.search(self.source) is not None:
            root = self.parse(blank_templates(self.source))
        super().lower(root)

    def is_understood(self, error: Node) -> bool:
        return _TEMPLATE.search(self.source) is not None


def blank_templates(source: bytes) -> bytes:
    """The source with templates blanked, but for the name in `{{ ref('name') }}`."""
    return _TEMPLATE.sub(_blank, source)


def _blank(found: re.Match[bytes]) -> bytes:
    text = found[0]
    named = _REFERENCE.search(text)
    kept = range(*named.span(1)) if named is not None else range(0)
    return bytes(byte if at in kept or byte == 10 else 32 for at, byte in enumerate(text))


# Names


def word(walker: SqlWalker, node: Node) -> str:
    """A name without quotes."""
    return walker.source_of(node).strip('"`[]')


def names_in(walker: SqlWalker, node: Node) -> list[tuple[str, Node]]:
    """`schema.name`: the parts."""
    return [(word(walker, child), child) for child in node.named_children if child.type == "identifier"]


def full_name(walker: SqlWalker, reference: Node) -> str:
    """Schema and name as they are looked up, in lower case."""
    return ".".join(text for text, _ in names_in(walker, reference)[-2:]).lower()


def reference(walker: SqlWalker, node: Node) -> int:
    """A table or the like."""
    parts = names_in(walker, node)
    role, walker.role = walker.role, READ
    if not parts or (len(parts) == 1 and parts[0][0].lower() in walker.own_names):
        return 0
    value = walker.variable(walker.string(full_name(walker, node)), parts[-1][1].start_byte)
    walker.site(value, role)
    return value


def invocation(walker: SqlWalker, node: Node) -> int:
    """A call of a function."""
    named = next((child for child in node.named_children if child.type == "object_reference"), None)
    parts = names_in(walker, named) if named is not None else []
    row: list[int] = []
    for child in node.named_children:
        if child != named:
            walker.walk(child)
            row += (op.POSITIONAL, 0)
    if named is None or not parts:
        return 0
    byte = parts[-1][1].start_byte
    return walker.call(walker.variable(walker.string(full_name(walker, named)), byte), byte, row)


def column(walker: SqlWalker, node: Node) -> int:
    """`alias.column`, `column`: of the table that the alias stands for, or of the only one."""
    holder = next((child for child in node.named_children if child.type == "object_reference"), None)
    names = [child for child in node.named_children if child.type == "identifier"]
    name = node.child_by_field_name("name") or (names[0] if names else None)
    if name is None:
        return walker.through(node)
    table = walker.only_table
    if holder is not None:
        given = full_name(walker, holder)
        table = walker.tables.get(given.rpartition(".")[2], given if "." in given else "")
    mention_column(walker, table, word(walker, name), name.start_byte)
    return 0


def mention_column(walker: SqlWalker, table: str, text: str, byte: int) -> None:
    if not table or not text:
        return
    is_own = walker.own_table and table == walker.only_table
    value = walker.definition_value(walker.own_table) if is_own else walker.variable(walker.string(table), byte)
    walker.site(walker.emit(op.ATTRIBUTE, byte, value, walker.string(text.lower())), READ)


def listed_column(walker: SqlWalker, node: Node) -> int:
    """A column in a list: of a key, of what is inserted."""
    for child in node.named_children:
        if child.type == "identifier":
            mention_column(walker, walker.only_table, word(walker, child), child.start_byte)
    return 0


def with_referenced(walker: SqlWalker, node: Node) -> int:
    """`REFERENCES table (column)`, with what stands around it."""
    is_referenced, table = False, ""
    for child in node.named_children:
        if child.type in ("keyword_references", "keyword_constraint"):
            is_referenced, table = child.type == "keyword_references", ""
        elif is_referenced and child.type == "object_reference":
            table = full_name(walker, child)
        if child.type == "identifier":
            mention_column(walker, table, word(walker, child), child.start_byte)
        else:
            walker.walk(child)
    return 0


def altered_column(walker: SqlWalker, node: Node) -> int:
    """`ALTER TABLE ... DROP COLUMN name`, `RENAME COLUMN name TO other`."""
    for child in [child for child in node.named_children if child.type == "identifier"][:1]:
        mention_column(walker, walker.only_table, word(walker, child), child.start_byte)
    return walker.through(node)


def of_table(walker: SqlWalker, node: Node) -> int:
    """A statement about one table, whose columns it names; what is inserted may be read from others."""
    named = next((child for child in node.named_children if child.type == "object_reference"), None)
    around, only = walker.only_table, full_name(walker, named) if named is not None else ""
    for child in node.named_children:
        walker.only_table = only if node.type != "insert" or child.type == "list" else around
        if child.type == "ERROR":
            walker.only_table = only
        walker.walk(child)
    walker.only_table = around
    return 0


def damaged(walker: SqlWalker, node: Node) -> int:
    """What the grammar does not know: columns in parentheses are those of the table, as behind `ON CONFLICT`."""
    inside = [(child.start_byte, child.end_byte) for child in node.named_children]
    for columns in _COLUMNS.finditer(walker.source, node.start_byte, node.end_byte):
        if not any(begin < columns.end() and columns.start() < end for begin, end in inside):
            for found in _WORD.finditer(walker.source, *columns.span()):
                mention_column(walker, walker.only_table, found[0].decode(), found.start())
    return lower_damaged(walker, node)


# Statements


def relations(walker: SqlWalker, node: Node) -> dict[str, str]:
    """The tables that a query reads, by what stands for them in it."""
    found: dict[str, str] = {}
    pending = list(node.named_children)
    while pending:
        each = pending.pop()
        kind = each.type
        if kind == "relation":
            named = next((child for child in each.named_children if child.type == "object_reference"), None)
            alias = each.child_by_field_name("alias")
            full = full_name(walker, named) if named is not None else ""
            key = word(walker, alias).lower() if alias is not None else full.rpartition(".")[2]
            if key:
                found[key] = full if full not in walker.own_names else ""
        elif kind not in _FRAMES and kind not in ("list", "term"):
            pending += each.named_children
    return found


def frame(walker: SqlWalker, node: Node) -> int:
    """A statement or query: its tables have the columns in it."""
    around, only, own_names = walker.tables, walker.only_table, walker.own_names
    queries = [child for child in node.named_children if child.type == "cte" and child.named_child_count]
    walker.own_names = own_names | {word(walker, each.named_children[0]).lower() for each in queries}
    own = relations(walker, node)
    walker.tables = {**around, **own}
    walker.only_table = next(iter(own.values())) if len(own) == 1 else ""
    is_deletion = False
    for child in node.named_children:
        if child.type == "cte":
            for each in child.named_children[1:]:
                walker.walk(each)
            continue
        walker.role = WRITE if child.type in _WRITERS or (is_deletion and child.type == "from") else READ
        is_deletion = child.type == "delete"
        walker.walk(child)
    walker.tables, walker.only_table, walker.own_names, walker.role = around, only, own_names, READ
    return 0


def definition(walker: SqlWalker, node: Node) -> int:
    """`CREATE ... name`"""
    kind = _KINDS[node.type]
    if node.type == "create_type" and any(child.type == "keyword_enum" for child in node.named_children):
        kind = "enum"
    named = next((child for child in node.named_children if child.type == "object_reference"), None)
    parts = names_in(walker, named) if named is not None else []
    if node.type == "create_index":
        named = node.child_by_field_name("column")
        parts = [(word(walker, named), named)] if named is not None else []
    if named is None or not parts or not parts[-1][0]:
        return walker.through(node)
    if any(child.type == "ERROR" and child.start_byte < named.start_byte for child in node.named_children):
        return walker.through(node)
    text, name = parts[-1]
    full = ".".join(part for part, _ in parts[-2:])
    index = walker.symbol(kind, text, name.start_byte, node, body_of(node), full_name=full, end_marks=" (;")
    value = walker.definition_value(index)
    for key in dict.fromkeys((text.lower(), full.lower(), full.lower() if "." in full else f"public.{full.lower()}")):
        walker.bind(key, value, 0, "", 0)
        walker.offered[key] = None
    around, only, own_table = walker.here(), walker.only_table, walker.own_table
    walker.definition = index
    if node.type == "create_table":
        walker.only_table, walker.own_table = full.lower(), index
    elif node.type == "create_index":
        table = next((child for child in node.named_children if child.type == "object_reference"), None)
        walker.only_table, walker.own_table = full_name(walker, table) if table is not None else "", 0
    if kind == "struct":
        walker.scope = scope = walker.open_scope("class", index, node.start_byte, node.end_byte)
        walker.definitions[index].scope = scope
    for child in node.named_children:
        if child == named:
            continue
        if child.type == "object_reference" and node.type == "create_trigger":
            trigger_part(walker, node, child)
        else:
            walker.walk(child)
    walker.return_to(around)
    walker.only_table, walker.own_table = only, own_table
    return 0


def body_of(node: Node) -> int:
    """Where the part begins that a signature does not show."""
    for child in node.named_children:
        if child.type in ("column_definitions", "create_query", "function_body", "enum_elements"):
            return child.start_byte
    return node.end_byte


def trigger_part(walker: SqlWalker, node: Node, child: Node) -> None:
    """The table of a trigger, or the function that it runs."""
    runs = next((each.start_byte for each in node.named_children if each.type == "keyword_execute"), -1)
    if 0 <= runs < child.start_byte:
        parts = names_in(walker, child)
        if parts:
            byte = parts[-1][1].start_byte
            walker.call(walker.variable(walker.string(full_name(walker, child)), byte), byte, [])
    else:
        reference(walker, child)


def column_definition(walker: SqlWalker, node: Node) -> int:
    name = node.child_by_field_name("name")
    text = word(walker, name) if name is not None else ""
    if name is None or not text or walker.definition == 0 or walker.scopes[walker.scope].kind != "class":
        return walker.through(node)
    walker.symbol("field", text.lower(), name.start_byte, node, node.end_byte)
    walker.bind(text.lower(), 0, walker.scopes[walker.scope].start_byte)
    return with_referenced(walker, node)


SPEC: Final[Spec] = Spec(
    comments=frozenset({"comment", "marginalia"}),
    skipped=frozenset({"literal", "identifier"}),
    handlers={
        **dict.fromkeys(_KINDS, definition),
        **dict.fromkeys(_FRAMES, frame),
        "object_reference": reference,
        "invocation": invocation,
        "field": column,
        "column_definition": column_definition,
        "column": listed_column,
        "ERROR": damaged,
        "constraint": with_referenced,
        "drop_column": altered_column,
        "rename_column": altered_column,
        "alter_table": of_table,
        "insert": of_table,
    },
    is_global=True,
)


class Lowering(SqlWalker):
    spec: ClassVar[Spec] = SPEC
    handlers: ClassVar[Handlers] = handlers_of(SPEC)
