"""reStructuredText: underlined headings become symbols; roles and directives name code, and so do examples.

In: a document. Out: sections (underlined.py), and sites of what they name: roles (`:func:`shop.close``) and directives
(`.. autoclass:: Shop`) as Sphinx understands them (sphinx.py), what code imports in literal blocks, code blocks and
doctests (examples.py), other documents (`:doc:`), files that it shows (`.. literalinclude::`). One look at the lines
that begin a block.

Deliberately absent: names relative to anything (`:meth:`.close``), domains of other languages, default roles.
"""

from __future__ import annotations

import posixpath
import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from typing import Final

from rpg.encoder.facts import Import
from rpg.encoder.languages.prose import underlined
from rpg.encoder.languages.prose.examples import DocumentRules, Examples, Reader, language_called
from rpg.encoder.languages.prose.sphinx import References, complete_name
from rpg.encoder.lowering.builder import Builder

_BLOCK: Final = re.compile(
    rb"^([ \t]*+)(?:\.\.[ \t]+(?:([a-z][\w:+.-]*)::[ \t]*([^\n]*)|(?![_|\[])[^\n]*)"
    rb"|>>>[ \t][^\n]*|([^\n]*)::[ \t]*\r?$)",
    re.MULTILINE,
)
"""A line that begins a block: a directive with its argument, a comment, a doctest, a paragraph before literal text."""
_ROLE: Final = re.compile(
    rb"(?<![\w:`\\]):(py:)?(func|class|meth|mod|attr|exc|data|const|obj|doc):`(?:[^`<>]{0,300}<)?([^`<>]{1,200})>?`"
)
_SIGNATURE: Final = re.compile(rb"(?:(?:abstract|async|class|final|static)[ \t]+)*([A-Za-z_][\w.]*)")
_CODE: Final = frozenset((b"code-block", b"code", b"sourcecode"))
_PROMPTED: Final = frozenset((b"doctest", b"testcode", b"testsetup", b"ipython"))
_LITERAL: Final = frozenset((b"parsed-literal", b"math", b"raw", b"testoutput", b"productionlist", b"highlight"))
_CLASSES: Final = frozenset((b"class", b"exception", b"autoclass", b"autoexception"))
_MODULES: Final = frozenset((b"module", b"currentmodule", b"automodule"))
_DESCRIBED: Final = _CLASSES | frozenset(
    b"function data decorator autofunction autodata autodecorator"
    b" method attribute property classmethod staticmethod decoratormethod automethod autoattribute autoproperty".split()
)
_EMPTY: Final = re.compile(rb"\n[ \t]*\r?\n")
_OPTIONS: Final = re.compile(rb"(?:\n[ \t]*:[\w-]+:[^\n]*)+")
_NESTED: Final = 50
"""How many classes back the one around a place is looked for."""
_INCLUDES: Final = frozenset((b"literalinclude", b"include"))
_PAGES: Final = (".rst", ".txt", ".md")


class Rules(DocumentRules):
    """Text calls nothing."""

    def files_named(self, importer: str, statement: Import) -> tuple[str, ...]:
        """The page that `:doc:` names, or the file that is shown: the first of several places that has it."""
        for path in statement.module.split("\n"):
            if self.project.exists(path):
                return (path,)
        return ()


class Lowering(underlined.Lowering):
    def __init__(self, path: str, language: str, source: bytes, read: Reader) -> None:
        super().__init__(path, language, source)
        self.all_lines = self.line_starts
        self.read = read
        self.references = References(self)
        self.examples = Examples(self)
        self.modules: list[tuple[int, bytes]] = []
        """From a place on: the module that is described."""
        self.classes: list[tuple[int, int, bytes]] = []
        """Start, end and full name of the classes that are described, in their order."""
        self.no_text: list[tuple[int, int]] = []
        """Start and end of code, and of comments."""
        self.is_python = b"default-domain::" not in source

    def lower(self) -> None:
        """The whole document."""
        super().lower()
        self.line_starts = self.all_lines
        starts = [heading.start for heading in self.headings]
        # The definition of a heading is its number among them.
        if b"::" in self.source or b">>>" in self.source:
            for byte, full in self.list_directive_names(starts):
                self.definition = bisect_right(starts, byte)
                self.references.refer(byte, full)
        if b":`" in self.source:
            for byte, full in self.list_role_names():
                self.definition = bisect_right(starts, byte)
                self.references.refer(byte, full)

    def wide(self) -> array[int]:
        return Builder.wide(self)

    def list_directive_names(self, headings: list[int]) -> Iterator[tuple[int, bytes]]:
        """Place and full name of what directives describe; reads the examples on the way."""
        source = self.source
        language = "python"
        begin = 0
        for match in _BLOCK.finditer(source):
            if match.start() < begin:
                continue
            indent, directive, argument = len(match[1]), match[2], match[3]
            section = bisect_right(headings, match.start())
            if match[4] is not None:
                begin = end_of_block(source, match.end(), indent)
                self.no_text.append((match.end(), begin))
                self.example(language, match.end(), begin, section)
            elif directive is None and source.startswith(b">>>", match.start() + indent):
                begin = end_of_paragraph(source, match.end())
                self.no_text.append((match.start(), begin))
                self.example("python", match.start(), begin, section)
            elif directive is None:
                begin = end_of_block(source, match.end(), indent)
                self.no_text.append((match.start(), begin))
            elif directive in _CODE or directive in _PROMPTED:
                begin = end_of_block(source, match.end(), indent)
                self.no_text.append((match.start(), begin))
                language_written = argument.strip().decode("utf-8", "replace") if directive in _CODE else "python"
                body = body_of(source, match.end(), begin)
                self.example(language_called(language_written) if language_written else language, body, begin, section)
            elif directive in _LITERAL:
                if directive == b"highlight":
                    language = language_called(argument.strip().decode("utf-8", "replace"))
                else:
                    begin = end_of_block(source, match.end(), indent)
                    self.no_text.append((match.start(), begin))
            elif directive in _INCLUDES:
                self.other_file(argument.strip().decode("utf-8", "replace"), match.start(3), ("",))
            else:
                yield from self.described(directive, match.start(3), argument, match.end(), indent)

    def example(self, language: str, start: int, end: int, section: int) -> None:
        if language:
            self.examples.read(self.read, language, start, end, section)

    def described(
        self, directive: bytes, start: int, argument: bytes, end: int, indent: int
    ) -> Iterator[tuple[int, bytes]]:
        """What a directive of Python's domain describes."""
        if directive.startswith(b"py:"):
            directive = directive[3:]
        elif not self.is_python:
            return
        if directive not in _DESCRIBED and directive not in _MODULES:
            return
        signature = _SIGNATURE.match(argument)
        if signature is None:
            return
        name, byte = signature[1], start + signature.start(1)
        if directive in _MODULES:
            if directive != b"automodule":
                self.modules.append((start, b"" if name == b"None" else name))
            if directive != b"currentmodule":
                yield byte, name
            return
        module, around = self.around(start)
        full = around + b"." + name if around and b"." not in name else complete_name(directive, name, module)
        if directive in _CLASSES:
            self.classes.append((end, end_of_block(self.source, end, indent), full))
        if full:
            yield byte, full

    def around(self, byte: int) -> tuple[bytes, bytes]:
        """The module and the class that are described at a place."""
        at = bisect_right(self.modules, (byte, b"\xff")) - 1
        around = b""
        last = bisect_right(self.classes, (byte, 0, b"")) - 1
        for place in range(last, max(-1, last - _NESTED), -1):
            if byte < self.classes[place][1]:
                around = self.classes[place][2]
                break
        return self.modules[at][1] if at >= 0 else b"", around

    def list_role_names(self) -> Iterator[tuple[int, bytes]]:
        """Place and full name of each role in text."""
        self.no_text.sort()
        starts = [start for start, _ in self.no_text]
        for match in _ROLE.finditer(self.source):
            at = bisect_right(starts, match.start()) - 1
            if at >= 0 and match.start() < self.no_text[at][1]:
                continue
            written = match[3].strip()
            byte = match.start(3) + match[3].index(written)
            if match[2] == b"doc":
                self.other_file(written.decode("utf-8", "replace"), byte, _PAGES)
            elif match[1] or self.is_python:
                name = written.removeprefix(b"~").removesuffix(b"()")
                full = complete_name(match[2], name, *self.around(match.start()))
                if full:
                    yield byte + len(written) - len(written.removeprefix(b"~")), full

    def other_file(self, name: str, byte: int, suffixes: tuple[str, ...]) -> None:
        """Another document, or a file that the text shows or includes; a path that begins with a slash counts from the
        folder of the documents."""
        folder = self.path.rpartition("/")[0]
        folders = [folder]
        while folder and name.startswith("/"):
            folder = folder.rpartition("/")[0]
            folders.append(folder)
        found = [posixpath.normpath(posixpath.join(each, name.lstrip("/"))) for each in folders]
        paths = [each + suffix for each in found if not each.startswith("..") for suffix in suffixes]
        if paths:
            self.imports.append(Import("\n".join(paths), 0, byte, 0, "file"))


@cache
def _outer_line(indent: int) -> re.Pattern[bytes]:
    return re.compile(rb"\n(?=[ \t]{0,%d}[^\s])" % indent)


def end_of_block(source: bytes, start: int, indent: int) -> int:
    """Where the lines end that are indented further."""
    found = _outer_line(indent).search(source, start)
    return len(source) if found is None else found.start()


def end_of_paragraph(source: bytes, start: int) -> int:
    found = _EMPTY.search(source, start)
    return len(source) if found is None else found.start()


def body_of(source: bytes, start: int, end: int) -> int:
    """Where the text of a directive begins, behind its options."""
    found = _OPTIONS.match(source, start, end)
    return found.end() if found is not None else start
