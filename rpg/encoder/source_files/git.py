"""All queries to git, as small functions over a single `run`.

In: a folder and a question. Out: bytes, names, ids. Absent on purpose: anything that a repository's own configuration
could start. A cloned repository is untrusted, including its `.git/config` and attributes.

Invariant: every git process is started by `run`, which switches off everything that git would execute or write on its
own. Names are passed after `--`, answers are read with `-z`.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from rpg.encoder.source_files.git_hazards import LONGEST_SECONDS, GitUnready, patience
from rpg.errors import BadRequest, EncodeFailed

SLOW_SECONDS = 30.0
"""After git took too long in a folder, it is not asked there again for this many seconds."""
BATCH_BYTES = 32 << 20
HEARD_SECONDS = 0.2
"""How often a caller that waits for the network gets a report, and may cancel."""
NO_PROTOCOL = "none"
COMPLAINT_CHARACTERS = 500
_ABOUT_CONFIGURATION = re.compile(
    r"config|does not contain|variable name|invalid key|malformed|bad .*value", re.IGNORECASE
)

_SETTINGS = (
    "core.fsmonitor=false",
    "core.protectHFS=true",
    "core.protectNTFS=true",
    "core.hooksPath=/dev/null",
    "core.checkStat=default",
    "core.trustCtime=true",
    "core.pager=cat",
    "core.untrackedCache=false",
    "core.quotePath=false",
    "credential.interactive=false",
    "fetch.recurseSubmodules=false",
    "fetch.uriProtocols=",
    "gc.auto=0",
    "http.followRedirects=initial",
    "log.showSignature=false",
    "maintenance.auto=false",
    "protocol.ext.allow=never",
    "submodule.recurse=false",
    "transfer.bundleURI=false",
)
_ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_ASKPASS": "",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GCM_INTERACTIVE": "never",
    "SSH_ASKPASS_REQUIRE": "never",
}
_KEPT = re.compile(r"GIT_(CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)|EXEC_PATH|SSH|SSH_COMMAND|SSH_VARIANT|SSL_\w+|PROXY_\w+)")
"""How the user reaches servers and which folders the user trusts; all other variables (GIT_DIR and the like, set inside
a hook) would make git answer for another repository."""
_READS_OBJECTS_ONLY = frozenset(
    {"cat-file", "check-ignore", "config", "diff-tree", "ls-files", "ls-tree", "merge-base", "rev-list", "rev-parse"}
)
"""Commands that never convert a file of the work tree to or from a blob, so no filters need to be switched off; so does
anything that compares only the index, with `--cached`."""
_MAY_TAKE_LONG = frozenset({"cat-file", "config", "checkout"})
"""Commands that read only objects, or what `clone` has just made."""
_slow: dict[str, float] = {}
_PLAIN_DIFF = ("--no-ext-diff", "--no-textconv", "--ignore-submodules=all")
_COMPARING = dict.fromkeys(("diff", "diff-files", "diff-index", "diff-tree", "log", "show"), _PLAIN_DIFF) | {
    "status": ("--ignore-submodules=all",)
}
"""Otherwise git would start another git in each submodule, with filters of its own."""


Heard = Callable[[bytes], None]
LINK, SUBMODULE = "120000", "160000"
ASSUMED = "assumed to be unchanged"
NOT_WANTED = "not wanted in the work tree"


class GitFailed(EncodeFailed):
    """Git is missing, took too long, or refused; the message contains git's words."""

    def __init__(self, message: str, status: int = -1) -> None:
        super().__init__(message)
        self.status = status
        """Exit status; -1 if git never answered."""


class TooSlow(GitFailed):
    """git took too long and was killed."""


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


def run(
    root: Path,
    *arguments: str,
    stdin: bytes = b"",
    seconds: float = 0.0,
    protocols: str = NO_PROTOCOL,
    secrets: Mapping[str, str] | None = None,
    is_top: bool = False,
    heard: Heard | None = None,
) -> bytes:
    """What `git -C root ARGUMENTS` prints. GitFailed if git is missing, fails, would wait for something in place of one
    of its files, or takes longer than `seconds` (0: a limit for a work tree of that size).

    Off: fsmonitor, hooks, filters, textconv, external diff, submodules, lazy fetches, locks, prompts, GIT_* of the
    environment. Git's own check that a repository belongs to the user stays on: only the user's own `safe.directory`
    counts. `protocols` are those that a fetch may use; otherwise there is no network. `secrets` are settings that no
    other user may see in the list of processes. `is_top`: git looks for no repository in the folders above. `heard` is
    called with what git has complained and reported so far, and ends it by raising.
    """
    command, *rest = arguments
    place = os.path.abspath(root)
    if not seconds:
        seconds = _patience(root, place)
        if command in _MAY_TAKE_LONG:
            seconds = max(seconds, LONGEST_SECONDS)
    settings = [*_SETTINGS]
    if command not in _READS_OBJECTS_ONLY and "--cached" not in rest:
        settings += _filters_off(root)
    rest = [*_COMPARING.get(command, ()), *rest]
    line = [_executable(), "-C", os.fspath(root), "--no-pager"]
    for setting in settings:
        line += ["-c", setting]
    environment = _environment(protocols) | _in_environment(secrets or {})
    if is_top:
        environment["GIT_CEILING_DIRECTORIES"] = os.path.dirname(place)
    if command == "check-ignore":  # takes plain paths and refuses the option
        del environment["GIT_LITERAL_PATHSPECS"]
    try:
        status, output, complaint = _process([*line, command, *rest], environment, stdin, seconds, heard)
    except TooSlow:
        _slow[place] = time.monotonic()
        raise
    if status:
        reason = complaint if protocols != NO_PROTOCOL else _shown_complaint(complaint)
        raise GitFailed(f"git {command}: {reason or f'exit status {status}'}", status)
    return output


def _patience(root: Path, place: str) -> float:
    if place in _slow and time.monotonic() - _slow[place] < SLOW_SECONDS:
        raise GitFailed("git took too long here a moment ago")
    try:
        return patience(root)
    except GitUnready as error:
        raise GitFailed(f"git is not run: {error}") from error


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


def tracked(root: Path) -> list[Tracked]:
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


def untracked(root: Path, known: Status | None = None) -> list[str]:
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
        commit = answer(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if not commit:
        raise BadRequest(
            f"no such revision here: {revision!r}; name a branch, a tag or a commit "
            "(a shallow clone lacks the older ones: git fetch --unshallow)"
        )
    return commit.decode().strip()


def tree(root: Path, commit: str) -> list[Blob]:
    """Every blob and submodule of a commit under `root`."""
    blobs = []
    for line in parts(run(root, "ls-tree", "-r", "-z", "-l", commit)):
        about, _, path = line.partition("\t")
        mode, _, object_id, size = about.split()
        blobs.append(Blob(path, mode, object_id, int(size) if size.isdigit() else -1))
    return blobs


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


def answer(root: Path, *arguments: str) -> bytes:
    """For commands that answer no by exit status 1, which gives b''."""
    try:
        return run(root, *arguments)
    except GitFailed as error:
        if error.status != 1:
            raise
        return b""


def parts(output: bytes) -> list[str]:
    return [os.fsdecode(part) for part in output.split(b"\0")[:-1]]


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


def _filters_off(root: Path) -> list[str]:
    """Settings that leave every filter driver at every level of configuration without a command."""
    settings = []
    for key in parts(answer(root, "config", "-z", "--name-only", "--get-regexp", r"^filter\.")):
        if "=" in key:  # `-c name=value` would be split in the middle of the name
            raise GitFailed(f"git: the filter {key!r} cannot be switched off; remove it from the configuration")
        driver, _, variable = key.rpartition(".")
        if variable in ("clean", "smudge", "process"):
            settings.append(f"{key}=")
        settings.append(f"{driver}.required=false")
    return settings


def _executable() -> str:
    git = shutil.which("git")
    if git is None or not os.path.isabs(git):  # one found relative to the current folder may be the repository's
        raise GitFailed("git is not installed or not on the PATH: install it, or encode a folder without it")
    return git


def _environment(protocols: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or _KEPT.fullmatch(name)}
    return kept | _ENVIRONMENT | {"GIT_ALLOW_PROTOCOL": protocols}


def _in_environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Settings as git reads them from its environment."""
    each = {"GIT_CONFIG_COUNT": str(len(settings))} if settings else {}
    for number, (key, value) in enumerate(settings.items()):
        each |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return each


def _process(
    line: list[str], environment: dict[str, str], stdin: bytes, seconds: float, heard: Heard | None
) -> tuple[int, bytes, str]:
    """Exit status, output, complaint. Runs in its own session, so that nothing can prompt at the terminal and
    everything that git started ends with it."""
    try:
        process = subprocess.Popen(
            line,
            env=environment,
            stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise GitFailed(f"git could not be started: {error}") from error
    with process:
        try:
            output, complaint = _communicated(process, stdin or None, seconds, heard)
        except BaseException as error:
            _end(process)
            if isinstance(error, subprocess.TimeoutExpired):
                raise TooSlow(f"git took longer than {seconds:g} seconds") from error
            raise
    return process.returncode, output, complaint.decode(errors="replace").strip()


def _communicated(
    process: subprocess.Popen[bytes], stdin: bytes | None, seconds: float, heard: Heard | None
) -> tuple[bytes, bytes]:
    if heard is None:
        return process.communicate(stdin, seconds)
    ends = time.monotonic() + seconds
    while True:
        try:
            return process.communicate(stdin, max(0.0, min(HEARD_SECONDS, ends - time.monotonic())))
        except subprocess.TimeoutExpired as waiting:
            if time.monotonic() >= ends:
                raise
            heard(waiting.stderr or b"")
            stdin = None  # it is being sent


def _shown_complaint(complaint: str) -> str:
    """Git's own words, except about configuration: git quotes what it cannot read, and a repository can make it include
    any of the user's files."""
    if _ABOUT_CONFIGURATION.search(complaint) and "dubious ownership" not in complaint:
        return "its configuration here cannot be read: `git config --list` tells why"
    return complaint[:COMPLAINT_CHARACTERS]


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.returncode is not None:  # it has been waited for: its number may already be another process's
        return
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
