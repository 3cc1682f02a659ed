"""What git knows of a folder: its files, commits, contents and changes.

In: a folder and a question. Out: names, ids, bytes. Names are passed after `--`, answers are read with `-z`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from rpg.encoder.source_files.git.process import GitFailed, answer, parts, run
from rpg.errors import BadRequest

BATCH_BYTES = 32 << 20
LINK, SUBMODULE = "120000", "160000"
ASSUMED = "assumed to be unchanged"
NOT_WANTED = "not wanted in the work tree"


class Tracked(NamedTuple):
    path: str
    """Relative to the folder asked about, as the file system spells it."""
    mode: str
    """100644, 100755, LINK, SUBMODULE."""
    hidden: str = ""
    """ASSUMED or NOT_WANTED if git was told not to look at the file."""
    object_id: str = ""
    """Set for those files only."""


class Blob(NamedTuple):
    path: str
    mode: str
    object_id: str
    size: int
    """-1 if the object is not in this clone, or is a commit."""


class Change(NamedTuple):
    path: str
    status: str
    """added, modified, deleted."""


class Status(NamedTuple):
    prefix: str
    """The prefix of the folder, as `prefix` returns it."""
    lines: list[str]
    """What is staged, what is not, a space, and the path from the top of the work tree."""


def prefix(root: Path) -> str:
    """The path of `root` in its work tree: '' at the top, else 'folder/'. GitFailed, with git's reason, if it is in
    none: no repository, a bare one, inside `.git`, or another user's."""
    inside, _, rest = run(root, "rev-parse", "--is-inside-work-tree", "--show-prefix").partition(b"\n")
    if inside != b"true":
        raise GitFailed("git rev-parse: not in a work tree")
    return os.fsdecode(rest.removesuffix(b"\n"))


def is_ignored(root: Path) -> bool:
    """Whether the repository around `root`, a folder below its top, ignores it."""
    return answer(root, "check-ignore", "--no-index", "--", ".") != b""


def ignores(root: Path, path: str) -> bool:
    """Whether git ignores a file of the work tree; it never ignores a tracked one."""
    return answer(root, "check-ignore", "--", path) != b""


def list_tracked(root: Path) -> list[Tracked]:
    """The entries of the index under `root`, whether or not the files still exist."""
    found: dict[str, Tracked] = {}  # an unmerged file is listed up to three times
    for line in parts(run(root, "ls-files", "-z", "-v", "--stage")):
        about, _, path = line.partition("\t")
        if line[0] == "H":
            found[path] = Tracked(path, line[2:8])
        else:
            hidden = NOT_WANTED if line[0] in "Ss" else ASSUMED if line[0].islower() else ""
            found[path] = Tracked(path, line[2:8], hidden, about.split(" ")[2] if hidden else "")
    return list(found.values())


def object_id(root: Path, path: str, data: bytes) -> str:
    """The object id that git would give to the contents of a file, after converting them to their stored form."""
    return run(root, "hash-object", "--stdin", f"--path={path}", stdin=data).decode().strip()


def list_untracked(root: Path, known: Status | None = None) -> list[str]:
    """Files under `root` that are neither tracked nor ignored; a nested repository is one name that ends in '/'."""
    if known is not None:
        return [line[3:].removeprefix(known.prefix) for line in known.lines if line.startswith("??")]
    return parts(run(root, "ls-files", "-z", "--others", "--exclude-standard"))


def status(root: Path, paths: Iterable[str] = (".",), top: str | None = None) -> Status:
    """What the work tree changes compared with the index, and its untracked files; for only some `paths` that costs
    little. `top` is what `prefix` returned, if it was asked."""
    top = prefix(root) if top is None else top
    arguments = ["-z", "--porcelain=v1", "--untracked-files=all", "--no-renames", "--", *paths]
    return Status(top, parts(run(root, "status", *arguments)))


def head(root: Path) -> str:
    """Commit id, '' before the first commit."""
    return answer(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}").decode().strip()


def commit_of(root: Path, revision: str) -> str:
    """Commit id of a branch, tag, id or expression such as HEAD~5. BadRequest if there is none."""
    commit = b""
    if revision and not revision.startswith("-") and "\0" not in revision:
        try:
            commit = answer(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        except GitFailed as error:
            if "not a git repository" not in error.message:
                raise
            raise BadRequest(
                f"{root} has no revisions to read, as it is not a git repository: run `git init` there and commit, "
                "or name two graph files to `rpg diff`"
            ) from None
    if not commit:
        raise BadRequest(
            f"no such revision here: {revision!r}; name a branch, a tag or a commit "
            "(a shallow clone lacks the older ones: git fetch --unshallow)"
        )
    return commit.decode().strip()


def tree(root: Path, commit: str, paths: Iterable[str] = ()) -> list[Blob]:
    """Every blob and submodule of a commit under `root`; of `paths` alone, if there are any."""
    blobs = []
    for line in parts(run(root, "ls-tree", "-r", "-z", "-l", commit, "--", *paths)):
        about, _, path = line.partition("\t")
        mode, _, object_id, size = about.split()
        blobs.append(Blob(path, mode, object_id, int(size) if size.isdigit() else -1))
    return blobs


def is_in_head(root: Path, path: str) -> bool:
    """Whether the last commit has that file or folder under `root`. False if git says nothing."""
    try:
        return bool(path) and bool(run(root, "ls-tree", "--name-only", "-z", "HEAD", "--", path))
    except GitFailed:
        return False


def contents(root: Path, blobs: Iterable[tuple[str, int]]) -> Iterator[bytes | None]:
    """The bytes of each (object id, size), in order; None for an object that is not in this clone.

    One process for every 32 MiB, so that memory does not grow with the repository.
    """
    batch: list[str] = []
    size = 0
    for object_id, blob_size in blobs:
        batch.append(object_id)
        size += blob_size
        if size >= BATCH_BYTES:
            yield from _batch(root, batch)
            batch, size = [], 0
    yield from _batch(root, batch)


def changes(root: Path, old: str, new: str = "", known: Status | None = None) -> list[Change]:
    """What differs under `root` between two commits, or between a commit and the work tree with its untracked files;
    `known` is a status that git has just reported.

    A rename is a deletion and an addition. `old` and `new` are commit ids. A file that is staged with a change and was
    reverted since counts as modified.
    """
    command = ["diff-tree", "-r", old, new] if new else ["diff-index", "--cached", old]
    fields = parts(run(root, *command, "-z", "--name-status", "--no-renames", "--relative", "--"))
    words = {"A": "added", "D": "deleted"}
    found = {path: words.get(status, "modified") for status, path in zip(fields[::2], fields[1::2], strict=True)}
    if not new:
        _add_work_tree(known or status(root), found)
    # Names that are not text are in no graph, and no index can be asked for them.
    return [Change(path, status) for path, status in sorted(found.items()) if is_text(path)]


def is_text(path: str) -> bool:
    return path.isascii() or not any("\ud800" <= character <= "\udfff" for character in path)


def _add_work_tree(known: Status, found: dict[str, str]) -> None:
    """What the work tree changes compared with the index. `git diff` could report it at once, but would rewrite the
    index."""
    for line in known.lines:
        staged, now, path = line[0], line[1], line[3:].removeprefix(known.prefix)
        if now == "?":
            found[path] = "modified" if path in found else "added"
        elif now == "A" or (now != " " and found.get(path) == "added"):
            found[path] = "added"
        elif now != " ":
            found[path] = "deleted" if now == "D" and staged != "D" else "modified"
        if now == "D" and staged == "A":
            del found[path]


def _batch(root: Path, object_ids: list[str]) -> Iterator[bytes | None]:
    if not object_ids:
        return
    output = run(root, "cat-file", "--batch", "--buffer", stdin="\n".join(object_ids).encode() + b"\n")
    position = 0
    for _ in object_ids:
        end = output.index(b"\n", position)
        about = output[position:end].split()
        position = end + 1
        if len(about) != 3:
            yield None
            continue
        size = int(about[2])
        yield output[position : position + size]
        position += size + 1


def list_tracked_files(root: Path) -> list[str]:
    """The regular files of the index below `root`."""
    listed = parts(run(root, "ls-files", "-z", "--stage"))
    return [path for mode, _, path in (line.partition("\t") for line in listed) if mode[:6] not in (LINK, SUBMODULE)]
