"""What an expression stands for, as far as its file and the edges of the graph show.

In: an index. Out: the value of an expression, in its own or another file; the names of a library's value
(`flask.Flask()`); the text that an expression means, with `…` for computed parts. Names that lead to another file are
followed by the edges at their sites, so nothing is resolved here.

Absent: which files are read (code_files.py), the facts of one file (code_file.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rpg.encoder import operations as op
from rpg.encoder.facts import line_and_column
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.inventories.code_file import CodeFile, Value, label
from rpg.queries.inventories.code_files import CodeFiles
from rpg.queries.inventories.source_text import COMPUTED, STRING_LITERAL, evaluate_string, extent

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

DEEPEST = 16
"""The most steps from a name to what it stands for."""


class Code(CodeFiles):
    """What the expressions of files stand for."""

    def __init__(self, index: Index) -> None:
        super().__init__(index)
        self._returned: dict[tuple[str, int], Value | None] = {}
        self._names: dict[tuple[str, int, int], list[str]] = {}

    def value(self, file: CodeFile, e: int, depth: int = 0) -> Value:
        """What an expression stands for: its last value before that place, in whichever file it is assigned."""
        here = Value(file, e)
        if depth > DEEPEST or not e:
            return here
        code = file.code
        operation = code[e]
        if operation == op.NAME:
            scope = op.binding_scope(code[e + op.BINDER])
            name = file.strings[code[e + op.WORD]]
            bound = (
                self.bound(file, scope, name, code[e + op.BYTE] if code[e + op.BINDER] >= 0 else -1)
                if scope >= 0
                else 0
            )
            if bound:
                return self.value(file, bound, depth + 1)
            return self.named(file, e, depth) or here
        if operation in (op.ATTRIBUTE, op.PATH):
            if operation == op.PATH:
                bound = self.bound(
                    file, code[e + op.PATH_SCOPE], file.strings[code[e + op.PATH_WORD]], code[e + op.BYTE]
                )
                if bound and bound != e:
                    return self.value(file, bound, depth + 1)
            return self.named(file, e, depth) or self.member(file, e, depth) or here
        if operation == op.DEFINITION:
            return Value(file, e, code[e + op.DEFINED])
        if operation in (op.IMPORT, op.IMPORTED):
            return self.resolve_import(file, e, depth) or here
        if operation == op.TYPED:
            return self.value(file, code[e + op.TYPED_VALUE], depth + 1) if code[e + op.TYPED_VALUE] else here
        if operation == op.AWAIT:
            return self.value(file, code[e + op.OPERAND], depth + 1)
        if operation == op.UNION and code[e + op.ITEM_COUNT]:
            return self.value(file, code[e + op.ITEMS], depth + 1)
        if operation == op.CALL:
            return self.returned(file, e, depth) or here
        return here

    def bound(self, file: CodeFile, scope: int, name: str, before: int) -> int:
        """The value that a name has at a byte, or in the end."""
        rows = [each for each in file.bindings.get((scope, name), ()) if each.value]
        earlier = [each for each in rows if before < 0 or each.byte <= before] or rows
        return earlier[-1].value if earlier else 0

    def named(self, file: CodeFile, e: int, depth: int) -> Value | None:
        """The value that the edge at the site of a name leads to."""
        target = file.targets.get(line_and_column(file.facts, file.code[e + op.BYTE]))
        return self.symbol(*target, depth) if target else None

    def symbol(self, path: str, name: str, depth: int = 0) -> Value | None:
        other = self.file(path)
        number = other.by_name.get(name, -1) if other else -1
        if other is None or number < 0:
            return None
        definition = other.facts.definitions[number]
        if definition.kind in CLASS_KINDS or definition.kind in ("function", "method", "module", "property"):
            return Value(other, 0, number)
        around = other.facts.definitions[definition.parent] if definition.parent >= 0 else definition
        bound = self.bound(other, max(around.scope, 0), definition.name, -1)
        if not bound:
            rows = [value for field, value in other.facts.fields.get(definition.parent, ()) if field == definition.name]
            bound = rows[-1] if rows else 0
        return self.value(other, bound, depth + 1) if bound else Value(other, 0, number)

    def member(self, file: CodeFile, e: int, depth: int) -> Value | None:
        """A member of an object literal or of a module."""
        holder = self.value(file, file.code[e + op.HOLDER], depth + 1)
        name = file.strings[file.code[e + op.MEMBER]]
        if holder.operation == op.OBJECT and holder.definition < 0:
            bound = self.bound(holder.file, holder.file.code[holder.expression + op.SCOPE], name, -1)
            return self.value(holder.file, bound, depth + 1) if bound else None
        if holder.definition == 0:
            return self.exported(holder.file, name, depth)
        return None

    def value_of_member(self, file: CodeFile, e: int, name: str) -> Value | None:
        """A member of an object literal."""
        found = self.value(file, e)
        if found.definition >= 0 or found.operation != op.OBJECT:
            return None
        bound = self.bound(found.file, found.file.code[found.expression + op.SCOPE], name, -1)
        return self.value(found.file, bound) if bound else None

    def resolve_import(self, file: CodeFile, e: int, depth: int) -> Value | None:
        """None if it is external."""
        statement = file.facts.imports[file.code[e + op.STATEMENT]]
        paths = file.imported.get(file.line_of(statement.byte), ())
        last = statement.module.rpartition("/")[2].rpartition(".")[2]
        name = file.strings[file.code[e + op.MEMBER]] if file.code[e] == op.IMPORTED else ""
        if name:
            package = (
                f"{find_folder_above(file.path, statement.level)}__init__.py" if statement.level and not last else ""
            )
            for path in paths:
                if stem(path) == name and name not in (last, "default") and path != package:
                    other = self.file(path)
                    return Value(other, 0, 0) if other else None
        near = sorted(paths, key=lambda path: stem(path) != last)
        for path in near:
            other = self.file(path)
            if other is None:
                continue
            if not name:
                return self.exported(other, "=", depth) or Value(other, 0, 0)
            found = self.exported(other, name, depth)
            if found is not None:
                return found
        return None

    def exported(self, file: CodeFile, name: str, depth: int) -> Value | None:
        """A member of a module, as another file sees it."""
        names = file.facts.exports.get("names") or {}
        expression = names.get(name) or (names.get("=") if name == "default" else 0)
        if not expression and name != "=":
            expression = self.bound(file, 0, name, -1)
        return self.value(file, expression, depth + 1) if expression else None

    def returned(self, file: CodeFile, call: int, depth: int) -> Value | None:
        """What a function of the repository makes, if it is called there. Each call is followed once."""
        key = file.path, call
        if key not in self._returned:
            self._returned[key] = None
            self._returned[key] = self._value_of_call(file, call, depth)
        return self._returned[key]

    def _value_of_call(self, file: CodeFile, call: int, depth: int) -> Value | None:
        if depth > DEEPEST // 2:
            return None
        callee = self.value(file, file.code[call + op.CALLEE], depth + 2)
        scope = self.scope_of(callee)
        for each in callee.file.facts.returns.get(scope, ()) if scope > 0 else ():
            found = self.value(callee.file, each, depth + 2)
            if found.definition >= 0 or found.operation in (op.CALL, op.INSTANCE):
                return found
        return None

    def scope_of(self, value: Value) -> int:
        """The scope of a function; -1 for anything else."""
        if value.definition >= 0:
            definition = value.file.facts.definitions[value.definition]
            return definition.scope if definition.kind in ("function", "method") else -1
        return value.file.code[value.expression + op.SCOPE] if value.operation == op.FUNCTION else -1

    def names(self, value: Value, depth: int = 0) -> list[str]:
        """The names of a value where it comes from: `flask.Flask()`, `express.Router()`; the nearest name first. A
        class of the repository has the name of its place, then those of its bases."""
        file, e = value.file, value.expression
        if depth > DEEPEST:
            return []
        if value.definition >= 0:
            return self.names_of_definition(value, depth)
        code = file.code
        operation = code[e]
        if operation == op.NAME:
            return [file.strings[code[e + op.WORD]]]
        if operation == op.IMPORT:
            return [file.facts.imports[code[e + op.STATEMENT]].module]
        if operation == op.IMPORTED:
            return [f"{file.facts.imports[code[e + op.STATEMENT]].module}.{file.strings[code[e + op.MEMBER]]}"]
        if operation in (op.ATTRIBUTE, op.PATH):
            holders = self.names(self.value(file, code[e + op.HOLDER], depth + 1), depth + 1)
            return [f"{each}.{file.strings[code[e + op.MEMBER]]}" for each in holders]
        if operation in (op.CALL, op.INSTANCE):
            callees = self.names(self.value(file, code[e + op.CALLEE], depth + 1), depth + 1)
            return [f"{each}()" for each in callees]
        if operation == op.PARAMETER:
            rows = file.facts.parameters.get(code[e + op.SCOPE], [])
            row = rows[code[e + op.POSITION]] if code[e + op.POSITION] < len(rows) else None
            return self.instances(file, row.annotation, depth) if row and row.annotation else []
        if operation == op.TYPED:
            return self.instances(file, code[e + op.ANNOTATED], depth)
        return []

    def instances(self, file: CodeFile, annotation: int, depth: int) -> list[str]:
        return [f"{each}()" for each in self.names(self.value(file, annotation, depth + 1), depth + 1)]

    def names_of_definition(self, value: Value, depth: int) -> list[str]:
        """Each definition is followed once."""
        if value.key not in self._names:
            self._names[value.key] = []
            self._names[value.key] = self._called(value, depth)
        return self._names[value.key]

    def _called(self, value: Value, depth: int) -> list[str]:
        file = value.file
        definition = file.facts.definitions[value.definition]
        place = build_module_name(file.path)
        if value.definition == 0:
            return [place]
        if definition.kind not in CLASS_KINDS:
            annotation = file.facts.annotations.get(definition.scope, 0)
            called = [f"{place}.{definition.qualified_name}"]
            if definition.kind == "field" or definition.kind == "constant":
                return called
            return called + [each.removesuffix("()") for each in self.instances(file, annotation, depth) if annotation]
        found = [f"{place}.{definition.qualified_name}"]
        for keyword, base in file.facts.bases.get(value.definition, ()):
            if not keyword:
                found += self.names(self.value(file, base, depth + 1), depth + 1)
        return list(dict.fromkeys(found))

    def string_value(self, file: CodeFile, e: int, depth: int = 0, *, is_part: bool = False) -> str:
        """The text that an expression means, with COMPUTED for unknown parts. `is_part`: whether it is part of another
        expression."""
        if not e or depth > DEEPEST:
            return COMPUTED
        code = file.code
        operation = code[e]
        if operation in (op.STRING, op.NAME, op.ATTRIBUTE, op.PATH) and not is_part:
            text = file.text(code[e + op.BYTE])
            end = end_of_literal(text) if operation == op.STRING else len(file.member(e))
            if text[end:].lstrip().startswith("+"):  # for a sum, some facts have only the first part
                return self.literal(file, code[e + op.BYTE], extent(text), depth, whole=True)
        if operation == op.STRING:
            return file.strings[code[e + op.WORD]]
        if operation == op.LITERAL:
            text = file.text(code[e + op.BYTE]) if file.strings[code[e + op.WORD]] in ("str", "string") else ""
            return self.literal(file, code[e + op.BYTE], text, depth) if text else COMPUTED
        if operation == op.OPERATION and file.strings[code[e + op.WORD]] == "+" and code[e + op.RIGHT]:
            left = self.string_value(file, code[e + op.LEFT], depth + 1, is_part=True)
            right = self.string_value(file, code[e + op.RIGHT], depth + 1, is_part=True)
            return (left + right).replace(COMPUTED * 2, COMPUTED)
        found = self.value(file, e)
        if (
            found.definition < 0
            and found.key != (file.path, e, -1)
            and found.operation in (op.STRING, op.LITERAL, op.OPERATION)
        ):
            return self.string_value(found.file, found.expression, depth + 1)
        return COMPUTED

    def literal(self, file: CodeFile, byte: int, text: str, depth: int, *, whole: bool = False) -> str:
        """The text of a template or a sum, as the source writes it."""
        end = len(text) if whole else end_of_literal(text)

        def meaning(name: str, at: int) -> str:
            start = byte + len(text[:at].encode()) + len(name.rpartition(".")[0]) + ("." in name)
            read = file.read_at.get(start)
            return self.string_value(file, read, depth + 1, is_part=True) if read is not None else ""

        return evaluate_string(text[:end], meaning) if end else COMPUTED

    def items(self, file: CodeFile, e: int) -> Iterator[tuple[CodeFile, int]]:
        """The items of a literal list, also under a name, in parts, or within a call that returns it."""
        found = self.value(file, e) if file.code[e] not in (op.LIST, op.TUPLE, op.SET, op.OPERATION) else Value(file, e)
        if found.definition >= 0:
            return
        code, here = found.file.code, found.expression
        if code[here] in (op.LIST, op.TUPLE, op.SET):
            for each in op.items_of(code, here):
                yield found.file, each
        elif code[here] == op.OPERATION and code[here + op.RIGHT]:
            yield from self.items(found.file, code[here + op.LEFT])
            yield from self.items(found.file, code[here + op.RIGHT])

    def handler(self, file: CodeFile, e: int) -> str:
        """The symbol that an expression names, or the name as it is written; empty for a nameless function."""
        found = self.value(file, e)
        operation = file.code[e]
        if found.definition > 0:
            wrapped = self.wrapped(file, e, found) if operation == op.CALL else ""
            return wrapped or label(found.file, found.definition)
        if operation in (op.NAME, op.ATTRIBUTE, op.PATH):
            target = file.targets.get(line_and_column(file.facts, file.code[e + op.BYTE]))
            return f"{target[0]}::{target[1]}" if target else self.as_written(file, e)
        if operation == op.CALL:
            callee = file.code[e + op.CALLEE]
            if file.member(callee) == "as_view" and file.code[callee] in (op.ATTRIBUTE, op.PATH):
                return self.handler(file, file.code[callee + op.HOLDER])
            inner = [self.handler(file, each.value) for each in file.arguments(e) if each.value]
            return next(filter(None, inner), "") or self.as_written(file, callee)
        return ""

    def wrapped(self, file: CodeFile, e: int, found: Value) -> str:
        """What a call is passed to run, where it gives a function that it makes itself: `caught(show)`."""
        made = found.file.facts.definitions
        above = made[found.definition].parent
        if above <= 0 or made[above].kind not in FUNCTION_KINDS:
            return ""
        inner = [self.handler(file, each.value) for each in file.arguments(e) if each.value]
        return next((each for each in inner if "::" in each), "")

    def as_written(self, file: CodeFile, e: int) -> str:
        operation = file.code[e]
        if operation in (op.ATTRIBUTE, op.PATH):
            holder = self.as_written(file, file.code[e + op.HOLDER])
            return f"{holder}.{file.member(e)}" if holder else file.member(e)
        return file.member(e)


def stem(path: str) -> str:
    """The name of a module, from its file's path."""
    folder, _, last = path.rpartition("/")
    name = last.partition(".")[0]
    return folder.rpartition("/")[2] if name in ("__init__", "index") or not last else name


def find_folder_above(path: str, level: int) -> str:
    """The folder of a file, or one above it, with its slash."""
    parts = path.split("/")[: -max(level, 1)]
    return "".join(f"{part}/" for part in parts)


def build_module_name(path: str) -> str:
    """The dotted name of a Python module, from its path."""
    parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
    return ".".join(parts[1:] if parts[0] in ("src", "lib") else parts)


def end_of_literal(text: str) -> int:
    """Where the literal at the beginning of a text ends, with those that follow it directly; 0 if there is none."""
    end = at = 0
    while found := STRING_LITERAL.match(text, at):
        end = at = found.end()
        while at < len(text) and text[at] in " \n\t\r":
            at += 1
    return end
