"""The entry points `rpg` and `rpg-mcp`; `rpg-mcp` is `rpg serve`.

In: the command line. Out: an exit code (cli/failures.py).
"""

from __future__ import annotations

import gc
import os
import sys

# Pydantic would look for plugins in all installed packages: a tenth of the start-up time, and nothing here uses any.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
# Numpy's threads would busy-wait for work, although only one product of matrices is ever computed.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main() -> None:
    is_hook = sys.argv[1:] in (["usages", "--hook"], ["check", "--hook"])
    if is_hook or sys.argv[1:2] == ["encode"]:
        gc.disable()  # for what is imported too; what is made has no cycles (encoder/garbage_collection.py)
    if is_hook:  # a client waits for it: nothing of the command line is imported
        if sys.argv[1] == "usages":
            from rpg.hooks.names import run_hook
        else:
            from rpg.hooks.edits import run_hook
        sys.exit(run_hook())
    from rpg.cli import main as run

    run()


def serve() -> None:
    from rpg.cli import main as run

    run(["serve", *sys.argv[1:]])


if __name__ == "__main__":
    main()
