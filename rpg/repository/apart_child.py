"""What a process that encodes for a server runs. In: one line of JSON, with where modules are found and the request.
Out: lines of JSON, the last of which is the answer. See apart.py.

Nothing of rpg is imported before the line has come; workers that parse import this file too and must find nothing here.
"""

import json
import sys

if __name__ == "__main__":
    given = json.loads(sys.stdin.buffer.readline())
    sys.path[:] = given["path"]
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr

    from rpg.repository.apart import serve

    serve(sys.stdin.buffer, answers, given["request"])
