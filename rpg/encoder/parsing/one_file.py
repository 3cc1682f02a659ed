"""One file: its bytes in, its index entry out. Runs in a worker (worker_pool.py); no file is opened here."""

from __future__ import annotations

from typing import NamedTuple

from rpg.encoder.languages import read_language
from rpg.encoder.masking import mask
from rpg.encoder.parsing.count_terms import file_terms
from rpg.encoder.parsing.packing import pack
from rpg.encoder.parsing.parse import parse
from rpg.encoder.source_files.own_files import blank_own_lines
from rpg.encoder.unparsable import TOO_DEEP, Unparsable
from rpg.system.compression import compress


class Parsed(NamedTuple):
    """Everything is empty but `skipped`, if that gives a reason."""

    language: str
    skipped: str
    source: bytes
    """Compressed UTF-8."""
    facts: bytes
    """Compressed, see packing.pack."""
    terms: bytes
    """Token counts for the search index."""


def parse_file(path: str, source: bytes, masks: bool) -> Parsed:
    language = read_language(path, source)
    if masks:
        source = mask(source, path)
    read = blank_own_lines(source) if language.is_prose else source
    try:
        facts = parse(path, language, read)
    except RecursionError:
        return Parsed("", TOO_DEEP, b"", b"", b"")
    except Unparsable as refused:
        return Parsed("", str(refused), b"", b"", b"")
    terms = file_terms(facts, language.counted(path, read), is_typical=not (language.is_opaque or language.configures))
    return Parsed(language.name, "", compress(source), compress(pack(facts)), terms)
