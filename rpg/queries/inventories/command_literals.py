"""Commands of Go that are written as literals of a struct: cobra, urfave/cli, simplecobra.

In: the files that use one of these. Out: entries, each below the commands whose literal lists it, or that it is added
to. A command of simplecobra is a literal of any type with the methods of its interface; the method `Name` returns its
name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from rpg.encoder import operations as op
from rpg.queries.inventories.code_file import CodeFile, Value
from rpg.queries.inventories.entry import Entry
from rpg.queries.inventories.reading import Code
from rpg.queries.inventories.source_text import COMPUTED

Key = tuple[str, int, int]
DEEPEST = 6


class Library(NamedTuple):
    name: str
    packages: tuple[str, ...]
    literals: tuple[str, ...]
    """Types whose literals are commands."""
    named_by: str
    """The field with the name of a command; empty if a method returns it."""
    run_by: tuple[str, ...]
    """Fields with the function that it runs."""


LIBRARIES: Final = (
    Library("cobra", ("github.com/spf13/cobra",), ("cobra.Command()",), "Use", ("RunE", "Run")),
    Library("urfave/cli", ("github.com/urfave/cli", "github.com/urfave/cli/v2", "github.com/urfave/cli/v3"),
            ("cli.Command()", "v2.Command()", "v3.Command()"), "Name", ("Action",)),
    Library("simplecobra", ("github.com/bep/simplecobra",), (), "", ("run",)),
)  # fmt: skip
COMMANDER: Final = frozenset({"Name", "Init", "PreRun", "Run", "Commands"})
"""The methods of simplecobra's interface of a command."""


def command_literals(code: Code) -> Iterator[Entry]:
    for library in LIBRARIES:
        yield from _Literals(code, library).entries()


class _Literals:
    def __init__(self, code: Code, library: Library) -> None:
        self.code = code
        self.library = library
        self.found: dict[Key, Entry] = {}
        self.parent: dict[Key, Key] = {}
        self.names: dict[str, tuple[str, str]] = {}
        """By class: the text that its method `Name` returns, or the field."""

    def entries(self) -> Iterator[Entry]:
        files = self.code.files_that_use(*self.library.packages)
        if not self.library.named_by:
            self.names = {path: named for file in files for path, named in self.commanders(file)}
        for file in files:
            self.read(file)
        for file in files:
            for call, _ in file.calls:
                callee = file.code[call + op.CALLEE]
                if file.code[callee] in (op.ATTRIBUTE, op.PATH) and file.member(callee) == "AddCommand":
                    parent = self.code.value(file, file.code[callee + op.HOLDER]).key
                    for each in file.arguments(call):
                        self.parent[self.code.value(file, each.value).key] = parent
        for key, entry in self.found.items():
            yield Entry(
                name=" ".join([*self.above(key), entry.name]), kind=entry.kind, handler=entry.handler, by=entry.by,
                places=entry.places, computed=entry.computed, test=entry.test,
            )  # fmt: skip

    def commanders(self, file: CodeFile) -> Iterator[tuple[str, tuple[str, str]]]:
        for definition in file.facts.definitions:
            if definition.kind != "struct":
                continue
            prefix = f"{definition.qualified_name}."
            methods = {each.name: each for each in file.facts.definitions
                       if each.kind == "method" and each.qualified_name.startswith(prefix)}  # fmt: skip
            if not methods.keys() >= COMMANDER:
                continue
            for e in file.facts.returns.get(methods["Name"].scope, ()):
                name = self.code.string_value(file, e) if file.code[e] in (op.STRING, op.LITERAL) else ""
                yield f"{file.path}::{definition.qualified_name}", (name, file.member(e))

    def read(self, file: CodeFile) -> None:
        parts: dict[int, dict[str, int]] = {}
        for literal, name, value in file.facts.members:
            if file.code[literal] == op.INSTANCE:
                parts.setdefault(literal, {})[name] = value
        for e, members in parts.items():
            if not self.add(file, e, members):
                continue
            for value in members.values():
                for holder, item in self.code.items(file, value):
                    child = self.code.value(holder, item)
                    self.parent[child.key] = file.path, e, -1
                    if child.operation == op.INSTANCE and child.key not in self.found:
                        self.add(child.file, child.expression, {})  # none of its fields is set

    def add(self, file: CodeFile, e: int, members: dict[str, int]) -> bool:
        """Whether a literal is a command."""
        name, at = self.name_and_place(file, e, members)
        if name:
            run = next((members[field] for field in self.library.run_by if field in members), 0)
            self.found[file.path, e, -1] = Entry(
                name=name.partition(" ")[0] or name, kind="command", by=self.library.name, places=[file.place(at)],
                handler=self.code.handler(file, run) if run else "", computed=COMPUTED in name, test=file.test,
            )  # fmt: skip
        return bool(name)

    def name_and_place(self, file: CodeFile, e: int, members: dict[str, int]) -> tuple[str, int]:
        """The name of the command of a literal, and where it is written; empty if the literal is not a command."""
        field = self.library.named_by
        if field:
            names = self.code.names(Value(file, e)) if field in members else []
            is_command = any(name == each or name.endswith(f"/{each}") for name in names
                             for each in self.library.literals)  # fmt: skip
            return (self.code.string_value(file, members[field]), members[field]) if is_command else ("", e)
        literal_type = self.code.value(file, file.code[e + op.CALLEE])
        if literal_type.definition <= 0:
            return "", e
        label = (
            f"{literal_type.file.path}::{literal_type.file.facts.definitions[literal_type.definition].qualified_name}"
        )
        default, field = self.names.get(label, ("", ""))
        return (self.code.string_value(file, members[field]), members[field]) if field in members else (default, e)

    def above(self, key: Key) -> list[str]:
        out: list[str] = []
        while key in self.parent and len(out) < DEEPEST:
            key = self.parent[key]
            if key in self.found:
                out.insert(0, self.found[key].name)
        return out
