"""`bin/developer/train-embedding TREE...`: reads source trees, learns a table from them and writes it.

Every tree is a folder with sources, named for what it is and its release (`zoekt-1.2`): that name stands in the report.
Nothing but these folders is read, and the same folders give the same table again.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rpg.errors import RpgError
from rpg.models.embedding_table import TABLE, write_table
from training.learning import Learned, Settings, learn
from training.packing import rows
from training.pairs import Pair, pairs

LARGEST_FILE = 1_500_000
"""Bytes of the table in the wheel."""


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    try:
        trees = sorted((tree.resolve() for tree in options.trees), key=lambda tree: tree.name)
        twice = [name for name, n in Counter(tree.name for tree in trees).items() if n > 1]
        if twice:
            raise ValueError(f"two trees are called {twice[0]}: pairs are told apart by the names of their trees")
        found = [pair for tree in trees for pair in _read(tree)]
        settings = Settings(seed=options.seed, most_terms=options.terms, least_pairs=options.least_pairs)
        learned = learn(found, settings, _say)
    except (RpgError, ValueError) as error:
        _say(f"bin/developer/train-embedding: {error}")
        return 2
    write(options.output, learned)
    return 0


def write(output: Path, learned: Learned) -> None:
    packed = rows(learned)
    digest = hashlib.blake2b(digest_size=4)
    for term in learned.terms:
        digest.update(repr((term, packed[term])).encode())
    # Vectors of different names are never compared: no two tables may have one name.
    write_table(output, f"rpg-code-{digest.hexdigest()}", learned.vectors.shape[1], packed)
    size = output.stat().st_size
    _say(f"{output}: {len(learned.terms)} terms, {size} bytes")
    if size > LARGEST_FILE:
        _say(f"more than the {LARGEST_FILE} bytes that may be shipped: lower --terms")


def _read(tree: Path) -> list[Pair]:
    found = list(pairs(tree))
    languages = ", ".join(f"{language} {n}" for language, n in Counter(pair.language for pair in found).most_common())
    _say(f"{tree.name}: {len(found)} pairs ({languages})")
    return found


def _parser() -> argparse.ArgumentParser:
    defaults = Settings()
    parser = argparse.ArgumentParser("bin/developer/train-embedding", description=(__doc__ or "").partition("\n\n")[2])
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREE", help="folder with sources")
    parser.add_argument("--output", type=Path, default=TABLE, help="file to write (default: the one that is shipped)")
    parser.add_argument("--seed", type=int, default=defaults.seed)
    parser.add_argument("--terms", type=int, default=defaults.most_terms, help="at most so many")
    parser.add_argument("--least-pairs", type=int, default=defaults.least_pairs, help="a term must stand in")
    return parser


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
