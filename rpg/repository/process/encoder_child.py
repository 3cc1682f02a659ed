"""Entry point of the process that encodes for a server. In: lines of JSON, first the module path, then requests. Out:
lines of JSON; one of them answers each request. See encoder_process.py.

Nothing of rpg is imported before the first line has come; parser workers import this file too and must find nothing
here.
"""

import json
import os
import sys

if __name__ == "__main__":
    start = json.loads(sys.stdin.buffer.readline())
    sys.path[:] = start["path"]
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr

    from rpg.repository.process.encoder_process import serve
    from rpg.stores.installation import take_secret

    take_secret(start["secret"])
    serve(sys.stdin.buffer, answers)
    sys.stderr.flush()
    os._exit(0)  # ends without freeing what a large encode made
