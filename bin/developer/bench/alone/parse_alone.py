"""What tree-sitter alone needs: reads and parses the files named on stdin, `grammar path` a line.

Prints the CPU seconds of reading and parsing; starting Python and loading grammars are left out. Run as a script.
"""

from __future__ import annotations

import sys
import time

from tree_sitter import Parser
from tree_sitter_language_pack import get_language


def parse_all(lines: list[str]) -> float:
    wanted = [line.rstrip("\n").split(" ", 1) for line in lines]
    parsers = {grammar: Parser(get_language(grammar)) for grammar, _ in wanted}  # type: ignore[arg-type]
    started = time.process_time()
    for grammar, path in wanted:
        with open(path, "rb") as file:
            source = file.read()
        parsers[grammar].parse(source)
    return time.process_time() - started


if __name__ == "__main__":
    print(parse_all(sys.stdin.readlines()))
