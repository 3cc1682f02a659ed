"""One call of git, in which nothing runs that a repository could have configured.

In: a folder, and the arguments of a command. Out: what git prints, or GitFailed with git's words. A cloned repository
is untrusted, including its `.git/config` and attributes: `run` switches off everything that git would execute or write
on its own, and no other function starts git.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from rpg.encoder.source_files.git.companion import Companion
from rpg.encoder.source_files.git_hazards import (
    LONGEST_SECONDS,
    Obstacle,
    Ready,
    find_obstacle,
    format_obstacle,
    is_obstacle,
    readiness,
)
from rpg.encoder.source_files.git_places import GitUnready, LeadsOut
from rpg.errors import EncodeFailed

SLOW_SECONDS = 30.0
"""After git took too long in a folder, it is not asked there again for this many seconds."""
DOUBTED_SECONDS = 0.2
"""After that long, what git might be waiting for is looked for."""
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
_obstacles: dict[str, Obstacle] = {}
"""What git waited for, by folder."""
_PLAIN_DIFF = ("--no-ext-diff", "--no-textconv", "--ignore-submodules=all")
_COMPARING = dict.fromkeys(("diff", "diff-files", "diff-index", "diff-tree", "log", "show"), _PLAIN_DIFF) | {
    "status": ("--ignore-submodules=all",)
}
"""Otherwise git would start another git in each submodule, with filters of its own."""
Heard = Callable[[bytes], None]


class GitFailed(EncodeFailed):
    """Git is missing, took too long, or refused; the message contains git's words."""

    def __init__(self, message: str, status: int = -1) -> None:
        super().__init__(message)
        self.status = status
        """Exit status; -1 if git never answered."""


class TooSlow(GitFailed):
    """git took too long and was killed."""


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
    place = os.path.realpath(root)
    top = place
    reads_work_tree = _walks_work_tree(command, rest)
    if not seconds:
        ready = _readiness(root, place, is_top, reads_work_tree)
        seconds, top = ready.seconds, ready.level or place
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
    environment["GIT_CEILING_DIRECTORIES"] = os.path.dirname(top)
    if command == "check-ignore":  # takes plain paths and refuses the option
        del environment["GIT_LITERAL_PATHSPECS"]

    def doubt(process: subprocess.Popen[bytes]) -> None:
        if obstacle := find_obstacle(root, reads_work_tree, lambda: process.poll() is not None):
            _obstacles[place] = obstacle
            raise _refuse(GitUnready(f"{format_obstacle(obstacle, root)} is not a regular file"))

    is_local = protocols == NO_PROTOCOL
    try:
        status, output, complaint = _process(
            [*line, command, *rest], environment, stdin, seconds, heard, doubt if is_local else None
        )
    except TooSlow:
        _slow[place] = time.monotonic()
        raise
    if status:
        reason = complaint if protocols != NO_PROTOCOL else _shown_complaint(complaint)
        raise GitFailed(f"git {command}: {reason or f'exit status {status}'}", status)
    return output


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


def _readiness(root: Path, place: str, is_top: bool, reads_work_tree: bool) -> Ready:
    if place in _slow and time.monotonic() - _slow[place] < SLOW_SECONDS:
        raise GitFailed("git took too long here a moment ago")
    try:
        ready = readiness(root, is_top)
    except GitUnready as error:
        raise _refuse(error) from error
    if place in _obstacles:
        obstacle = _obstacles[place]
        if not is_obstacle(obstacle.path):
            del _obstacles[place]
        elif obstacle.is_of_git or reads_work_tree:
            raise _refuse(GitUnready(f"{format_obstacle(obstacle, root)} is not a regular file"))
    return ready


def why_not_asked(root: Path) -> str:
    """Why git is asked nothing about a folder, although there is a repository; empty if it is asked. Names no folder of
    this machine. Starts no git."""
    try:
        _readiness(root, os.path.realpath(root), is_top=False, reads_work_tree=False)
    except GitFailed as error:
        return error.message
    return ""


def _refuse(reason: GitUnready) -> GitFailed:
    return GitFailed(str(reason) if isinstance(reason, LeadsOut) else f"git is not run: {reason}")


def _walks_work_tree(command: str, arguments: Sequence[str]) -> bool:
    """Whether git may read files of rules in any folder of the work tree."""
    if command == "ls-files":
        return "--others" in arguments
    return command == "check-ignore" or command not in _READS_OBJECTS_ONLY


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
    line: list[str],
    environment: dict[str, str],
    stdin: bytes,
    seconds: float,
    heard: Heard | None,
    doubt: Callable[[subprocess.Popen[bytes]], None] | None,
) -> tuple[int, bytes, str]:
    """Exit status, output, complaint. Runs in its own session, so that nothing can prompt at the terminal and
    everything that git started ends with it. `doubt` is called if it takes long, and ends it by raising; None for a
    command that takes long by nature."""
    with Companion() as companion:
        if doubt is None or heard is not None:
            companion.start()
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
        companion.follow(process.pid)
        with process:
            try:
                with _send_beside(process, stdin):
                    output, complaint = _communicate(process, seconds, heard, doubt, companion)
            except BaseException as error:
                _end(process)
                if isinstance(error, subprocess.TimeoutExpired):
                    raise TooSlow(f"git took longer than {seconds:g} seconds") from error
                raise
    return process.returncode, output, complaint.decode(errors="replace").strip()


@contextmanager
def _send_beside(process: subprocess.Popen[bytes], stdin: bytes) -> Iterator[None]:
    """Sends what git reads, beside what it answers: `communicate` sends nothing more once it has been interrupted."""
    pipe, process.stdin = process.stdin, None
    if pipe is None:
        yield
        return

    def send() -> None:
        with suppress(OSError), pipe:  # git may end before it has read everything
            pipe.write(stdin)

    sender = threading.Thread(target=send, name="git-input", daemon=True)
    sender.start()
    try:
        yield
    except BaseException:
        _end(process)  # which lets go of the other end
        raise
    finally:
        sender.join()


def _communicate(
    process: subprocess.Popen[bytes],
    seconds: float,
    heard: Heard | None,
    doubt: Callable[[subprocess.Popen[bytes]], None] | None,
    companion: Companion,
) -> tuple[bytes, bytes]:
    ends = time.monotonic() + seconds
    if heard is None:
        if doubt is None or seconds <= DOUBTED_SECONDS:
            return process.communicate(timeout=seconds)
        try:
            return process.communicate(timeout=DOUBTED_SECONDS)
        except subprocess.TimeoutExpired:
            companion.start()
            companion.follow(process.pid)
            doubt(process)
        return process.communicate(timeout=max(0.0, ends - time.monotonic()))
    while True:
        try:
            return process.communicate(timeout=max(0.0, min(HEARD_SECONDS, ends - time.monotonic())))
        except subprocess.TimeoutExpired as waiting:
            if time.monotonic() >= ends:
                raise
            heard(waiting.stderr or b"")


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
