"""Blade, the templates of Laravel: PHP in the text of a page.

In: a `.blade.php` file. Out: what its expressions and directives call and refer to, where they stand: functions,
classes, constants, other views, components. Variables of a template are local to it.

Absent: the text around, what a controller passes, directives that the repository defines.
"""

from __future__ import annotations

import re
from array import array
from typing import ClassVar, Final

from rpg.encoder import operations as op
from rpg.encoder.facts import OFFERED
from rpg.encoder.languages.declarative.lowering import handlers_of
from rpg.encoder.languages.declarative.packages import bind_import
from rpg.encoder.languages.declarative.php.callables import content, lower_full_name, lower_full_name_at
from rpg.encoder.languages.declarative.php.policies import name_policy_method
from rpg.encoder.languages.declarative.php.rules import Rules
from rpg.encoder.languages.declarative.php.syntax import SPEC, variable
from rpg.encoder.languages.declarative.php.syntax import Lowering as PhpLowering
from rpg.encoder.languages.declarative.php.views import name_view, view
from rpg.encoder.languages.declarative.walker import DeclarativeWalker
from rpg.encoder.languages.template_code import Delimiters, Scan, Tag, line_starts
from rpg.encoder.lowering.node import Node, ParseRegion, pieces_of
from rpg.encoder.lowering.walker import Handlers

__all__ = ["Lowering", "Rules"]

_OTHERS: Final = (
    rb"@(?:\{\{|\{!!|@\w+)|(?<![\w.])@(?P<word>[A-Za-z]\w*)(?P<blank>[ \t]{0,4})(?P<open>\()?"
    rb"|<\?(?:php\b|=|(?=\s))|<x[-:](?P<component>[\w.:-]+)|<livewire:(?P<live>[\w.:-]+)"
)
_OF_STYLE: Final = frozenset(b"charset container document import keyframes layer media namespace page supports".split())
"""Words behind `@` that are not Blade's but of style sheets."""
_LOOPS: Final = {b"for": b"for", b"foreach": b"foreach", b"forelse": b"foreach"}
_BOUND: Final = re.compile(rb"""(?<=\s):(?:\w[\w.:-]*)=("[^"]*"|'[^']*')""")
_TAG_END: Final = re.compile(rb"""(?:[^<>"']|"[^"]*"|'[^']*')*""")
_AS: Final = re.compile(rb"\sas\s")
_VIEWS: Final[dict[bytes, tuple[int, ...]]] = {
    b"component": (0,), b"componentFirst": (0,), b"each": (0, 3), b"extends": (0,), b"extendsFirst": (0,),
    b"include": (0,), b"includeFirst": (0,), b"includeIf": (0,), b"includeUnless": (1,), b"includeWhen": (1,),
}  # fmt: skip
_ASKING: Final = frozenset(b"can canany cannot elsecan elsecannot".split())
_LIVE: Final = ("App\\Livewire", "App\\Http\\Livewire")
_COMPONENTS: Final = "App\\View\\Components"
_WORDS: Final = re.compile(r"(?:^|[-_])(\w)")


class _Blade(Scan):
    def __init__(self, source: bytes) -> None:
        super().__init__(source)
        self.directives: dict[int, bytes] = {}
        """Where the arguments of a directive begin -> its name."""
        self.components: list[tuple[int, str, bool]] = []
        """Where a component is named, its name, whether it is Livewire's."""
        self.opened = False

    def open(self, at: int, size: int) -> None:
        """Ends what is before; the first piece of code begins PHP."""
        if self.opened:
            self.put(at, b";")
        elif at >= 2:
            self.put(at - 2, b"<?")
        elif size >= 2:
            self.put(at, b"<?")
        self.opened = True


def _read_match(scan: Scan, match: re.Match[bytes]) -> int:
    assert isinstance(scan, _Blade)
    text, start, end = match[0], match.start(), match.end()
    if text in (b"{{", b"{{{", b"{!!"):
        return _expression(scan, start, end, {b"{{": b"}}", b"{{{": b"}}}", b"{!!": b"!!}"}[text])
    if text.startswith(b"<?"):
        stop = scan.find(b"?>", end)
        stop = len(scan.source) if stop < 0 else stop
        scan.open(start, 2)
        scan.copy(end, stop)
        return stop + 2
    if match["component"] or match["live"]:
        group = "live" if match["live"] else "component"
        scan.components.append((match.start(group), match[group].decode(), group == "live"))
        for each in _BOUND.finditer(scan.source, end, _tag_end(scan.source, end)):
            scan.open(each.start(), 2)
            scan.copy(each.start(1) + 1, each.end(1) - 1)
        return end
    word = match["word"]
    if word is None:
        stop = scan.find(b"}}" if text == b"@{{" else b"!!}", end)
        return end if text.startswith(b"@@") or stop < 0 else stop
    return _directive(scan, match, word)


def _tag_end(source: bytes, at: int) -> int:
    found = _TAG_END.match(source, at, at + 4000)
    return found.end() if found is not None else at


def _expression(scan: _Blade, start: int, end: int, closing: bytes) -> int:
    stop = scan.find(closing, end)
    if stop < 0:
        return end
    scan.open(start, 2)
    scan.copy(end, stop)
    return stop + len(closing)


def _directive(scan: _Blade, match: re.Match[bytes], word: bytes) -> int:
    start, end = match.start(), match.end()
    if not match["open"]:
        closing = {b"php": b"@endphp", b"verbatim": b"@endverbatim"}.get(word)
        if closing is None:
            return end
        stop = scan.find(closing, end)
        stop = len(scan.source) if stop < 0 else stop
        if word == b"php":
            scan.open(start, 2)
            scan.copy(end, stop)
        return stop
    if word in _OF_STYLE:
        return end
    opening = end - 1
    stop = scan.closing_of(opening)
    if stop < 0:
        return end
    loop = _LOOPS.get(word, b"")
    begins = not scan.opened and start < 2
    scan.open(start, 2)
    scan.copy(opening + 1, stop)
    if loop and not begins:
        scan.put(start + 1, loop)
        scan.put(opening, b"(")
        scan.put(stop, b")")
        return stop + 1
    if loop:
        # There is no room for the word: only what is iterated over is read.
        found = _AS.search(scan.source, opening, stop)
        scan.code[found.start() if found is not None else opening + 1 : stop] = b" " * (
            stop - (found.start() if found is not None else opening + 1)
        )
    scan.put(opening, b"[")
    scan.put(stop, b"]")
    scan.directives[opening] = word
    return stop + 1


_DELIMITERS: Final = Delimiters(
    Tag(b"{{--", b"--}}", False),
    Tag(b"<!--{{--", b"--}}", False),
    others=rb"\{\{\{?|\{!!|" + _OTHERS,
    found=_read_match,
)


def arguments(walker: Lowering, node: Node) -> int:
    """The arguments of a directive; any other list."""
    word = walker.directives.get(node.start_byte)
    if word is None:
        return SPEC.handlers["array_creation_expression"](walker, node)
    walker.through(node)
    values = [each.named_children[-1] for each in node.named_children if each.named_child_count]
    for at in _VIEWS.get(word, ()):
        if at < len(values):
            view(walker, values[at])
    if word in _ASKING and len(values) == 2:
        name_policy_method(walker, values[0], values[1])
    elif word in (b"inject", b"use") and values:
        names = [content(walker, each) for each in values]
        if word == b"inject" and len(names) == 2 and names[0] is not None and names[1] is not None:
            made = lower_full_name(walker, names[1][0], names[1][1], OFFERED)
            walker.drop_site(made)
            walker.bind(f"${names[0][0]}", walker.emit(op.INSTANCE, node.start_byte, made), node.end_byte)
        elif word == b"use" and names[0] is not None:
            package, _, name = names[0][0].lstrip("\\").rpartition("\\")
            alias = names[1][0] if len(names) > 1 and names[1] is not None else name
            walker.aliases[alias] = names[0][0].lstrip("\\")
            bind_import(walker, name, names[0][1] - len(name.encode()), False, alias, package, name)
    elif word == b"livewire" and values:
        named = content(walker, values[0])
        if named is not None:
            walker.component(named[1] - len(named[0].encode()), named[0], True)
    return 0


def local(walker: DeclarativeWalker, node: Node) -> int:
    """What nothing in the template binds is passed to it."""
    text = walker.text_of(node)
    if text == "$this" or walker.scope_of(text) >= 0:
        return variable(walker, node)
    return walker.variable(walker.word_of(node), node.start_byte)


class Lowering(PhpLowering):
    handlers: ClassVar[Handlers] = handlers_of(
        SPEC._replace(handlers={**SPEC.handlers, "array_creation_expression": arguments, "variable_name": local})
    )

    def __init__(self, path: str, language: str, source: bytes, parse_region: ParseRegion) -> None:
        scan = _DELIMITERS.code_of(source, _Blade(source))
        assert isinstance(scan, _Blade)
        code = bytes(scan.code)
        super().__init__(path, language, code, pieces_of(parse_region, "php"))
        self.line_starts = line_starts(source)
        self.original = source
        self.parse_region = parse_region
        self.directives = scan.directives
        self.components = scan.components
        self.comments = scan.comments

    def lower(self, root: Node | None = None) -> None:
        """The whole template. Its variables are no names of the file."""
        code = self.source + b";"
        self.define_file()
        self.scope = self.function = self.open_scope("lambda", 0, 0, len(code) + 1)
        if not self.source.isspace():
            self.through(self.parse_region("php", code, 0, len(code)))
        for byte, name, is_live in self.components:
            self.component(byte, name, is_live)
        self.comments.sort()

    def component(self, byte: int, name: str, is_live: bool) -> None:
        """`<x-forms.input>`: its class, if it has one, and its view."""
        if name.startswith(("slot", "dynamic-component")) and not is_live:
            return
        inner = name.rpartition("::")[2].strip(".:-")
        parts = [_WORDS.sub(lambda found: found[1].upper(), part) for part in inner.split(".") if part]
        if not parts:
            return
        for package in _LIVE if is_live else (_COMPONENTS,):
            lower_full_name_at(self, "\\".join((package, *parts)), byte, OFFERED)
        folder = inner.replace(".", "/")
        last = folder.rpartition("/")[2]
        names = [folder, f"{folder}/index", f"{folder}/{last}"]
        name_view(self, [f"{'livewire' if is_live else 'components'}/{each}" for each in names], byte)

    def wide(self) -> array[int]:
        code, self.source = self.source, self.original
        found = super().wide()
        self.source = code
        return found
