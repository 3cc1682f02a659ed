"""One huge repository, whose files are parsed by all workers of a cluster and resolved by one process.

In: a folder on the machine of the caller, a cluster. Out: graph and index, with the bytes of an encode without a
cluster: what is made of a file depends on that file alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

from rpg import __version__
from rpg.encoder.options import options_for
from rpg.encoder.parsing.worker_pool import EncodedFile, parse_all
from rpg.encoder.source_files import listing
from rpg.encoder.source_files.selection import Entry, Skipped
from rpg.errors import EncodeFailed
from rpg.fleet.encoding import Fleet, connect
from rpg.fleet.publishing import Library
from rpg.graph import RULES_VERSION
from rpg.repository import Summary, encode

BATCH_BYTES = 1_000_000
"""Sources that go to a worker together: a second of work, which hides what sending them costs."""


RULES = f"{__version__} (rules {RULES_VERSION})"


def encode_split(root: Path, name: str, library: str, fleet: Fleet) -> Summary:
    """Files that change while they are parsed are parsed again by the caller, as by any encode."""
    place = Library(library)
    options = options_for(root)
    look = listing.look(root, options)
    made: dict[tuple[str, str], EncodedFile] = {}
    with ExitStack() as stack:
        client = stack.enter_context(connect(stack, fleet))
        from distributed import as_completed

        futures = [
            client.submit(parse_batch, batch, options.mask_secrets, look.listed_ns, retries=fleet.retries, pure=False)
            for batch in batches(listing.read_all(root, look.listing))
        ]
        for future in as_completed(futures):
            rules, files = future.result()
            if rules != RULES:
                raise EncodeFailed(f"a worker has rpg {rules}, this machine {RULES}: install the same one on all")
            made.update({(file.path, file.hash): file for file in files})
            future.release()
    output = place.output(name)
    summary = encode(root, output, options, made=lambda path, hash: made.get((path, hash)))
    place.publish(summary.graph_path, changed=summary.changed)
    return summary


def batches(files: Iterable[tuple[Entry, bytes | Skipped]]) -> Iterator[list[tuple[Entry, bytes]]]:
    batch: list[tuple[Entry, bytes]] = []
    size = 0
    for entry, data in files:
        if isinstance(data, Skipped):
            continue
        batch.append((entry, data))
        size += len(data)
        if size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def parse_batch(batch: list[tuple[Entry, bytes]], masks: bool, read_ns: int) -> tuple[str, list[EncodedFile]]:
    """Runs in a worker. Returns the version of its rules, and what it made."""
    return RULES, [file for file in parse_all(batch, masks, read_ns) if isinstance(file, EncodedFile)]
