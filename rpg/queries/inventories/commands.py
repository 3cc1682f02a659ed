"""Commands: Click, Typer, argparse, Django, commander, cac, yargs, picocli, scripts of packages, and those of Go that
are literals (command_literals.py).

In: the files that use one of these. Out: entries, each with its parent commands (`db migrate`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rpg.encoder import operations as op
from rpg.queries.inventories.code_file import CodeFile, Value, argument, label
from rpg.queries.inventories.command_literals import command_literals
from rpg.queries.inventories.entry import Entry
from rpg.queries.inventories.reading import Code
from rpg.queries.inventories.routes.annotated import annotations_of
from rpg.queries.inventories.source_text import COMPUTED, evaluate_string
from rpg.queries.overview.entry_points import entry_points
from rpg.stores.index.symbol_reads import list_classes_named

Key = tuple[str, int, int]
DEEPEST = 6
BY_DEFAULT = "(default)"
"""The entry of a program that runs without a command."""
CLICK = ("click", "typer", "flask.cli", "asyncclick", "rich_click", "quart", "flask")
_MANAGEMENT = re.compile(r"(^|/)management/commands/([a-z]\w*)\.py$")
_GROUPS = frozenset({"group", "Group", "AppGroup", "MultiCommand", "FlaskGroup", "TyperGroup"})


def commands(code: Code) -> list[Entry]:
    found = [
        *_scripts(code),
        *_Click(code).entries(),
        *_argparse(code),
        *_management(code),
        *_artisan(code),
        *command_literals(code),
        *_list_chained(code),
        *_list_annotated(code),
    ]
    return list({(each.name, each.by, *each.places): each for each in found}.values())


def _scripts(code: Code) -> Iterator[Entry]:
    """The commands that package metadata installs."""
    for each in entry_points(code.index):
        if each.kind == "script":
            yield Entry(name=each.name, kind="script", handler=each.target, by="package")


def _management(code: Code) -> Iterator[Entry]:
    for path, line, test in list_classes_named(code.index, "Command"):
        named = _MANAGEMENT.search(path)
        if named:
            yield Entry(name=named[2], kind="manage.py", handler=f"{path}::Command.handle", by="Django",
                        places=[f"{path}:{line}"], test=bool(test))  # fmt: skip


_CONSOLES = (
    "Illuminate.Console", "Illuminate\\Console", "Symfony.Component.Console", "Symfony\\Component\\Console",
)  # fmt: skip
_AS_COMMAND = re.compile(r"AsCommand\(\s*(?:name:\s*)?[\"']([^\"']+)|\$defaultName\s*=\s*[\"']([^\"']+)")
_SIGNATURE = re.compile(r"\$(?:signature|name)\s*=\s*[\"'](?:\s*)([^\s\"'{]+)")


def _artisan(code: Code) -> Iterator[Entry]:
    """Laravel's and Symfony's commands: classes that extend `Command` and say their name."""
    for file in code.files_that_import(*_CONSOLES):
        text = file.source.decode("latin-1")
        for number, definition in enumerate(file.facts.definitions):
            if definition.kind != "class" or number not in file.facts.bases:
                continue
            body = text[definition.start_byte : definition.end_byte]
            named = _SIGNATURE.search(body) or _AS_COMMAND.search(body)
            laravel = "Illuminate" in text
            if named is not None and re.search(r"\bextends\s+\\?[\w\\]*Command\b", body):
                yield Entry(name=named[named.lastindex or 1], kind="artisan" if laravel else "console",
                            handler=_runner(file, definition.qualified_name), by="Artisan" if laravel else "Symfony",
                            places=[f"{file.path}:{definition.start_line}"], test=file.test)  # fmt: skip


def _runner(file: CodeFile, owner: str) -> str:
    for method in ("handle", "execute", "__invoke"):
        if f"{owner}.{method}" in file.by_name:
            return f"{file.path}::{owner}.{method}"
    return f"{file.path}::{owner}"


class _Click:
    """Click and Typer: functions decorated as commands, below the groups that they are added to."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.parents: dict[Key, list[tuple[Key, str]]] = {}
        self.named: dict[Key, str] = {}
        self.found: list[tuple[Key, Entry]] = []

    def entries(self) -> Iterator[Entry]:
        for file in self.code.files_that_use(*CLICK):
            for number, expressions in file.facts.decorators.items():
                for e in expressions:
                    self.decorated(file, number, e)
            for call, _ in file.calls:
                if call not in file.decorated:
                    self.added(file, call)
        for key, entry in self.found:
            for above in self.above(key, 0):
                yield Entry(
                    name=f"{above} {entry.name}".strip(), kind=entry.kind, handler=entry.handler, by=entry.by,
                    places=entry.places, computed=entry.computed, test=entry.test,
                )  # fmt: skip

    def decorated(self, file: CodeFile, number: int, e: int) -> None:
        callee = file.code[e + op.CALLEE] if file.code[e] == op.CALL else e
        last = file.member(callee)
        if last not in ("command", "group", "callback"):
            return
        parent, library = self.owner(file, callee)
        if not library or last == "callback":
            return
        arguments = file.arguments(e) if file.code[e] == op.CALL else []
        name_argument = argument(arguments, 0, "name")
        definition = file.facts.definitions[number]
        name = (
            self.code.string_value(file, name_argument)
            if name_argument and not self.is_class(file, name_argument)
            else format_command_name(definition.name)
        )
        key: Key = (file.path, -1, number)
        self.named[key] = name
        if parent:
            self.parents.setdefault(key, []).append((parent, ""))
        self.found.append((
            key,
            Entry(name=name, kind=last, handler=label(file, number), by=library, places=[file.place(e)],
                  computed=COMPUTED in name, test=file.test),
        ))  # fmt: skip

    def is_class(self, file: CodeFile, e: int) -> bool:
        """`@click.command(MyCommand)`"""
        return file.code[e] != op.STRING and self.code.value(file, e).definition > 0

    def owner(self, file: CodeFile, callee: int) -> tuple[Key | None, str]:
        """The group of a command, and the library; empty if it is something else."""
        if file.code[callee] not in (op.ATTRIBUTE, op.PATH):
            names = self.code.names(self.code.value(file, callee))
            return None, _library(names)
        holder = self.code.value(file, file.code[callee + op.HOLDER])
        library = self.kind(holder)
        if library:
            return holder.key, library
        return None, _library(self.code.names(self.code.value(file, callee)))

    def kind(self, value: Value) -> str:
        """The library of a group, or empty."""
        if value.definition > 0:
            definition = value.file.facts.definitions[value.definition]
            if definition.kind in ("function", "method"):
                for e in value.file.facts.decorators.get(value.definition, ()):
                    callee = value.file.code[e + op.CALLEE] if value.file.code[e] == op.CALL else e
                    if value.file.member(callee) in ("group", "command"):
                        return self.owner(value.file, callee)[1]
            return ""
        names = self.code.names(value)
        for name in names:
            if name in ("typer.Typer()",):
                return "Typer"
            if name.endswith(".cli") and name.startswith(("flask.", "quart.")):
                return "Flask"
            if name.startswith(CLICK) and name.removesuffix("()").rpartition(".")[2] in _GROUPS:
                return "Click"
        return ""

    def added(self, file: CodeFile, call: int) -> None:
        """`group.add_command(command, name)`, `app.add_typer(other, name=...)`."""
        callee = file.code[call + op.CALLEE]
        if file.code[callee] not in (op.ATTRIBUTE, op.PATH) or file.member(callee) not in ("add_command", "add_typer"):
            return
        arguments = file.arguments(call)
        child = argument(arguments, 0, "cmd")
        if not child:
            return
        holder = self.code.value(file, file.code[callee + op.HOLDER])
        if not self.kind(holder):
            return
        name_argument = argument(arguments, 1 if file.member(callee) == "add_command" else None, "name")
        name = self.code.string_value(file, name_argument) if name_argument else ""
        self.parents.setdefault(self.code.value(file, child).key, []).append((holder.key, name))

    def above(self, key: Key, depth: int) -> list[str]:
        rows = self.parents.get(key, [])
        if depth > DEEPEST or not rows:
            return [""]
        out = []
        for parent, _ in rows:
            own = self.named.get(parent, self.group_name(parent))
            has_parent = bool(self.parents.get(parent))
            for before in self.above(parent, depth + 1):
                out.append(f"{before} {own if has_parent else ''}".strip())
        return list(dict.fromkeys(out))

    def group_name(self, key: Key) -> str:
        """A Typer, or the `cli` of a blueprint, gets its name where it is added."""
        return next((name for _, name in self.parents.get(key, ()) if name), "")


def _library(names: list[str]) -> str:
    for name in names:
        if name.startswith(CLICK):
            return "Typer" if name.startswith("typer") else "Click"
    return ""


def format_command_name(name: str) -> str:
    """The name that Click gives the command of a function."""
    text = name.lower().replace("_", "-")
    for ending in ("-command", "-cmd", "-group", "-grp"):
        text = text.removesuffix(ending)
    return text or name


def _argparse(code: Code) -> Iterator[Entry]:
    for file in code.files_that_use("argparse"):
        for call, maker in file.calls:
            callee = file.code[call + op.CALLEE]
            if file.code[callee] not in (op.ATTRIBUTE, op.PATH) or file.member(callee) != "add_parser":
                continue
            holder = code.value(file, file.code[callee + op.HOLDER])
            holder_method = holder.operation == op.CALL and holder.file.member(
                holder.file.code[holder.expression + op.CALLEE]
            )
            if holder_method != "add_subparsers" and "sub" not in file.member(file.code[callee + op.HOLDER]):
                continue
            name_argument = argument(file.arguments(call), 0, "name")
            if name_argument:
                name = code.string_value(file, name_argument)
                yield Entry(name=name, kind="subcommand", by="argparse", places=[file.place(call)],
                            handler=_default(code, file, call) or (label(file, maker) if maker else ""),
                            computed=COMPUTED in name, test=file.test)  # fmt: skip


def _default(code: Code, file: CodeFile, parser: int) -> str:
    """The function that `set_defaults` lets a parser run."""
    for call, _ in file.calls:
        callee = file.code[call + op.CALLEE]
        if file.member(callee) != "set_defaults" or file.code[callee] not in (op.ATTRIBUTE, op.PATH):
            continue
        if code.value(file, file.code[callee + op.HOLDER]).key == (file.path, parser, -1):
            arguments = file.arguments(call)
            return next((found for each in arguments if (found := code.handler(file, each.value))), "")
    return ""


def _list_chained(code: Code) -> Iterator[Entry]:
    """`program.command("serve <port>").action(run)` of commander, cac and yargs."""
    for file in code.files_that_use("commander", "cac", "yargs", "@commander-js/extra-typings"):
        outer = {
            file.code[file.code[call + op.CALLEE] + op.HOLDER]: call
            for call, _ in file.calls
            if file.code[file.code[call + op.CALLEE]] in (op.ATTRIBUTE, op.PATH)
        }
        for call, _ in file.calls:
            callee = file.code[call + op.CALLEE]
            if file.code[callee] not in (op.ATTRIBUTE, op.PATH) or file.member(callee) != "command":
                continue
            library = _chain_library(code, file, file.code[callee + op.HOLDER])
            arguments = file.arguments(call)
            if not library or not arguments:
                continue
            usage = code.string_value(file, arguments[0].value)
            handler = code.handler(file, arguments[-1].value) if len(arguments) > 2 else ""
            if library == "yargs" and usage == COMPUTED:
                usage, handler = _of_command_module(code, file, arguments[0].value)
            at: int = call
            aliases: list[str] = []
            for _ in range(40):
                at = outer.get(at, 0)
                if not at:
                    break
                name = file.member(file.code[at + op.CALLEE])
                if name == "command":
                    break
                if name == "action" and file.arguments(at):
                    handler = code.handler(file, file.arguments(at)[0].value)
                if name == "alias" and file.arguments(at):
                    aliases.append(code.string_value(file, file.arguments(at)[0].value))
            name = usage.partition(" ")[0]
            if usage[:1] in ("[", "<", "$"):
                name = BY_DEFAULT
            for kind, each in (("command", name), *(("alias", alias) for alias in aliases)):
                yield Entry(name=each, kind=kind, by=library, handler=handler, places=[file.place(call)],
                            computed=COMPUTED in each, test=file.test)  # fmt: skip


def _of_command_module(code: Code, file: CodeFile, e: int) -> tuple[str, str]:
    """The command and the handler of an object, or of an instance of a class, that yargs is given."""
    command = code.value_of_member(file, e, "command")
    if command is not None:
        run = code.value_of_member(file, e, "handler")
        return code.string_value(command.file, command.expression), label(run.file, run.definition) if run and (
            run.definition > 0
        ) else ""
    target = code.value(file, file.code[e + op.CALLEE] if file.code[e] == op.CALL else e)
    if target.definition <= 0:
        return COMPUTED, ""
    definition = target.file.facts.definitions[target.definition]
    bound = code.bound(target.file, definition.scope, "command", -1)
    run_by = next((number for number, each in enumerate(target.file.facts.definitions)
                   if each.parent == target.definition and each.name == "handler"), 0)  # fmt: skip
    name = code.string_value(target.file, bound) if bound else COMPUTED
    return name, label(target.file, run_by) if run_by else ""


def _chain_library(code: Code, file: CodeFile, e: int) -> str:
    """The library whose program is at the beginning of a chain."""
    for _ in range(60):
        found = code.value(file, e)
        for name in code.names(found):
            for library in ("commander", "cac", "yargs", "@commander-js/extra-typings"):
                if name == library or name.startswith((f"{library}.", f"{library}()")):
                    return "commander" if "commander" in library else library
        file, e = found.file, found.expression
        if (
            found.definition >= 0
            or file.code[e] != op.CALL
            or file.code[file.code[e + op.CALLEE]] not in (op.ATTRIBUTE, op.PATH)
        ):
            return ""
        e = file.code[file.code[e + op.CALLEE] + op.HOLDER]
    return ""


def _list_annotated(code: Code) -> Iterator[Entry]:
    """picocli."""
    for file in code.files_that_import("picocli"):
        for number in range(1, len(file.facts.definitions)):
            for annotation in annotations_of(file, number, frozenset({"Command"})):
                name = next((evaluate_string(each.text) for each in annotation.arguments if each.keyword == "name"), "")
                if name:
                    yield Entry(name=name, kind="command", by="picocli", handler=label(file, number), test=file.test,
                                places=[f"{file.path}:{file.line_of(annotation.byte)}"])  # fmt: skip
