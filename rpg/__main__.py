"""`rpg` and `rpg-mcp`, which is `rpg serve`."""

from __future__ import annotations

import sys


def main() -> None:
    from rpg.cli import main as run

    run()


def serve() -> None:
    from rpg.cli import main as run

    run(["serve", *sys.argv[1:]])


if __name__ == "__main__":
    main()
