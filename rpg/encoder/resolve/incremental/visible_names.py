"""What other files can see of a file, by name: what functions return and yield, what names and attributes are bound to,
what classes are composed of.

In: one version of a file. Out: items, each with the name that it is found by, a tree to compare with that of the other
version, and the names looked up in it. What a file passes to functions and stores in other files' objects is compared
by value, in affected_resolution.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from rpg.encoder import operations as op
from rpg.encoder.facts import PACKAGE_NAMES, aliases, strip_marks
from rpg.encoder.resolve.frameworks.celery import is_task
from rpg.encoder.resolve.frameworks.plugin import parse_declared_name
from rpg.encoder.resolve.frameworks.pytest import is_fixture
from rpg.encoder.resolve.incremental.fingerprints import BODIES, Side
from rpg.graph import CLASS_KINDS

SAME = ("kind", "name", "owner", "signature", "exported", "decorators", "modifiers", "returns", "flags")
"""What others see of a definition itself."""
_WHOLE = ("=", "default")
"""Exports that importers name themselves."""


class Item(NamedTuple):
    names: tuple[str, ...]
    tree: Any
    met: frozenset[str]
    """Names looked up in it."""
    is_wide: bool = False
    """Whether others see more of it than its name reaches."""
    around: int = 0
    """The class that it is a member of; 0 if none."""
    is_import: bool = False
    """Whether it is an import of the module."""
    is_global: bool = False
    """Whether it is a variable or function of a module, which no framework finds by name."""
    outside_results: frozenset[str] | None = None
    """For a function that others see by its results: the names looked up in all of it except what it returns and
    yields."""

    @property
    def bases(self) -> int:
        """For a class: how many bases it has."""
        return len(self.tree[0][3])


Items = dict[tuple[Any, ...], Item]


class VisibleNames:
    """The items of one version, by the region (`Side.region`) that contains them."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.known: dict[int, Items] = {}
        self.parts: dict[int, list[tuple[Any, ...]]] = {}
        """Region -> the parts of its items."""
        for part in self._parts():
            self.parts.setdefault(part[0], []).append(part[1:])

    def items(self, region: int) -> Items:
        known = self.known.get(region)
        if known is None:
            known = self.known[region] = self._items(self.parts.get(region, ()))
        return known

    def definition(self, index: int) -> Item:
        """For a definition that others see only through a value."""
        (item,) = self._items([("definition", index)]).values()
        return item

    def _parts(self) -> Iterator[tuple[Any, ...]]:
        """(region, what it is, and where)."""
        side, file = self.side, self.side.file
        facts, code = file.facts, file.code
        listing = file.rules.module_objects.listing if "all" in facts.exports else None
        for index, definition in enumerate(file.definitions):
            if index and self._is_named(index):
                yield side.region(definition.start_byte), "definition", index
        for at, binding in enumerate(facts.bindings):
            if not side.is_local(binding.scope) and binding.name != listing:
                yield side.region(binding.byte), "binding", at
        for index, fields in facts.fields.items():
            for name, value in fields:
                yield side.region(code[value + op.BYTE]), "field", index, name, value
        for holder, name, value in facts.members:
            yield side.region(code[holder + op.BYTE]), "member", holder, name, value
        for key, exported_names in facts.exports.items():
            if key == "all":
                yield 0, "exports", key, ()
                yield from ((0, "listed", each) for each in exported_names)
            elif key != "names":
                yield 0, "exports", key, exported_names
            else:
                for exported, e in exported_names.items():
                    yield side.region(code[e + op.BYTE]) if e else 0, "export", exported, e

    def _is_named(self, index: int) -> bool:
        """Whether others can reach a definition by name; this includes members of a class inside a function."""
        if not self.side.is_inner(index):
            return True
        definitions = self.side.file.definitions
        return definitions[index].parent > 0 and definitions[definitions[index].parent].kind in CLASS_KINDS

    def _items(self, parts: Iterable[tuple[Any, ...]]) -> Items:
        side = self.side
        made: Items = {}
        for what, *where in parts:
            side.begin()
            side.met = set()
            key, names, tree, is_wide, *more = getattr(self, f"_{what}")(*where)
            around, outside_results = more[0] if more else 0, more[1] if more[1:] else None
            known = made.get((what, *key))
            if known is None:
                is_import = what == "binding" and self._is_import(*where)
                is_global = len(names) == 1 and not is_wide and self._is_global(what, names[0], *where)
                known = Item(
                    names, [], frozenset(), is_wide, self._class(around), is_import, is_global, outside_results
                )
            known.tree.append(tree)
            made[what, *key] = known._replace(met=known.met | side.met)
        side.met = set()
        return made

    def _is_import(self, at: int) -> bool:
        file = self.side.file
        binding = file.facts.bindings[at]
        return binding.scope == 0 and file.code[binding.value] in (op.IMPORT, op.IMPORTED)

    def _is_global(self, what: str, name: str, at: Any, *_: Any) -> bool:
        file = self.side.file
        if name in file.rules.module_objects.stand_for_others:
            return False
        if what == "binding":
            return bool(file.facts.bindings[at].scope == 0)
        return what == "definition" and bool(file.definitions[at].parent == 0)

    def _class(self, index: int) -> int:
        return index if self.side.file.definitions[index].kind in CLASS_KINDS else 0

    def _definition(self, index: int) -> tuple[Any, ...]:
        side = self.side
        facts, definition = side.file.facts, side.file.definitions[index]
        itself = [*(getattr(definition, each) for each in SAME), side.file.in_test]
        parameters = facts.type_parameters.get(index)
        decorators = side.trees(facts.decorators.get(index, ()))
        if definition.kind in CLASS_KINDS:
            bases = [(keyword, side.tree(e)) for keyword, e in facts.bases.get(index, ())]
            return (side.keys[index],), (definition.name,), (itself, parameters, decorators, bases), True
        given = (parse_declared_name(text) for text in definition.decorators if is_fixture(text) or is_task(text))
        names = definition.name, *given, *map(strip_marks, aliases(definition))
        names += side.file.rules.properties_of(definition.name)
        if definition.kind not in BODIES or definition.scope < 0:
            return (side.keys[index],), names, (itself, parameters, decorators, ()), False, definition.parent
        side.begin()
        outline = side.outline(definition.scope)
        # For a method that the language calls for members, more matters than its results.
        protocols = side.file.rules.protocols
        is_seen_by_result = "classmethod" not in definition.flags and definition.name not in (
            protocols.get,
            protocols.missing,
        )
        outside_results = frozenset(side.met) if is_seen_by_result else None
        body = (*outline, *side.results(definition.scope))
        return (
            (side.keys[index],),
            names,
            (itself, parameters, decorators, body),
            False,
            definition.parent,
            outside_results,
        )

    def _binding(self, at: int) -> tuple[Any, ...]:
        side = self.side
        file = side.file
        binding = file.facts.bindings[at]
        name, kind = binding.name, binding.kind
        around = file.scopes[binding.scope].definition
        names: tuple[str, ...] = (strip_marks(name),)
        for index in file.children(around, name) if around > 0 else ():
            names += tuple(map(strip_marks, aliases(file.definitions[index])))
        if kind in ("annotation", "declared") and (around in file.facts.bases or around in file.facts.decorators):
            # A declaration in a class may change how instances are created.
            names = (strip_marks(name), file.definitions[around].name)
        return (side.keys[around], name), names, (kind, side.tree(binding.value)), False, around

    def _field(self, index: int, name: str, value: int) -> tuple[Any, ...]:
        return (self.side.keys[index], name), (name,), self.side.tree(value), False, index

    def _member(self, holder: int, name: str, value: int) -> tuple[Any, ...]:
        return (name,), (name,), (self.side.tree(holder), self.side.tree(value)), False

    def _exports(self, key: str, value: Any) -> tuple[Any, ...]:
        return (key,), (), sorted(value) if key == PACKAGE_NAMES else value, True

    def _listed(self, name: str) -> tuple[Any, ...]:
        return (name,), (name,), (), False

    def _export(self, name: str, e: int) -> tuple[Any, ...]:
        return (name,), (name,), self.side.tree(e) if e else -1, name in _WHOLE
