"""Git answers questions about repositories that nobody vouches for, and runs nothing of theirs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from repositories import Traps, commit, git, repository, traps, write

from rpg.encoder.source_files import git as asked
from rpg.encoder.source_files.git import Change, GitFailed, process
from rpg.encoder.source_files.listing import Listing, Skipped, identity, list_files, read_all
from rpg.errors import BadRequest


@pytest.fixture(autouse=True)
def _no_configuration_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


# Nothing runs


@pytest.fixture
def trap(tmp_path: Path) -> Traps:
    return traps(tmp_path)


def hostile(folder: Path, command: Callable[[str], str]) -> Path:
    """A repository whose configuration, attributes and hooks start a command wherever git lets them."""
    repository(folder, {"a.py": "a = 1\n", "b.py": "b = 1\n", ".gitattributes": "* filter=evil diff=evil\n"})
    write(folder, {"b.py": "b = 2\n"})
    commit(folder)
    signed = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n"
    write(folder, {".git/signed": git(folder, "cat-file", "commit", "HEAD").replace("\n\n", "\n" + signed, 1)})
    git(folder, "reset", "-q", git(folder, "hash-object", "-t", "commit", "-w", ".git/signed"))
    for key in (
        "core.fsmonitor", "filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.textconv",
        "diff.evil.command", "diff.external", "core.pager", "core.editor", "core.sshCommand", "core.askPass",
        "core.gitProxy", "core.alternateRefsCommand", "credential.helper", "gpg.program", "sequence.editor",
        "uploadpack.packObjectsHook", "alias.ls-files", "alias.diff",
    ):  # fmt: skip
        git(folder, "config", key, ("!" if key.startswith("alias.") else "") + command(key))
    git(folder, "config", "filter.evil.required", "true")
    git(folder, "config", "log.showSignature", "true")
    git(folder, "config", "core.hooksPath", str(folder / "hooks"))
    for hook in ("post-index-change", "fsmonitor-watchman", "pre-auto-gc", "post-checkout", "reference-transaction"):
        write(folder, {f"hooks/{hook}": f"#!/bin/sh\nexec {command(hook)}\n"})
        (folder / "hooks" / hook).chmod(0o755)
    # Same size and another time: git must compare contents, and would ask the filter.
    (folder / "a.py").write_text("a = 2\n")
    os.utime(folder / "b.py", (1, 1))
    return folder


def test_a_repositorys_configuration_starts_nothing(tmp_path: Path, trap: Traps) -> None:
    command, sprung = trap
    root = hostile(tmp_path / "repository", command)

    listing = list_files(root)
    assert {entry.path for entry in listing.entries} >= {"a.py", "b.py"}
    assert dict(contents(root, listing))["a.py"] == b"a = 2\n"
    older = list_files(root, revision="HEAD~1")
    assert dict(contents(root, older))["b.py"] == b"b = 1\n"
    assert identity(root).dirty
    head = asked.commit_of(root, "HEAD")
    assert Change("a.py", "modified") in asked.changes(root, head)
    assert asked.changes(root, asked.commit_of(root, "HEAD~1"), head) == [Change("b.py", "modified")]
    for arguments in (["log", "-p"], ["show", "HEAD"], ["diff", "HEAD"], ["status"], ["checkout", "-f", "HEAD~1"]):
        asked.run(root, *arguments)

    assert sprung() == []


def test_the_traps_work(tmp_path: Path, trap: Traps) -> None:
    """Else the test above could not fail."""
    command, sprung = trap
    root = hostile(tmp_path / "repository", command)
    git(root, "status", fails=True)
    for key in ("filter.evil.process", "diff.evil.command", "diff.external"):  # each goes before the next
        git(root, "config", "--unset", key)
        git(root, "diff", "HEAD", fails=True)
    git(root, "log", fails=True)
    git(root, "checkout", "-f", "HEAD~1", fails=True)
    assert set(sprung()) >= {
        "core.fsmonitor", "filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.command",
        "diff.external", "diff.evil.textconv", "post-index-change", "post-checkout", "gpg.program",
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["ext", "upload-pack", "helper"])
def test_a_partial_clone_fetches_nothing(tmp_path: Path, trap: Traps, kind: str) -> None:
    command, sprung = trap
    root = repository(tmp_path / "repository", {"a.py": "a = 1\n", "b.py": "b = 1\n"})
    blob = git(root, "rev-parse", "HEAD:a.py")
    (root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    settings = {
        "core.repositoryFormatVersion": "1", "extensions.partialClone": "evil", "remote.evil.promisor": "true",
        "remote.evil.url": {"ext": f"ext::{command('ext')}", "upload-pack": root.as_uri(), "helper": "x://y/z"}[kind],
        "remote.evil.uploadpack": command("upload-pack"), "protocol.allow": "always", "protocol.ext.allow": "always",
    }  # fmt: skip
    if kind == "helper":
        settings["remote.evil.vcs"] = "ext"
        settings["remote.evil.url"] = command("helper")
    for key, value in settings.items():
        git(root, "config", key, value)

    listing = list_files(root, revision="HEAD")
    assert [entry.path for entry in listing.entries] == ["b.py"]
    assert listing.skipped == [Skipped("a.py", "missing from this partial clone")]
    assert list(asked.contents(root, [("0" * 40, 0)])) == [None]
    assert identity(root).commit
    assert sprung() == []

    git(root, "cat-file", "-p", "HEAD:a.py", fails=True)
    assert sprung() == [kind]


def test_no_question_reaches_a_server_or_another_repository(tmp_path: Path) -> None:
    other = repository(tmp_path / "other", {"a.py": ""})
    root = repository(tmp_path / "repository", {"a.py": ""})
    for url in (other.as_uri(), "https://127.0.0.1:1/a", "ssh://127.0.0.1:1/a", "ext::true"):
        with pytest.raises(GitFailed, match="not allowed"):
            asked.run(root, "ls-remote", url)
    assert asked.run(root, "ls-remote", other.as_uri(), protocols="file")


def test_a_submodules_filters_do_not_run(tmp_path: Path, trap: Traps) -> None:
    command, sprung = trap
    inner = repository(tmp_path / "inner", {"a.py": "a = 1\n", ".gitattributes": "* filter=evil\n"})
    root = repository(tmp_path / "repository", {"b.py": ""})
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "inner")
    git(root, "config", "-f", ".gitmodules", "submodule.inner.ignore", "none")
    head = commit(root)
    git(root / "inner", "config", "filter.evil.clean", command("clean"))
    os.utime(root / "inner/a.py", (1, 1))
    assert identity(root) == (head, False, "")
    assert asked.run(root, "diff", "HEAD") == asked.run(root, "status", "--porcelain") == b""
    assert sprung() == []

    git(root, "status")
    assert sprung() == ["clean"]


def test_questions_write_nothing(tmp_path: Path) -> None:
    root = repository(tmp_path, {"a.py": "a = 1\n"})
    os.utime(root / "a.py", (1, 1))
    before = {path: path.read_bytes() for path in (root / ".git").rglob("*") if path.is_file()}
    assert not identity(root).dirty
    asked.run(root, "status")
    list_files(root)
    assert {path: path.read_bytes() for path in (root / ".git").rglob("*") if path.is_file()} == before
    git(root, "status")
    assert (root / ".git/index").read_bytes() != before[root / ".git/index"]


def test_a_replaced_object_does_not_change_a_revision(tmp_path: Path) -> None:
    root = repository(tmp_path, {"a.py": "a = 1\n"})
    (root / "b.py").write_text("b = 2\n")
    git(root, "replace", git(root, "rev-parse", "HEAD:a.py"), git(root, "hash-object", "-w", "b.py"))
    assert git(root, "show", "HEAD:a.py") == "b = 2"
    assert contents(root, list_files(root, revision="HEAD")) == [("a.py", b"a = 1\n")]


def test_a_name_is_a_name_and_no_pattern(tmp_path: Path) -> None:
    root = repository(tmp_path, {"*.py": "", "b.py": ""})
    assert asked.run(root, "ls-files", "-z", "--", "*.py") == b"*.py\0"


def test_a_bare_repository_answers_for_its_revisions(tmp_path: Path) -> None:
    root = repository(tmp_path / "repository", {"pkg/a.py": "a"})
    git(tmp_path, "clone", "-q", "--bare", "repository", "bare")
    assert contents(tmp_path / "bare", list_files(tmp_path / "bare", revision="main")) == [("pkg/a.py", b"a")]
    assert identity(tmp_path / "bare") == ("", False, "")
    assert root.exists()


def test_a_filter_that_cannot_be_named_on_the_command_line_stops_git(tmp_path: Path, trap: Traps) -> None:
    command, sprung = trap
    root = repository(tmp_path / "repository", {"a.py": "a = 1\n", ".gitattributes": "* filter=x.clean=y\n"})
    git(root, "config", "filter.x.clean=y.clean", command("clean"))
    os.utime(root / "a.py", (1, 1))
    with pytest.raises(GitFailed, match="cannot be switched off"):
        asked.changes(root, asked.head(root))
    assert identity(root) == (asked.head(root), True, "")
    assert len(list_files(root).entries) == 2
    assert sprung() == []


def test_git_never_waits_for_an_answer_or_longer_than_it_may(tmp_path: Path) -> None:
    root = repository(tmp_path, {"a.py": ""})
    os.mkfifo(root / ".git/endless")
    git(root, "config", "include.path", "endless")
    with pytest.raises(GitFailed, match=r"git is not run: \.git/endless is not a regular file"):
        asked.run(root, "rev-parse", "HEAD", seconds=60)
    with pytest.raises(GitFailed, match=r"longer than 0\.1 seconds"):
        asked.run(root, "rev-parse", "HEAD", seconds=0.1)


def test_without_git_the_message_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path / "repository", {"a.py": ""})
    monkeypatch.setenv("PATH", str(tmp_path))
    listing = list_files(root)
    assert (listing.source, [entry.path for entry in listing.entries]) == ("walk", ["a.py"])
    assert "git is not installed" in listing.note
    assert identity(root) == ("", False, "")
    with pytest.raises(GitFailed, match="git is not installed"):
        asked.run(root, "rev-parse", "HEAD")


def test_git_beside_the_code_is_not_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trap: Traps) -> None:
    command, sprung = trap
    (tmp_path / "git").symlink_to(command("git"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "." + os.pathsep + os.environ["PATH"])
    with pytest.raises(GitFailed, match="git is not installed or not on the PATH"):
        asked.head(tmp_path)
    assert sprung() == []


def test_the_surroundings_of_a_hook_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = repository(tmp_path / "other", {"other.py": "x"})
    root = repository(tmp_path / "repository", {"a.py": ""})
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    assert (list_files(root).source, [entry.path for entry in list_files(root).entries]) == ("git", ["a.py"])
    assert identity(root).commit != identity(other).commit == git(other, "rev-parse", "HEAD")


# What git says


def test_head_is_empty_before_the_first_commit(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    assert asked.head(tmp_path) == ""
    write(tmp_path, {"a.py": ""})
    assert identity(tmp_path) == ("", True, "")
    first = commit(tmp_path)
    assert asked.head(tmp_path) == first
    assert identity(tmp_path) == (first, False, "")


def test_a_revision_is_a_branch_a_tag_an_id_or_an_expression(tmp_path: Path) -> None:
    root = repository(tmp_path, {"a.py": "1"})
    first = asked.head(root)
    git(root, "tag", "-a", "-m", "one", "v1")
    second = commit(root)
    assert asked.commit_of(root, "main") == second
    assert asked.commit_of(root, "v1") == asked.commit_of(root, "HEAD~1") == asked.commit_of(root, first[:12]) == first
    for wrong in ("", "nothing", "HEAD~9", "--all", "-1", "v1:a.py", "a\0b"):
        with pytest.raises(BadRequest, match="no such revision"):
            asked.commit_of(root, wrong)


def test_changes_between_commits_and_to_the_work_tree(tmp_path: Path) -> None:
    root = repository(tmp_path, {"same.py": "1", "edit.py": "1", "gone.py": "1", "old name.py": "1\n" * 50})
    old = asked.head(root)
    write(root, {"edit.py": "2", "new\n.py": "1"})
    (root / "gone.py").unlink()
    (root / "old name.py").rename(root / "näme.py")
    expected = [
        Change("edit.py", "modified"), Change("gone.py", "deleted"), Change("new\n.py", "added"),
        Change("näme.py", "added"), Change("old name.py", "deleted"),
    ]  # fmt: skip
    assert asked.changes(root, old) == expected
    git(root, "add", "-A")
    assert asked.changes(root, old) == expected
    new = commit(root)
    assert asked.changes(root, old, new) == expected
    assert asked.changes(root, new) == []
    assert identity(root) == (new, False, "")


def test_changes_between_index_and_work_tree_are_reported_as_one(tmp_path: Path) -> None:
    root = repository(tmp_path, dict.fromkeys(["twice.py", "unstaged.py", "staged gone.py", "kept.py", "type.py"], "1"))
    old = asked.head(root)
    write(root, {"twice.py": "2", "new.py": "", "short.py": "", "intended.py": ""})
    git(root, "add", "twice.py", "new.py", "short.py")
    git(root, "add", "-N", "intended.py")
    git(root, "rm", "-q", "--cached", "kept.py")
    git(root, "rm", "-q", "staged gone.py")
    write(root, {"twice.py": "3", "new.py": "x"})
    for name in ("unstaged.py", "short.py", "type.py"):
        (root / name).unlink()
    (root / "type.py").symlink_to("new.py")
    assert asked.changes(root, old) == [
        Change("intended.py", "added"), Change("kept.py", "modified"), Change("new.py", "added"),
        Change("staged gone.py", "deleted"), Change("twice.py", "modified"), Change("type.py", "modified"),
        Change("unstaged.py", "deleted"),
    ]  # fmt: skip


def test_an_unmerged_file_is_modified(tmp_path: Path) -> None:
    root = repository(tmp_path, {"a.py": "1"})
    git(root, "checkout", "-q", "-b", "other")
    write(root, {"a.py": "2"})
    commit(root)
    git(root, "checkout", "-q", "main")
    write(root, {"a.py": "3"})
    commit(root)
    git(root, "merge", "other", fails=True)
    assert asked.changes(root, asked.head(root)) == [Change("a.py", "modified")]
    assert [entry.path for entry in list_files(root).entries] == ["a.py"]


def test_changes_of_a_sub_folder_are_its_own(tmp_path: Path) -> None:
    root = repository(tmp_path, {"sub/a.py": "1", "b.py": "1"})
    old = asked.head(root)
    write(root, {"sub/a.py": "2", "b.py": "2", "sub/c.py": ""})
    assert asked.changes(root / "sub", old) == [Change("a.py", "modified"), Change("c.py", "added")]
    git(root, "checkout", "-q", "sub")
    (root / "sub/c.py").unlink()
    assert identity(root).dirty
    assert not identity(root / "sub").dirty


def test_what_this_program_and_tools_write_is_not_a_change(tmp_path: Path) -> None:
    root = repository(tmp_path, {"a.py": ""})
    write(root, {"a.graph.json": "{}", "b/x.graph.db": "", "x.graph.db-wal": "", "pkg/__pycache__/a.pyc": b"\0"})
    assert not identity(root).dirty
    write(root, {"b.py": ""})
    assert identity(root).dirty


def test_contents_come_in_order_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bodies = [b"", b"\n", b"\0\n", b"x" * 70000, b"a missing\n", "ä\r\n".encode()]
    root = repository(tmp_path, {f"{index}": body for index, body in enumerate(bodies)})
    blobs = [(blob.object_id, blob.size) for blob in asked.tree(root, asked.head(root))]
    assert list(asked.contents(root, blobs)) == bodies
    monkeypatch.setattr("rpg.encoder.source_files.git.queries.BATCH_BYTES", 2)
    assert list(asked.contents(root, blobs)) == bodies


def test_what_git_reads_is_sent_whole_however_long_git_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path / "shop", {"a.py": "a = 1\n"})
    wanted = f"{git(root, 'rev-parse', 'HEAD:a.py').strip()}\n".encode() * 20_000
    monkeypatch.setattr(process, "DOUBTED_SECONDS", 0.0)

    told = process.run(root, "cat-file", "--batch", "--buffer", stdin=wanted, seconds=20.0)

    assert told.count(b"a = 1\n") == 20_000


def test_another_users_repository_is_walked_and_says_why(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    root = repository(tmp_path / "repository", {"a.py": "", ".gitignore": "*.log\n", "b.log": ""})
    for path in (root, root / ".git"):
        os.chown(path, 12345, 12345)
    listing = list_files(root)
    assert listing.source == "walk"
    assert "dubious ownership" in listing.note
    assert [entry.path for entry in listing.entries] == [".gitignore", "a.py"]
    assert identity(root) == ("", False, "")


def test_a_folder_the_user_has_declared_safe_is_read_by_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    root = repository(tmp_path / "repository", {"a.py": ""})
    for path in (root, root / ".git"):
        os.chown(path, 12345, 12345)
    write(tmp_path, {"gitconfig": f"[safe]\n\tdirectory = {root}\n"})
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    assert list_files(root).source == "git"


def contents(root: Path, listing: Listing) -> list[tuple[str, bytes | Skipped]]:
    return [(entry.path, data) for entry, data in read_all(root, listing)]
