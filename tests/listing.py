"""Facts as text that can be read: what a file defines, binds, refers to, imports and exports."""

from __future__ import annotations

from rpg.encoder import facts as f
from rpg.encoder import operations
from rpg.encoder.facts import FileFacts
from rpg.encoder.languages import find_language
from rpg.encoder.parsing.parse import parse

_ROLES = (
    "read", "write", "call", "base", "decorator", "type", "delete", "raise", "catch", "create", "update", "key",
    "offer",
    "document", "run",
)  # fmt: skip


def listed(path: str, source: str) -> str:
    """The facts of a small source, one a line."""
    language = find_language(path)
    assert language is not None
    return listing(parse(path, language, source.encode()))


def listing(facts: FileFacts) -> str:
    lines = ["definitions"]
    for definition in facts.definitions[1:]:
        marks = [
            *definition.modifiers, *definition.flags, *(f"@{each}" for each in definition.decorators),
            *(["exported"] if definition.exported else []), *([f"of {definition.owner}"] if definition.owner else []),
        ]  # fmt: skip
        parent = facts.definitions[definition.parent].qualified_name if definition.parent else "-"
        lines.append(
            f"  {definition.kind} {definition.qualified_name} {definition.start_line}-{definition.end_line} in {parent}"
            f" [{' '.join(marks)}] {definition.signature!r}"
            + (f" -> {definition.returns}" if definition.returns else "")
            + (f" doc {definition.doc!r}" if definition.doc else "")
        )
    lines.append("bindings")
    for binding in facts.bindings:
        kind = f" ({binding.kind})" if binding.kind else ""
        where = "".join(f" {name}" for name in ("loop",) if binding.block and facts.blocks[3 * binding.block + 2])
        block = f" in block {lines_of(facts, binding.block)}{where}" if conditional(facts, binding) else ""
        lines.append(f"  {scope(facts, binding.scope)}: {binding.name} = {text(facts, binding.value)}{kind}{block}")
    for name in ("parameters", "returns", "yields", "annotations"):
        rows = getattr(facts, name)
        if rows:
            lines.append(name)
        for index, value in sorted(rows.items()):
            if name == "parameters":
                shown = ", ".join(parameter(facts, row) for row in value)
            elif name == "annotations":
                shown = text(facts, value)
            else:
                shown = ", ".join(text(facts, each) for each in value)
            lines.append(f"  {scope(facts, index)}: {shown}")
    for name in ("bases", "fields", "decorators", "type_parameters"):
        rows = getattr(facts, name)
        if rows:
            lines.append(name)
        for index, values in sorted(rows.items()):
            of = facts.definitions[index].qualified_name
            if name == "type_parameters":
                shown = ", ".join(values)
            elif name == "decorators":
                shown = ", ".join(text(facts, value) for value in values)
            else:
                shown = ", ".join(f"{key}={text(facts, value)}" if key else text(facts, value) for key, value in values)
            lines.append(f"  {of}: {shown}")
    if facts.members:
        lines.append("members")
        lines += [f"  {text(facts, holder)}.{name} = {text(facts, value)}" for holder, name, value in facts.members]
    if facts.items:
        lines.append("items")
        lines += [f"  {text(facts, a)}[{text(facts, b) if b else '*'}] = {text(facts, c)}" for a, b, c in facts.items]
    if facts.imports:
        lines.append("imports")
        lines += [f"  {each.module!r} {each.kind} {' '.join(each.names)}".rstrip() for each in facts.imports]
    if facts.exports:
        lines.append("exports")
        for name, value in facts.exports.get("names", {}).items():
            lines.append(f"  {name} = {text(facts, value)}")
        for index in facts.exports.get("stars", []):
            lines.append(f"  * from {facts.imports[index].module!r}")
    lines.append("sites")
    for at in range(0, len(facts.sites), 3):
        expression, role, definition = facts.sites[at : at + 3]
        line, column = f.line_and_column(facts, facts.code[expression + 1])
        by = facts.definitions[definition].qualified_name if definition else "-"
        lines.append(f"  {line}:{column} {_ROLES[role]} {text(facts, expression)} by {by}")
    if facts.comments:
        lines.append(f"comments {len(facts.comments)}")
    lines += [f"problem {each}" for each in facts.problems]
    if facts.package:
        lines.append(f"package {facts.package}")
    return "\n".join(lines) + "\n"


def conditional(facts: FileFacts, binding: f.Binding) -> bool:
    """Whether a binding stands in a part of its scope's body."""
    start, end, _ = facts.blocks[3 * binding.block :][:3]
    around = facts.scopes[binding.scope]
    return bool(binding.block) and (start, end) != (around.start_byte, around.end_byte)


def lines_of(facts: FileFacts, block: int) -> str:
    start, end, _ = facts.blocks[3 * block :][:3]
    return f"{f.line_and_column(facts, start)[0]}-{f.line_and_column(facts, max(end - 1, 0))[0]}"


def scope(facts: FileFacts, index: int) -> str:
    """A scope by its kind and the symbol around it."""
    row = facts.scopes[index]
    name = facts.definitions[row.definition].qualified_name if row.definition else ""
    if row.kind == "function":
        return name
    line = f.line_and_column(facts, row.start_byte)[0]
    return {"module": "module"}.get(row.kind, f"{row.kind} {line}") + (f" of {name}" if name else "")


def parameter(facts: FileFacts, row: f.Parameter) -> str:
    shown = row.name or "{}"
    shown += {"list": "...", "map": "**"}.get(row.kind, "")
    shown += f": {text(facts, row.annotation)}" if row.annotation else ""
    return shown + (f" = {text(facts, row.default)}" if row.default else "")


def text(facts: FileFacts, at: int) -> str:
    """An expression as one line."""
    code, strings = facts.code, facts.strings

    def e(position: int) -> str:
        return text(facts, code[at + position])

    def s(position: int) -> str:
        return strings[code[at + position]]

    def listed_items(start: int, count: int) -> str:
        return ", ".join(text(facts, each) for each in code[at + start : at + start + count])

    operation = code[at]
    if operation == operations.NOTHING:
        return "-"
    if operation == operations.NAME:
        return f"{s(2)}?" if code[at + 3] == -1 else s(2)
    if operation == operations.ATTRIBUTE:
        return f"{e(2)}.{s(3)}"
    if operation == operations.PATH:
        return f"{e(2)}.{s(3)}'"
    if operation == operations.CALL:
        rows = [code[at + 4 + 2 * index : at + 6 + 2 * index] for index in range(code[at + 3])]
        marks = {operations.POSITIONAL: "", operations.STARRED: "*", operations.DOUBLE_STARRED: "**"}
        shown = [f"{marks[key] if key < 0 else strings[key] + '='}{text(facts, value)}" for key, value in rows]
        return f"{e(2)}({', '.join(shown)})"
    if operation == operations.SUBSCRIPT:
        return f"{e(2)}[{e(3)}]"
    if operation == operations.STRING:
        return repr(s(2))
    if operation == operations.NUMBER:
        return s(2)
    if operation == operations.LITERAL:
        return f"<{s(2)}>"
    if operation in (operations.LIST, operations.TUPLE, operations.SET):
        opened, closed = {operations.LIST: "[]", operations.TUPLE: "()", operations.SET: "{}"}[operation]
        return f"{opened}{listed_items(3, code[at + 2])}{closed}"
    if operation == operations.DICTIONARY:
        rows = [code[at + 3 + 2 * index : at + 5 + 2 * index] for index in range(code[at + 2])]
        return "{" + ", ".join(f"{text(facts, key)}: {text(facts, value)}" for key, value in rows) + "}"
    if operation == operations.UNION:
        return "(" + " | ".join(text(facts, each) for each in code[at + 3 : at + 3 + code[at + 2]]) + ")"
    if operation == operations.OPERATION:
        return f"({e(3)} {s(2)} {e(4)})"
    if operation == operations.FUNCTION:
        return "function@" + str(f.line_and_column(facts, code[at + 1])[0])
    if operation == operations.DEFINITION:
        return f"<{facts.definitions[code[at + 2]].qualified_name}>"
    if operation == operations.PARAMETER:
        return f"#{code[at + 3]}"
    if operation == operations.IMPORT:
        return f"import {facts.imports[code[at + 2]].module!r}"
    if operation == operations.IMPORTED:
        return f"import {facts.imports[code[at + 2]].module!r}.{s(3)}"
    if operation == operations.NARROWED:
        return f"{e(2)} is {'not ' if code[at + 4] else ''}{e(3)}"
    if operation == operations.TYPED:
        return f"({e(3)}: {e(2)})" if code[at + 3] else f"(: {e(2)})"
    if operation == operations.ITEM:
        return f"{e(2)}[{code[at + 3]}]"
    if operation == operations.OBJECT:
        inside = [(row.name, row.value) for row in facts.bindings if row.scope == code[at + 2]]
        return "{" + ", ".join(name for name, _ in inside) + "}"
    if operation == operations.THIS:
        return f"this({scope(facts, code[at + 2])})"
    if operation == operations.SUPER:
        return f"super({scope(facts, code[at + 2])})"
    if operation == operations.TYPE_VARIABLE:
        return f"type {s(2)}" + (f" of {e(3)}" if code[at + 3] else "")
    if operation == operations.COMPREHENSION:
        return f"{s(2)} of {e(3)}"
    names = {
        operations.AWAIT: "await", operations.YIELD: "yield",
        operations.ELEMENT: "each", operations.ENTERED: "entered", operations.INSTANCE: "instance",
        operations.FUNCTION_TYPE: "=>", operations.TYPE_OF: "typeof", operations.CAUGHT: "caught",
    }  # fmt: skip
    return f"{names[operation]} {e(2)}"
