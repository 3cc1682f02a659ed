"""Traces a resolution: how each part of a reference was interpreted, where it was looked up, and the reason for the
outcome.

In: a resolution of the whole repository, a file, a line, a name. Out: lines of text, indented as the expression is
nested. Nothing is resolved here: the same evaluator is asked about the parts that the resolver asked it about.
"""

from __future__ import annotations

from collections.abc import Iterator

from rpg.encoder import operations
from rpg.encoder import operations as op
from rpg.encoder.explain.annotated_source import NAMES, format_expression
from rpg.encoder.explain.reference_sites import Site, sites
from rpg.encoder.explain.value_text import Described
from rpg.encoder.facts import (
    ANNOTATION,
    BASE,
    CALLED,
    CREATED,
    DECORATOR,
    DELETED,
    DOCUMENTED,
    HANDLED,
    KEY,
    OFFERED,
    RAISED,
    READ,
    RUN,
    UPDATED,
    WRITE,
    line_and_column,
)
from rpg.encoder.languages import BY_NAME
from rpg.encoder.resolve import Resolution
from rpg.encoder.resolve.evaluate import MOST_CALLERS
from rpg.encoder.resolve.program.file_tables import Row
from rpg.encoder.resolve.program.source_file import SourceFile
from rpg.encoder.resolve.program.symbol_ids import symbol_ids
from rpg.encoder.resolve.references.outcomes import Outcome
from rpg.encoder.resolve.values.mro import OWNER_FILE, OWNER_SYMBOL
from rpg.encoder.resolve.values.values import (
    CLASS,
    FILE,
    FUNC,
    INST,
    KIND,
    MODULE,
    MODULE_PATH,
    OBJECT_AT,
    PARENT,
    RECEIVER,
    SYMBOL,
    Value,
)
from rpg.graph import CLASS_KINDS, FAN_OUT_LIMIT, POSSIBLE_VIAS

DEEPEST = 6
"""How deep nested expressions are traced."""
SHOWN = 4
"""How many callers, bases or candidates are named; the rest is counted."""
LONGEST = 300
"""Code points per line: types can be long."""
ROLES = {CALLED: "called", WRITE: "written", BASE: "a base", DECORATOR: "a decorator", ANNOTATION: "an annotation",
         DELETED: "deleted", RAISED: "raised", HANDLED: "caught", CREATED: "made", UPDATED: "updated",
         KEY: "a key", OFFERED: "read if it is there",
         DOCUMENTED: "named by a text", READ: "read", RUN: "run without a name"}  # fmt: skip
_MEMBERS = (operations.ATTRIBUTE, operations.PATH)
_INDEXED = (operations.ELEMENT, operations.ENTERED, operations.AWAIT, operations.ITEM, operations.SUBSCRIPT,
            operations.KEYED)  # fmt: skip


def trace_references(resolution: Resolution, path: str, line: int, name: str) -> list[str]:
    """The trace of every reference of that name in a line; empty if the resolver handled none."""
    file = resolution.evaluator.program.file_at(path)
    if file is None:
        return []
    story = _Story(resolution, file)
    lines = [text for site in sites(file, line, name) for text in story.site(site)]
    return [text if len(text) <= LONGEST else text[: LONGEST - 1] + "…" for text in lines]


class _Story:
    def __init__(self, resolution: Resolution, file: SourceFile) -> None:
        self.resolution = resolution
        self.evaluator = resolution.evaluator
        self.program = resolution.evaluator.program
        self.file = file
        self.ids: dict[int, list[str]] = {}
        self.traced_expressions: set[tuple[int, int]] = set()
        self.values = Described(self.program, self.id)

    def id(self, file: int, index: int) -> str:
        if file not in self.ids:
            self.ids[file] = symbol_ids(self.program.files[file])
        return self.ids[file][index]

    def site(self, site: Site) -> Iterator[str]:
        file = self.file
        line, column = line_and_column(file.facts, file.code[site.expression + op.BYTE])
        around = self.id(file.index, site.definition)
        yield (
            f"{format_expression(file.facts, site.expression)} at {line}:{column}, "
            f"{ROLES.get(site.role, 'read')} in {around}"
        )
        self.traced_expressions = set()
        named = site.named(file)
        if file.code[named] in _MEMBERS:
            yield from self.member(named, 1, site.role == CALLED)
        else:
            yield from self.expression(file, named, 1)
        yield from (f"  {text}" for text in self.ending(site))

    # The outcome

    def ending(self, site: Site) -> Iterator[str]:
        outcome = self.resolution.outcomes[self.file.index][site.number]
        for target in outcome.targets:
            what = "calls" if target.call else "references"
            sure = "possible: a guess by the name alone" if target.via in POSSIBLE_VIAS else "certain"
            yield f"=> {what} {self.id(target.file, target.definition)} via {target.via}, {sure}"
        rounds = self.evaluator.round
        if any(target.via == "value" for target in outcome.targets) and rounds:
            yield f"   `value`: followed through calls and stores, in {rounds} rounds"
        if outcome.targets and not any(target.via in POSSIBLE_VIAS for target in outcome.targets):
            return
        if outcome.reason == "external":
            yield "=> external: it leads outside the repository, so its names are not considered"
        elif not outcome.targets and not outcome.reason:
            yield "=> no edge: it is known, but no symbol (a local variable, a parameter, a value without a name)"
        elif outcome.misfit and not outcome.targets:
            yield "=> unresolved: the receiver is known, and has no such member; counted, but not listed as a place"
        elif not outcome.targets:
            yield f"=> {outcome.reason}"
        yield from (f"   {text}" for text in self.guessing(site, outcome))

    def guessing(self, site: Site, outcome: Outcome) -> Iterator[str]:
        """What the rules unique-name and fan-out made of a reference that nothing else resolved."""
        file, code = self.file, self.file.code
        if outcome.reason == "external" or (not outcome.targets and not outcome.reason):
            return
        named = site.named(file)
        if code[named] not in _MEMBERS:
            if code[named] == operations.NAME:
                yield "unique-name, fan-out: not tried, a bare name is looked up only in its scopes"
            return
        name = file.strings[code[named + op.MEMBER]]
        guesses = self.resolution.guesses
        if outcome.misfit:
            yield "unique-name, fan-out: tried only among subclasses of the receiver's class, which is known"
            return
        family = BY_NAME[file.facts.language].family
        bearers = guesses.by_name.get(f"{family} {name}", [])
        if site.role != CALLED:
            yield "unique-name, fan-out: not tried, only calls are guessed"
        elif name not in guesses.names:
            yield f"unique-name, fan-out: no symbol of the repository has the name {name}"
        elif name in file.rules.builtin_members and not outcome.targets:
            yield f"unique-name, fan-out: not tried, builtin types have a member {name} too"
        elif outcome.reason == "unresolved" and guesses.members_named(file, f"{family} {name}"):
            yield "unique-name, fan-out: not tried, the receiver is known, though not whether it has such a member"
        else:
            count = f"{len(bearers)} methods have the name" + (", tests among them" if bearers else "")
            yield f"unique-name (1), fan-out (2 to {FAN_OUT_LIMIT}): {count}"
            yield from (f"  {self.id(*each)}" for each in bearers[:SHOWN])
            if len(bearers) > SHOWN:
                yield f"  and {len(bearers) - SHOWN} more"

    # Expressions

    def expression(self, file: SourceFile, e: int, depth: int) -> Iterator[str]:
        """How an expression was interpreted, and why."""
        code = file.code
        operation = code[e]
        pad = "  " * depth
        if depth > DEEPEST or (file.index, e) in self.traced_expressions or not e:
            return
        self.traced_expressions.add((file.index, e))
        if operation == operations.NAME:
            yield from self.name(file, e, depth)
        elif operation in _MEMBERS:
            around, self.file = self.file, file
            yield from self.member(e, depth, False)
            self.file = around
        elif operation == operations.CALL:
            yield from self.call(file, e, depth)
        elif operation == operations.PARAMETER:
            yield from self.parameter(file, code[e + op.SCOPE], code[e + op.POSITION], depth)
        else:
            yield f"{pad}{NAMES[operation]} at {self.place(file, e)}: {self.text_at(file, e)}"
            for part in self.parts(file, e):
                yield from self.expression(file, part, depth + 1)

    def parts(self, file: SourceFile, e: int) -> list[int]:
        code = file.code
        operation = code[e]
        if operation in _INDEXED or operation == operations.INSTANCE:
            return [code[e + op.OPERAND]]
        if operation in (operations.TYPED, operations.NARROWED):
            return [code[e + op.ANNOTATED], code[e + op.TYPED_VALUE]]
        if operation in (operations.UNION, operations.TUPLE, operations.LIST):
            return list(code[e + op.ITEMS : e + op.ITEMS + min(code[e + op.ITEM_COUNT], SHOWN)])
        return []

    def text_at(self, file: SourceFile, e: int) -> str:
        self.evaluator.start()
        return self.values.all(self.evaluator.eval(file, e))

    def place(self, file: SourceFile, e: int) -> str:
        line, column = line_and_column(file.facts, file.code[e + op.BYTE])
        return f"{line}:{column}" if file is self.file else f"{file.path}:{line}:{column}"

    # Names

    def name(self, file: SourceFile, e: int, depth: int) -> Iterator[str]:
        code, pad = file.code, "  " * depth
        text, scope = file.strings[code[e + op.WORD]], code[e + op.BINDER]
        if scope == -1:
            yield from (f"{pad}{line}" for line in self.free(file, text))
            return
        in_flow = scope >= 0
        scope, rows = file.visible(op.binding_scope(scope), text, code[e + op.BYTE], in_flow)
        seen = "" if in_flow else ", read from a function inside it"
        yield f"{pad}{text}: scope: bound in {self.scope(file, scope)}{seen}; {self.text_at(file, e)}"
        everything = file.rows(scope, text)
        if len(rows) < len(everything):
            yield f"{pad}  {len(everything)} bindings, of which {len(rows)} reach this place"
        for row in rows[:SHOWN]:
            yield from self.binding(file, text, row, depth + 1)

    def scope(self, file: SourceFile, scope: int) -> str:
        each = file.scopes[scope]
        if each.kind == "module":
            return "the module"
        return f"the {each.kind} {self.id(file.index, each.definition)}"

    def binding(self, file: SourceFile, text: str, row: Row, depth: int) -> Iterator[str]:
        code, pad = file.code, "  " * depth
        line = line_and_column(file.facts, row.byte)[0]
        kind = f" ({row.kind})" if row.kind else ""
        operation = code[row.value]
        if not row.value:
            yield f"{pad}line {line}: bound{kind}, and nothing is known about the value"
        elif operation in (operations.IMPORT, operations.IMPORTED):
            yield from (f"{pad}{line}" for line in self.imported(file, row.value))
        elif operation == operations.DEFINITION:
            yield f"{pad}line {line}: {self.id(file.index, code[row.value + op.DEFINED])}{kind}"
            yield from self.decorated(file, code[row.value + op.DEFINED], depth + 1)
        elif operation == operations.PARAMETER:
            yield from self.expression(file, row.value, depth)
        else:
            yield f"{pad}line {line}: {text} = {format_expression(file.facts, row.value)}{kind}"
            yield from self.expression(file, row.value, depth + 1)

    def decorated(self, file: SourceFile, index: int, depth: int) -> Iterator[str]:
        for expression in file.facts.decorators.get(index, ())[:SHOWN]:
            yield (
                f"{'  ' * depth}decorated with {format_expression(file.facts, expression)}: "
                f"{self.text_at(file, expression)}"
            )

    def imported(self, file: SourceFile, e: int) -> Iterator[str]:
        each = file.facts.imports[file.code[e + op.STATEMENT]]
        files = self.evaluator.modules.files(file, file.code[e + op.STATEMENT])
        line = line_and_column(file.facts, each.byte)[0]
        module = "." * each.level + each.module
        if files is None:
            yield f"import: line {line} names {module}, which is outside the repository"
        elif not files:
            yield f"import: line {line} names {module}, which should be in the repository and is not"
        else:
            yield f"import: line {line} names {module}: {', '.join(files[:SHOWN])}"
            if file.code[e] == operations.IMPORTED:
                name = file.strings[file.code[e + op.MEMBER]]
                for path in files[:SHOWN]:
                    targets = self.evaluator.modules.targets(path, name)
                    there = [self.id(target[FILE], target[SYMBOL]) for target in targets if target[FILE] >= 0]
                    known = there or [each[KIND] for each in targets] or ["not there"]
                    yield f"  {name} in {path}: {', '.join(known)}"

    def free(self, file: SourceFile, text: str) -> Iterator[str]:
        """A name that nothing in its file binds."""
        yield f"{text}: scope: no scope of {file.path} binds it"
        if file.rules.shares_package_scope:
            yield f"  scope: looked up in the other files of the package {self.program.package_of(file)}"
        for index in file.stars[:SHOWN]:
            files = self.evaluator.modules.files(file, index)
            where = "outside the repository" if files is None else ", ".join(files) or "not there"
            found = [path for path in files or () if self.evaluator.modules.targets(path, text)]
            yield f"  import: * of {file.facts.imports[index].module} ({where}): {'has it' if found else 'lacks it'}"
        if text in file.rules.builtins:
            yield f"  {text} is a builtin of {file.facts.language}"
        else:
            yield f"  nor is it a builtin of {file.facts.language}"

    # Parameters, calls

    def parameter(self, file: SourceFile, scope: int, index: int, depth: int) -> Iterator[str]:
        pad = "  " * depth
        row = file.facts.parameters[scope][index]
        around = self.id(file.index, file.scopes[scope].definition)
        shown = self.values.all(self.evaluator.parameters.parameter(file, scope, index))
        yield f"{pad}parameter {index + 1} of {around}: {shown}"
        if index == 0 and row.name and row.name == file.scopes[scope].receiver:
            yield f"{pad}  the receiver of the method"
            return
        if row.annotation:
            declared = self.evaluator.annotations.typed(file, row.annotation)
            yield (
                f"{pad}  type: annotated with {format_expression(file.facts, row.annotation)}: "
                f"{self.values.all(declared)}"
            )
            if declared and not self.evaluator.annotations.is_open(file, declared):
                return
        else:
            yield f"{pad}  type: no annotation, and none in a method that it overrides"
        if row.default:
            yield f"{pad}  default: {self.text_at(file, row.default)}"
        callers = self.resolution.flow.callers.get((file.index, scope), {})
        if len(callers) > MOST_CALLERS:
            yield f"{pad}  value: called from {len(callers)} places; more than {MOST_CALLERS} are not followed"
            return
        received = self.evaluator.tables.passed((file.index, scope, index))
        if not callers:
            yield f"{pad}  value: no call was found that could tell"
            return
        yield f"{pad}  value: {len(callers)} calls were found, which pass: {self.values.all(received)}"
        for caller in list(callers)[:SHOWN]:
            there = self.program.files[caller.file]
            line, column = line_and_column(there.facts, there.code[caller.expression + op.BYTE])
            yield f"{pad}    {there.path}:{line}:{column} {format_expression(there.facts, caller.expression)}"

    def call(self, file: SourceFile, e: int, depth: int) -> Iterator[str]:
        code, pad = file.code, "  " * depth
        yield f"{pad}{format_expression(file.facts, e)} at {self.place(file, e)} returns {self.text_at(file, e)}"
        yield from self.expression(file, code[e + op.CALLEE], depth + 1)
        for value in self.evaluator.eval(file, code[e + op.CALLEE])[:SHOWN]:
            if value[KIND] == FUNC:
                yield from self.returned(self.program.files[value[FILE]], value[SYMBOL], depth + 1)

    def returned(self, file: SourceFile, index: int, depth: int) -> Iterator[str]:
        pad = "  " * depth
        scope = file.definitions[index].scope
        annotation = file.facts.annotations.get(scope)
        name = self.id(file.index, index)
        if annotation:
            yield f"{pad}{name} is declared to return {format_expression(file.facts, annotation)}"
            return
        expressions = file.facts.returns.get(scope, [])
        if not expressions:
            yield f"{pad}{name} returns nothing, and declares nothing"
        for each in expressions[:SHOWN]:
            place = line_and_column(file.facts, file.code[each + op.BYTE])[0]
            yield (
                f"{pad}{name} returns {format_expression(file.facts, each)} in line {place}: {self.text_at(file, each)}"
            )

    # Members

    def member(self, e: int, depth: int, call: bool) -> Iterator[str]:
        """`object.name`: the receiver's type, and the classes in which the name was looked for."""
        file, code = self.file, self.file.code
        pad, name, holder = "  " * depth, file.strings[code[e + op.MEMBER]], code[e + op.HOLDER]
        self.traced_expressions.add((file.index, e))
        self.evaluator.start()
        holders = self.evaluator.eval(file, holder)
        receiver = format_expression(file.facts, holder)
        if not holders:
            yield f"{pad}receiver {receiver}: nothing is known about it, so no type, class or module was searched"
        else:
            yield f"{pad}receiver {receiver}: {self.values.all(holders)}"
        yield from self.expression(file, holder, depth + 1)
        if code[e] == operations.PATH:
            yield f"{pad}{receiver}.{name} is assigned or narrowed in this scope: {self.text_at(file, e)}"
        for value in holders[:SHOWN]:
            yield from (f"{pad}{text}" for text in self.lookup(value, name))
        if len(holders) > SHOWN:
            yield f"{pad}and {len(holders) - SHOWN} more values"

    def lookup(self, value: Value, name: str) -> Iterator[str]:
        """Where a member of one value was looked up."""
        classes = self.evaluator.classes
        kind = value[KIND]
        what = self.values.one(value)
        if kind == MODULE:
            targets = self.evaluator.modules.targets(value[MODULE_PATH], name)
            found = [self.id(target[FILE], target[SYMBOL]) for target in targets if target[FILE] >= 0]
            outside = any(target[KIND] == "external" for target in targets)
            yield f".{name} of {what}: import: {', '.join(found) or ('outside' if outside else 'not there')}"
            return
        hit = self.evaluator.member_lookup.hit(value, name)
        if kind not in (INST, CLASS, PARENT):
            if kind in (FUNC, OBJECT_AT) and hit is not None:
                yield f".{name} of {what}: {self.names(hit.definitions)}"
            elif kind not in (FUNC, OBJECT_AT):
                yield f".{name} of {what}: no symbol of the repository"
            else:
                yield f".{name} of {what}: not there"
            return
        # `super()` looks in the receiver's own order, after the enclosing class.
        start = value[RECEIVER] if kind == PARENT else value
        order = classes.order(start[FILE], start[SYMBOL])
        looked = [self.id(entry[OWNER_FILE], entry[OWNER_SYMBOL]) for entry in order.entries]
        if kind == PARENT and self.id(value[FILE], value[SYMBOL]) in looked:
            looked = looked[looked.index(self.id(value[FILE], value[SYMBOL])) + 1 :]
        if hit is not None:
            owner = self.id(*hit.owner)
            asked = looked[: looked.index(owner) + 1] if owner in looked else looked
            yield f".{name} of {what}: type: searched {self.some(asked)}"
            yield f"  found in {owner}: {self.names(hit.definitions) or 'assigned there, but no symbol'}"
            kinds = {self.program.definition(*each).kind for each in hit.definitions}
            if not kinds <= {"method", *CLASS_KINDS}:
                yield f"  it holds {self.values.all(self.evaluator.members.member_values(value, name))}"
            return
        yield f".{name} of {what}: type: searched {self.some(looked) or 'no class'}; not there"
        if order.external:
            yield "  some base is outside the repository: it may be defined there"
        if order.unknown:
            yield "  some base is not known"
        below = classes.subclasses.get(start[FILE : SYMBOL + 1], [])
        if below:
            yield f"  its {len(below)} subclasses were not searched: only `self` may be an instance of one"

    def names(self, definitions: tuple[tuple[int, int], ...]) -> str:
        return self.some([self.id(*each) for each in definitions])

    def some(self, names: list[str]) -> str:
        return ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
