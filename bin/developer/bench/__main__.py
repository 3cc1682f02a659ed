"""`bin/bench WHAT ...`: runs the benchmark `bin/developer/bench/WHAT.py`."""

from __future__ import annotations

import ast
import os
import sys
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent


def main() -> int:
    known = benchmarks()
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print("usage: bin/bench WHAT ...   (bin/bench WHAT --help says more)\n")
        for name, about in known.items():
            print(f"  {name:<10} {about}")
        return 0 if arguments else 2
    if arguments[0] not in known:
        print(f"there is no benchmark {arguments[0]!r}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    sys.argv = [f"bin/bench {arguments[0]}", *arguments[1:]]
    os.environ.setdefault("RPG_CACHE", "off")  # an encode is measured from nothing
    code: int | None = import_module(f"bench.{arguments[0]}").main(arguments[1:])
    return code or 0


def benchmarks() -> dict[str, str]:
    """Name and first line of the door sign of every file here that has a `main`."""
    found = {}
    for path in sorted(HERE.glob("[a-z]*.py")):
        tree = ast.parse(path.read_bytes())
        if any(isinstance(node, ast.FunctionDef) and node.name == "main" for node in tree.body):
            found[path.stem] = (ast.get_docstring(tree) or "").split("\n")[0]
    return found


if __name__ == "__main__":
    sys.exit(main())
