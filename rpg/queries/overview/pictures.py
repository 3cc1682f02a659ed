"""What pictures show: areas, folders and their contents, calls, classes, paths, dependencies.

In: an index, and what a call named or found. Out: drawings, most important nodes first, which graph/picture.py folds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.graph.certainty import is_certain
from rpg.queries.graph.filters import Filter, format_count
from rpg.queries.graph.functional_view import APART, area_of, functional_view, is_in, sizes
from rpg.queries.graph.nodes import Node
from rpg.queries.graph.outline import children_of
from rpg.queries.overview.folding import Drawing, DrawnEdge, DrawnNode
from rpg.queries.packages.external import ExternalPackage
from rpg.queries.places.dependencies import Listed
from rpg.queries.places.explore import Arranged, ExploredEdge
from rpg.stores.index.edge_reads import count_links_between_files, list_edges_among
from rpg.stores.index.hierarchy_reads import list_rows_within
from rpg.stores.index.symbol_reads import count_symbols_by_path

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

ROOT = "./"


def areas(index: Index, place: str, with_tests: bool) -> Drawing:
    """Areas, or the parts of one, and their dependencies; around one, the areas that it uses or is used by. Tests,
    examples and documents use everything, so that their edges mean nothing: they are drawn only with tests."""
    view, counts = functional_view(index), sizes(index)
    outer = view.below("")
    apart = [each for each in outer if each in APART or view.by_name[each].test]
    around = [each for each in outer if (with_tests or each not in apart) and not (place and is_in(place, each))]
    shown = [*(view.below(place) or [place]), *around] if place else around
    numbers = {each: at for at, each in enumerate(shown)}
    links: Counter[tuple[int, int]] = Counter()
    for source, target, number in count_links_between_files(index):
        start, end = (_nearest(view.place_of(path), numbers) for path in (source, target))
        if start is None or end is None or start == end:
            continue
        if not place or is_in(shown[start], place) or is_in(shown[end], place):
            links[start, end] += number
    used = {end for ends in links for end in ends}
    drawn = [at for at, each in enumerate(shown) if at in used or not place or is_in(each, place)]
    last = {at: number for number, at in enumerate(drawn)}
    left_out = not with_tests and not place and bool(apart)
    return Drawing(
        [
            DrawnNode((shown[at], format_count(counts.get(shown[at], 0), "symbol")), (area_of(shown[at]),))
            for at in drawn
        ],
        [DrawnEdge(last[source], last[target], "", number) for (source, target), number in links.items()],
        notes=(f"{', '.join(apart)}: tests=all draws them",) if left_out else (),
    )


def _nearest(place: str, numbers: Mapping[str, int]) -> int | None:
    """The place of a functional node or of the nearest one above it."""
    while place and place not in numbers:
        place = place.rpartition("/")[0]
    return numbers.get(place)


def folders(index: Index, roots: Sequence[str], depth: int, admitted: Filter) -> Callable[[int], Drawing]:
    """What folders hold and what depends on what there. The drawing for a number of nodes opens the largest folders, no
    deeper than `depth`, as long as it has no more nodes than that."""
    prefixes = ["" if root in (ROOT, "") else root for root in roots]
    found = count_symbols_by_path(index)
    below = [each for each in found if each[0] and each[0].startswith(tuple(prefixes))]
    is_for_tests = admitted.takes_tests or all(test for _, _, test in below)
    symbols = {
        path: number
        for path, number, test in below
        if admitted.covers(path) and admitted.admits(path, test) and (is_for_tests or not test)
    }
    links = [each for each in count_links_between_files(index) if each[0] in symbols and each[1] in symbols]
    tied = {end for source, target, _ in links for end in (source, target)} or symbols.keys()

    def drawn(most: int) -> Drawing:
        groups = _open_folders(symbols, tied, prefixes, depth, most)
        order = sorted(groups, key=lambda group: (-groups[group], group))
        place = {group: at for at, group in enumerate(order)}
        counts: Counter[tuple[int, int]] = Counter()
        for source, target, number in links:
            counts[_group_of(source, place), _group_of(target, place)] += number
        alone = len([path for path in symbols if path not in tied and not path.startswith(tuple(groups))])
        return Drawing(
            [DrawnNode((group, format_count(groups[group], "symbol")), _folders_around(group)) for group in order],
            [DrawnEdge(*ends, "", number) for ends, number in counts.items() if ends[0] != ends[1]],
            notes=(f"{format_count(alone, 'file')} without any edge here left out",) if alone else (),
        )

    return drawn


def _open_folders(
    symbols: Mapping[str, int], tied: Collection[str], prefixes: Sequence[str], depth: int, most: int
) -> dict[str, int]:
    """Folders, and files that are tied to others, with their number of symbols. Opening a folder that holds just one
    thing costs no level."""
    groups: dict[str, int] = {}
    for prefix in prefixes:
        groups |= _count_below(symbols, tied, prefix)
    level = dict.fromkeys(groups, 1)
    while True:
        for group in sorted(groups, key=lambda group: (-groups[group], group)):
            held = _count_below(symbols, tied, group) if group.endswith("/") else {}
            is_small = len(groups) - 1 + len(held) <= most and level[group] < depth
            if len(held) == 1 or (held and is_small):
                break
        else:
            return groups
        del groups[group]
        groups |= held
        level |= dict.fromkeys(held, level[group] + (len(held) > 1))


def _count_below(symbols: Mapping[str, int], tied: Collection[str], prefix: str) -> dict[str, int]:
    """What is right below a folder, with its number of symbols."""
    found: Counter[str] = Counter()
    for path, number in symbols.items():
        if path.startswith(prefix):
            name, slash, _ = path[len(prefix) :].partition("/")
            found[f"{prefix}{name}{slash}"] += number
    return {path: number for path, number in found.items() if path.endswith("/") or path in tied}


def _group_of(path: str, place: Mapping[str, int]) -> int:
    while path not in place:
        path = path[: path.rstrip("/").rfind("/") + 1]
    return place[path]


def _folders_around(path: str) -> tuple[str, ...]:
    """Containers of a symbol, the nearest first."""
    parts = path.rstrip("/").split("/")[:-1]
    return tuple(f"{'/'.join(parts[:number])}/" for number in range(len(parts), 0, -1))


def draw_contents(index: Index, header: dict[str, Any], nodes: Sequence[Node], kinds: Sequence[str]) -> Drawing:
    """What files and classes define, and how the definitions use each other; values only if they are used or use
    others."""
    children = [child for child in children_of(index, [node.row for node in nodes]) if not child.holds_files]
    owner = {row: at for at, child in enumerate(children) for row in list_rows_within(index, child.row)}
    rows = list_edges_among(index, sorted(owner), kinds)
    edges = [
        DrawnEdge(owner[source], owner[target], kind, number, not is_certain(header, via, language))
        for source, target, kind, via, language, number in rows
        if owner[source] != owner[target]
    ]
    ties = Counter(end for edge in edges for end in (edge.source, edge.target))
    shown = [at for at, child in enumerate(children) if ties[at] or child.kind in CLASS_KINDS | FUNCTION_KINDS]
    order = sorted(shown, key=lambda at: (-ties[at], at))
    place = {at: number for number, at in enumerate(order)}
    return Drawing(
        [DrawnNode((children[at].label, children[at].kind), (children[at].kind,)) for at in order],
        [edge._replace(source=place[edge.source], target=place[edge.target]) for edge in edges],
    )


def draw_walk(arrangement: Arranged, kinds: Iterable[str], hides_tests: bool) -> Drawing:
    """A walk over calls, classes or other edges: symbols by hop, tests left out if they are folded."""
    hops = arrangement.walked.hops
    number = Counter(end for ties in arrangement.ties for link in ties for end in (link.source, link.target))
    wanted = [node for node in arrangement.wanted if not (hides_tests and node.test and hops[node.row])]
    order = sorted(wanted, key=lambda node: (hops[node.row], -number[node.row], node.row))
    place = {node.row: at for at, node in enumerate(order)}
    edges = [
        DrawnEdge(
            place[link.source], place[link.target], link.kind, max(1, len(link.sites.split())),
            not is_certain(arrangement.header, link.via, arrangement.found[link.source].language),
        )
        for ties in arrangement.ties for link in ties
        if link.source in place and link.target in place
    ]  # fmt: skip
    return Drawing(
        [
            DrawnNode(_name_parts(node), (f"hop {hops[node.row]}, {node.path}", f"hop {hops[node.row]}"))
            for node in order
        ],
        edges,
        "BT" if set(kinds) <= {"inherits"} else "LR",
        (f"{format_count(len(arrangement.wanted) - len(wanted), 'test')} left out: tests=all draws them",)
        if len(wanted) < len(arrangement.wanted)
        else (),
    )


def _name_parts(node: Node) -> tuple[str, ...]:
    return (node.path,) if node.is_file or node.holds_files else (node.label, node.path)


def paths(found: Sequence[Sequence[ExploredEdge]]) -> Drawing:
    """All shortest paths in one picture."""
    edges = list(dict.fromkeys((edge.source, edge.kind, edge.target, edge.possible) for path in found for edge in path))
    names = dict.fromkeys(name for source, _, target, _ in edges for name in (source, target))
    place = {name: at for at, name in enumerate(names)}
    return Drawing(
        [DrawnNode(tuple(reversed(name.split("::", 1)))) for name in names],
        [DrawnEdge(place[source], place[target], kind, 1, possible) for source, kind, target, possible in edges],
    )


def draw_dependencies(found: Sequence[Listed], hides_tests: bool) -> Drawing:
    """Targets, what they depend on, and what depends on them."""
    nodes = {each.summary.target: DrawnNode((each.summary.target,)) for each in found}
    edges: list[tuple[str, str, str, int, bool]] = []
    tests = 0
    for each in found:
        target = each.summary.target
        for side, item in each.items:
            if isinstance(item, ExternalPackage):
                nodes.setdefault(item.name, DrawnNode((item.name, "from outside"), ("packages from outside",)))
                edges.append((target, item.name, "", max(1, item.files), False))
                continue
            if item.test and hides_tests:
                tests += 1
                continue
            nodes.setdefault(item.path, DrawnNode((item.path,), _folders_around(item.path)))
            ends = (target, item.path) if side == "dependencies" else (item.path, target)
            kind = "" if item.hop == 1 else f"over {item.hop} hops"
            edges.append((*ends, kind, max(1, item.uses), not item.edges and item.hop == 1))
    place = {name: at for at, name in enumerate(nodes)}
    return Drawing(
        list(nodes.values()),
        [
            DrawnEdge(place[source], place[target], kind, number, possible)
            for source, target, kind, number, possible in edges
        ],
        notes=(f"{format_count(tests, 'test file')} left out: tests=all draws them",) if tests else (),
    )
