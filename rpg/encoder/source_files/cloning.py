"""Fetches one commit of a repository into a folder: a clone the first time, an update in place afterwards.

In: a remote (remotes.py) and a folder. Out: a work tree at that commit, its head detached. Absent on purpose: network
access of our own. Git talks to servers, with the user's own credentials, and runs nothing that it downloads: no hooks,
filters or submodules.

A clone is shallow: one commit, with all of its files. It is not blobless as well, because a work tree needs every blob
of its commit: the 2.1 MB of Celery came in 4.0 s and two requests instead of 3.0 s and one (from a file: URL). Nor is
it sparse: files that the options leave out still affect how the others resolve. An update transfers what changed: 0.4
MB in 1.0 s for 30 commits of Celery, 0.1 s for none. For that, the last commit is kept under a ref, because git tells a
server only about refs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from rpg.encoder.source_files import git
from rpg.encoder.source_files.remotes import Remote, mask_url, remove_credentials
from rpg.errors import BadRequest

FETCH_SECONDS = 900.0
KEPT = "refs/rpg/fetched"
MOST_PACKS = 50
"""Each update adds one, and what it replaces is never removed: after that many a new clone is smaller."""
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_PART_OF_COMMIT = re.compile(r"[0-9a-f]{6,63}")
_HOW_FAR = re.compile(rb"(Receiving objects|Resolving deltas|Updating files): +(\d+)%")
_SHARES = {b"Receiving objects": (0, 80), b"Resolving deltas": (80, 10), b"Updating files": (90, 10)}
"""Where in a fetch each of git's stages begins, and how much of it each takes, in percent."""
_NOISE = re.compile(r"(remote: )?\w[\w ]*: +\d+% \(.*|(remote: )?(Enumerating|Total|From) .*")
_NO_SUCH_REVISION = re.compile(r"couldn't find remote ref|not our ref|unadvertised object")
_REASONS = (
    (
        re.compile(r"transport '.*' not allowed|Protocol \".*\" (not supported|disabled)|Unsupported URL scheme"),
        "it leads to another protocol, which is not followed",
    ),
    (
        re.compile(r"returned error: 30\d|unable to update url base"),
        "it leads to another URL, which is not followed with a password: give that URL",
    ),
    (
        re.compile(
            r"Authentication|could not read (User|Pass)|Permission denied|not found|does not (exist|appear)"
            r"|publickey|Host key|returned error: 40[134]|dubious ownership"
        ),
        "it does not exist or is not open to you: check the URL, or clone it yourself and encode the folder",
    ),
    (
        re.compile(
            r"resolve host|unable to access|connect to|Connection (refused|timed out|reset)|unreachable|hung up"
            r"|early EOF|disconnect",
            re.IGNORECASE,
        ),
        "the server cannot be reached: check the network, or encode a folder that was cloned before",
    ),
    (re.compile(r"longer than"), "it takes too long: clone it yourself and encode the folder"),
)

Report = Callable[[int], None]
"""Called at least every HEARD_SECONDS with the percentage that is done; ends the fetch by raising."""


class NotFetched(git.GitFailed):
    """The server or the network is the reason, not the folder."""


def clone(remote: Remote, folder: Path, report: Report | None = None) -> str:
    """The work tree at `folder`, which does not exist yet or is empty, whole or not at all. Returns the commit's id.

    GitFailed says whether git, the network, the repository or the revision is missing; whatever `report` raises ends
    it.
    """
    import tempfile  # imports a lot, which only cloning needs

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadRequest(f"{folder} exists and is not empty; name another folder to clone into")
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Made in a temporary folder, so that a rename makes it complete.
    with tempfile.TemporaryDirectory(prefix=".clone-", dir=folder.parent, ignore_cleanup_errors=True) as name:
        new = Path(name) / "tree"
        new.mkdir()
        git.run(new, "init", "--quiet", "--template=", is_top=True)
        for key, value in (
            ("remote.origin.url", mask_url(remote.url)),
            ("core.autocrlf", "false"),
            ("core.logAllRefUpdates", "false"),
        ):
            git.run(new, "config", "--local", key, value, is_top=True)
        commit = _fetch(remote, new, report)
        _check_out(new, commit, report)
        if folder.exists():
            folder.rmdir()
        new.rename(folder)
    return commit


def update(remote: Remote, folder: Path, report: Report | None = None) -> str:
    """Brings a clone to the remote's newest commit; what was edited there is lost. Returns the commit's id.

    NotFetched leaves the clone as it was, and so does whatever `report` raises. Any other GitFailed: it is damaged, and
    a new one is needed.
    """
    before = git.head(folder) if _is_clone(folder) else ""
    if not before:
        raise git.GitFailed(f"{folder} is not a clone that can be updated")
    if len(_packs(folder, "*.pack")) >= MOST_PACKS:
        raise git.GitFailed(f"{folder} was updated often enough")
    if remote.revision == before:
        commit = before  # the id of a commit always means the same
    else:
        try:
            commit = _fetch(remote, folder, report)
        except BaseException:
            _clear_away(folder)
            raise
    try:
        _check_out(folder, commit, None)  # short, and useless if interrupted
    except BaseException:
        with suppress(git.GitFailed):
            _clear_away(folder)
            _check_out(folder, before, None)
        raise
    return commit


def _is_clone(folder: Path) -> bool:
    git_folder = folder / ".git"
    return git_folder.is_dir() and not git_folder.is_symlink()


def _packs(folder: Path, pattern: str) -> list[Path]:
    return list((folder / ".git" / "objects" / "pack").glob(pattern))


def _clear_away(folder: Path) -> None:
    """Removes what a killed git leaves; nobody else changes this folder at that time."""
    place = folder / ".git"
    for left in (
        *place.glob("*.lock"),
        *place.glob("shallow_*"),
        *place.glob("refs/rpg/*.lock"),
        *_packs(folder, "tmp_*"),
    ):
        with suppress(OSError):
            left.unlink()


def _fetch(remote: Remote, folder: Path, report: Report | None) -> str:
    """The commit's id, which is in the folder's objects now."""
    names = _names(remote.revision)
    for name in names:
        try:
            git.run(
                folder, "fetch", "--depth=1", "--no-tags", "--no-recurse-submodules", "--force", "--progress",
                "--", remote.url, f"{name}:{KEPT}",
                seconds=FETCH_SECONDS, protocols=remote.protocols, secrets=remote.credentials, is_top=True,
                heard=_heard(report),
            )  # fmt: skip
            break
        except git.GitFailed as error:
            if name is names[-1] or not _NO_SUCH_REVISION.search(error.message):
                raise _explain_failure(remote, error) from None
    try:
        return git.commit_of(folder, KEPT)
    except (BadRequest, git.GitFailed):
        raise NotFetched(f"{remote.shown} is not a commit: name a branch, a tag or a commit") from None


def _names(revision: str) -> list[str]:
    """The refs that the server may have for the revision, in the order of `git clone --branch`."""
    if not revision or revision == "HEAD":
        return ["HEAD"]
    if _COMMIT.fullmatch(revision) or revision.startswith("refs/"):
        return [revision]
    return [f"refs/heads/{revision}", f"refs/tags/{revision}"]


def _check_out(folder: Path, commit: str, report: Report | None) -> None:
    git.run(
        folder, "checkout", "--force", "--detach", "--progress", "--no-recurse-submodules", commit, "--",
        seconds=FETCH_SECONDS, is_top=True, heard=_heard(report),
    )  # fmt: skip


def _heard(report: Report | None) -> git.Heard | None:
    if report is None:
        return None

    def heard(output: bytes) -> None:
        found = _HOW_FAR.findall(output[-1000:])
        begin, part = _SHARES[found[-1][0]] if found else (0, 0)
        report(begin + part * int(found[-1][1]) // 100 if found else 0)

    return heard


def _explain_failure(remote: Remote, error: git.GitFailed) -> git.GitFailed:
    """What to do about a failed fetch, then git's own words. NotFetched if there is nothing wrong with the folder."""
    lines = [line.strip() for line in re.split(r"[\r\n]+", error.message)]
    complaint = "; ".join(line for line in lines if line and not _NOISE.fullmatch(line))[: git.COMPLAINT_CHARACTERS]
    reasons = ((_NO_SUCH_REVISION, _no_revision(remote.revision)), *_REASONS)
    advice = next((advice for pattern, advice in reasons if pattern.search(complaint)), "")
    for part, shown in zip(remote.url.split("/"), mask_url(remote.url).split("/"), strict=True):
        if part != shown:
            complaint = complaint.replace(part, shown)
    message = remove_credentials(f"cannot fetch {remote.shown}{advice and ': ' + advice} ({complaint})")
    return (NotFetched if advice else git.GitFailed)(message, error.status)


def _no_revision(revision: str) -> str:
    if not revision:
        return "it has no commit"
    if _COMMIT.fullmatch(revision):
        return "the server has no such commit, or gives branches and tags alone: name one of these"
    part = "; of a commit, give the whole id (40 characters)" if _PART_OF_COMMIT.fullmatch(revision) else ""
    return f"it has no branch or tag {revision!r}: name another or leave it out{part}"
