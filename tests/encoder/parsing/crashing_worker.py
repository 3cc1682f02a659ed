"""A worker with grammars that crash on one word and never return from another, as no grammar is known to do with what
is given to it: what parsers read is counted."""

import json
import signal
import sys
from collections import deque
from itertools import repeat

if __name__ == "__main__":
    given = json.loads(sys.stdin.buffer.readline())
    sys.path[:] = given["path"]

    from rpg.encoder.parsing import parse, worker

    def crashing(grammar: str, text: bytes, *others: object) -> object:
        if b"segfault" in text:
            signal.raise_signal(signal.SIGSEGV)
        if b"endless" in text:
            deque(repeat(None), maxlen=0)  # in C, where no other thread of Python gets its turn
        return sound(grammar, text, *others)  # type: ignore[arg-type]

    sound = parse.tree_of
    vars(parse)["tree_of"] = crashing
    worker.serve(sys.stdin.buffer, sys.stdout.buffer)
