"""What decorators, calls, bases and annotations register: tasks, event handlers, models.

In: the files that use what a row of registration_tables.py names. Out: entries, each with its handler and place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import orjson

from rpg.encoder import operations as op
from rpg.graph import CLASS_KINDS
from rpg.queries.inventories.code_file import CodeFile, Value, argument, label
from rpg.queries.inventories.entry import Entry
from rpg.queries.inventories.reading import Code
from rpg.queries.inventories.registration_tables import (
    EVENT_ANNOTATIONS,
    EVENT_CALLS,
    EVENT_DECORATORS,
    MIGRATIONS,
    MODEL_ANNOTATIONS,
    MODEL_BASES,
    MODEL_CALLS,
    MODEL_DECORATORS,
    SIGNALS_MADE,
    TASK_ANNOTATIONS,
    TASK_BASES,
    TASK_CALLS,
    TASK_DECORATORS,
    Row,
)  # fmt: skip
from rpg.queries.inventories.routes.annotated import annotations_of
from rpg.queries.inventories.source_text import COMPUTED, evaluate_string
from rpg.stores.index.edge_reads import list_classes_below
from rpg.stores.index.reader import list_paths


def tasks(code: Code) -> list[Entry]:
    return _in_order([
        *find_by_decorator(code, TASK_DECORATORS),
        *find_by_call(code, TASK_CALLS),
        *find_by_annotation(code, TASK_ANNOTATIONS),
        *find_by_base(code, TASK_BASES),
    ])  # fmt: skip


def signals(code: Code) -> list[Entry]:
    return _in_order([
        *constants(code, SIGNALS_MADE),
        *find_by_decorator(code, EVENT_DECORATORS),
        *find_by_call(code, EVENT_CALLS),
        *find_by_annotation(code, EVENT_ANNOTATIONS),
    ])  # fmt: skip


def models(code: Code) -> list[Entry]:
    found = _in_order([
        *find_by_base(code, MODEL_BASES),
        *find_by_decorator(code, MODEL_DECORATORS),
        *find_by_call(code, MODEL_CALLS),
        *find_by_annotation(code, MODEL_ANNOTATIONS),
        *structs(code),
        *prisma_models(code),
    ])  # fmt: skip
    return found + list(migrations(code))


CONVENTIONAL = frozenset({"Base"})
"""Of libraries that are there without an import, known by their name in front."""


def _in_order(entries: Iterable[Entry]) -> list[Entry]:
    """Each once, in the order of files and lines."""
    distinct = {(each.name, each.kind, each.handler, *each.places): each for each in entries}
    return sorted(distinct.values(), key=lambda each: _place(each.places[0]) if each.places else ("", 0))


def _place(written: str) -> tuple[str, int]:
    path, _, line = written.rpartition(":")
    return path, int(line)


def _is_of_row(row: Row, names: list[str]) -> bool:
    """Whether a name matches the row."""
    for name in names:
        head, _, last = name.rpartition(".")
        if last in row.last and (not row.packages or any(_starts(head, each) for each in row.packages)):
            return True
        if "/" in name and name.rpartition("/")[2].partition(".")[2] in row.last:
            return any(name.startswith((f"{each}.", f"{each}/")) for each in row.packages)
    return False


def _starts(head: str, package: str) -> bool:
    return head == package or head.startswith((package + ".", package + "/", package + "()"))


def find_by_decorator(code: Code, rows: tuple[Row, ...]) -> Iterator[Entry]:
    for row in rows:
        for file in code.files_that_use(*row.packages):
            for number, found in file.facts.decorators.items():
                for e in found:
                    callee = file.code[e + op.CALLEE] if file.code[e] == op.CALL else e
                    if file.member(callee) in row.last and _is_of_row(row, code.names(code.value(file, callee))):
                        yield _entry(code, file, e, row, label(file, number), file.facts.definitions[number].name)


def find_by_call(code: Code, rows: tuple[Row, ...]) -> Iterator[Entry]:
    for row in rows:
        files = code.files_containing(f"{row.by}.") if row.by == "process" else code.files_that_use(*row.packages)
        for file in files:
            for e, _ in file.calls:
                callee = file.code[e + op.CALLEE]
                if file.code[callee] not in (op.ATTRIBUTE, op.PATH, op.NAME) or file.member(callee) not in row.last:
                    continue
                if e in file.decorated or not _is_of_row(row, code.names(code.value(file, callee))):
                    continue
                plain = [each.value for each in file.arguments(e) if not each.keyword]
                if len(plain) <= max(row.handler, row.name or 0):
                    continue
                handler = code.handler(file, plain[row.handler])
                is_method = row.name is None and file.code[callee] in (op.ATTRIBUTE, op.PATH)
                name = (
                    code.as_written(file, file.code[callee + op.HOLDER]) if is_method else handler.rpartition("::")[2]
                )
                yield _entry(code, file, e, row, handler, name)


def _entry(code: Code, file: CodeFile, e: int, row: Row, handler: str, name: str) -> Entry:
    arguments = file.arguments(e) if file.code[e] == op.CALL else []
    name_argument = argument(arguments, row.name, row.keyword) if arguments else 0
    callee = file.code[e + op.CALLEE] if file.code[e] == op.CALL else e
    if name_argument:
        value = code.string_value(file, name_argument)
        parts = [code.as_written(item_file, each) for item_file, each in code.items(file, name_argument)]
        name = (
            (", ".join(filter(None, parts)) or code.as_written(file, name_argument) or value)
            if value == COMPUTED
            else value
        )
    return Entry(
        name=name, kind=file.member(callee), handler=handler, by=row.by, places=[file.place(e)],
        computed=COMPUTED in name, test=file.test,
    )  # fmt: skip


def constants(code: Code, rows: tuple[Row, ...]) -> Iterator[Entry]:
    """Constants of a module whose value is made by such a call."""
    for row in rows:
        for file in code.files_that_import(*row.packages):
            for binding in file.facts.bindings:
                if binding.scope or not binding.value or file.code[binding.value] != op.CALL:
                    continue
                if _is_of_row(row, code.names(Value(file, binding.value))):
                    yield Entry(name=binding.name, kind="defined", by=row.by, test=file.test,
                                places=[file.place(binding.value)])  # fmt: skip


def find_by_annotation(code: Code, rows: tuple[Row, ...]) -> Iterator[Entry]:
    for row in rows:
        for file in code.files_that_import(*row.packages):
            for number, definition in enumerate(file.facts.definitions):
                if not number or not (definition.decorators or "@" in definition.signature):
                    continue
                for annotation in annotations_of(file, number, row.last, and_parameters=row.on_parameter):
                    texts = [
                        evaluate_string(each.text)
                        for each in annotation.arguments
                        if '"' in each.text and not each.keyword
                    ]
                    texts += [
                        f"{each.keyword} {evaluate_string(each.text)}"
                        for each in annotation.arguments
                        if each.keyword and '"' in each.text
                    ]
                    title = (
                        f"{definition.qualified_name} ({', '.join(texts[:3])})" if texts else definition.qualified_name
                    )
                    yield Entry(
                        name=title, kind=annotation.name, by=row.by, handler=label(file, number), test=file.test,
                        places=[f"{file.path}:{file.line_of(annotation.byte)}"],
                    )  # fmt: skip


def find_by_base(code: Code, rows: tuple[Row, ...]) -> Iterator[Entry]:
    """Classes with a base of a library, and what inherits from these."""
    for row in rows:
        by_name = row.packages == ("",) or not row.packages or row.last == CONVENTIONAL
        files = _list_files_with_bases(code, row) if by_name else code.files_that_import(*row.packages)
        roots = set()
        for file in files:
            for number in file.facts.bases:
                definition = file.facts.definitions[number]
                if definition.kind in CLASS_KINDS and _is_of_row(row, code.names(Value(file, 0, number))[1:]):
                    roots.add((file.path, definition.qualified_name))
        written = orjson.dumps(sorted(roots)).decode()
        for path, name, kind, line, test in list_classes_below(code.index, written):
            found = code.file(path)
            number = found.by_name.get(name, -1) if found else -1
            if found is None or number < 0 or not _is_table(code, found, number, row):
                continue
            yield Entry(
                name=name, kind=_table(code, found, number) or kind, by=row.by, handler="", places=[f"{path}:{line}"],
                test=bool(test),
            )  # fmt: skip


def _list_files_with_bases(code: Code, row: Row) -> list[CodeFile]:
    """Files that mention a base that the framework's convention defines, and that need not import it."""
    return code.files_containing(*(row.packages if row.last == CONVENTIONAL else row.last))


def _is_table(code: Code, file: CodeFile, number: int, row: Row) -> bool:
    """Whether a class of that kind is a model itself, and not just what models are made from."""
    if row.by == "SQLModel":
        return any(keyword == "table" for keyword, _ in file.facts.bases.get(number, ()))
    if row.by == "SQLAlchemy":
        names = code.names(Value(file, 0, number))[1:2]
        of_base = (
            bool(names) and names[0].startswith("sqlalchemy") and names[0].rpartition(".")[2].startswith("Declarative")
        )
        return bool(_table(code, file, number)) or not of_base
    return True


def _table(code: Code, file: CodeFile, number: int) -> str:
    """The table that a model says it is stored in."""
    bound = code.bound(file, file.facts.definitions[number].scope, "__tablename__", -1)
    if not bound:
        meta = file.by_name.get(f"{file.facts.definitions[number].qualified_name}.Meta", -1)
        bound = code.bound(file, file.facts.definitions[meta].scope, "db_table", -1) if meta > 0 else 0
    table = code.string_value(file, bound) if bound else ""
    return f"table {table}" if table and table != COMPUTED else ""


def structs(code: Code) -> Iterator[Entry]:
    """Go structs with gorm's tags, or with an embedded gorm.Model."""
    for file in code.files_containing('gorm:"', "gorm.Model"):
        for definition in file.facts.definitions:
            text = file.source[definition.start_byte : definition.end_byte]
            if definition.kind == "struct" and (b'gorm:"' in text or b"gorm.Model" in text):
                yield Entry(
                    name=definition.qualified_name, kind="struct", by="GORM", test=file.test,
                    places=[f"{file.path}:{definition.start_line}"],
                )  # fmt: skip


_PRISMA = re.compile(r"^model\s+(\w+)\s*\{", re.MULTILINE)


def prisma_models(code: Code) -> Iterator[Entry]:
    for path in list_paths(code.index):
        if not path.endswith(".prisma"):
            continue
        text = (code.index.source(path) or b"").decode("utf-8", "replace")
        for found in _PRISMA.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            yield Entry(name=found[1], kind="model", by="Prisma", places=[f"{path}:{line}"])


def migrations(code: Code) -> Iterator[Entry]:
    for path in list_paths(code.index):
        for by, pattern in MIGRATIONS:
            if pattern.search(path):
                yield Entry(name=path.rpartition("/")[2], kind="migration", by=f"{by} migrations", places=[f"{path}:1"])
                break
