"""A file's source, with what the parser saw in it under each line.

In: facts and the bytes they were made from. Out: text. What names resolve to is not known here.
"""

from __future__ import annotations

from bisect import bisect_right

from rpg.encoder import operations
from rpg.encoder import operations as op
from rpg.encoder.facts import SITE_WORDS, FileFacts

ROLES = (
    "reads", "writes", "calls", "derives from", "is decorated with", "is annotated with", "deletes", "raises",
    "catches", "creates", "updates", "gives a value to", "reads, if it is there,", "documents", "runs",
)  # fmt: skip
NAMES = [
    name.lower().replace("_", " ")
    for name, number in vars(operations).items()
    if name.isupper() and isinstance(number, int) and number >= 0
][: len(operations.OPERANDS)]
"""Names of the operations, which come first and in order."""
_WORDS = {operations.THIS: "this", operations.SUPER: "super()"}


def annotate_source(facts: FileFacts, source: bytes) -> str:
    notes = collect_notes(facts)
    out = [f"{facts.path}: {facts.language}"]
    for number, line in enumerate(source.decode("utf-8", "replace").split("\n"), 1):
        out.append(f"{number:5}  {line.rstrip()}")
        out += [f"         · {text}" for text in notes.get(number, ())]
    out += [f"problem at {problem}" for problem in facts.problems]
    return "\n".join(out)


def collect_notes(facts: FileFacts) -> dict[int, list[str]]:
    """What was found, by line."""
    notes: dict[int, list[str]] = {}

    def note(byte: int, text: str) -> None:
        notes.setdefault(line_of(facts, byte), []).append(text)

    for definition in facts.definitions:
        words = [definition.kind, definition.qualified_name, f"{definition.start_line}-{definition.end_line}"]
        words += [*definition.modifiers, *definition.flags, "exported" if definition.exported else "private"]
        note(definition.name_byte, " ".join(words))
    for each in facts.imports:
        names = f" for {', '.join(each.names)}" if each.names else ""
        note(each.byte, f"imports {'.' * each.level}{each.module}{names}{f' ({each.kind})' if each.kind else ''}")
    for binding in facts.bindings:
        value = f" = {format_expression(facts, binding.value)}" if binding.value else ""
        note(binding.byte, f"binds {binding.name}{value}{f' ({binding.kind})' if binding.kind else ''}")
    for at in range(0, len(facts.sites), SITE_WORDS):
        expression, role, maker = facts.sites[at : at + SITE_WORDS]
        who = facts.definitions[maker].qualified_name if maker else "(module)"
        note(facts.code[expression + op.BYTE], f"{who} {ROLES[role]} {format_expression(facts, expression)}")
    return notes


def line_of(facts: FileFacts, byte: int) -> int:
    return bisect_right(facts.line_starts, byte)


def format_expression(facts: FileFacts, expression: int, depth: int = 0) -> str:
    """An expression in short form, as the resolver gets it."""
    code = facts.code
    operation = code[expression]
    if depth > 4 or not expression:
        return "…" if expression else "nothing"
    if operation == operations.NAME:
        return facts.strings[code[expression + op.WORD]]
    if operation in (operations.ATTRIBUTE, operations.PATH):
        holder = format_expression(facts, code[expression + op.HOLDER], depth + 1)
        return f"{holder}.{facts.strings[code[expression + op.MEMBER]]}"
    if operation == operations.CALL:
        return f"{format_expression(facts, code[expression + op.CALLEE], depth + 1)}(…)"
    if operation == operations.STRING:
        return repr(facts.strings[code[expression + op.WORD]])
    if operation == operations.DEFINITION:
        return facts.definitions[code[expression + op.DEFINED]].qualified_name
    if operation == operations.IMPORTED:
        return f"{facts.imports[code[expression + op.STATEMENT]].module}:{facts.strings[code[expression + op.MEMBER]]}"
    if operation == operations.IMPORT:
        return f"module {facts.imports[code[expression + op.STATEMENT]].module}"
    if operation in _WORDS:
        return _WORDS[operation]
    return f"<{NAMES[operation]}>"
