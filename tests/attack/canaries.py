"""A small world around a repository, laid out so that whatever leaves it is seen.

In: an empty folder. Out: a `World`: the repository and the folders that may be written, and around them files that hold
a mark (which no answer, graph or index may ever hold), and a command that leaves a trace when it is run.
"""

from __future__ import annotations

import hashlib
import os
import re
import socket
import stat
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from repositories import ENVIRONMENT, git, repository

MARK = "canary-7f3a-outside"
"""Stands in files that nobody may read."""
IGNORED = "canary-91c2-ignored"
"""Stands in files of the repository that it tells git to ignore, and in `.git` itself."""
MARKS = (MARK, IGNORED)

SOURCES: dict[str, str | bytes] = {
    "README.md": "# Shop\n\n`Cart.total` adds up what is in the cart.\n",
    ".gitignore": ".env\nbuilt/\n",
    "shop/__init__.py": "from shop.cart import Cart\n",
    "shop/cart.py": (
        "from shop.base import Base\n\nLIMIT = 10\n\n\nclass Cart(Base):\n"
        '    """What a customer is about to buy."""\n\n    def add(self, item):\n        self.items.append(item)\n\n'
        "    def total(self):\n        return sum(price(item) for item in self.items)\n\n\n"
        "def price(item):\n    return item.price\n"
    ),
    "shop/base.py": "class Base:\n    def save(self):\n        return self.total()\n",
    "tests/test_cart.py": "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total() == 0\n",
    "web/app.ts": 'import { go } from "./go";\nexport class App {\n  run(): number {\n    return go();\n  }\n}\n',
    "web/go.ts": "export function go(): number {\n  return 1;\n}\n",
    "cmd/main.go": "package main\n\nfunc helper() int { return 1 }\n\nfunc main() { helper() }\n",
}
IGNORED_FILES: dict[str, str] = {".env": f"TOKEN={IGNORED}\n", "built/out.py": f"OUT = '{IGNORED}'\n"}


OWN_DATA = re.compile(r"secret|known-graphs/|known-graphs/[0-9a-f]{24}\.json|sockets/|sockets/[0-9a-f]{16}\.sock=")
OWN_CACHE = re.compile(r"facts/|facts/[0-9a-f]{16}\.pack(\.[0-9a-f]{8}\.tmp)?")
"""What rpg writes into places of its own: folders with a slash at the end, sockets with an equals sign."""
KINDS = {stat.S_IFREG: "", stat.S_IFDIR: "/", stat.S_IFSOCK: "="}
PRIVATE = frozenset({"secret", "known-graphs", "facts", "sockets"})


class Seen(NamedTuple):
    mode: int
    size: int
    mtime_ns: int
    inode: int
    content: str
    """A hash, or where a link points; empty where it was not asked for, and for what is neither file nor link."""


Snapshot = dict[str, Seen]


class World(NamedTuple):
    folder: Path

    @property
    def repository(self) -> Path:
        return self.folder / "shop"

    @property
    def graphs(self) -> Path:
        """Where graphs and indexes are written."""
        return self.folder / "graphs"

    @property
    def graph(self) -> Path:
        return self.graphs / "shop.graph.json"

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def cache(self) -> Path:
        return self.folder / "cache"

    @property
    def outside(self) -> Path:
        return self.folder / "outside"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def cwd(self) -> Path:
        """The folder that a server is started in: not one it may write to."""
        return self.folder / "cwd"

    @property
    def trap(self) -> Path:
        """A command that leaves a trace."""
        return self.folder / "trap" / "trap.sh"

    @property
    def sprung(self) -> Path:
        return self.folder / "sprung"

    @property
    def environment(self) -> dict[str, str]:
        """Nothing of this user's own; every variable that can name a program names the trap."""
        kept = {name: value for name, value in ENVIRONMENT.items() if not name.startswith(("RPG_", "XDG_"))}
        traps = dict.fromkeys(("EDITOR", "VISUAL", "PAGER", "BROWSER", "SSH_ASKPASS"), str(self.trap))
        return kept | traps | {
            "HOME": str(self.home), "RPG_DATA": str(self.data), "RPG_CACHE": str(self.cache),
            "TMPDIR": str(self.folder / "tmp"),
            "PYTHONDONTWRITEBYTECODE": "1", "PYTHONSAFEPATH": "1",
        }  # fmt: skip

    def snapshot(self, contents: bool = False) -> Snapshot:
        """Of all that nobody may change."""
        seen: Snapshot = {}
        for folder in (self.outside, self.home, self.cwd, self.repository):
            if folder.exists():
                seen |= snapshot(folder, contents)
        seen |= {str(path): look(path, contents) for path in sorted(self.folder.iterdir()) if path.is_file()}
        return seen


def strange_in_own_places(world: World) -> list[str]:
    """What is in the data folder and the cache, but is not one of the files that belong there, or is not private."""
    found = []
    for top, own in ((world.data, OWN_DATA), (world.cache, OWN_CACHE)):
        for path, seen in snapshot(top).items() if top.exists() else ():
            name = Path(path).relative_to(top).as_posix()
            kind = KINDS.get(stat.S_IFMT(seen.mode), "?")
            if name != "." and not own.fullmatch(name + kind):
                found.append(f"appeared in {top.name}: {name}")
            if name in PRIVATE and stat.S_IMODE(seen.mode) & 0o077:
                found.append(f"others can read {top.name}: {name}")
    return found


def snapshot(folder: Path, contents: bool = False) -> Snapshot:
    """Everything below a folder; what git itself keeps for speed is left out."""
    seen = {str(folder): look(folder, contents)}
    waiting = [folder]
    while waiting:  # folders in each other are deeper than the stack of `os.walk`
        with suppress(OSError), os.scandir(waiting.pop()) as entries:  # a path may be too long for the system
            for entry in entries:
                file = Path(entry.path)
                seen[entry.path] = look(file, contents)
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(file)
    return seen


def look(path: Path, contents: bool) -> Seen:
    status = path.lstat()
    content = ""
    if stat.S_ISLNK(status.st_mode):
        content = os.readlink(path)
    elif contents and stat.S_ISREG(status.st_mode) and status.st_size < 1 << 24:
        content = hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()
    is_folder = stat.S_ISDIR(status.st_mode)
    return Seen(
        status.st_mode,
        0 if is_folder else status.st_size,
        0 if is_folder else status.st_mtime_ns,
        status.st_ino,
        content,
    )


def differences(before: Snapshot, after: Snapshot) -> list[str]:
    """One line for each path that came, went or changed."""
    lines = [f"appeared: {path}" for path in after.keys() - before.keys()]
    lines += [f"vanished: {path}" for path in before.keys() - after.keys()]
    lines += [
        f"changed: {path}: {before[path]} -> {after[path]}"
        for path in before.keys() & after.keys()
        if before[path] != after[path]
    ]
    return sorted(lines)


def make_surroundings(folder: Path) -> World:
    """All but a repository and its graph."""
    world = World(folder)
    for each in (world.graphs, world.data, world.outside / "pkg", world.home / ".ssh", world.cwd, folder / "tmp"):
        each.mkdir(parents=True)
    secret = f"{MARK}\n"
    for path in (
        world.outside / "secret.txt", world.outside / "secret.py", world.outside / "pkg" / "inner.py",
        world.home / "secret.txt", world.home / ".ssh" / "id_rsa", world.home / ".ssh" / "config",
        world.home / ".bash_profile", world.cwd / "secret.txt", folder / "secret.txt",
    ):  # fmt: skip
        path.write_text(f"def stolen():\n    return '{MARK}'\n" if path.suffix == ".py" else secret)
    (world.outside / "other.graph.json").write_text('{"of": "another program"}\n')
    world.trap.parent.mkdir()
    world.trap.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{world.sprung}'\ncat\n")
    world.trap.chmod(0o755)
    return world


def make_world(folder: Path) -> World:
    """With a repository: links that leave it, loops, a pipe, a socket, a file for each device; and its graph."""
    world = make_surroundings(folder)
    root = repository(world.repository, SOURCES)
    for path, text in IGNORED_FILES.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text)
    links = {
        "link_file.py": "../outside/secret.py", "link_folder": "../outside", "link_absolute": str(world.outside),
        "link_inside.py": "shop/cart.py", "link_git": ".git", "link_git_config": ".git/config", "loop": "loop",
        "loop_folder": ".", "link_proc": "/proc/self", "link_zero": "/dev/zero", "link_env": ".env",
        "link_home": str(world.home / ".ssh" / "id_rsa"),
    }  # fmt: skip
    for name, target in links.items():
        (root / name).symlink_to(target)
    os.mkfifo(root / "pipe.py")
    bind_socket(root / "socket.py")
    git(root, "config", "user.token", IGNORED)
    made = rpg(world, "encode", str(root), "-o", str(world.graph))
    assert made.returncode == 0, made.stderr
    return world


def bind_socket(path: Path) -> None:
    """Below a folder whose name may be too long for an address: bound from within."""
    before = os.open(".", os.O_RDONLY)
    try:
        os.chdir(path.parent)
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.fchdir(before)
        os.close(before)


def rpg(
    world: World, *arguments: str, cwd: Path | None = None, seconds: float = 120
) -> subprocess.CompletedProcess[str]:
    """The command in its own process. TimeoutExpired says that it hangs."""
    from attack.server_process import PROGRAM

    return subprocess.run(
        [*PROGRAM, *arguments], cwd=cwd or world.cwd, env=world.environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, errors="replace", timeout=seconds,
    )  # fmt: skip
