"""What counting the words of a repository's files costs, which is for the search index and not for the graph.

Prints the CPU seconds of counting alone; listing, reading and parsing are left out. Run as a script, with a folder.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from rpg.encoder.languages import read_language
from rpg.encoder.options import options_for
from rpg.encoder.parsing.count_terms import file_terms
from rpg.encoder.parsing.parse import parse
from rpg.encoder.source_files.listing import Skipped, list_files, read_all


def count_all(root: Path) -> float:
    spent = 0.0
    for entry, source in read_all(root, list_files(root, options_for(root, {}))):
        if isinstance(source, Skipped):
            continue
        language = read_language(entry.path, source)
        try:
            facts = parse(entry.path, language, source)
        except RecursionError:
            continue
        started = time.process_time()
        file_terms(facts, language.counted(entry.path, source))
        spent += time.process_time() - started
    return spent


if __name__ == "__main__":
    print(count_all(Path(sys.argv[1])))
