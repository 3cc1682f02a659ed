"""Entry point of a parser process. In: a line of JSON with the module path, and then files. Out: their contents. See
worker_pool.py. Nothing of rpg is imported before the line has come."""

import json
import os
import sys

if __name__ == "__main__":
    start = json.loads(sys.stdin.buffer.readline())
    sys.path[:] = [os.fsdecode(each.encode("latin-1")) for each in start["path"]]

    from rpg.encoder.parsing.worker import serve

    serve(sys.stdin.buffer, sys.stdout.buffer)
