"""Finds the symbols that a written name means.

In: what a user or an agent wrote: a symbol id, a qualified name in any usual notation (also with the namespaces around
it, which no id has), a dotted module path, a bare name, a file or directory (or just the end of its path),
`path:10-40`, and what notations.py turns into these. Out: the nodes it means. If several symbols have the name, it
means the likely one, and a note names the others; if none has it, an error lists the nearest names.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from rpg.errors import BadRequest, Forbidden, InvalidPath, SymbolNotFound
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.graph.arguments_taken import find_numbers_of_name
from rpg.queries.graph.families import bases
from rpg.queries.graph.functional_view import add_title, functional_node
from rpg.queries.graph.nodes import NUMBER_OF_EDGES_TO, Node, batches, node_of, nodes, nodes_of_all, paths, placeholders
from rpg.queries.names.notations import plainly
from rpg.queries.names.titled import find_by_title, looks_like_title, titles_beginning
from rpg.stores.index.edge_reads import count_edges_to
from rpg.stores.index.symbol_reads import list_names_of_length
from rpg.text.printable import quote_text
from rpg.text.words import distinct_terms

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

ANSWERED = 5
"""The most definitions of one symbol in an answer: overloads, and conditional definitions."""
ASIDE = 4
"""How many other symbols of that name a note lists."""
COUNTED = re.compile(r"^(?:&|[cmt]:)?(?P<name>(?:.*::)?[^/]*[\w?!])/(?P<count>[0-9]{1,3})$")
"""A function with the number of its arguments, as Elixir and Erlang write it: `Plug.Conn.halt/1`."""
LINES = re.compile(r"^(?P<path>.+?):(?P<first>[0-9]{1,9})(?:-(?P<last>[0-9]{1,9}))?$")


class Named(NamedTuple):
    written: str
    nodes: tuple[Node, ...]
    lines: tuple[int, int] | None = None
    """The requested part of a file."""
    note: str = ""
    """Which other symbols of that name were left out."""


def find(index: Index, written: str, root: Path | None = None) -> Named:
    """SYMBOL_NOT_FOUND, INVALID_PATH, FORBIDDEN or BAD_REQUEST, each with what to write instead. `root`: the
    repository's folder, so that absolute paths in it are understood."""
    named = _find_named(index, written, root)
    if any(node.is_functional for node in named.nodes):
        return named._replace(
            nodes=tuple(add_title(index, node) if node.is_functional else node for node in named.nodes)
        )
    return named


def _find_named(index: Index, written: str, root: Path | None) -> Named:
    name = written.strip().strip("`'\"").strip()
    if not name:
        raise BadRequest("an empty name: give a symbol (`Type.method`), a path or a symbol id")
    exact = node_of(index, written.strip()) or node_of(index, name)
    if exact:
        return Named(written, (exact,))
    tests = find_by_title(index, written) if looks_like_title(written.strip()) else []
    if tests:
        return choose_symbol(index, written, tests)
    name = plain_name(index, name, root)
    refuse_outside(name)
    exact = node_of(index, name)
    if exact:
        return Named(written, (exact,))
    lines = LINES.match(name)
    if lines:
        return find_in_lines(index, written, lines)
    counted = COUNTED.match(name)
    if counted and not find_by_path(index, name):
        try:
            return choose_by_count(index, _find_named(index, counted["name"], root), int(counted["count"]))
        except SymbolNotFound:
            raise missing(index, counted["name"]) from None
    found = find_by_whole_path(index, name) or ("/" in name and find_by_path(index, name)) or find_by_name(index, name)
    found = found or find_by_name(index, name, nodes_of_all)
    above = [] if found else find_inherited(index, name)
    if above:
        return add_inheritance_note(choose_symbol(index, written, above))
    found = found or find_in_namespaces(index, name)
    found = found or find_by_path(index, name) or find_by_title(index, written) or functional(index, written)
    if not found:
        raise missing(index, name)
    return add_case_note(choose_symbol(index, written, found), name)


def add_case_note(named: Named, name: str) -> Named:
    """Says so where only the case of letters is not as written."""
    *_, last = ("", *parts(name)[1])
    spelled = named.nodes[0].name
    if not last or spelled == last or spelled.casefold() != last.casefold():
        return named
    note = f"nothing is called {quote_text(last)} in this case: this is {quote_text(spelled)}"
    return named._replace(note="; ".join(filter(None, (note, named.note))))


def functional(index: Index, written: str) -> list[Node]:
    node = functional_node(index, written)
    return [node] if node else []


def symbols(index: Index, written: str, root: Path | None = None) -> Named:
    """Like `find`, but lines of a file mean the innermost symbol around them."""
    named = find(index, written, root)
    if not named.lines:
        return named
    first, last = named.lines
    around = nodes(
        index,
        "s.path = ? AND s.start_line > 0 AND s.start_line <= ? AND s.end_line >= ? AND s.kind NOT IN ('directory') "
        "ORDER BY s.end_line - s.start_line, s.id DESC LIMIT 1",
        (named.nodes[0].path, first, last),
    )
    return Named(written, tuple(around) or named.nodes, None, named.note)


def plain_name(index: Index, name: str, root: Path | None) -> str:
    return plainly(
        name, root, lambda path: bool(find_by_whole_path(index, path)), lambda path: bool(find_by_path(index, path))
    )


def refuse_outside(name: str) -> None:
    """FORBIDDEN for paths that leave the repository, whether or not they exist."""
    slashed = name.replace("\\", "/")
    if "\0" in name:
        raise Forbidden("a path with a NUL byte")
    if slashed.startswith(("/", "~/")) or re.match(r"^[A-Za-z]:/", slashed):
        raise Forbidden(
            f"{quote_text(name)} is an absolute path outside the repository: give one inside, or "
            "relative to its root, for "
            f"instance {quote_text(PurePosixPath(slashed).name)}"
        )
    if ".." in slashed.split("/"):
        raise Forbidden(f"{quote_text(name)} climbs with `..`: give the path relative to the repository's root")


def find_in_lines(index: Index, written: str, match: re.Match[str]) -> Named:
    first = int(match["first"])
    last = int(match["last"] or first)
    if first < 1 or last < first:
        raise BadRequest(f"{quote_text(written)}: lines count from 1, and the last must not be before the first")
    files = [node for node in find_by_path(index, match["path"]) if node.is_file]
    if not files:
        raise missing_path(index, match["path"])
    long_enough = [node for node in files if node.end_line >= first]
    return choose_symbol(index, written, long_enough or files)._replace(lines=(first, last))


def choose_by_count(index: Index, named: Named, count: int) -> Named:
    """Those of a name's definitions that take so many arguments; a note says so where none does."""
    fitting = []
    for node in named.nodes:
        least, most = find_numbers_of_name(index, node) if node.kind in FUNCTION_KINDS else (0, None)
        if least <= count and (most is None or count <= most):
            fitting.append(node)
    if fitting:
        return named._replace(nodes=tuple(fitting))
    note = f"none of that name takes {count} argument{'' if count == 1 else 's'}"
    return named._replace(note="; ".join(filter(None, (note, named.note))))


def find_by_whole_path(index: Index, written: str) -> list[Node]:
    path = written.replace("\\", "/").removeprefix("./").rstrip("/")
    for symbol in (path, path + "/", "./" + path + "/") if path not in ("", ".") else ("./",):
        node = node_of(index, symbol)
        if node and (node.is_file or node.holds_files):
            return [node]
    return []


def find_by_path(index: Index, written: str) -> list[Node]:
    """A file or directory: its whole path, else every one whose path ends like that."""
    whole = find_by_whole_path(index, written)
    path = written.replace("\\", "/").removeprefix("./")
    if whole or "::" in path:
        return whole
    every = paths(index)
    tail = "/" + path.rstrip("/")
    ending = [] if path.endswith("/") else [each for each in every if each.endswith(tail)]
    return find_nodes_at(index, ending or folders_ending(every, tail))


def find_by_name(index: Index, written: str, list_nodes: Callable[..., list[Node]] = nodes) -> list[Node]:
    """Symbols of that name, only those that fit it best; modules by their dotted path. `list_nodes`: of the repository,
    or those of libraries, too."""
    path, segments = parts(written)
    if not segments:
        return []
    candidates = list_nodes(
        index,
        "s.name = ? COLLATE NOCASE AND s.path != '' AND s.kind NOT IN ('directory', 'module', 'file')",
        (segments[-1],),
    )
    ranked = [(rank, node) for node in candidates if (rank := fit(node, path, segments)) is not None]
    best = min((rank for rank, _ in ranked), default=LOOSE)
    if best > 1 and not path:
        modules = modules_called(index, segments)
        if modules:
            return modules
    return [node for rank, node in ranked if rank == best]


LOOSE = 100.0


def find_inherited(index: Index, written: str) -> list[Node]:
    """For `Type.member`, the members of that name in the nearest bases or mixins that have any; only where the type has
    none itself."""
    path, segments = parts(written)
    if len(segments) < 2:
        return []
    owner = ".".join(segments[:-1])
    frontier = [
        node.row for node in find_by_name(index, f"{path}::{owner}" if path else owner) if node.kind in CLASS_KINDS
    ]
    seen = set(frontier)
    while frontier:
        above = bases(index, frontier)
        for batch in batches(above):
            found = nodes(index, f"s.parent IN ({placeholders(batch)}) AND s.name = ?", (*batch, segments[-1]))
            if found:
                return found
        frontier = [row for row in above if row not in seen]
        seen.update(frontier)
    return []


def find_in_namespaces(index: Index, written: str) -> list[Node]:
    """For `a::b::Type.member`, what is `Type.member` in a file that says that it is in the namespaces or packages `a`
    and `b`; which no ids have."""
    path, segments = parts(written)
    for cut in range(1, len(segments)) if not path else ():
        declared = [re.compile(_SPACE % re.escape(each.encode())) for each in segments[:cut]]
        found = find_by_name(index, ".".join(segments[cut:]))[:_MOST_IN_SPACES]
        sources = {each.path: index.source(each.path) for each in found}
        named = {path for path, source in sources.items() if all(each.search(source) for each in declared)}
        if named:
            return [each for each in found if each.path in named]
    return []


_SPACE = rb"\b(?:namespace|package|module)[ \t]+(?:[\w.:\\]*[.:\\])?%s\b"
_MOST_IN_SPACES = 50
"""How many symbols of a name are looked at, each in its file."""


def add_inheritance_note(named: Named) -> Named:
    note = f"{quote_text(named.written)} is inherited: this is {named.nodes[0].id}"
    return named._replace(note="; ".join(filter(None, (note, named.note))))


def parts(written: str) -> tuple[str, list[str]]:
    """The path before the last `::` if it is one, and the segments of the name, whatever the notation."""
    path, _, name = written.rpartition("::")
    if path and "/" not in path and not re.search(r"\.\w+$", path):
        path, name = "", written
    name = re.sub(r"\((?:\.\.\.)?\)$", "", name)  # a call
    name = re.sub(r"\(\s*[*&]?\s*([\w.]+)\s*\)", r"\1", name)  # (*Type).method
    name = re.sub(r"(?<=\w)(?:#|::|->|\?\.)(?=[\w#])", ".", name).lstrip("*&@")
    return path.replace("\\", "/").removeprefix("./"), [segment for segment in name.split(".") if segment]


def fit(node: Node, path: str, segments: Sequence[str]) -> float | None:
    """How well a symbol of that last name fits the rest: lower is better, None is not at all.

    0 the whole qualified name; 1 module and qualified name; 2 the end of the qualified name; 3 a package above the
    module; from 10 on the same again with letters that differ in case.
    """
    exact = place(node, path, segments)
    if exact is not None:
        return exact
    folded = node._replace(qualified_name=node.qualified_name.casefold(), path=node.path.casefold())
    loose = place(folded, path.casefold(), [segment.casefold() for segment in segments])
    return None if loose is None else loose + 10


def place(node: Node, path: str, segments: Sequence[str]) -> float | None:
    if path and node.path != path and not node.path.endswith("/" + path):
        return None
    own = node.qualified_name.split(".")
    shared = 0
    while shared < min(len(own), len(segments)) and own[-1 - shared] == segments[-1 - shared]:
        shared += 1
    if not shared:
        return None
    rest = list(segments[: len(segments) - shared])
    if not rest:
        # A bare name fits a method as well as a function: nothing more was written.
        return 0 if shared == len(own) or len(segments) == 1 else 2
    if shared < len(own):
        return None
    module = module_segments(node.path)
    if module[-len(rest) :] == rest:
        return 1
    if any(module[at : at + len(rest)] == rest for at in range(len(module))):
        return 3
    return None


def module_segments(path: str) -> list[str]:
    return re.sub(r"\.\w+$", "", path).split("/")


def modules_called(index: Index, segments: Sequence[str]) -> list[Node]:
    """Modules by dotted path: `flask.app`, and a package by its own name."""
    tail = "/" + "/".join(segments)
    every = paths(index)
    files = [each for each in every if ("/" + "/".join(module_segments(each))).endswith(tail)]
    modules = [node for node in find_nodes_at(index, files) if node.kind == "module"]
    return modules or find_nodes_at(index, folders_ending(every, tail))


def folders_ending(paths_of_files: Iterable[str], tail: str) -> list[str]:
    """Directories whose path, with a slash before it, ends with `tail`."""
    found = set()
    for path in paths_of_files:
        rooted = "/" + path
        at = rooted.find(tail + "/")
        if at >= 0:
            found.add(rooted[1 : at + len(tail)] + "/")
    return sorted(found)


def find_nodes_at(index: Index, symbols_of_paths: Iterable[str]) -> list[Node]:
    return [node for each in symbols_of_paths if (node := node_of(index, each))]


def choose_symbol(index: Index, written: str, found: list[Node]) -> Named:
    """The most likely symbol, with all its definitions: code before tests, classes and functions before the rest, exact
    names before members of that name, then the most used. The note names the others, except constructors that have the
    name of their class."""
    families: dict[str, list[Node]] = {}
    classes = {node.row for node in found if node.kind in CLASS_KINDS}
    for node in found:
        if node.parent not in classes:
            families.setdefault(family(node), []).append(node)
    if len(families) == 1:
        [only] = families.values()
        return Named(written, tuple(only[-ANSWERED:]))  # the last of many overloads is the implementation
    used = users(index, found)

    def likelihood(name: str) -> tuple[bool, bool, bool, int, int, int]:
        nodes = families[name]
        first = nodes[0]
        is_code = first.kind in CLASS_KINDS | FUNCTION_KINDS or first.is_file
        return (
            bool(first.test), not is_code, first.qualified_name != written,
            -sum(used.get(node.row, 0) for node in nodes), first.path.count("/"), first.row,
        )  # fmt: skip

    first, *others = sorted(families, key=likelihood)
    named = ", ".join(others[:ASIDE])
    more = f" and {len(others) - ASIDE} more" if len(others) > ASIDE else ""
    note = f"{len(families)} symbols are called {quote_text(written)}; this is {first}, others: {named}{more}"
    return Named(written, tuple(families[first][-ANSWERED:]), None, note)


def family(node: Node) -> str:
    """The id that overloads and conditional definitions of one name share."""
    return re.sub(r"~\d+$", "", node.id)


def users(index: Index, found: Iterable[Node]) -> dict[int, int]:
    """How many symbols use each of them."""
    out: dict[int, int] = {}
    for batch in batches(node.row for node in found):
        out.update(count_edges_to(index, batch))
    return out


def missing(index: Index, name: str) -> SymbolNotFound | InvalidPath:
    if ("/" in name and "::" not in name and " " not in name) or in_submodule(index, name) == name:
        return missing_path(index, name)
    close = nearest(index, name)
    hint = f"nearest: {', '.join(close)}" if close else "nothing has a similar name; `search` finds by meaning"
    return SymbolNotFound(f"no symbol has the name {quote_text(name)}; {hint}")


def in_submodule(index: Index, path: str) -> str:
    """The submodule that a path is in; '' if it is in none."""
    from rpg.encoder.source_files.selection import SUBMODULE
    from rpg.stores.index import stored_graph

    skipped = stored_graph.header(index).get("skipped", ())
    left_out = (str(each["path"]).rstrip("/") for each in skipped if each["reason"] == SUBMODULE)
    return next((each for each in left_out if f"{path.strip('/')}/".startswith(f"{each}/")), "")


def deleted_path(root: Path | None, path: str) -> InvalidPath | None:
    """The error for a path that only the last commit has; None for any other."""
    from rpg.encoder.source_files import git

    plain = path.strip("/").removeprefix("./")
    if root is None or ".." in plain.split("/") or os.path.exists(root / plain) or not git.is_in_head(root, plain):
        return None
    return InvalidPath(
        f"{quote_text(path)} is deleted in the work tree, and the last commit has it: `find_usages` with since=HEAD "
        "lists what still names it"
    )


def missing_path(index: Index, path: str) -> InvalidPath:
    root = index.meta("root")
    if deleted := deleted_path(Path(root) if root else None, path):
        return deleted
    if left_out := in_submodule(index, path):
        return InvalidPath(
            f"{quote_text(path)} is {'the' if path.strip('/') == left_out else 'in the'} submodule"
            f"{'' if path.strip('/') == left_out else f' {left_out}'}, which this graph leaves out: `rpg encode "
            f"{shlex.quote(left_out)}` makes one of its own"
        )
    name = PurePosixPath(path).name
    all_paths = paths(index)
    close = [known for known in all_paths if PurePosixPath(known).name == name][:5] or get_close_matches(
        path, all_paths, 5, 0.7
    )
    hint = f"nearest: {', '.join(close)}" if close else "`explore` with start './' lists what there is"
    return InvalidPath(f"{quote_text(path)} is not in the graph; {hint}")


_ALIKE, _ALIKE_WITH_A_WORD = 0.7, 0.6
"""How alike two names must be: of unlike words, `open` is in `nope_nope`; less if they have a word in common."""


def nearest(index: Index, written: str, limit: int = 5) -> list[str]:
    """Ids of the symbols with the most similar names; among equals, those with the most incoming edges first."""
    titled = re.split(r" [>›] |::", written)[-1].strip("\"'` ") if looks_like_title(written) else ""
    segments = [f'"{titled}"'] if titled else parts(written)[1] or [written]
    name = segments[-1]
    if titled:
        longer = titles_beginning(index, titled, limit)
        if longer:
            return [node.id for node in longer]
    folded: dict[str, list[str]] = {}
    shortest, longest = len(name) - 3 - len(name) // 4, len(name) + 3 + len(name) // 2
    for known in list_names_of_length(index, shortest, longest, bool(titled)):
        folded.setdefault(known.casefold().replace("_", ""), []).append(known)
    plain, terms = name.casefold().replace("_", ""), distinct_terms(name)
    close = get_close_matches(plain, folded, limit * 2, _ALIKE_WITH_A_WORD)
    alike = set(get_close_matches(plain, folded, limit * 2, _ALIKE))
    close = [each for each in close if each in alike or terms & distinct_terms(folded[each][0])]
    ids: list[str] = []
    wanted = {segment.casefold() for segment in segments[:-1]}
    for match in close:
        spelled = folded[match][:50]
        found = nodes(
            index,
            f"s.name IN ({placeholders(spelled)}) ORDER BY s.test, {NUMBER_OF_EDGES_TO} DESC LIMIT 20",
            spelled,
        )
        found.sort(key=lambda node: not wanted & set(re.split(r"\W+", node.id.casefold())))
        ids += [node.id for node in found[: max(1, limit // 2)]]
    return ids[:limit]
