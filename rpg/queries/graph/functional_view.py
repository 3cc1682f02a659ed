"""The functional view: the places of files, the contents of areas, and how areas depend on each other.

In: an index. Out: places of paths, the functional node that a written name means, filters by place, outlines, and links
between areas. All of it is cached until the index changes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

from rpg.errors import BadRequest
from rpg.graph import FUNCTIONAL_PATH
from rpg.queries.graph.lifted import memoize, read_lifted_texts
from rpg.queries.graph.nodes import Node, nodes
from rpg.queries.graph.outline import Outline
from rpg.stores.index.edge_reads import count_links_between_files
from rpg.stores.index.import_reads import list_covered_files
from rpg.stores.index.reader import list_paths_of_graph
from rpg.stores.index.symbol_reads import count_symbols_by_file
from rpg.stores.lifted_texts import Lifted, key_of_place
from rpg.text.printable import quote_text

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

BETWEEN = "/"
APART = frozenset({"Examples", "Documentation", "Project files"})
"""Areas that use all others, so that their links mean nothing."""
COVERED_SHOWN = 12
"""How many directories and files an outline names of one place."""


class View(NamedTuple):
    by_name: dict[str, Node]
    """Functional nodes by their place, the path in the view: `Area/Category/Feature`."""
    covered: dict[str, str]
    """The place of a directory or file, by its path."""
    derived: dict[str, str]
    """By place: the place with the derived titles, as in the graph."""
    titled_by: dict[str, str]
    """By place, the author of a written title: model, agent or import."""

    def place_of(self, path: str) -> str:
        """The place of a path; empty if there is no functional view."""
        return self.covered.get(self.ground_of(path), "")

    def ground_of(self, path: str) -> str:
        """The nearest directory or file around a path that itself has a place."""
        while path and path not in self.covered:
            path = path[: path.rstrip("/").rfind("/") + 1]
        return path or "./"

    def below(self, place: str) -> list[str]:
        """The places right below one; all areas for an empty one."""
        prefix = f"{place}{BETWEEN}" if place else ""
        return [each for each in self.by_name if each.startswith(prefix) and BETWEEN not in each[len(prefix) :]]

    def grounds(self, place: str) -> list[str]:
        """The directories and files that a node covers itself or through those below it."""
        return [path for path, inner in self.covered.items() if is_in(inner, place)]


def functional_view(index: Index) -> View:
    return memoize(index, "functional view", lambda: _read(index))


def _read(index: Index) -> View:
    found = {node.qualified_name: node for node in nodes(index, "s.path = ? ORDER BY s.id", (FUNCTIONAL_PATH,))}
    rows = list_covered_files(index, FUNCTIONAL_PATH)
    covered: dict[str, str] = dict(rows)
    texts = read_lifted_texts(index)
    with_titles = _add_titles(found, covered, texts)
    keys = keys_of_places(found, covered) if texts else {}
    return View(
        {place: found[derived]._replace(id=f"::{place}", name=last(place), qualified_name=place)
         for derived, place in with_titles.items()},
        {path: with_titles.get(derived, derived) for path, derived in covered.items()},
        {place: derived for derived, place in with_titles.items()},
        {place: texts[keys[derived]].provenance for derived, place in with_titles.items()
         if derived in keys and keys[derived] in texts and last(place) == texts[keys[derived]].text},
    )  # fmt: skip


def keys_of_places(places: Iterable[str], covered: Mapping[str, str]) -> dict[str, bytes]:
    """The keys of functional nodes by their places with derived titles."""
    grounds: dict[str, list[str]] = {place: [] for place in places}
    for path, place in covered.items():
        while place:
            if place in grounds:
                grounds[place].append(path)
            place = place.rpartition(BETWEEN)[0]
    return {place: key_of_place(place, paths) for place, paths in grounds.items()}


def _add_titles(derived: Iterable[str], covered: Mapping[str, str], texts: Mapping[bytes, Lifted]) -> dict[str, str]:
    """By place with derived titles: the place with written titles. A written title that a sibling has is not used."""
    derived = list(derived)
    if not texts:
        return {place: place for place in derived}
    written = {place: texts[key].text for place, key in keys_of_places(derived, covered).items() if key in texts}
    around = {place: place.rpartition(BETWEEN)[0] for place in derived}
    used_titles = Counter((around[place], last(place).lower()) for place in derived)
    used_titles.update(
        (around[place], title.lower()) for place, title in written.items() if title.lower() != last(place).lower()
    )
    with_titles: dict[str, str] = {}
    for place in sorted(derived, key=lambda place: place.count(BETWEEN)):
        title = written.get(place, "")
        if not title or used_titles[around[place], title.lower()] > 1:
            title = last(place)
        with_titles[place] = (
            f"{with_titles.get(around[place], around[place])}{BETWEEN}{title}" if around[place] else title
        )
    return {place: with_titles[place] for place in derived}


def last(place: str) -> str:
    """The title at the end of a place."""
    return place.rpartition(BETWEEN)[2]


def add_title(index: Index, node: Node) -> Node:
    """A functional node of the graph with the title that was written for it."""
    return next((each for each in functional_view(index).by_name.values() if each.row == node.row), node)


def is_in(place: str, outer: str) -> bool:
    return place == outer or place.startswith(f"{outer}{BETWEEN}")


def functional_node(index: Index, written: str) -> Node | None:
    """The node of that place, or whose place ends with it or whose title begins with it, ignoring case."""
    view = functional_view(index)
    plain = written.strip().removeprefix("::").strip(BETWEEN).lower()
    if not plain or not view.by_name:
        return None
    places = {derived.lower(): place for place, derived in view.derived.items()} | {
        place.lower(): place for place in view.by_name
    }
    if plain in places:
        return view.by_name[places[plain]]
    ends = {place for lower, place in places.items() if lower.endswith(f"{BETWEEN}{plain}")}
    begins = {place for lower, place in places.items() if BETWEEN not in lower and lower.startswith(plain)}
    for found in (ends, begins):
        if len(found) == 1:
            return view.by_name[found.pop()]
    return None


def place_filter(index: Index, written: str) -> Callable[[str], bool]:
    """Whether a file has its place within a functional node. BAD_REQUEST if there is no such node."""
    node = functional_node(index, written)
    view = functional_view(index)
    if node is None:
        near = get_close_matches(written.lower(), [place.lower() for place in view.by_name], 3, 0.5)
        known = [place for place in view.by_name if place.lower() in near] or view.below("")
        raise BadRequest(
            f"no area {quote_text(written)}: {', '.join(known[:COVERED_SHOWN])}"
            if known
            else "this graph has no areas: it has too few files of code for them"
        )
    return lambda path: is_in(view.place_of(path), node.qualified_name)


def files(index: Index) -> list[str]:
    return list_paths_of_graph(index)


def sizes(index: Index) -> dict[str, int]:
    """How many symbols have their place in each functional node, by its place."""

    def counted() -> dict[str, int]:
        view = functional_view(index)
        found: defaultdict[str, int] = defaultdict(int)
        for path, number in count_symbols_by_file(index, ""):
            place = view.place_of(path)
            while place:
                found[place] += number
                place = place.rpartition(BETWEEN)[0]
        return dict(found)

    return memoize(index, "sizes of areas", counted)


def functional_outline(index: Index, node: Node, depth: int) -> Outline:
    """What a functional node consists of, and the directories and files that each covers."""
    view, counts = functional_view(index), sizes(index)

    def outlined(place: str, levels: int) -> Outline:
        each = view.by_name[place]
        below = view.below(place)
        children = [outlined(inside, levels - 1) for inside in below] if levels > 0 else []
        own = [path for path, around in view.covered.items() if around == place]
        if levels > 0 or not below:
            children += [Outline(name=path, kind="covers") for path in own[:COVERED_SHOWN]]
        more = max(0, len(own) - COVERED_SHOWN)
        by = view.titled_by.get(place, "")
        hidden = {"symbols": counts.get(place, 0)} | ({"more files": more} if more and children else {})
        name = place if place == node.qualified_name else each.name
        return Outline(name=name, kind=each.kind, contains=hidden, children=children, titled_by=by)

    return outlined(node.qualified_name, depth)


def area_of(place: str) -> str:
    return place.partition(BETWEEN)[0]


def links_between_areas(index: Index) -> dict[tuple[str, str], int]:
    """How many edges lead from one area to another."""

    def counted() -> dict[tuple[str, str], int]:
        view = functional_view(index)
        areas: dict[str, str] = {}
        found: defaultdict[tuple[str, str], int] = defaultdict(int)
        for source, target, number in count_links_between_files(index):
            for path in (source, target):
                if path not in areas:
                    areas[path] = area_of(view.place_of(path))
            if areas[source] != areas[target] and areas[source] and areas[target]:
                found[areas[source], areas[target]] += number
        return dict(found)

    return memoize(index, "links between areas", counted)
