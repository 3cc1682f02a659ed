"""`rpg` and `rpg-mcp`, which is `rpg serve`."""

from __future__ import annotations

import gc
import os
import sys

# Pydantic would look for plugins in all installed packages: a tenth of a start, for what nothing here uses.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
# Numpy's threads would wait for work in a loop, for the one product of matrices that is made.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main() -> None:
    if sys.argv[1:2] == ["encode"]:
        gc.disable()  # for what is imported too; what is made has no cycles (collector.py)
    from rpg.cli import main as run

    run()


def serve() -> None:
    from rpg.cli import main as run

    run(["serve", *sys.argv[1:]])


if __name__ == "__main__":
    main()
