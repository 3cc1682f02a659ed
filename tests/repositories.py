"""Real repositories for tests, made with git itself in a temporary folder."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from rpg.stores.graph_file import compact

ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "2020-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z",
}


def git(folder: Path, *arguments: str, fails: bool = False) -> str:
    """What a user's own git prints there, with all that its configuration starts."""
    result = subprocess.run(
        ["git", "-C", str(folder), *arguments], env=ENVIRONMENT, capture_output=True, stdin=subprocess.DEVNULL
    )
    assert fails or result.returncode == 0, result.stderr.decode()
    return result.stdout.decode().strip()


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def read_json(graph: Path) -> bytes:
    """What a graph file says, compressed or not."""
    with compact.open_graph(graph) as file:
        return file.read()


def read(folder: Path) -> dict[str, str]:
    """Every file, by path; those of git itself left out."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode("utf-8", "replace")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }


def repository(folder: Path, files: dict[str, str | bytes]) -> Path:
    """A repository at `folder` with these files committed on branch main."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    write(folder, files)
    commit(folder)
    return folder


def commit(folder: Path, message: str = "change") -> str:
    """Commit everything that is not ignored; the commit's id."""
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD")


def bare(folder: Path, name: str, files: dict[str, str | bytes]) -> Path:
    """A bare repository NAME.git with one commit, from a work tree at origin/NAME that pushes into it."""
    root = repository(folder / "origin" / name, files)
    place = folder / f"{name}.git"
    git(folder, "clone", "-q", "--bare", str(root), str(place))
    git(root, "remote", "add", "origin", str(place))
    return place


def publish(root: Path, files: dict[str, str | bytes], branch: str = "main") -> str:
    """A commit that its bare repository has too; its id."""
    write(root, files)
    made = commit(root)
    git(root, "push", "-q", "origin", f"HEAD:refs/heads/{branch}")
    return made


Traps = tuple[Callable[[str], str], Callable[[], list[str]]]


def traps(folder: Path) -> Traps:
    """A command for each name that leaves a file behind when it runs, and the names of those that ran."""
    sprung = folder / "sprung"
    sprung.mkdir()
    commands = folder / "commands"
    commands.mkdir()

    def command(name: str) -> str:
        script = commands / name
        script.write_text(f"#!/bin/sh\n: > '{sprung / name}'\n")
        script.chmod(0o755)
        return str(script)

    return command, lambda: sorted(file.name for file in sprung.iterdir())


def watched_git(folder: Path) -> Path:
    """A folder for the PATH with a git that writes down its arguments, and those of every git that it starts."""
    real = subprocess.run(["sh", "-c", "command -v git"], capture_output=True, text=True, check=True).stdout.strip()
    place = folder / "watched"
    place.mkdir()
    script = place / "git"
    script.write_text(f'#!/bin/sh\nfor word; do printf "%s\\n" "$word"; done >> "{folder}/words"\nexec {real} "$@"\n')
    script.chmod(0o755)
    (folder / "words").write_text("")
    return place
