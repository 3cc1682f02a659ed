"""Repositories that are named by URL: how they may be named, fetched, updated, and what they never do."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from commands import RPG
from repositories import ENVIRONMENT, Traps, bare, commit, git, publish, repository, traps, watched_git, write

import rpg
from rpg.encoder.source_files import cloning
from rpg.encoder.source_files import git as asked
from rpg.encoder.source_files.cloning import clone, update
from rpg.encoder.source_files.listing import identity, list_files
from rpg.encoder.source_files.remotes import (
    Remote,
    normalise_url,
    remote_named,
    remote_url,
    remove_credentials,
    source_url,
)
from rpg.errors import BadRequest, EncodeFailed, Forbidden, InvalidPath, TimedOut
from rpg.repository import clones, clones_folder, find_source, forget, index_path, obtain
from rpg.repository.encoding import lock


@pytest.fixture(autouse=True)
def _nothing_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))


@pytest.fixture
def trap(tmp_path: Path) -> Traps:
    return traps(tmp_path)


def remote(url: str | Path, revision: str = "") -> Remote:
    found = remote_named(url.as_uri() if isinstance(url, Path) else url, revision)
    assert found
    return found


# Names


TOKENS = ("ghp_16C7e42F292c6912E7710c838347Ae178B4a", "glpat-Zx81kQw92LmPv30RtYb7", "t0kEnA9x8Zq2Lm4Pw7Rt")


@pytest.mark.invariant(
    "trust",
    "a URL is fetched only over https, ssh or from this machine; no part of it becomes an option; its "
    "password is in no argument, file or text, and a token in its path in no file or text",
)
@pytest.mark.parametrize(
    ("origin", "shown"),
    [
        *((f"https://host.example/{token}/x", f"https://host.example/{'*' * len(token)}/x") for token in TOKENS),
        (f"git@host.example:a/{TOKENS[0]}/x.git", f"https://host.example/a/{'*' * 40}/x"),
        (f"https://host.example/a/{TOKENS[0]}", f"https://host.example/a/{'*' * 40}"),
        ("https://host.example/ghp%5F16C7e42F292c6912E7710c838347Ae178B4a/x", f"https://host.example/{'*' * 42}/x"),
        ("u:PASS@host:x", "https://host/x"),
        ("u:PASS@host.example:a/x.git", "https://host.example/a/x"),
        ("first.last:PASS@host.example/x", "https://host.example/x"),
        ("oauth2:PASS@host/x", "https://host/x"),
        ("git@u:PASS@host.example:x", "https://host.example/x"),
        ("https://u:pa/PASS@host.example/a/x", "https://host.example/a/x"),
        ("https://u:123/PASS@host.example/a/x", "https://host.example/a/x"),
        # Names
        ("git@host.example:a/b@v1", "https://host.example/a/b@v1"),
        ("git@host.example:@scope/x", "https://host.example/@scope/x"),
        ("git.example.com:dir@x/y", "https://git.example.com/dir@x/y"),
        ("https://host.example/@scope/x@1", "https://host.example/@scope/x@1"),
        ("https://host.example/a/node-exporter-0.18.1-c3p0", "https://host.example/a/node-exporter-0.18.1-c3p0"),
        (
            "https://dev.example.com/org/6f9619ff-8b86-d011-b42d-00cf4fc964ff/_git/x",
            "https://dev.example.com/org/6f9619ff-8b86-d011-b42d-00cf4fc964ff/_git/x",
        ),
    ],
)
def test_no_secret_of_an_origin_is_in_a_graph(tmp_path: Path, origin: str, shown: str) -> None:
    root = repository(tmp_path / "shop", {"shop.py": "def price(): ...\n"})
    git(root, "remote", "add", "origin", origin)
    assert remote_url(root) == shown
    assert "PASS" not in shown


def test_no_secret_of_a_url_that_is_fetched_is_shown_or_stored(tmp_path: Path) -> None:
    place = bare(tmp_path, TOKENS[0], {"shop.py": ""})
    source = remote(place)
    assert TOKENS[0] not in source.shown
    clone(source, tmp_path / "clone")
    assert TOKENS[0] not in (tmp_path / "clone" / ".git" / "config").read_text()
    shutil.rmtree(place)
    with pytest.raises(EncodeFailed) as failed:
        update(source, tmp_path / "clone")
    assert TOKENS[0] not in failed.value.message


@pytest.mark.parametrize(
    ("written", "normalised"),
    [
        ("https://github.com/pallets/flask.git", "https://github.com/pallets/flask"),
        ("https://github.com/pallets/flask/", "https://github.com/pallets/flask"),
        ("https://user:se%40cret@GitHub.com:443/pallets/flask.git", "https://github.com/pallets/flask"),
        ("https://user:p@ss@github.com/pallets/flask", "https://github.com/pallets/flask"),
        ("https://host/a/b?private_token=secret#x", "https://host/a/b"),
        ("https://host:8443/a/b.git", "https://host:8443/a/b"),
        ("http://host/a/b.git", "http://host/a/b"),
        ("git@github.com:pallets/flask.git", "https://github.com/pallets/flask"),
        ("github.com:pallets/flask", "https://github.com/pallets/flask"),
        ("ssh://git@github.com:22/pallets/flask.git", "https://github.com/pallets/flask"),
        ("ssh://git@host:2222/a/b", "https://host/a/b"),
        ("git://host/a/b.git/", "https://host/a/b"),
        ("git@host:/a//b.git", "https://host/a/b"),
        ("file:///home/me/flask", ""),
        ("/home/me/flask", ""),
        ("../flask.git", ""),
        ("~/flask", ""),
        ("C:\\code\\flask", ""),
        ("C:/code/flask", ""),
        ("ext::sh -c anything", ""),
        ("https://me:secret@localhost:8080/a/b", ""),
        ("http://proxy@127.0.0.1:4000/git/a/b", ""),
        ("http://[::1]/a/b", ""),
        ("https://host/", ""),
        ("", ""),
    ],
)
def test_a_url_has_one_spelling_and_no_credentials(written: str, normalised: str) -> None:
    assert normalise_url(written) == normalised
    assert normalise_url(normalised) == normalised


def test_the_remote_is_origin_else_the_first(tmp_path: Path) -> None:
    root = repository(tmp_path, {"a.py": ""})
    assert remote_url(root) == ""
    git(root, "remote", "add", "zebra", "git@host:z/z.git")
    git(root, "remote", "add", "fork", "https://me:token@host/fork/f.git")
    assert remote_url(root) == "https://host/fork/f"
    git(root, "remote", "add", "origin", "https://host/a/b.git")
    assert remote_url(root) == "https://host/a/b"
    assert identity(root).url == "https://host/a/b"


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("https://host/a/b", "https://host/a/b"),
        ("ssh://git@host/a", "ssh://git@host/a"),
        ("git@github.com:a/b.git", "git@github.com:a/b.git"),
        ("github.com:a/b", "github.com:a/b"),
        ("github.com/a/b", "https://github.com/a/b"),
        ("pallets/flask", "https://github.com/pallets/flask"),
        ("file:///somewhere/a", "file:///somewhere/a"),
        ("./a/b", ""),
        ("../a", ""),
        ("/a/b", ""),
        ("~/a", ""),
        ("flask", ""),
        ("a/b/c", ""),
        ("C:\\code\\flask", ""),
        ("--upload-pack=x", ""),
        ("", ""),
    ],
)
def test_what_names_a_repository_to_clone(given: str, url: str) -> None:
    assert source_url(given) == url


def test_what_is_there_is_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pallets/flask").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert source_url("pallets/flask") == ""
    assert source_url("pallets/click") == "https://github.com/pallets/click"


@pytest.mark.parametrize(
    ("given", "url", "revision"),
    [
        ("https://host/a/b@v1.2", "https://host/a/b", "v1.2"),
        ("https://me:s3cret@host/a/b@v1", "https://host/a/b", "v1"),
        ("a/b@feature/x", "https://github.com/a/b", "feature/x"),
        ("a/b@pkg@1.0", "https://github.com/a/b", "pkg@1.0"),
        ("host.org/a/b@main", "https://host.org/a/b", "main"),
        ("git@host.org:a/b.git@main", "git@host.org:a/b.git", "main"),
        ("ssh://git@host:22/a/b@main", "ssh://git@host:22/a/b", "main"),
        ("https://host/@scope/b", "https://host/@scope/b", ""),
        ("https://host/@scope/b@v1", "https://host/@scope/b", "v1"),
        ("git@github.com:a/b", "git@github.com:a/b", ""),
        ("file:///nowhere/a@b", "file:///nowhere/a@b", ""),
        ("FILE://localhost/nowhere", "file:///nowhere", ""),
    ],
)
def test_a_revision_may_follow_a_url(given: str, url: str, revision: str) -> None:
    found = remote(given)
    assert (found.url, found.revision) == (url, revision)


def test_a_path_with_an_at_sign_that_is_there_is_a_path(tmp_path: Path) -> None:
    inner = repository(tmp_path / "me@work" / "a@b", {"a.py": ""})
    assert remote(inner).url == inner.as_uri()
    found = remote(f"{inner.as_uri()}@v1")
    assert (found.url, found.revision) == (inner.as_uri(), "v1")


def test_two_revisions_are_one_too_many() -> None:
    assert remote("a/b@v1", "v1").revision == "v1"
    with pytest.raises(BadRequest, match="two revisions are named"):
        remote("a/b@v1", "v2")


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://host/a", "http:// is not encrypted"),
        ("HTTP://host/a", "is not encrypted"),
        ("git://host/a", "git:// is not encrypted"),
        ("ext::sh -c 'touch x'", "makes git run a program"),
        ("fd::7", "makes git run a program"),
        ("foo+bar::x", "makes git run a program"),
        ("me@-oProxyCommand:a/b", "for options"),
        ("ssh://-o@host/a", "for options"),
        ("git@host.org:-a/b", "for options"),
        ("https://-a/b", "for options"),
    ],
)
def test_transports_that_run_programs_or_are_not_encrypted_are_refused(url: str, why: str) -> None:
    with pytest.raises(Forbidden, match=why):
        remote_named(url)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("ftp://host/a", "ftp:// cannot be fetched from; give one of: https, ssh, file"),
        ("ssh://me:s3cret@host/a", "ssh takes no password"),
        ("https:///a", "no valid host"),
        ("ssh://-oProxyCommand=x/a", "no valid host"),
        ("https://host", "no valid host"),
        ("https://host/", "no valid host"),
        ("https://me:s3/cret@host/a", "no valid host"),
        ("https://a b@host/x", "white space"),
        ("https://host/a\nb", "white space"),
        ("https://ho\\st/a", "no valid host"),
        ("https://host/a?token=s3cret", r"no '\?'"),
        ("https://host/a#b", "no '#'"),
        ("file://server/share", "folder of this machine"),
        ("file://relative", "folder of this machine"),
    ],
)
def test_a_url_that_git_might_read_otherwise_is_refused(url: str, why: str) -> None:
    with pytest.raises(BadRequest, match=why) as refusal:
        remote_named(url)
    assert "s3" not in refusal.value.message


@pytest.mark.parametrize(
    "revision",
    ["-x", "--upload-pack=x", "a b", "a:b", "a..b", "a~1", "a^", "a*", "a?", "[a", "a\\b", "a@{1}", "/a", "a/", "a//b",
     ".a", "a.lock", "a\0b", "a\nb", "é" * 251],
)  # fmt: skip
def test_what_is_not_a_revision_is_refused(revision: str) -> None:
    with pytest.raises(BadRequest, match="is not a revision"):
        remote("a/b", revision)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://me:s3cret@host/a@v1", "https://host/a@v1"),
        ("fatal: 'https://s3cret@host/a': no", "fatal: 'https://host/a': no"),
        ("https://host/a?token=s3cret", "https://host/a"),
        ("me:s3cret@host.org:a/b is not there", "host.org:a/b is not there"),
        ("git@host.org:a/b", "git@host.org:a/b"),
        ("a: b@c: d", "a: b@c: d"),
    ],
)
def test_credentials_are_taken_out_of_any_text(text: str, shown: str) -> None:
    assert remove_credentials(text) == shown


def test_credentials_are_in_no_url_and_no_representation() -> None:
    found = remote("https://me:wo%40rd@host:8443/a/b@v1")
    assert (found.user, found.password) == ("me", "wo@rd")
    assert "wo" not in repr(found) + found.url + found.shown
    assert found.credentials["http.https://host:8443/.followRedirects"] == "false"
    assert "wo@rd" not in str(found.credentials)
    assert remote("https://s3cret@host/a").credentials == {"credential.https://host.username": "s3cret"}
    assert remote("https://host/a").credentials == {}


# Clones


def test_a_clone_is_shallow_and_complete(tmp_path: Path) -> None:
    origin = repository(tmp_path / "origin", {"a.py": "old\n"})
    write(origin, {"a.py": "new\r\n", "ü b/c.py": ""})
    newest = commit(origin)
    folder = tmp_path / "clones/origin"
    assert clone(remote(origin), folder) == newest
    assert asked.head(folder) == newest
    assert [entry.path for entry in list_files(folder).entries] == ["a.py", "ü b/c.py"]
    assert (folder / "a.py").read_bytes() == b"new\r\n"
    assert git(folder, "rev-list", "--count", "HEAD") == "1"
    assert identity(folder) == (newest, False, "")
    assert os.listdir(folder.parent) == ["origin"]


def test_a_clone_takes_a_branch_a_tag_or_a_commit(tmp_path: Path) -> None:
    origin = repository(tmp_path / "origin", {"a.py": "1"})
    git(origin, "tag", "-a", "v1", "-m", "first")
    first = asked.head(origin)
    git(origin, "branch", "release/one")
    git(origin, "update-ref", "refs/pull/7/head", first)
    newest = commit(origin)
    git(origin, "tag", "main", first)  # a branch goes before a tag of its name
    named = {"v1": first, "release/one": first, "refs/pull/7/head": first, first: first, "main": newest, "HEAD": newest}
    for number, (revision, expected) in enumerate(named.items()):
        assert clone(remote(origin, revision), tmp_path / f"clone{number}") == expected, revision


@pytest.mark.parametrize(
    ("revision", "why"),
    [
        ("nowhere", "no branch or tag 'nowhere'"),
        ("abcdef0", r"give the whole id \(40 characters\)"),
        ("0" * 40, "no such commit"),
        ("a-tree", "is not a commit"),
    ],
)
def test_a_revision_that_is_not_there_is_reported(tmp_path: Path, revision: str, why: str) -> None:
    origin = repository(tmp_path / "origin", {"a.py": "1"})
    git(origin, "tag", "a-tree", "HEAD^{tree}")
    with pytest.raises(EncodeFailed, match=why):
        clone(remote(origin, revision), tmp_path / "clone")
    assert os.listdir(tmp_path) == ["origin"]


def test_a_failed_clone_leaves_nothing_and_tells_no_secret(tmp_path: Path) -> None:
    with pytest.raises(EncodeFailed, match="it does not exist or is not open to you") as failure:
        clone(remote(f"file://me:secret@localhost{tmp_path}/missing"), tmp_path / "clone")
    assert "secret" not in failure.value.message
    assert os.listdir(tmp_path) == []


def test_a_server_that_is_not_reached_is_named_as_the_reason(tmp_path: Path) -> None:
    with pytest.raises(EncodeFailed, match="the server cannot be reached") as failure:
        clone(remote("https://me:secret@127.0.0.1:1/a/b"), tmp_path / "clone")
    assert "secret" not in failure.value.message
    assert os.listdir(tmp_path) == []


def test_a_folder_with_something_in_it_is_not_cloned_into(tmp_path: Path) -> None:
    origin = repository(tmp_path / "origin", {"a.py": ""})
    write(tmp_path, {"full/x": ""})
    with pytest.raises(BadRequest, match="not empty"):
        clone(remote(origin), tmp_path / "full")
    (tmp_path / "empty").mkdir()
    clone(remote(origin), tmp_path / "empty")
    assert (tmp_path / "empty/a.py").exists()


def test_a_clone_runs_nothing_and_listens_to_no_repository_around_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trap: Traps
) -> None:
    command, sprung = trap
    origin = repository(tmp_path / "origin", {"a.py": "a\n", ".gitattributes": "* filter=lfs\n"})
    decoy = repository(tmp_path / "decoy", {"decoy.py": ""})
    hooks = ("post-checkout", "reference-transaction", "post-merge")
    for hook in hooks:
        write(tmp_path, {f"template/hooks/{hook}": f"#!/bin/sh\nexec {command(hook)}\n"})
        (tmp_path / "template/hooks" / hook).chmod(0o755)
    configuration = f"[core]\n\tautocrlf = true\n[init]\n\ttemplateDir = {tmp_path / 'template'}\n"
    configuration += f'[filter "lfs"]\n\tsmudge = {command("smudge")}\n\trequired = true\n'
    write(tmp_path, {"gitconfig": configuration})
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    around = repository(tmp_path / "around", {"x.py": ""})
    git(around, "config", f"url.{decoy.as_uri()}.insteadOf", origin.as_uri())
    clone(remote(origin), around / "clone")
    assert [entry.path for entry in list_files(around / "clone").entries] == [".gitattributes", "a.py"]
    write(origin, {"a.py": "b\n"})
    commit(origin)
    update(remote(origin), around / "clone")
    assert (around / "clone/a.py").read_bytes() == b"b\n"
    assert not (around / "clone/.git/hooks").exists()
    assert sprung() == []

    environment = dict(os.environ) | {"GIT_CONFIG_GLOBAL": str(tmp_path / "gitconfig")}
    subprocess.run(["git", "clone", "-q", origin.as_uri(), tmp_path / "plain"], env=environment, check=True)
    assert {"post-checkout", "smudge"} <= set(sprung())


def test_submodules_are_not_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = repository(tmp_path / "inner", {"inner.py": ""})
    origin = repository(tmp_path / "origin", {"a.py": ""})
    git(origin, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "inner")
    commit(origin)
    write(tmp_path, {"gitconfig": "[submodule]\n\trecurse = true\n[fetch]\n\trecurseSubmodules = true\n"})
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    clone(remote(origin), tmp_path / "clone")
    update(remote(origin), tmp_path / "clone")
    assert os.listdir(tmp_path / "clone/inner") == []
    assert not (tmp_path / "clone/.git/modules").exists()


def test_no_configuration_allows_another_protocol(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trap: Traps) -> None:
    command, sprung = trap
    inner = repository(tmp_path / "inner", {"a.py": ""})
    for instead in (inner.as_uri(), f"ext::{command('ext')} ", "http://127.0.0.1:1/"):
        allowed = "[protocol]\n\tallow = always\n"
        write(tmp_path, {"gitconfig": f'{allowed}[url "{instead}"]\n\tinsteadOf = https://host.example/\n'})
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
        with pytest.raises(EncodeFailed, match="another protocol"):
            clone(remote("https://host.example/a"), tmp_path / "clone")
    assert sprung() == []


@pytest.mark.invariant(
    "trust",
    "a URL is fetched only over https, ssh or from this machine; no part of it becomes an option; its "
    "password is in no argument, file or text, and a token in its path in no file or text",
)
def test_a_password_is_in_no_argument_and_not_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    origin = repository(tmp_path / "origin", {"a.py": ""})
    monkeypatch.setenv("PATH", f"{watched_git(tmp_path)}:{os.environ['PATH']}")
    clone(remote(f"file://me:secret@localhost{origin}"), tmp_path / "clone")
    with pytest.raises(EncodeFailed):
        clone(remote("https://me:secret@127.0.0.1:1/a"), tmp_path / "other")
    words = (tmp_path / "words").read_text()
    assert "https://127.0.0.1:1/a" in words
    assert "secret" not in words
    assert "secret" not in (tmp_path / "clone/.git/config").read_text()


# Updates


@pytest.mark.invariant(
    "trust",
    "a clone is updated in place; a fetch that fails or is cancelled leaves clone and graph as they were,"
    " and no process, even if rpg is killed",
)
def test_an_update_fetches_what_changed_into_the_clone(tmp_path: Path) -> None:
    place = bare(
        tmp_path, "tea", {"a.py": "1\n", "b.py": "1\n", "c7.py": "", "d.bin": random.Random(7).randbytes(50_000)}
    )
    origin = tmp_path / "origin/tea"
    folder = tmp_path / "clone"
    clone(remote(place), folder)
    kept = (folder / "b.py").stat()
    size = stored(folder)
    git(origin, "rm", "-q", "c7.py")
    newest = publish(origin, {"a.py": "2\n", "new/d.py": "d\n"})

    assert update(remote(place), folder) == newest
    assert (folder / "a.py").read_text() == "2\n"
    assert (folder / "new/d.py").exists()
    assert not (folder / "c7.py").exists()
    assert (folder / "b.py").stat().st_mtime_ns == kept.st_mtime_ns
    assert identity(folder) == (newest, False, "")
    assert git(folder, "rev-list", "--count", "HEAD") == "1"
    assert stored(folder) - size < size / 4


def stored(folder: Path) -> int:
    objects = folder / ".git/objects"
    return sum(each.stat().st_size for each in objects.rglob("*") if each.is_file() and each.suffix != ".idx")


def test_an_update_follows_history_that_was_rewritten_and_undoes_edits(tmp_path: Path) -> None:
    place = bare(tmp_path, "tea", {"a.py": "1\n"})
    origin = tmp_path / "origin/tea"
    clone(remote(place), tmp_path / "clone")
    write(origin, {"a.py": "rewritten\n"})
    git(origin, "commit", "-q", "--amend", "-a", "-m", "another")
    git(origin, "push", "-q", "--force", "origin", "HEAD:main")
    write(tmp_path, {"clone/a.py": "edited\n"})
    assert update(remote(place), tmp_path / "clone") == asked.head(origin)
    assert (tmp_path / "clone/a.py").read_text() == "rewritten\n"


def test_a_commit_that_is_there_is_not_asked_for_again(tmp_path: Path) -> None:
    origin = repository(tmp_path / "origin", {"a.py": "1\n"})
    first = asked.head(origin)
    clone(remote(origin, first), tmp_path / "clone")
    found = remote(origin, first)
    shutil.rmtree(origin)
    assert update(found, tmp_path / "clone") == first


@pytest.mark.invariant(
    "trust",
    "a clone is updated in place; a fetch that fails or is cancelled leaves clone and graph as they were,"
    " and no process, even if rpg is killed",
)
def test_an_update_that_fails_or_is_ended_leaves_the_clone_as_it_was(
    tmp_path: Path, silent_server: Callable[[], None]
) -> None:
    place = bare(tmp_path, "tea", {"a.py": "1\n"})
    folder = tmp_path / "clone"
    before = clone(remote(place), folder)
    publish(tmp_path / "origin/tea", {"a.py": "2\n"})
    silent_server()

    with pytest.raises(TimedOut):
        update(remote(place), folder, stop)
    with pytest.raises(cloning.NotFetched):
        update(remote(place, "nowhere"), folder)

    assert asked.head(folder) == before
    assert identity(folder) == (before, False, "")
    assert not [*(folder / ".git/objects/pack").glob("tmp_*"), *(folder / ".git").glob("*.lock")]


def stop(percent: int) -> None:
    raise TimedOut("nobody waits")


@pytest.fixture
def silent_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Once called, the server's side of a fetch never sends a commit."""

    def begin() -> None:
        write(tmp_path, {"sleeps": "#!/bin/sh\nexec sleep 600\n"})
        (tmp_path / "sleeps").chmod(0o755)
        write(tmp_path, {"gitconfig": f"[uploadpack]\n\tpackObjectsHook = {tmp_path / 'sleeps'}\n"})
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))

    return begin


def test_a_clone_that_is_ended_leaves_nothing(tmp_path: Path, silent_server: Callable[[], None]) -> None:
    origin = repository(tmp_path / "origin", {"a.py": "1\n"})
    silent_server()
    with pytest.raises(TimedOut):
        clone(remote(origin), tmp_path / "clones/clone", stop)
    assert os.listdir(tmp_path / "clones") == []


def test_how_far_a_fetch_is_rises_to_its_end(tmp_path: Path) -> None:
    told: list[int] = []
    heard = cloning._heard(told.append)
    assert heard
    for said in (
        b"", b"remote: Counting objects: 10% (1/10)\r", b"Receiving objects:  50% (5/10), 1.2 MiB | 3 MiB/s\r",
        b"Receiving objects: 100% (9/9), done.\nResolving deltas:  50% (1/2)\r", b"Updating files:  99% (99/100)\r",
    ):  # fmt: skip
        heard(said)
    assert told == [0, 0, 40, 85, 99]


def test_no_repository_above_is_touched(tmp_path: Path) -> None:
    """Data folders lie in home folders, which some keep in git."""
    home = repository(tmp_path / "home", {"mine.txt": "mine\n"})
    origin = repository(tmp_path / "origin", {"a.py": "1\n"})
    clone(remote(origin), home / "data/clone")
    shutil.rmtree(home / "data/clone/.git/objects")
    write(home, {"mine.txt": "edited\n"})
    before = git(home, "rev-parse", "HEAD")
    for _ in range(2):
        with pytest.raises(EncodeFailed):
            update(remote(origin), home / "data/clone")
        shutil.rmtree(home / "data/clone/.git", ignore_errors=True)
        (home / "data/clone/.git").mkdir()
    assert (home / "mine.txt").read_text() == "edited\n"
    assert git(home, "rev-parse", "HEAD") == before


# The folder of clones


def test_a_url_is_fetched_into_the_clone_that_is_there(tmp_path: Path) -> None:
    place = bare(tmp_path, "tea", {"a.py": "1\n"})
    folder = obtain(find_source(place.as_uri())).folder
    inode = folder.stat().st_ino
    newest = publish(tmp_path / "origin/tea", {"new.py": "x = 1\n"})
    again = obtain(find_source(place.as_uri()))
    assert again == (folder, newest)
    assert (folder / "new.py").exists()
    assert folder.stat().st_ino == inode
    publish(tmp_path / "origin/tea", {"other.py": ""}, branch="other")
    other = obtain(find_source(place.as_uri(), "other")).folder
    assert other != folder
    assert (other / "other.py").exists()
    assert other == obtain(find_source(f"{place.as_uri()}@other")).folder


@pytest.mark.parametrize("damage", [".git/HEAD", ".git/index.lock", ".git/shallow.lock", ".git/objects", ".git"])
def test_a_damaged_clone_is_replaced(tmp_path: Path, damage: str) -> None:
    place = bare(tmp_path, "tea", {"a.py": "1\n"})
    folder = obtain(find_source(place.as_uri())).folder
    inode = folder.stat().st_ino
    if damage.endswith(".lock"):
        write(folder, {damage: ""})
    elif (folder / damage).is_dir():
        shutil.rmtree(folder / damage)
    else:
        (folder / damage).unlink()
    newest = publish(tmp_path / "origin/tea", {"a.py": "2\n"})
    assert obtain(find_source(place.as_uri())) == (folder, newest)
    assert (folder / "a.py").read_text() == "2\n"
    assert folder.stat().st_ino != inode
    assert os.listdir(clones_folder()) == [folder.parent.name]


def test_after_many_updates_a_clone_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cloning, "MOST_PACKS", 1)
    place = bare(tmp_path, "tea", {f"c{n}.py": f"{n}" * 99 for n in range(200)})
    folder = obtain(find_source(place.as_uri())).folder
    inode = folder.stat().st_ino
    assert obtain(find_source(place.as_uri())).folder == folder
    assert folder.stat().st_ino != inode


def test_a_failed_fetch_leaves_the_clone_and_says_where_it_is(tmp_path: Path) -> None:
    place = bare(tmp_path, "tea", {"cart.py": ""})
    folder = obtain(find_source(place.as_uri())).folder
    shutil.rmtree(place)
    with pytest.raises(EncodeFailed, match="An earlier clone is at"):
        obtain(find_source(place.as_uri()))
    assert (folder / "cart.py").exists()
    assert os.listdir(clones_folder()) == [folder.parent.name]


def test_what_a_killed_process_left_of_a_clone_is_swept_away(tmp_path: Path) -> None:
    place = bare(tmp_path, "tea", {"a.py": ""})
    source = find_source(place.as_uri())
    left = source.folder.parent.with_name(f"{source.folder.parent.name}-0123abcd")
    write(left, {".clone-x/tree/a.py": ""})
    obtain(source)
    assert os.listdir(clones_folder()) == [source.folder.parent.name]


def test_naming_fetches_and_writes_nothing(tmp_path: Path) -> None:
    source = find_source("https://me:secret@127.0.0.1:1/a/tea.git", "v1")
    assert source.folder.name == "tea"
    assert source.shown == "https://127.0.0.1:1/a/tea.git@v1"
    assert not clones_folder().exists()


def test_a_path_is_taken_as_it_is(tmp_path: Path) -> None:
    write(tmp_path, {"shop/cart.py": ""})
    root = tmp_path / "shop"
    assert obtain(find_source(str(root))) == (root, "")
    with pytest.raises(InvalidPath, match="does not exist"):
        find_source(str(tmp_path / "absent"))
    with pytest.raises(InvalidPath, match="is not a folder"):
        find_source(str(root / "cart.py"))
    with pytest.raises(BadRequest, match="branch is for URLs"):
        find_source(str(root), "main")
    with pytest.raises(InvalidPath) as failure:
        find_source("me:secret@host.org:a/b")
    assert "secret" not in failure.value.message


def test_one_process_at_a_time_fetches_into_a_clone_and_who_waits_for_it_can_be_ended(tmp_path: Path) -> None:
    source = find_source(repository(tmp_path / "tea", {"a.py": ""}).as_uri())
    place = source.folder.parent
    place.parent.mkdir(parents=True)
    told: list[tuple[str, int, int]] = []

    def hear(*said: str | int) -> None:
        told.append(said)  # type: ignore[arg-type]
        if len(told) > 2:
            raise TimedOut("nobody waits")

    with lock.hold(place.with_name(f"{place.name}-lock")):
        with pytest.raises(TimedOut):
            obtain(source, hear)
        with pytest.raises(EncodeFailed, match="is being fetched"):
            clones.discard(place)
        assert not place.exists()

    assert told == [("fetch", 0, 100)] * 3
    assert obtain(source).folder.exists()


def test_a_clone_stays_while_another_graph_is_made_from_it(tmp_path: Path) -> None:
    place = bare(tmp_path, "tea", {"a.py": "def pour(): pass\n"})
    publish(tmp_path / "origin/tea", {"b.py": ""}, branch="other")
    graphs = [tmp_path / "tea.graph.json", tmp_path / "elsewhere/kept.graph.json", tmp_path / "other.graph.json"]
    graphs[1].parent.mkdir()
    for graph, branch in zip(graphs, ["", "", "other"], strict=True):
        rpg.encode(place.as_uri(), branch=branch, output=str(graph))
    clone, other = (find_source(place.as_uri(), branch).folder for branch in ("", "other"))
    first, last, of_branch = graphs

    assert clone.parent not in forget(first)
    assert other.parent in forget(of_branch)
    assert (clone / "a.py").exists()
    assert clone.parent in forget(last)
    assert os.listdir(clones_folder()) == []


def test_a_clone_stays_for_a_graph_whose_index_is_damaged(tmp_path: Path) -> None:
    place = bare(tmp_path, "tea", {"a.py": "def pour(): pass\n"})
    first, last = tmp_path / "a.graph.json", tmp_path / "b.graph.json"
    for graph in (first, last):
        rpg.encode(place.as_uri(), output=str(graph))
    index_path(last).write_bytes(b"")
    assert forget(first) == (first, index_path(first))
    assert find_source(place.as_uri()).folder.exists()


@pytest.mark.invariant(
    "trust",
    "a clone is updated in place; a fetch that fails or is cancelled leaves clone and graph as they were,"
    " and no process, even if rpg is killed",
)
@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="asks /proc for processes")
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_git_ends_with_an_rpg_that_is_killed_in_a_fetch(tmp_path: Path, end: signal.Signals) -> None:
    """The server takes the connection and says nothing, for which git itself waits without end."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)
        url = f"https://127.0.0.1:{server.getsockname()[1]}/owner/name"
        environment = ENVIRONMENT | {"RPG_DATA": str(tmp_path / "data"), "HOME": str(tmp_path)}
        with subprocess.Popen(
            [*RPG, "encode", url], cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as rpg:
            connection, _ = server.accept()
            with connection:
                assert {"fetch", "remote-https", "git-remote-https"} & set(words_of_processes(url))
                rpg.send_signal(end)
                assert rpg.wait() != 0
                ends = time.monotonic() + 20
                while words_of_processes(url):
                    assert time.monotonic() < ends, words_of_processes(url)


def words_of_processes(url: str) -> list[str]:
    """The arguments of every process that has the URL among them."""
    words = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            line = process.read_bytes().decode(errors="replace").split("\0")
            words += line if url in line else []
    return words
