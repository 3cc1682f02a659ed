"""One file as its contracts are read: calls with their arguments, what names mean, what receivers are.

In: a resolved file and its source. Out: text of expressions, names of what made a value (`requests.Session()`), symbol
ids. What another file defines stays a symbol id. Absent: tables of libraries.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.facts import CALLED, MAKER, ROLE, SITE_WORDS, Binding, Lines, line_and_column
from rpg.encoder.frameworks.resolved_file import ResolvedFile
from rpg.encoder.frameworks.text import (
    DEEPEST,
    HOLE,
    OF,
    PARAMETER,
    RETURNED,
    SAID,
    Argument,
    Part,
    Text,
    arguments_behind,
    expression_at,
    pieces,
    text_of,
)
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS, POSSIBLE_VIAS

_WORD: Final = re.compile(r"[\w$]+")
_ASSIGNED: Final = re.compile(r"(?:\s*:\s*[^=\n()]+?)?\s*:?=(?![=>~])\s*")
"""What stands between a variable and what it is assigned."""
LONGEST_FUNCTION: Final = 1_500
"""The most characters of a function that may be no more than the text that it returns."""
MOST_MEMBERS: Final = 2_000
_RETURN: Final = re.compile(r"\breturn\b\s*")
_ARROW: Final = re.compile(r"=>\s*(?![\s{])")
_ONLY: Final = re.compile(
    r"(?:\)|\w)\s*(?:->\s*\w+\s*)?(?:\{|\n)\s*([\"'f][^\n]*?)\s*(?:\}|\bend)$|\)\s*(?::\s*\w+)?\s*=\s*(?=\")"
)
"""Of functions that return their only expression: Ruby, Rust; Kotlin with `=`."""
_OBJECT: Final = re.compile(r"[\w$]+\s*(?::[^=\n]*?)?\s*=\s*(?:Object\.freeze\(\s*)?\{")
_PATH_IN_OBJECT: Final = re.compile(r":\s*[\"'`][^\"'`\n]*/")
_OF_ADDRESS: Final = re.compile(r"(?i)ur[li]|host|endpoint|api|base")
"""What functions are called that may return an address which another file says."""
_RECEIVERS: Final = re.compile(r"^(?:\$?this(?:\.|->)|self\.|self::|static::|cls\.|@)")


class Source:
    def __init__(self, file: ResolvedFile, source: bytes) -> None:
        self.file = file
        self.facts = facts = file.facts
        self.path = facts.path
        self.language = facts.language
        self.code = facts.code
        self.strings = facts.strings
        self.text = source.decode("latin-1")
        self.test = file.test
        self.is_plain_text = facts.language == "unparsed"
        """Whether its facts know no lines."""
        self._names: dict[tuple[int, int], list[str]] = {}
        """By expression and how deep it is inside others."""
        self._origins: dict[int, int] = {}

    # Symbols

    def symbol(self, definition: int) -> str:
        """The id of the symbol that a definition is, or is part of."""
        return self.file.ids[self.file.within.get(definition, definition)]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Definitions by symbol id."""
        found: dict[str, int] = {}
        for number in range(len(self.facts.definitions)):
            found.setdefault(self.symbol(number), number)
        return found

    @cached_property
    def targets(self) -> dict[tuple[int, int], str]:
        """By line and column: the symbol that certainly stands there; of several, the last."""
        found: dict[tuple[int, int], str] = {}
        for edge in self.file.edges:
            if edge.kind in ("references", "calls") and edge.via not in POSSIBLE_VIAS:
                for site in edge.sites:
                    found[site] = edge.target
        return found

    @cached_property
    def parents(self) -> dict[str, list[str]]:
        """By class: those of the repository that it certainly derives from, or implements."""
        found: dict[str, list[str]] = {}
        for edge in self.file.edges:
            if edge.kind == "inherits" and edge.via not in POSSIBLE_VIAS:
                found.setdefault(edge.source, []).append(edge.target)
        return found

    @cached_property
    def imported(self) -> dict[int, list[str]]:
        """By line: the modules of the repository that are imported there."""
        found: dict[int, list[str]] = {}
        for edge in self.file.edges:
            if edge.kind == "imports":
                for line, _ in edge.sites:
                    found.setdefault(line, []).append(edge.target)
        return found

    @cached_property
    def modules(self) -> list[str]:
        """The modules that the file imports, as written."""
        return [each.module for each in self.facts.imports]

    def place(self, byte: int) -> tuple[int, int]:
        if self.is_plain_text:
            return self.line(byte), byte - self.text.rfind("\n", 0, byte)
        return line_and_column(self.facts, byte)

    def line(self, byte: int) -> int:
        if self.is_plain_text:
            return self.text.count("\n", 0, byte) + 1
        return bisect_right(self.facts.line_starts, byte)

    def target_at(self, byte: int) -> str:
        """The symbol that a name at a byte refers to; empty if none is certain."""
        if self.file.named is not None:
            name = _WORD.match(self.text, byte)
            return self.file.named.get(name[0], "") if name else ""
        if self.facts.wide:
            return self.targets.get(self.place(byte), "")
        return self._targets_by_byte.get(byte, "")

    @cached_property
    def _targets_by_byte(self) -> dict[int, str]:
        """Of a file in which every character is one byte: asked for at each call and name, again and again."""
        starts = self.facts.line_starts
        last = len(starts)
        return {
            starts[line - 1] + column - 1: target for (line, column), target in self.targets.items() if line <= last
        }

    @cached_property
    def _guessed(self) -> dict[tuple[int, int], str]:
        return {site: edge.target for edge in self.file.edges if edge.via == "unique-name" for site in edge.sites}

    def guessed_at(self, byte: int) -> str:
        """The only symbol that has the name at a byte, where nothing is certain; empty if there is none."""
        return self._guessed.get(self.place(byte), "") if self._guessed else ""

    def named(self) -> dict[str, str]:
        """The symbols that its names mean, by name; those that mean different ones in different places are left out."""
        found: dict[str, str] = {}
        for (line, column), target in self.targets.items():
            start = self.facts.line_starts[line - 1] + column - 1
            if (name := _WORD.match(self.text, start)) is not None:
                found[name[0]] = target if found.get(name[0], target) == target else ""
        return found

    @cached_property
    def _ranges(self) -> tuple[list[int], list[int], list[int]]:
        """Of all definitions by their beginnings: where they begin, which they are, and which range is around each."""
        definitions = self.facts.definitions
        numbers = sorted(
            range(1, len(definitions)), key=lambda at: (definitions[at].start_byte, -definitions[at].end_byte)
        )
        around: list[int] = []
        open_ranges: list[int] = []
        for at, number in enumerate(numbers):
            while open_ranges and definitions[numbers[open_ranges[-1]]].end_byte <= definitions[number].start_byte:
                open_ranges.pop()
            around.append(open_ranges[-1] if open_ranges else -1)
            open_ranges.append(at)
        return [definitions[each].start_byte for each in numbers], numbers, around

    def innermost(self, byte: int, kinds: frozenset[str] = frozenset()) -> int:
        """The innermost definition around a place, of these kinds, if any are given; 0 if there is none."""
        starts, numbers, around = self._ranges
        at = bisect_right(starts, byte) - 1
        while at >= 0:
            each = self.facts.definitions[numbers[at]]
            if byte < each.end_byte and (not kinds or each.kind in kinds):
                return numbers[at]
            at = around[at]
        return 0

    # Calls

    @cached_property
    def calls(self) -> list[tuple[int, int]]:
        """Every call whose callee has a name, with the definition that makes it, in order."""
        sites, code = self.facts.sites, self.code
        return [
            (sites[at], sites[at + MAKER])
            for at in range(0, len(sites), SITE_WORDS)
            if sites[at + ROLE] == CALLED
            and code[sites[at]] == op.CALL
            and code[code[sites[at] + op.CALLEE]] in (op.NAME, op.ATTRIBUTE, op.PATH)
        ]

    @cached_property
    def named_calls(self) -> list[tuple[int, int, int, str]]:
        """As `calls`: the call, the definition that makes it, its callee and the callee's name."""
        code, strings = self.code, self.strings
        found: list[tuple[int, int, int, str]] = []
        for call, maker in self.calls:
            callee = code[call + op.CALLEE]
            word = code[callee + (op.WORD if code[callee] == op.NAME else op.MEMBER)]
            found.append((call, maker, callee, strings[word]))
        return found

    @cached_property
    def called_names(self) -> frozenset[str]:
        """The names of all callees."""
        return frozenset([name for _, _, _, name in self.named_calls])

    @cached_property
    def lower(self) -> str:
        """The text in lower case."""
        return self.text.lower()

    @cached_property
    def decorated(self) -> dict[int, int]:
        """The definition that an expression decorates."""
        return {each: number for number, found in self.facts.decorators.items() for each in found}

    def name_of(self, e: int) -> str:
        """The last name of a NAME, ATTRIBUTE or PATH."""
        operation = self.code[e]
        if operation == op.NAME:
            return self.strings[self.code[e + op.WORD]]
        return self.strings[self.code[e + op.MEMBER]] if operation in (op.ATTRIBUTE, op.PATH) else ""

    def arguments(self, call: int) -> list[Argument]:
        """As the source has them, in its order."""
        return arguments_behind(self.text, self.code[self.code[call + op.CALLEE] + op.BYTE])

    # Text

    def said(self, start: int, text: str, maker: int) -> Text:
        """What an expression means as text, in the body of a definition."""

        def meaning(name: str, at: int, depth: int) -> Text:
            return self._meaning(name, at, maker, depth)

        return text_of(self.text, start, text, meaning)

    def _meaning(self, name: str, at: int, maker: int, depth: int) -> Text:
        unknown: tuple[Part, ...] = ((HOLE, name[:60]),)
        if depth > DEEPEST:
            return unknown
        if name.endswith("()"):
            return self._returned(name.removesuffix("()"), at, depth) or unknown
        plain = name.lstrip("&*$!")
        bare = _RECEIVERS.sub("", name.lstrip("&*!")).lstrip("$")
        if plain == bare and re.fullmatch(r"\w+", plain):
            local = self._assigned(plain, at, maker)
            if local is not None:
                return self._said_at(local, maker, depth)
        last = at + len(name) - len(re.split(r"[.>:@\s?!]", name)[-1])
        target = self.target_at(last)
        if not target and (target := self.target_at(at)) and "." in name and "::" in target:
            target += "." + re.split(r"\s*\??\.\s*", name, maxsplit=1)[1]  # of a constant that is an object
            if target.partition("::")[0] == self.path:
                return self.members.get(target, unknown)
            return ((OF, target),)
        if target:
            number = self.numbers.get(target, -1)
            if number < 0:
                return ((OF, target),)
            return self.said_by(number, depth) or unknown
        number = self.constant_named(bare, maker)
        return (self.said_by(number, depth) if number >= 0 else ()) or unknown

    def _said_at(self, at: int, maker: int, depth: int) -> Text:
        start, text = expression_at(self.text, at)
        return text_of(
            self.text, start, text, lambda name, where, deep: self._meaning(name, where, maker, deep), depth + 1
        )

    def said_by(self, number: int, depth: int = 0) -> Text:
        """The text that a constant or field is defined to be; empty if it is defined as nothing."""
        definition = self.facts.definitions[number]
        if definition.kind not in ("constant", "field", "property"):
            return ()
        head = self.text[definition.name_byte : definition.end_byte]
        stated = re.match(r"[\w$]+[?!]?\s*(?::[^=\n]*?|\s[\w<>\[\]?]+)?\s*:?=(?![=>])\s*", head)
        if stated is None:
            stated = re.match(r"[\w$]+\s*:\s*(?=[\"'`\w])", head) if definition.kind == "field" else None
        if stated is None:
            return ()
        return self._said_at(definition.name_byte + stated.end(), max(definition.parent, 0), depth)

    def _returned(self, name: str, at: int, depth: int) -> Text:
        """What a call of a function of the repository returns, as far as that is one text."""
        last = at + len(name) - len(re.split(r"[.>:@\s?!]", name)[-1])
        target = self.target_at(last)
        number = self.numbers.get(target, -1) if target else -1
        if number >= 0:
            return self.returned_by(number, depth + 1)
        return ((RETURNED, target),) if target else ()

    def returned_by(self, number: int, depth: int = 0) -> Text:
        """The text that a function returns, with positions for its parameters; empty if it is no address."""
        definition = self.facts.definitions[number]
        first, last = definition.name_byte, definition.end_byte
        if definition.kind not in FUNCTION_KINDS or last - first > LONGEST_FUNCTION or depth > DEEPEST:
            return ()
        body = self.text[first:last]
        is_called_so = _OF_ADDRESS.search(definition.name) is not None
        if "/" not in body and not is_called_so:
            return ()
        ends = [each.end() for each in _RETURN.finditer(body) if not self.is_comment(first + each.start())]
        if not ends and (arrow := _ARROW.search(body)) is not None:
            ends = [arrow.end()]
        if not ends and (only := _ONLY.search(body)) is not None:
            ends = [only.start(1)]
        if len(ends) != 1:
            return ()
        said = self._said_at(first + ends[0], number, depth)
        is_named = is_called_so and any(kind in (OF, RETURNED) for kind, _ in said)
        if not (is_named or any(kind == SAID and "/" in word for kind, word in said)) or any(
            kind == SAID and re.search(r"[\s<>]", word) for kind, word in said
        ):
            return ()
        rows = self.facts.parameters.get(definition.scope, []) if definition.scope >= 0 else []
        names = [row.name.lstrip("$") for row in rows]
        receiver = self.facts.scopes[definition.scope].receiver if definition.scope >= 0 else ""
        names = names[1:] if receiver and names[:1] == [receiver] else names
        return tuple(
            (PARAMETER, str(names.index(word.lstrip("$&*")))) if kind == HOLE and word.lstrip("$&*") in names
            else (kind, word)
            for kind, word in said
        )  # fmt: skip

    @cached_property
    def members(self) -> dict[str, Text]:
        """The texts with a slash in constants that are objects, by the id of the constant and their keys."""
        found: dict[str, Text] = {}
        for number, definition in enumerate(self.facts.definitions):
            if definition.kind in ("constant", "field", "property"):
                stated = _OBJECT.match(self.text, definition.name_byte, definition.end_byte)
                if stated is not None and _PATH_IN_OBJECT.search(self.text, stated.end(), definition.end_byte):
                    self._read_members(self.symbol(number), stated.end(), definition.end_byte, found, 0)
        return found

    def _read_members(self, name: str, start: int, end: int, found: dict[str, Text], depth: int) -> None:
        text = self._without_comments
        for each in pieces(text, start, end):
            if not each.keyword or len(found) > MOST_MEMBERS:
                continue
            if each.text[:1] == "{" and depth < DEEPEST:
                end_of_each = each.start + len(each.text)
                self._read_members(f"{name}.{each.keyword}", each.start + 1, end_of_each, found, depth + 1)
            elif each.text[:1] in "\"'`" and "/" in each.text:
                found[f"{name}.{each.keyword}"] = self.said(each.start, each.text, 0)

    @cached_property
    def _without_comments(self) -> str:
        text = self.text
        for start, end in self.facts.comments:
            text = text[:start] + " " * (end - start) + text[end:]
        return text

    def _assigned(self, name: str, before: int, maker: int) -> int | None:
        """Where the value of a local variable stands that is assigned before a place; None if it is not, or if it is
        one of several that branches assign."""
        definition = self.facts.definitions[maker]
        start = definition.start_byte if maker else 0
        found = None
        is_one_of_several = False
        text = self.text
        at = text.find(name, start, before)
        while at >= 0:
            first = at - 1 if at > start and text[at - 1] == "$" else at
            is_part = first > start and (text[first - 1].isalnum() or text[first - 1] in "_.$>")
            stated = None if is_part else _ASSIGNED.match(text, at + len(name), before)
            if stated is None:
                at = text.find(name, at + 1, before)
                continue
            end = stated.end()
            is_code = not self.is_comment(first) and (maker or self._is_at_top(first))
            if is_code and not (text.startswith(name, end) and found is not None):
                is_one_of_several = found is not None and self._indentation(first) > self._indentation(before)
                found = end
            at = text.find(name, end, before)
        return None if is_one_of_several else found

    def _indentation(self, at: int) -> int:
        line = self.text.rfind("\n", 0, at) + 1
        return len(self.text[line:at]) - len(self.text[line:at].lstrip())

    def _is_at_top(self, at: int) -> bool:
        line = self.text.rfind("\n", 0, at) + 1
        return not self.text[line:at].strip() or self.text[line:at].split()[0] in (
            "const",
            "let",
            "var",
            "export",
            "final",
            "val",
        )

    def is_comment(self, byte: int) -> bool:
        comments = self._comments
        at = bisect_right(comments, (byte, 1 << 40)) - 1
        return at >= 0 and comments[at][0] <= byte < comments[at][1]

    @cached_property
    def _comments(self) -> list[tuple[int, int]]:
        return sorted(self.facts.comments)

    @cached_property
    def _constants(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, definition in enumerate(self.facts.definitions):
            if definition.kind in ("constant", "field", "property"):
                found.setdefault(definition.name, []).append(number)
        return found

    def constant_named(self, name: str, maker: int) -> int:
        """A constant of the module, or a constant or field of a class, by its name as written; -1 if there is none."""
        words = re.split(r"\s*(?:\??\.|::|->)\s*", name)
        numbers = self._constants.get(words[-1], [])
        if not numbers or len(words) > 2:
            return -1
        around = self.class_around(maker)
        for number in numbers:
            owner = self.facts.definitions[number].parent
            of = self.facts.definitions[owner].name if owner > 0 else ""
            if len(words) == 2 and of == words[0]:
                return number
            if len(words) == 1 and owner in (0, around):
                return number
        return -1

    def function_around(self, byte: int) -> int:
        """The innermost function around a byte; 0 if there is none."""
        found = 0
        for number, each in enumerate(self.facts.definitions):
            if each.kind in FUNCTION_KINDS and each.start_byte <= byte < each.end_byte:
                found = number
        return found

    def class_around(self, definition: int) -> int:
        """The class that a definition is in; -1 if there is none."""
        while definition > 0:
            definition = self.facts.definitions[definition].parent
            if definition > 0 and self.facts.definitions[definition].kind in CLASS_KINDS:
                return definition
        return -1

    # What a value is

    @cached_property
    def _bindings(self) -> dict[tuple[int, str], list[Binding]]:
        found: dict[tuple[int, str], list[Binding]] = {}
        for each in self.facts.bindings:
            found.setdefault((each.scope, each.name), []).append(each)
        return found

    def bound(self, scope: int, name: str, before: int) -> int:
        """The expression that a name of a scope stands for at a byte, or in the end; 0 if none is known."""
        known = self._bindings.get((scope, name))
        if known is None:
            return 0
        rows = [each for each in known if each.value]
        earlier = [each for each in rows if before < 0 or each.byte <= before] or rows
        return earlier[-1].value if earlier else 0

    def origin(self, e: int) -> int:
        """The expression that a name stands for, as far as this file says."""
        found = self._origins.get(e)
        if found is None:
            found = self._origins[e] = self._origin(e)
        return found

    def _origin(self, e: int, depth: int = 0) -> int:
        code = self.code
        if depth > DEEPEST or not e:
            return e
        if code[e] == op.NAME:
            scope = op.binding_scope(code[e + op.BINDER])
            bound = 0
            if scope >= 0:
                bound = self.bound(scope, self.name_of(e), code[e + op.BYTE] if code[e + op.BINDER] >= 0 else -1)
            return self._origin(bound, depth + 1) if bound and bound != e else e
        if code[e] in (op.AWAIT, op.ENTERED):
            return self._origin(code[e + op.OPERAND], depth + 1)
        if code[e] == op.TYPED and code[e + op.TYPED_VALUE]:
            return self._origin(code[e + op.TYPED_VALUE], depth + 1)
        if code[e] == op.UNION and (held := list(op.items_of(code, e))):
            return self._origin(held[0], depth + 1)
        return e

    def names(self, e: int, depth: int = 0) -> list[str]:
        """What made a value, as dotted names: `requests.Session()`, `axios`; `@id` for what another file defines."""
        if depth > DEEPEST or not e:
            return []
        found = self._names.get((e, depth))
        if found is None:
            found = self._names[e, depth] = self._made_by(e, depth)
        return found

    def _made_by(self, e: int, depth: int) -> list[str]:
        code = self.code
        operation = code[e]
        if operation in (op.NAME, op.ATTRIBUTE, op.PATH):
            target = self.target_at(code[e + op.BYTE])
            number = self.numbers.get(target, -1) if target else -1
            if target and number < 0:
                return [f"@{target}"]
            if number >= 0:
                return [*self.names_of_definition(number, depth + 1), f"@{target}"]
        if operation == op.NAME:
            origin = self.origin(e)
            return [self.name_of(e)] if origin == e else self.names(origin, depth + 1)
        if operation in (op.ATTRIBUTE, op.PATH):
            member = self.name_of(e)
            if code[code[e + op.HOLDER]] == op.THIS:
                found = self._names_of_field(code[code[e + op.HOLDER] + op.SCOPE], member, depth + 1)
                if found:
                    return found
            return [f"{each}.{member}" for each in self.names(code[e + op.HOLDER], depth + 1)]
        if operation == op.IMPORT:
            return [self.facts.imports[code[e + op.STATEMENT]].module]
        if operation == op.IMPORTED:
            member = self.strings[code[e + op.MEMBER]]
            module = self.facts.imports[code[e + op.STATEMENT]].module
            return [module if member == "default" else f"{module}.{member}"]
        if operation == op.CALL:
            made = self.names(code[e + op.CALLEE], depth + 1)
            number = self.numbers.get(made[-1][1:], -1) if made and made[-1][:1] == "@" else -1
            if number >= 0 and (returned := self.returned_names(number, depth + 1)):
                return [*returned, *(f"{each}()" for each in made)]
            return [f"{each}()" for each in made]
        if operation == op.INSTANCE:
            return [f"{each}()" for each in self.names(code[e + op.OPERAND], depth + 1)]
        if operation in (op.AWAIT, op.ENTERED):
            return self.names(code[e + op.OPERAND], depth + 1)
        if operation == op.UNION:
            return [name for each in op.items_of(code, e) for name in self.names(each, depth + 1)]
        if operation == op.TYPED:
            value = self.names(code[e + op.TYPED_VALUE], depth + 1) if code[e + op.TYPED_VALUE] else []
            return value + [f"{each}()" for each in self.names(code[e + op.ANNOTATED], depth + 1)]
        if operation == op.DEFINITION:
            return self.names_of_definition(code[e + op.DEFINED], depth + 1)
        if operation == op.PARAMETER:
            rows = self.facts.parameters.get(code[e + op.SCOPE], [])
            row = rows[code[e + op.POSITION]] if code[e + op.POSITION] < len(rows) else None
            if row is not None and row.annotation:
                return [f"{each}()" for each in self.names(row.annotation, depth + 1)]
        return []

    def returned_names(self, number: int, depth: int = 0) -> list[str]:
        """What made a value that a function of the file returns."""
        definition = self.facts.definitions[number]
        if definition.kind not in FUNCTION_KINDS or definition.scope < 0:
            return []
        found = [each for e in self.facts.returns.get(definition.scope, ()) for each in self.names(e, depth + 1)]
        return list(dict.fromkeys(each for each in found if each[:1] != "@"))

    def returned(self, number: int) -> int:
        """The first expression that a function of the file returns; 0 if there is none."""
        definition = self.facts.definitions[number]
        if definition.kind not in FUNCTION_KINDS or definition.scope < 0:
            return 0
        return next(iter(self.facts.returns.get(definition.scope, ())), 0)

    def names_of_definition(self, number: int, depth: int = 0) -> list[str]:
        """What a constant or field holds; a class by its name, a function by what it is annotated to return."""
        definition = self.facts.definitions[number]
        if depth > DEEPEST:
            return []
        if definition.kind in CLASS_KINDS or definition.kind in FUNCTION_KINDS:
            return []
        owner = max(definition.parent, 0)
        scope = max(self.facts.definitions[owner].scope, 0)
        bound = self.bound(scope, definition.name, -1)
        found = self.names(bound, depth + 1) if bound else []
        if not found and owner:
            found = self._names_of_field(scope, definition.name, depth + 1)
        return found

    def value_of_field(self, owner: int, member: str) -> int:
        """The expression that a field of a class is given by its methods; 0 if none is known."""
        return next((value for name, value in self.facts.fields.get(owner, ()) if name == member and value), 0)

    def held_by(self, e: int) -> int:
        """The expression that a field holds, where an expression is a field of the object that runs; else 0."""
        code = self.code
        if code[e] not in (op.ATTRIBUTE, op.PATH) or code[code[e + op.HOLDER]] != op.THIS:
            return 0
        definition = self.facts.scopes[code[code[e + op.HOLDER] + op.SCOPE]].definition
        owner = definition if self.facts.definitions[definition].kind in CLASS_KINDS else self.class_around(definition)
        return self.value_of_field(owner, self.name_of(e)) if owner >= 0 else 0

    def _names_of_field(self, scope: int, member: str, depth: int) -> list[str]:
        """What a field of the class around a scope holds."""
        definition = self.facts.scopes[scope].definition
        owner = definition if self.facts.definitions[definition].kind in CLASS_KINDS else self.class_around(definition)
        if owner < 0:
            return []
        for name, value in self.facts.fields.get(owner, ()):
            if name == member and value and (found := self.names(value, depth)):
                return found
        bound = self.bound(max(self.facts.definitions[owner].scope, 0), member, -1)
        return self.names(bound, depth) if bound else []

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.facts)
