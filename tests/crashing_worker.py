"""A worker with grammars that crash on a word, as no grammar is known to crash on what is given to it."""

import json
import signal
import sys

if __name__ == "__main__":
    given = json.loads(sys.stdin.buffer.readline())
    sys.path[:] = given["path"]

    from rpg.encoder.parsing import parse, worker

    class Crashing:
        def __init__(self, grammar: str) -> None:
            self.grammar = grammar

        def parse(self, source: bytes) -> object:
            if b"segfault" in source:
                signal.raise_signal(signal.SIGSEGV)
            return sound(self.grammar).parse(source)

    sound = parse.parser
    vars(parse)["parser"] = Crashing
    worker.serve(sys.stdin.buffer, sys.stdout.buffer)
