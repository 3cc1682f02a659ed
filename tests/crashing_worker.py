"""A worker with grammars that crash on a word, as no grammar is known to crash on what is given to it."""

import json
import signal
import sys

if __name__ == "__main__":
    given = json.loads(sys.stdin.buffer.readline())
    sys.path[:] = given["path"]

    from rpg.encoder.parsing import parse, worker

    def crashing(grammar: str, text: bytes, *others: object) -> object:
        if b"segfault" in text:
            signal.raise_signal(signal.SIGSEGV)
        return sound(grammar, text, *others)  # type: ignore[arg-type]

    sound = parse.tree_of
    vars(parse)["tree_of"] = crashing
    worker.serve(sys.stdin.buffer, sys.stdout.buffer)
