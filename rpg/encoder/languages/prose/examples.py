"""Examples: code in documents and docstrings, and what it names of the repository.

In: the facts of an example, as its language's lowering makes them of a file. Out: sites of role DOCUMENTED in the facts
of the document: what the example imports, and what it names through these imports. Whatever else the example says
stays behind: it defines nothing, calls nothing and passes nothing, so that no code sees it.

Deliberately absent: names that no import of the example, or of one before it, explains; imports relative to a file, as
an example has no place of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from rpg.encoder import languages
from rpg.encoder import operations as op
from rpg.encoder.facts import CALLED, DOCUMENTED, KEY, MEMBER, ROLE, SITE_WORDS, Binding, FileFacts, Import
from rpg.encoder.languages.prose.prompts import extract_typed, has_prompt, unindent
from rpg.encoder.lowering.builder import Builder

Reader = Callable[[str, bytes], FileFacts | None]
"""The facts of a piece of code in a language; None if it is not code of that language."""

FOLDERS: Final = frozenset({"example", "examples", "_examples", "sample", "samples", "demo", "demos"})
"""Names of folders with code that shows how to use the repository."""
_PROMPTED: Final = frozenset(("pycon", "doctest", "testcode", "testsetup", "ipython", "ipython3", "python-console"))
_DEEPEST: Final = 60
"""Steps from a name to its import."""


class DocumentRules(languages.Rules):
    """A module that a document names means what it would mean to code there: to Python, unless the name says in which
    language (`go:fmt`)."""

    def placed(self, path: str) -> languages.Placed | None:
        folder, slash, name = path.rpartition("/")
        return languages.Placed(folder + slash, name.rpartition(".")[0] or name, True) if name else None

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        language, separator, rest = module.partition(":")
        if not separator:
            language, rest = "python", module
        rules = self.project.rules_of(language)
        if rules is None:
            family = languages.BY_NAME[language].family
            for each in languages.LANGUAGES:
                if each.family == family:
                    rules = rules or self.project.rules_of(each.name)
        found = None if rules is None else rules.module(importer, rest, level)
        if found and rules is not None and any(rules.is_nested(importer, place, rest) for place in found):
            return None  # an example of somebody's project, not the one somewhere in the repository
        return found


def language_called(word: str) -> str:
    """The language that examples of that name are in, if its imports can be followed; else empty."""
    word = word.lower()
    for each in languages.LANGUAGES:
        is_called = word == each.name or f".{word}" in each.suffixes or word in each.interpreters
        if is_called and each.tier == "resolved" and not each.has_regions:
            return each.name
    return "python" if word in _PROMPTED else ""


class Imported(NamedTuple):
    """What an import binds."""

    language: str
    module: str
    name: str
    """In the module; empty for the module itself."""


class Examples:
    """The examples of one document, or of one docstring, in their order."""

    def __init__(self, builder: Builder, own_language: str = "") -> None:
        """`own_language`: that of a file of code, whose rules find modules; a document's rules are told the
        language."""
        self.builder = builder
        self.own_language = own_language
        self.known: dict[tuple[str, str], Imported] = {}
        """By language and name: what an import of an earlier example binds."""
        self.modules: dict[tuple[str, str], int] = {}
        """By language and name: the expression of a module."""

    def read(self, read: Reader, language: str, start: int, end: int, definition: int) -> None:
        """An example in the builder's source. Text that does not parse is not an example."""
        source = self.builder.source
        shown = extract_typed if language == "python" and has_prompt(source, start, end) else unindent
        if self.may_name(language, source[start : max(start, end)]):
            facts = read(language, shown(source, start, end))
            if facts is not None:
                self.add(language, facts, start, definition)

    def may_name(self, language: str, piece: bytes) -> bool:
        """Whether an example has, or sees, an import at all."""
        if b"import" in piece or b"require" in piece:
            return True
        return any(known == language and name.encode() in piece for known, name in self.known)

    def add(self, language: str, facts: FileFacts, start: int, definition: int) -> None:
        """What an example names that begins at a byte of the file; `definition` makes the references."""
        _Example(self, language, facts, start, definition).add()

    def module(self, imported: Imported, byte: int) -> int:
        """The expression of the module that is imported, or imported from; it is one for all."""
        key = imported.language, imported.module
        value = self.modules.get(key, -1)
        if value < 0:
            builder = self.builder
            is_own = imported.language == self.own_language
            module = imported.module if is_own else f"{imported.language}:{imported.module}"
            builder.imports.append(Import(module, 0, byte, 0, MEMBER))
            value = self.modules[key] = builder.emit(op.IMPORT, byte, len(builder.imports) - 1)
        return value


class _Example:
    def __init__(self, examples: Examples, language: str, facts: FileFacts, start: int, definition: int) -> None:
        self.examples = examples
        self.builder = examples.builder
        self.language = language
        self.facts = facts
        self.start = start
        self.definition = definition
        self.made: dict[int, int] = {}
        """Expression of the example -> that of the document."""
        self.rows: dict[tuple[int, str], list[Binding]] = {}
        for row in facts.bindings:
            self.rows.setdefault((row.scope, row.name), []).append(row)

    def add(self) -> None:
        facts = self.facts
        self.add_imports()
        code, sites = facts.code, facts.sites
        for at in range(0, len(sites), SITE_WORDS):
            e, role = sites[at], sites[at + ROLE]
            if role == CALLED:
                e = code[e + op.CALLEE]
            if role == KEY or (code[e] != op.ATTRIBUTE and (code[e] != op.NAME or self.find_import_at(e) is None)):
                continue
            value = self.value(e, 0)
            if value and self.builder.code[value] == op.ATTRIBUTE:
                self.builder.sites += (value, DOCUMENTED, self.definition)
        self.remember()

    def add_imports(self) -> None:
        """Sites for what import statements name."""
        code, builder = self.facts.code, self.builder
        for row in self.facts.bindings:
            if code[row.value] == op.IMPORTED:
                imported = self.find_import_of(row.value)
                if imported is not None:
                    made = self.read(imported, code[row.value + op.BYTE] + self.start)
                    builder.sites += (made, DOCUMENTED, self.definition)
        if self.examples.own_language:
            return
        for each in self.facts.imports:
            if not each.names and not each.kind and is_full(each):
                # A module as a whole, by a name that no text has.
                byte = each.byte + self.start
                imported = Imported(self.language, each.module, "")
                key = f":{self.language}:{each.module}"
                if key not in builder.bound[0]:
                    builder.bind(key, self.examples.module(imported, byte), 0)
                builder.sites += (builder.variable(builder.string(key), byte), DOCUMENTED, self.definition)

    def remember(self) -> None:
        """What later examples see."""
        known = self.examples.known
        for (scope, name), rows in self.rows.items():
            if scope:
                continue
            imported = self.find_import_of(rows[-1].value)
            if imported is not None:
                known[self.language, name] = imported
            else:
                known.pop((self.language, name), None)

    def find_import_of(self, value: int) -> Imported | None:
        """What the value of a binding imports."""
        code = self.facts.code
        if code[value] not in (op.IMPORT, op.IMPORTED):
            return None
        each = self.facts.imports[code[value + op.STATEMENT]]
        if not is_full(each):
            return None
        name = self.facts.strings[code[value + op.MEMBER]] if code[value] == op.IMPORTED else ""
        return Imported(self.language, each.module, name)

    def find_import_at(self, e: int) -> Imported | None:
        """What a variable bound by an import stands for."""
        code = self.facts.code
        if code[e + op.BINDER] == -1:
            return self.examples.known.get((self.language, self.facts.strings[code[e + op.WORD]]))
        row = self.row(e)
        return None if row is None else self.find_import_of(row.value)

    def row(self, e: int) -> Binding | None:
        """The one binding that a variable can have where it is read."""
        code = self.facts.code
        binder, byte = code[e + op.BINDER], code[e + op.BYTE]
        rows = self.rows.get((op.binding_scope(binder), self.facts.strings[code[e + op.WORD]]), [])
        imports = {self.find_import_of(row.value) for row in rows}
        if len(imports) == 1 and None not in imports:
            return rows[0]
        if any(row.kind in ("annotation", "narrow", "weak") for row in rows):
            return None
        if binder < -1:
            return rows[0] if len(rows) == 1 else None
        before = [row for row in rows if row.byte <= byte]
        if not before or (len(before) > 1 and any(row.block for row in before)):
            return None
        return before[-1]

    def read(self, imported: Imported, byte: int) -> int:
        """The expression of what an import binds, read at a byte of the file."""
        module = self.examples.module(imported, byte)
        if not imported.name:
            return module
        return self.builder.emit(op.ATTRIBUTE, byte, module, self.builder.string(imported.name))

    def value(self, e: int, depth: int) -> int:
        """The document's expression for one of the example; 0 if no import leads to it."""
        made = self.made.get(e)
        if made is None:
            made = self.made[e] = self.value_of(e, depth + 1) if depth < _DEEPEST else 0
        return made

    def value_of(self, e: int, depth: int) -> int:
        code, builder = self.facts.code, self.builder
        operation, byte = code[e], code[e + op.BYTE] + self.start
        if operation == op.NAME:
            imported = self.find_import_at(e)
            if imported is not None:
                return self.read(imported, byte)
            row = self.row(e) if code[e + op.BINDER] != -1 else None
            return self.value(row.value, depth) if row is not None and row.value else 0
        if operation == op.ATTRIBUTE:
            holder = self.value(code[e + op.HOLDER], depth)
            name = self.facts.strings[code[e + op.MEMBER]]
            return builder.emit(op.ATTRIBUTE, byte, holder, builder.string(name)) if holder else 0
        if operation == op.CALL:
            callee = self.value(code[e + op.CALLEE], depth)
            return builder.emit(op.CALL, byte, callee, 0) if callee else 0
        if operation in (op.AWAIT, op.ENTERED, op.INSTANCE):
            entered = self.value(code[e + op.OPERAND], depth)
            return builder.emit(operation, byte, entered) if entered else 0
        return 0


def is_full(each: Import) -> bool:
    """Whether an import means the same wherever the example stands."""
    return not each.level and each.module[:1] not in ("", ".", "/") and each.kind in ("", "type", "parent")
