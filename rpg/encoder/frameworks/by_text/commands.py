"""Commands that are run by their names: Artisan, Rake, `manage.py`, Click and Typer.

In: a file (`Source`). Out: rows of both sides. A name begins with what runs it, so that a task of Rake is no command of
Artisan. Scripts of npm, targets of make and modules of Python are edges of command lines as such
(`languages/configuration/commands.py`); here are those that shells run, with tasks of Gradle. Absent:
commands whose names are computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.frameworks.data.declared import around
from rpg.encoder.frameworks.http.requests import is_test
from rpg.encoder.frameworks.rows import Reading, Setting
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID
from rpg.graph import CLASS_KINDS

COMMAND: Final = "command"
BY: Final = "commands"
_ARTISAN: Final = re.compile(
    r"\$(?:signature|name)\s*=\s*['\"](?P<key>[\w:.-]+)|\bAsCommand\(\s*(?:name:\s*)?['\"](?P<marked>[\w:.-]+)"
    r"|\bArtisan::command\(\s*['\"](?P<closure>[\w:.-]+)"
)
_RUN_BY_ARTISAN: Final = re.compile(
    r"(?:\bArtisan::(?:call|queue)|->command|->call(?:Silent(?:ly)?)?|\bSchedule::command)\(\s*['\"](?P<key>[\w-]+[\w:.-]*)"
)
_RAKE: Final = re.compile(
    r"^(?P<indent>[ \t]*)(?:(?P<word>namespace|task|multitask)[( ]\s*[:'\"]?(?P<name>[\w-]+)['\"]?"
    r"|[A-Z][\w:]*Task\.new[( ]\s*[:'\"](?P<made>[\w-]+))",
    re.MULTILINE,
)
_RUN_BY_RAKE: Final = re.compile(r"Rake::Task\[\s*['\"](?P<key>[\w:-]+)['\"]|\brake\s+['\"](?P<scheduled>[\w:-]+)")
_CLICK: Final = re.compile(
    r"^[ \t]*@(?:[\w.]+)\.command\((?:\s*(?:name\s*=\s*)?['\"](?P<name>[\w-]+)['\"])?[^\n]*"
    r"(?:\n[ \t]*@[^\n]*)*\n[ \t]*(?:async\s+)?def\s+(?P<key>\w+)",
    re.MULTILINE,
)
_MANAGED: Final = re.compile(r"(?:^|/)management/commands/(?P<name>[A-Za-z]\w*)\.py$")
_RUN_BY_CALL: Final = re.compile(r"\bcall_command\(\s*['\"](?P<key>\w+)['\"]")
_LINES: Final = re.compile(
    r"\bartisan[ \t]+(?P<artisan>[a-z][\w-]*(?::[\w:-]+)?)"
    r"|(?<![\w-])(?:rake|rails)[ \t]+(?:[A-Z_]+=\S+[ \t]+)*(?P<rake>[a-z][\w-]*(?::[\w:-]+)?)"
    r"|\b(?:manage\.py|django-admin)[\"']?,?[ \t]+[\"']?(?P<manage>[a-z]\w*)"
    r"|(?<![\w.-])(?P<script>[\w-]+\.py)[ \t]+(?P<key>[a-z][\w-]*)(?![\w.-]*/)"
)
_OF_TOOLS: Final = re.compile(
    r"(?<![\w./-])(?:(?P<npm>(?:npm|pnpm|bun)[ \t]+(?:run(?:-script)?[ \t]+)?|yarn[ \t]+(?:run[ \t]+)?)"
    r"(?:-{1,2}[\w-]+[ \t]+)*(?P<script>[A-Za-z][\w:.-]*)"
    r"|(?P<gradle>(?:\./)?gradlew?(?:\.bat)?)(?=[ \t])(?P<tasks>(?:[ \t]+[\w:.=/$\"{}-]+)+))"
)
_TASK_WORD: Final = re.compile(r"(?<=[ \t])(?P<key>:?[A-Za-z][\w:-]*)(?=[ \t\n]|\Z)")
_SHELL: Final = re.compile(r"(?<![\w.$}/-])(?P<path>(?:\.{0,2}/)?(?:[\w.-]+/)*[\w.-]+\.(?:sh|bash))\b")
_SOURCES: Final = re.compile(r"(?:^|[\s;&|])(?:source|\\?\.)[ \t][^;&|]*\Z", re.MULTILINE)
"""What reads a script into this one, up to its path: that is an import."""
_GRADLE: Final = re.compile(
    r"^[ \t]*task[ \t]+(?P<key>\w+)|\btasks?\.(?:register|create)\(\s*[\"'](?P<made>\w+)[\"']"
    r"|\btask\(\s*[\"'](?P<called>\w+)[\"']"
    r"|\bval[ \t]+(?P<kotlin>\w+)[ \t]+by[ \t]+tasks\.",
    re.MULTILINE,
)
_SCRIPTS: Final = re.compile(r"\"scripts\"\s*:\s*\{(?P<body>[^{}]*)\}")
_SCRIPT: Final = re.compile(r"\"(?P<key>[\w:.-]+)\"\s*:")
_OWN_SHELL: Final = frozenset(("bash", "dockerfile"))
_RUNNERS: Final = ("artisan", "rake", "rails", "manage.py", "django-admin", ".py ")
_WRITTEN: Final = frozenset("bash dockerfile makefile markdown yaml json unparsed".split())
MOST_BYTES: Final = 1 << 19


def commands_of(source: Source) -> Iterator[Setting]:
    text, language = source.text, source.language
    if language == "php" and any(word in text for word in ("$signature", "AsCommand", "Artisan::command", "$name")):
        for found in _ARTISAN.finditer(text):
            group = found.lastgroup or "key"
            number = around(source, found.start())
            if not source.is_comment(found.start()):
                yield _row(source, f"artisan {found[group]}", number, found.start(group))
    elif source.path.endswith((".rake", "Rakefile")):
        yield from _tasks_of(source)
    elif language == "bash":
        for name in dict.fromkeys((source.path.rpartition("/")[2], _script_of(source.path))):
            yield _row(source, f"script {name}", 0, 0)
    elif language == "json" and (scripts := _SCRIPTS.search(text)) is not None:
        for found in _SCRIPT.finditer(text, scripts.start("body"), scripts.end("body")):
            yield _row(source, f"npm {found['key']}", 0, found.start("key"))
    elif source.path.endswith((".gradle", ".gradle.kts", ".groovy")):
        for found in _GRADLE.finditer(text):
            group = found.lastgroup or "key"
            yield _row(source, f"gradle {found[group]}", 0, found.start(group))
    elif language == "python":
        managed = _MANAGED.search(source.path)
        if managed is not None:
            number = next((at for at, each in enumerate(source.facts.definitions) if each.name == "Command"), 0)
            yield _row(source, f"manage {managed['name']}", number, source.facts.definitions[number].name_byte)
        file = source.path.rpartition("/")[2]
        for found in _CLICK.finditer(text) if ".command(" in text else ():
            name = found["name"] or found["key"].replace("_", "-")
            yield _row(source, f"{file} {name}", source.innermost(found.start("key")), found.start("key"))


def _row(source: Source, name: str, number: int, at: int) -> Setting:
    return Setting(COMMAND, name, source.symbol(number), source.line(at), BY, "", True)


def _tasks_of(source: Source) -> Iterator[Setting]:
    """Tasks with the namespaces around them, by how far they are indented."""
    spaces: list[tuple[int, str]] = []
    for found in _RAKE.finditer(source.text):
        indent = len(found["indent"].expandtabs())
        while spaces and spaces[-1][0] >= indent:
            spaces.pop()
        if found["word"] == "namespace":
            spaces.append((indent, found["name"]))
            continue
        name = ":".join([*(each for _, each in spaces), found["name"] or found["made"]])
        yield _row(source, f"rake {name}", 0, found.start())


def run_commands(source: Source) -> Iterator[Reading]:
    text, language = source.text, source.language
    if len(text) > MOST_BYTES:
        return
    if language in _WRITTEN:
        if any(each in text for each in _RUNNERS):
            for found in _LINES.finditer(text):
                group = found.lastgroup or ""
                by = found["script"] if group == "key" else group
                yield _reading(source, f"{by} {found[group]}", found.start(group))
        if language in _OWN_SHELL:
            yield from _run_by_tools(source)
        return
    by, pattern = {
        "php": ("artisan", _RUN_BY_ARTISAN), "ruby": ("rake", _RUN_BY_RAKE), "python": ("manage", _RUN_BY_CALL),
    }.get(language, ("", None))  # fmt: skip
    for found in pattern.finditer(text) if pattern is not None else ():
        group = found.lastgroup or "key"
        if not source.is_comment(found.start()):
            yield _reading(source, f"{by} {found[group]}", found.start(group))


def _run_by_tools(source: Source) -> Iterator[Reading]:
    text = source.text
    for found in _OF_TOOLS.finditer(text):
        if source.is_comment(found.start()):
            continue
        if found["npm"]:
            yield _reading(source, f"npm {found['script']}", found.start("script"))
            continue
        for each in _TASK_WORD.finditer(text, found.start("tasks"), found.end("tasks")):
            yield _reading(source, f"gradle {each['key'].rpartition(':')[2]}", each.start("key"))
    if source.language == "dockerfile":
        return  # it imports the files that it names
    for found in _SHELL.finditer(text):
        name = found["path"].rpartition("/")[2]
        is_read = _SOURCES.search(text, text.rfind("\n", 0, found.start()) + 1, found.start()) is not None
        if not is_read and not source.is_comment(found.start()) and name != source.path.rpartition("/")[2]:
            yield _reading(source, f"script {_script_of(found['path'])}", found.start("path"))


def _script_of(path: str) -> str:
    """A script by its name, with the folder that it is in, if the path says that."""
    return "/".join([each for each in path.split("/") if each not in ("", ".", "..")][-2:])


def _reading(source: Source, name: str, at: int) -> Reading:
    maker = around(source, at)
    if source.facts.definitions[maker].kind in CLASS_KINDS and source.language in _WRITTEN:
        maker = 0
    return Reading(COMMAND, ((SAID, name),), source.symbol(maker), source.place(at), is_test(source, maker))
