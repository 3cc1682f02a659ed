"""Encodes what a client asked for, and loads the graph.

In: the loaded graphs, a request. Out: a summary, and what changed since the last encode. What is outside the scope is
refused before anything is fetched. Absent: the places where graphs may be written (graph_places.py), encoding itself
(repository/).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.errors import BadRequest, Forbidden, GraphNotLoaded, InvalidPath, RpgError
from rpg.system.filesystem import real_folder, resolve_inside
from rpg.text.printable import quote_text

if TYPE_CHECKING:
    from rpg.encoder.options import Options
    from rpg.repository import Source, Summary
    from rpg.tools.loaded.encodes import Running
    from rpg.tools.loaded.graphs import Graphs

Report = Callable[[str, int, int], None]


class EncodeRequest(NamedTuple):
    """The arguments of the tool `encode`."""

    repository: str = ""
    """A folder or URL; empty: the loaded one, with its recorded options unless others are given."""
    branch: str = ""
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    full: bool = False
    output: str = ""
    here: bool = False
    """A folder in a git repository does not stand for that repository."""


class EncodeResult(NamedTuple):
    """What was encoded."""

    summary: Summary
    changes: dict[str, list[str]]
    """Added, modified and deleted files since the last encode; empty for the first one."""
    embedded: int
    """For how many units the user's embedding model ran."""


class Target(NamedTuple):
    """What to encode, and where to."""

    root: Path
    place: Path
    chosen: Mapping[str, Any]
    """Options that the user or the existing graph sets."""
    note: str = ""


def encode(graphs: Graphs, request: EncodeRequest, report: Report) -> EncodeResult:
    """Encodes and loads."""
    graphs.finish_first(report)
    if request.branch and not request.repository:
        raise BadRequest("branch is for URLs: name the repository to fetch")
    source = _source(graphs, request) if request.repository else None
    if source is not None and source.remote is not None:
        graphs.served.refuse_outside_scope(graphs.place_of(source.folder, request.output))
    with graphs.encodes.running(source.shown if source else "the loaded graph", report) as running:
        target = _of_source(graphs, request, source, running) if source is not None else _of_loaded(graphs, request)
        return _encode(graphs, target, request.full, running.report)


def _of_source(graphs: Graphs, request: EncodeRequest, source: Source, running: Running) -> Target:
    from rpg.repository import obtain

    with graphs.fetches.running(running.report) as report:
        named, commit = obtain(source, report)
    running.record_commit(commit)
    root = (
        named if request.here or source.remote is not None else _find_repository_around(graphs, named, request.output)
    )
    note = ""
    if root.resolve() != named.resolve():
        note = f"{root} is encoded, the repository around {named}; with `here` (--here) only that folder is"
    return Target(root, graphs.place_of(root, request.output), _chosen(graphs, request, root), note)


def _of_loaded(graphs: Graphs, request: EncodeRequest) -> Target:
    from rpg.stores.index.stored_graph import header

    loaded = graphs.chosen("")
    opened = graphs.repository(loaded)
    if opened.root is None:
        raise GraphNotLoaded(f"the folder of {graphs.name_of(loaded)} is not here: call `encode` with its path")
    recorded = header(opened.index).get("options", {})
    place = graphs.place_of(opened.root, request.output) if request.output else loaded
    return Target(
        opened.root,
        place,
        recorded | {name: value for name, value in _chosen(graphs, request, opened.root).items() if value},
    )


def _chosen(graphs: Graphs, request: EncodeRequest, root: Path) -> dict[str, Any]:
    scip = _path_in(root, graphs.settings.scip) if graphs.settings.scip else None
    chosen = {"include": list(request.include) or None, "exclude": list(request.exclude) or None, "scip": scip}
    if graphs.settings.libraries:
        chosen["libraries"] = list(graphs.settings.libraries)
        chosen["library_folders"] = [
            str(Path(each).expanduser().absolute()) for each in graphs.settings.library_folders
        ]
    return chosen


def _path_in(root: Path, written: str) -> str:
    """A file in the repository, which is written from its root, from the current folder, or in full."""
    top = real_folder(root)
    places = [Path(os.path.normpath(base / os.path.expanduser(written))) for base in (top, Path.cwd())]
    inside = [place.relative_to(top).as_posix() for place in places if place.is_relative_to(top)]
    if not inside:
        raise BadRequest(f"{quote_text(written)} is outside of the repository: an index must be a file in it")
    found = [path for path in inside if os.path.isfile(top / path)] or inside
    return resolve_inside(top, found[0]).relative_to(top).as_posix()


def _encode(graphs: Graphs, target: Target, full: bool, report: Report) -> EncodeResult:
    from rpg.repository import index_path

    graphs.served.refuse_outside_scope(target.place)
    options = graphs.options(target.root, target.chosen)
    index = index_path(target.place)
    before: dict[str, str] = {}
    summary = None if full else _find_unchanged(graphs, target, options)
    if summary is None:
        before = content_hashes(index)
        summary = graphs.write(target.root, target.place, options, full, report)
    embedded, problem = graphs.embed(index, report)
    graphs.served.add(target.place)
    changes = list_changed_files(before, content_hashes(index)) if before else {}
    note = "; ".join(filter(None, (target.note, problem, summary.note)))
    return EncodeResult(summary._replace(note=note), changes, embedded)


def _source(graphs: Graphs, request: EncodeRequest) -> Source:
    """The repository that the request names. In a scope, Forbidden for any folder of this machine that is not of a
    graph here, and for a URL of another name, whether they exist or not."""
    from rpg.encoder.source_files.remotes import is_of_files, remove_credentials
    from rpg.repository import find_source

    if is_of_files(request.repository) and not (graphs.settings.allows_files or graphs.settings.anywhere):
        raise Forbidden(
            "this server fetches no file: URLs, which lead to files of its machine: give an https or ssh URL or the "
            "path of a folder, or start it with --allow-files"
        )
    if graphs.encodes_any_folder:
        return find_source(request.repository, request.branch)
    source = None
    with suppress(InvalidPath):
        source = find_source(request.repository)
    if source is not None and source.remote is not None and not source.remote.url.startswith("file:"):
        source = find_source(request.repository, request.branch)
        graphs.served.refuse_name_outside_scope(source.folder.name)
        return source
    if source is not None and source.remote is None and source.folder.resolve() in _roots(graphs):
        return find_source(request.repository, request.branch)
    raise Forbidden(
        f"{quote_text(remove_credentials(request.repository))} is not the folder of a graph here: "
        "this token is limited "
        "to certain graphs, and can encode only their folders, or URLs with their names"
    )


def _roots(graphs: Graphs) -> set[Path]:
    roots = set()
    for path in graphs.paths():
        with suppress(RpgError):
            roots.add(graphs.repository(path).root)
    return {root.resolve() for root in roots if root is not None}


def _find_repository_around(graphs: Graphs, folder: Path, output: str) -> Path:
    """The repository to encode if a folder is named: the folder itself if the graph that is loaded of it, or that is to
    be written, is of just that folder."""
    from rpg.repository import is_recorded_for, repository_around

    folder = folder.resolve()
    root = repository_around(folder)
    if root == folder:
        return root
    places = [*graphs.paths(), *([graphs.places.written(output)] if output else [])]
    return folder if any(is_recorded_for(place.absolute(), folder) for place in places) else root


def _find_unchanged(graphs: Graphs, target: Target, options: Options) -> Summary | None:
    """What an encode would report, if the graph is loaded and up to date."""
    if target.place not in graphs.paths():
        return None
    try:
        repository = graphs.repository(target.place)
        return repository.find_unchanged_summary(options) if repository.root == target.root.resolve() else None
    except RpgError:
        return None  # the encode reports it


def content_hashes(index: Path) -> dict[str, str]:
    """The hash of every file that an index knows; empty if there is no index yet, or a damaged one."""
    from rpg.stores.index.index import BrokenIndex, Index
    from rpg.stores.index.reader import list_file_hashes

    try:
        opened = Index.open_read_only(index)
    except BrokenIndex:
        return {}
    try:
        return dict(list_file_hashes(opened))
    except BrokenIndex:
        return {}
    finally:
        opened.close()


def list_changed_files(before: dict[str, str], after: dict[str, str]) -> dict[str, list[str]]:
    return {
        "added": sorted(after.keys() - before.keys()),
        "modified": sorted(path for path in after.keys() & before.keys() if after[path] != before[path]),
        "deleted": sorted(before.keys() - after.keys()),
    }
