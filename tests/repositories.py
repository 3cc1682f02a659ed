"""Real repositories for tests, made with git itself in a temporary folder."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

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
