"""Areas, categories and features of a repository, and which directories and files each covers.

In: sketches of all files. Out: symbols and edges of the functional view, one part of the graph with the path ''.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from rpg.encoder.areas.grouping import Forest, Group, Sizes
from rpg.encoder.areas.path_words import is_code
from rpg.encoder.areas.sketch import CODE, DOCS, EXAMPLES, PROJECT, TESTS, TOOL_FOLDERS, Sketch
from rpg.encoder.areas.titles import titles
from rpg.graph import Edge, Symbol

KINDS: Final = ("area", "category", "feature")
MOST: Final = (12, 10, 8)
"""The most groups of each kind in one above."""
SMALLEST: Final = (0.025, 0.04, 0.06)
"""The least share of the weight of a group of each kind, if possible."""
FEW: Final = 3
"""A group of no more files is not divided."""
FEWEST: Final = 7
"""A repository with fewer files of code needs no functional view and has none; an area apart with fewer files is not
divided."""
USERS_OF_TOOLS: Final = 3
"""Files of code that make the tools that they use part of it: a script may take a constant from another."""
APART: Final = ((TESTS, "Tests"), (EXAMPLES, "Examples"), (DOCS, "Documentation"), (PROJECT, "Project files"))
"""Areas of files that do not serve the repository's purpose."""
SEPARATOR: Final = "/"
PROJECT_FILES: Final = "::Project files"


class Branch(NamedTuple):
    kind: str
    title: str
    files: tuple[str, ...]
    branches: list[Branch]
    test: bool = False


def functional_view(sketches: Sequence[Sketch]) -> tuple[list[Symbol], list[Edge]]:
    branches = areas(sketches)
    if not branches:
        return [], []
    place: dict[str, str] = {}
    symbols: list[Symbol] = []
    covers: dict[str, list[str]] = {}
    for branch in branches:
        write(branch, "", symbols, covers, place)
    place_beside(sketches, place)
    for path, id in list_covered_paths(place):
        covers[id].append(path)
    edges = [Edge(id, covered, "covers", "grouping") for id in sorted(covers) for covered in covers[id]]
    order = {id: number for number, id in enumerate(covers)}
    edges.sort(key=lambda edge: order[edge.source])
    return symbols, edges


def areas(sketches: Sequence[Sketch]) -> list[Branch]:
    sketches = mark_used_tools(sketches)
    code = [each for each in sketches if each.role == CODE] or [each for each in sketches if each.role == PROJECT]
    if code and code[0].role == PROJECT:  # there are scripts alone
        sketches = [each._replace(role=CODE) if each.role == PROJECT else each for each in sketches]
    if len(code) < FEWEST:
        return []
    forest = Forest(code)
    files = [each.path for each in code]
    found: list[Branch] = []
    taken = [title for _, title in APART]
    found += branches(forest, forest.groups(files, "", sizes_of(0, len(files))), "", 0, "", taken)
    for role, title in APART:
        apart = [each for each in sketches if each.role == role]
        if apart:
            found.append(area_apart(apart, title, role == TESTS))
    return found


def mark_used_tools(sketches: Sequence[Sketch]) -> list[Sketch]:
    """A folder of tools is code, whatever it is called, if files of code use it."""
    folder = {each.path: each.path.partition("/")[0] for each in sketches}
    tools = {each.path for each in sketches if each.role == PROJECT and folder[each.path].lower() in TOOL_FOLDERS}
    users: Counter[str] = Counter()
    for each in sketches:
        if each.role == CODE:
            users.update({folder[to] for to, _ in each.uses if to in tools})
    used = {name for name, number in users.items() if number >= USERS_OF_TOOLS}
    return [each._replace(role=CODE) if each.path in tools and folder[each.path] in used else each for each in sketches]


def area_apart(sketches: Sequence[Sketch], title: str, test: bool) -> Branch:
    """An area that is divided once, along its directories."""
    forest = Forest(sketches)
    files = [each.path for each in sketches]
    divided = len(files) >= FEWEST and title != "Project files"
    groups = forest.groups(files, "", sizes_of(1, len(files))) if divided else []
    names = titles(forest, groups, "", above=title, of_tests=test)
    inside = [
        Branch("category", name, files_of(group), [], test) for name, group in zip(names, groups, strict=True)
    ] if len(groups) > 1 else []  # fmt: skip
    return Branch("area", title, tuple(files), inside, test)


def branches(
    forest: Forest, groups: Sequence[Group], around: str, level: int, above: str, taken: Iterable[str] = ()
) -> list[Branch]:
    found = []
    for title, group in zip(titles(forest, groups, around, taken, above=above), groups, strict=True):
        files = files_of(group)
        inside: list[Branch] = []
        if level + 1 < len(KINDS) and len(files) > FEW:
            sizes = sizes_of(level + 1, len(files))
            units = list(group) if len(group) > 1 else forest.opened(group[0])
            parts = forest.joined(forest.spread(units) if sizes.opens else units, sizes)
            if len(parts) > 1 and not are_codes(files):
                inside = branches(forest, parts, group[0].path if len(group) == 1 else around, level + 1, title)
        found.append(Branch(KINDS[level], title, files, inside))
    return found


def are_codes(files: Sequence[str]) -> bool:
    """Whether the names of the parts mean nothing to a reader, as in a folder of languages: `be`, `he`, `pt-br`."""
    return 2 * sum([is_code(path) for path in files]) > len(files)


def sizes_of(level: int, files: int) -> Sizes:
    """More groups for more files: as many as a reader can tell apart."""
    most = max(2, min(MOST[level], round(1.5 * math.log2(1 + files / 4) + 1)))
    return Sizes(most, SMALLEST[level], level < 2)


def files_of(group: Group) -> tuple[str, ...]:
    return tuple(file for unit in group for file in unit.files)


def write(
    branch: Branch, around: str, symbols: list[Symbol], covers: dict[str, list[str]], place: dict[str, str]
) -> None:
    name = branch.title
    path = f"{around}{SEPARATOR}{name}" if around else name
    id = f"::{path}"
    symbols.append(Symbol(id, branch.kind, name, path, "", test=branch.test))
    covers[id] = [f"::{path}{SEPARATOR}{inside.title}" for inside in branch.branches]
    for file in branch.files:
        place[file] = id
    for inside in branch.branches:
        write(inside, path, symbols, covers, place)


def place_beside(sketches: Sequence[Sketch], place: dict[str, str]) -> None:
    """Other files go where the code of the nearest directory around them goes: to what all of it has in common, else
    to the area of most of it. Where there is no code, they belong to the project."""
    shared: dict[str, str] = {}
    areas: dict[str, Counter[str]] = {}
    for path, id in place.items():
        for folder in folders(path):
            shared[folder] = common(shared[folder], id) if folder in shared else id
            areas.setdefault(folder, Counter())[id.partition(SEPARATOR)[0]] += 1
    whole = Counter(id.partition(SEPARATOR)[0] for id in place.values())
    rest = PROJECT_FILES if PROJECT_FILES in whole else most_common(whole)
    for each in sketches:
        if each.path not in place:
            around = next((folder for folder in folders(each.path) if folder in shared), "")
            place[each.path] = (shared[around] or most_common(areas[around])) if around else rest


def most_common(counted: Counter[str]) -> str:
    return min(counted, key=lambda id: (-counted[id], id))


def list_covered_paths(place: dict[str, str]) -> Iterator[tuple[str, str]]:
    """What each place covers: a directory where all in it has that place in common, else file by file."""
    shared: dict[str, str] = {}
    for path, id in place.items():
        for folder in (*folders(path), "./"):
            shared[folder] = common(shared[folder], id) if folder in shared else id
    for path in sorted([*shared, *place]):
        id = place.get(path) or shared[path]
        above = "./" if path.count("/") - path.endswith("/") == 0 else path[: path.rstrip("/").rfind("/") + 1]
        around = shared.get(above, "") if path != "./" else ""
        if id and id != around:
            yield path, id


def folders(path: str) -> Iterator[str]:
    """The directories around a path, the nearest first."""
    end = path.rfind("/")
    while end >= 0:
        yield path[: end + 1]
        end = path.rfind("/", 0, end)


def common(one: str, other: str) -> str:
    """The lowest node above both places; empty if there is none."""
    if one == other:
        return one
    shared = []
    for ours, theirs in zip(one.split(SEPARATOR), other.split(SEPARATOR), strict=False):
        if ours != theirs:
            break
        shared.append(ours)
    return SEPARATOR.join(shared)
