"""Libraries that the user names: their files, read, masked and parsed like those of the repository and kept besides.

In: a folder and its options; later, what an index kept. Out: the files as resolution takes them, their symbols, and
what the header says of them. A file of a library is known by its content, so that one version is parsed once for all
repositories. What is broken, too large or not text is left out and counted. Absent: where libraries are
(source_files/libraries.py), and what a name of theirs means (resolve/).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from rpg.encoder.confidence import is_certain
from rpg.encoder.facts import FileFacts
from rpg.encoder.hashes import content_hash
from rpg.encoder.languages import BY_NAME, read_language
from rpg.encoder.options import Options
from rpg.encoder.parsing import shared_facts
from rpg.encoder.parsing.packing import unpack
from rpg.encoder.parsing.shared_facts import Blocks
from rpg.encoder.parsing.worker_pool import EncodedFile, parse_all
from rpg.encoder.resolve import LibraryFiles, resolve_libraries
from rpg.encoder.source_files import libraries as sources
from rpg.encoder.source_files.libraries import Library, LibraryFile
from rpg.encoder.source_files.selection import Skipped
from rpg.errors import BadRequest
from rpg.graph import Edge, Symbol
from rpg.system.compression import decompress

LIBRARIES: Final = "libraries"
"""The part of the survey that lists the files of libraries."""
SOURCE_OF: Final = "library source "
FACTS_OF: Final = "library facts "
"""Followed by a path: the parts that hold its compressed text and facts."""
Row = tuple[str, bytes]


class Libraries(NamedTuple):
    """All libraries of an encode."""

    files: LibraryFiles
    about: list[dict[str, Any]]
    """What the header says of each."""
    rows: list[Row]
    """What is kept for edits and answers, as rows of the survey."""


def read_libraries(
    root: Path, options: Options, taken: Iterable[str], shared: Blocks | None, workers: int
) -> Libraries | None:
    """The libraries that the options name; None if they name none. `taken`: the paths of the repository's own files.
    BadRequest for a library that cannot be read, or if the repository has files where libraries would be shown."""
    found = sources.find_libraries(root, options)
    if not found:
        return None
    tops = {library.kind.shown for library in found}
    if conflict := next((path for path in taken if path.partition("/")[0] in tops), ""):
        raise BadRequest(f"{conflict} belongs to the repository, and files of libraries would be shown there")
    files = sources.list_files(found)
    encoded = {each.path: each for each in _parse_files(files, options, shared, workers) if not each.skipped}
    library_of = {file.entry.path: file.library for file in files}
    languages = {path: each.language for path, each in sorted(encoded.items()) if _is_code(each.language)}
    rows = [(SOURCE_OF + path, each.source) for path, each in sorted(encoded.items())]
    rows += [(FACTS_OF + path, encoded[path].facts) for path in languages]
    listed = {
        "languages": languages,
        "texts": sorted(set(encoded) - set(languages)),
        "roots": [f"{top}/" for top in sorted(tops)],
    }
    rows.append((LIBRARIES, orjson.dumps(listed)))
    about = [_about(each, library_of, languages, encoded) for each in found]
    return Libraries(_files_of(listed, dict(rows).get), about, rows)


def load_libraries(survey: Callable[[str], bytes | None]) -> LibraryFiles | None:
    """The files as an index kept them; None if it kept none. Reading one raises ValueError if it
    is damaged."""
    listed = survey(LIBRARIES)
    return _files_of(orjson.loads(listed), survey) if listed is not None else None


def is_of_library(part: str) -> bool:
    """Whether a part of the survey belongs to libraries."""
    return part == LIBRARIES or part.startswith((SOURCE_OF, FACTS_OF))


def symbols_of(libraries: Libraries) -> tuple[list[Symbol], list[Edge]]:
    """The symbols of all libraries, and the edges among them."""
    return resolve_libraries(libraries.files, is_certain)


def _is_code(language: str) -> bool:
    return bool(language) and BY_NAME[language].refers and not BY_NAME[language].configures


def _parse_files(
    files: list[LibraryFile], options: Options, shared: Blocks | None, workers: int
) -> Iterator[EncodedFile]:
    read_ns = time.time_ns()

    def read_each() -> Iterator[tuple[Any, bytes | Skipped | EncodedFile]]:
        for file in files:
            data = sources.read(file, options.max_bytes)
            known = None
            if shared is not None and not isinstance(data, Skipped):
                language = read_language(file.entry.path, data).name
                known = shared_facts.find(shared, file.entry, content_hash(data), language, read_ns)
            if known is not None:
                reused.add(known.path)
            yield file.entry, known or data

    reused: set[str] = set()
    for each in parse_all(read_each(), options.mask_secrets, read_ns, workers):
        if isinstance(each, Skipped):
            continue
        if shared is not None and each.path not in reused:
            shared_facts.add(shared, each)
        yield each


def _about(
    library: Library, library_of: dict[str, Library], languages: dict[str, str], encoded: dict[str, EncodedFile]
) -> dict[str, Any]:
    own = [path for path, each in library_of.items() if each is library]
    about = {
        "name": library.name,
        "version": library.version,
        "folders": library.folders,
        "languages": sorted({languages[path] for path in own if path in languages}),
        "files": sum(path in encoded for path in own),
    }
    skipped = sum(path not in encoded for path in own)
    return about | ({"skipped": skipped} if skipped else {})


def _files_of(listed: dict[str, Any], survey: Callable[[str], bytes | None]) -> LibraryFiles:
    def block(part: str) -> bytes:
        found = survey(part)
        if found is None:
            raise ValueError(f"{part} is missing")
        return decompress(found)

    def facts(path: str) -> FileFacts:
        return unpack(block(FACTS_OF + path))

    there = {*listed["languages"], *listed["texts"]}

    def read(path: str) -> bytes:
        return block(SOURCE_OF + path) if path in there else b""

    return LibraryFiles(listed["languages"], frozenset(listed["texts"]), facts, read, tuple(listed["roots"]))
