"""Text search in the files of a repository that has no index yet.

In: a folder, its options, and what is wanted. Out: an answer with matching lines by file, in the modes `text` and
`regex`; other modes are read as a text. The same files are searched as an encode would take, with secrets masked.

Absent: symbols around the lines, which are not known yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rpg.encoder.languages import BY_NAME, find_language
from rpg.encoder.masking import mask
from rpg.encoder.source_files.listing import list_files, read
from rpg.queries.search.hits import Answer, Wanted
from rpg.queries.search.text.by_text import answer_from, text_in
from rpg.queries.search.text.text_matches import (
    LINES_OF_SYMBOL,
    File,
    Line,
    Scope,
    TextHit,
    TextMatches,
    matches_in,
)
from rpg.queries.search.text.text_pattern import Pattern
from rpg.stores.search.tables import TEST_PATHS
from rpg.system import deadline

if TYPE_CHECKING:
    from rpg.encoder.options import Options


def answer_without_index(root: Path, options: Options, wanted: Wanted) -> Answer:
    """BAD_REQUEST for an invalid pattern."""
    if wanted.mode not in ("text", "regex"):
        wanted = _as_text(wanted)
    listing = list_files(root, options)
    files = [
        (File(number, entry.path, find_language(entry.path).name, TEST_PATHS.search(entry.path) is not None), entry)
        for number, entry in enumerate(listing.entries)
    ]
    files.sort(key=lambda each: (each[0].is_test, BY_NAME[each[0].language].is_opaque, each[0].path))

    def matches(pattern: Pattern, scope: Scope) -> TextMatches:
        def texts() -> Iterator[tuple[File, bytes]]:
            for file, entry in files:
                if not scope.admits(file.path, file.language, file.is_test):
                    continue
                deadline.check()
                source = read(root, entry)
                if isinstance(source, bytes) and pattern.matcher.search(source) is not None:
                    source = mask(source, file.path) if options.mask_secrets else source
                    yield file, source.replace(b"\r\n", b"\n")

        return matches_in(texts(), pattern, scope, wanted.limit, wanted.offset, build_file_hits)

    return answer_from(wanted, matches)


def build_file_hits(file: File, found: list[Line]) -> list[TextHit]:
    more = max(0, len(found) - LINES_OF_SYMBOL)
    return [TextHit(path=file.path, node=None, lines=found[:LINES_OF_SYMBOL], more=more, test=file.is_test)]


def _as_text(wanted: Wanted) -> Wanted:
    return replace(wanted, mode="text", query=text_in(wanted.query.strip()) or wanted.query.strip())
