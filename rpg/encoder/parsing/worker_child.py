"""What a process that parses runs. In: a line of JSON, where modules are found, and then files. Out: what they hold.
See worker_pool.py. Nothing of rpg is imported before the line has come.
"""

import json
import os
import sys

if __name__ == "__main__":
    given = json.loads(sys.stdin.buffer.readline())
    sys.path[:] = [os.fsdecode(each.encode("latin-1")) for each in given["path"]]

    from rpg.encoder.parsing.worker import serve

    serve(sys.stdin.buffer, sys.stdout.buffer)
