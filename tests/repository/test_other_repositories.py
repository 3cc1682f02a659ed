"""The history of another repository is told by no answer, whatever leads git there; that of a folder's own is.

Each trap is a folder as it could come out of an archive, beside a repository of the user's that it was made to read.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import rpg
from repositories import commit, git, repository, write

from rpg.cli.failures import DONE
from rpg.encoder.source_files import git as asked
from rpg.encoder.source_files.git_places import (
    MOST_STORES,
    OWN_CLONES,
    GitUnready,
    places_of,
    refuse_what_leads_out,
)
from rpg.encoder.source_files.listing import identity, list_files

PRIVATE = "private.py"
CODE = {"shop.py": "def price(): ...\n"}


def private(folder: Path) -> Path:
    """A repository with two commits and a remote, whose objects are partly packed."""
    root = repository(folder / "private", {PRIVATE: "def hidden(): ...\n"})
    git(root, "repack", "-q", "-a", "-d")
    write(root, {PRIVATE: "def hidden(): ...\n\n\ndef hidden_too(): ...\n"})
    commit(root)
    git(root, "remote", "add", "origin", "https://example.com/private/private.git")
    return root


Trap = Callable[[Path, Path], None]
TRAPS: dict[str, Trap] = {}


def trap(build: Trap) -> Trap:
    TRAPS[build.__name__] = build
    return build


def own(root: Path) -> Path:
    """The git folder of a repository of two commits."""
    repository(root, {})
    commit(root)
    return root / ".git"


def empty(folder: Path) -> Path:
    """A git folder without objects."""
    write(
        folder, {"HEAD": "ref: refs/heads/main\n", "config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"}
    )
    for name in ("objects/info", "refs/heads"):
        (folder / name).mkdir(parents=True)
    return folder


def knows_the_commit(folder: Path, other: Path) -> None:
    (folder / "HEAD").write_text(git(other, "rev-parse", "HEAD") + "\n")


@trap
def pointer(root: Path, other: Path) -> None:
    write(root, {".git": f"gitdir: {other}/.git\n"})


@trap
def relative_pointer(root: Path, other: Path) -> None:
    write(root, {".git": f"gitdir: ../{other.name}/.git"})


@trap
def pointer_with_a_blank_behind(root: Path, other: Path) -> None:
    """Git takes the blank for a part of the name."""
    write(root, {".git": "gitdir: fine \n"})
    empty(root / "fine")
    (root / "fine ").symlink_to(other / ".git")


@trap
def link(root: Path, other: Path) -> None:
    (root / ".git").symlink_to(other / ".git")


@trap
def link_to_the_pointer_of_a_work_tree(root: Path, other: Path) -> None:
    git(other, "worktree", "add", "-q", "--detach", "../side")
    (root / ".git").symlink_to(root.parent / "side" / ".git")


@trap
def pointer_to_a_work_tree_elsewhere(root: Path, other: Path) -> None:
    git(other, "worktree", "add", "-q", "--detach", "../side")
    write(root, {".git": f"gitdir: {other}/.git/worktrees/side\n"})


@trap
def pointer_to_a_submodule_elsewhere(root: Path, other: Path) -> None:
    outer = repository(root.parent / "outer", {})
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "inner")
    write(root, {".git": f"gitdir: {outer}/.git/modules/inner\n"})


@trap
def work_tree_of_its_own_making(root: Path, other: Path) -> None:
    """Claims to be a work tree of the other repository, which does not know it."""
    meta = root / "meta" / "worktrees" / "shop"
    write(meta, {"commondir": f"{other}/.git\n", "gitdir": f"{root}/.git\n", "HEAD": "ref: refs/heads/main\n"})
    write(root, {".git": "gitdir: meta/worktrees/shop\n"})


@trap
def common_folder(root: Path, other: Path) -> None:
    write(empty(root / ".git"), {"commondir": f"{other}/.git\n"})


@trap
def common_folder_of_a_bare_repository(root: Path, other: Path) -> None:
    write(root, {"commondir": f"../{other.name}/.git\n", "HEAD": "ref: refs/heads/main\n"})


@trap
def pointer_to_a_common_folder(root: Path, other: Path) -> None:
    write(empty(root / "stuff"), {"commondir": f"{other}/.git\n"})
    write(root, {".git": "gitdir: stuff\n"})


@trap
def alternates(root: Path, other: Path) -> None:
    write(empty(root / ".git"), {"objects/info/alternates": f"# shared\n{other}/.git/objects\n"})
    knows_the_commit(root / ".git", other)


@trap
def quoted_alternates(root: Path, other: Path) -> None:
    write(empty(root / ".git"), {"objects/info/alternates": f'"{other}/.git/\\157bjects"\n'})
    knows_the_commit(root / ".git", other)


@trap
def relative_alternates(root: Path, other: Path) -> None:
    write(empty(root / ".git"), {"objects/info/alternates": f"../../../{other.name}/.git/objects\n"})
    knows_the_commit(root / ".git", other)


@trap
def alternates_of_alternates(root: Path, other: Path) -> None:
    write(empty(root / ".git"), {"objects/info/alternates": f"{root}/stuff\n"})
    write(root / "stuff", {"info/alternates": f"{other}/.git/objects\n"})
    knows_the_commit(root / ".git", other)


@trap
def links_in_alternates(root: Path, other: Path) -> None:
    write(empty(root / ".git"), {"objects/info/alternates": "../../stuff\n"})
    (root / "stuff").mkdir()
    link_each(other / ".git" / "objects", root / "stuff")
    knows_the_commit(root / ".git", other)


@trap
def alternates_behind_a_link(root: Path, other: Path) -> None:
    git_folder = empty(root / ".git")
    (git_folder / "objects" / "info").rmdir()
    write(root, {"stuff/alternates": f"{other}/.git/objects\n"})
    (git_folder / "objects" / "info").symlink_to("../../stuff")
    knows_the_commit(git_folder, other)


@trap
def objects(root: Path, other: Path) -> None:
    git_folder = empty(root / ".git")
    shutil.rmtree(git_folder / "objects")
    (git_folder / "objects").symlink_to(other / ".git" / "objects")
    knows_the_commit(git_folder, other)


@trap
def objects_and_refs(root: Path, other: Path) -> None:
    git_folder = empty(root / ".git")
    for name in ("objects", "refs"):
        shutil.rmtree(git_folder / name)
        (git_folder / name).symlink_to(f"../../{other.name}/.git/{name}")


def link_each(folder: Path, into: Path) -> None:
    for each in folder.iterdir():
        if not (into / each.name).exists():
            (into / each.name).symlink_to(each)


@trap
def folders_of_objects(root: Path, other: Path) -> None:
    git_folder = empty(root / ".git")
    link_each(other / ".git" / "objects", git_folder / "objects")
    knows_the_commit(git_folder, other)


@trap
def single_objects(root: Path, other: Path) -> None:
    git_folder = empty(root / ".git")
    for folder in (other / ".git" / "objects").iterdir():
        (git_folder / "objects" / folder.name).mkdir(exist_ok=True)
        link_each(folder, git_folder / "objects" / folder.name)
    knows_the_commit(git_folder, other)


@trap
def links_behind_a_link(root: Path, other: Path) -> None:
    """The first link stays inside."""
    git_folder = empty(root / ".git")
    shutil.rmtree(git_folder / "objects")
    (root / "stuff").mkdir()
    link_each(other / ".git" / "objects", root / "stuff")
    (git_folder / "objects").symlink_to("../stuff")
    knows_the_commit(git_folder, other)


@trap
def everything_is_a_link(root: Path, other: Path) -> None:
    (root / ".git").mkdir()
    link_each(other / ".git", root / ".git")


@trap
def index(root: Path, other: Path) -> None:
    git_folder = own(root)
    (git_folder / "index").unlink()
    (git_folder / "index").symlink_to(other / ".git" / "index")


@trap
def settings(root: Path, other: Path) -> None:
    git_folder = own(root)
    (git_folder / "config").unlink()
    (git_folder / "config").symlink_to(other / ".git" / "config")


@trap
def work_tree_elsewhere(root: Path, other: Path) -> None:
    """Files that the other repository does not track would be those of this one."""
    git_folder = own(root)
    write(other, {"hidden_draft.py": "def hidden(): ...\n"})
    git(root, "config", "core.worktree", str(other))
    assert "worktree" in (git_folder / "config").read_text()


@trap
def work_tree_elsewhere_in_odd_spelling(root: Path, other: Path) -> None:
    with open(own(root) / "config", "a", encoding="utf-8") as file:
        file.write(f"[CORE] workTree={other}\n")


@trap
def refs_elsewhere(root: Path, other: Path) -> None:
    """Newer versions of git take a place for the refs from the settings."""
    write(own(root), {"config": f"[extensions]\n\trefStorage = files://{other}/.git\n"})


def trapped(folder: Path, name: str) -> tuple[Path, Path]:
    other = private(folder)
    root = write(folder / "shop", dict(CODE))
    TRAPS[name](root, other)
    return root, other


@pytest.mark.invariant(
    "trust",
    "no answer tells the history of another repository, wherever a `.git` leads; work trees, submodules "
    "and the user's own clones are read",
)
@pytest.mark.parametrize("name", TRAPS)
def test_a_repository_that_leads_out_is_a_plain_folder(tmp_path: Path, name: str) -> None:
    root, other = trapped(tmp_path, name)

    assert asked.why_not_asked(root).startswith("without history: ")
    assert str(tmp_path) not in asked.why_not_asked(root)
    for question in (asked.head, asked.prefix, asked.list_tracked, asked.list_untracked, asked.status):
        with pytest.raises(asked.GitFailed, match="without history"):
            question(root)
    for revision in ("HEAD~1", "main", git(other, "rev-parse", "HEAD")):
        with pytest.raises(asked.GitFailed, match="without history"):
            asked.commit_of(root, revision)
    listing = list_files(root)
    assert listing.source == "walk"
    assert "shop.py" in {entry.path for entry in listing.entries}
    assert "hidden" not in str(listing)
    assert identity(root) == ("", False, "")


@pytest.mark.parametrize("name", ["pointer", "alternates", "everything_is_a_link"])
def test_every_command_says_that_there_is_no_history(tmp_path: Path, name: str) -> None:
    root, other = trapped(tmp_path, name)

    made = rpg(root, "encode", ".")
    assert made.code == DONE, made.errors
    assert "without history" in made.output + made.errors
    said = made.output + made.errors
    for command in (("stats",), ("diff", "HEAD~1", "HEAD"), ("usages", "--since", "HEAD~1")):
        ended = rpg(root, *command)
        assert "without history" in ended.output + ended.errors
        said += ended.output + ended.errors
    graph = (root / ".rpg" / "shop.graph.json").read_text()
    for mark in ("hidden", "private", git(other, "rev-parse", "--short=7", "HEAD~1"), git(other, "rev-parse", "HEAD")):
        assert mark not in said
        assert mark not in graph


def test_included_settings_of_another_repository_name_no_remote(tmp_path: Path) -> None:
    other = private(tmp_path)
    root = repository(tmp_path / "shop", {"shop.py": ""})
    git(root, "config", "include.path", str(other / ".git" / "config"))
    assert identity(root) == (git(root, "rev-parse", "HEAD"), False, "")


def test_no_repository_around_answers_for_one_that_git_thinks_nothing_of(tmp_path: Path) -> None:
    """Git would go on to the folders above, and cannot be kept from it where a name has a colon."""
    other = private(tmp_path)
    root = write(tmp_path / "shop" / "a:b" / "inner", dict(CODE))
    write(root.parent.parent, {".git": f"gitdir: {other}/.git\n"})
    write(empty(root / ".git"), {"HEAD": "ref: refs/../../x\n"})
    with pytest.raises(asked.GitFailed):
        asked.head(root)
    assert "private" not in str(list_files(root))


# What is one's own


def tells_its_history(root: Path) -> bool:
    assert asked.why_not_asked(root) == ""
    return asked.head(root) == git(root, "rev-parse", "HEAD") and bool(asked.list_tracked(root))


def changed(root: Path) -> Path:
    write(root, {"more.py": "def more(): ...\n"})
    commit(root)
    return root


@pytest.mark.invariant(
    "trust",
    "no answer tells the history of another repository, wherever a `.git` leads; work trees, submodules "
    "and the user's own clones are read",
)
def test_work_trees_tell_their_history(tmp_path: Path) -> None:
    root = changed(repository(tmp_path / "shop", {"shop.py": "", "sub/a.py": ""}))
    git(root, "worktree", "add", "-q", "-b", "one", str(tmp_path / "one"))
    git(root, "worktree", "add", "-q", "-b", "inside", str(root / "trees" / "inside"))
    git(root, "clone", "-q", "--bare", str(root), str(tmp_path / "bare.git"))
    git(tmp_path / "bare.git", "worktree", "add", "-q", "-b", "two", str(tmp_path / "two"))
    (tmp_path / "short").symlink_to(tmp_path / "one")
    for each in ("one", "two", "short", "one/sub"):
        assert tells_its_history(tmp_path / each)
    assert tells_its_history(root / "trees" / "inside")
    commit_id = git(root, "rev-parse", "HEAD~1")
    assert asked.commit_of(tmp_path / "two", "HEAD~1") == commit_id

    back = root / ".git" / "worktrees" / "one" / "gitdir"
    back.write_text(os.path.relpath(tmp_path / "one" / ".git", back.parent) + "\n")
    assert tells_its_history(tmp_path / "one") or not git(tmp_path / "one", "status", fails=True)


def test_work_trees_around_a_bare_repository_tell_their_history(tmp_path: Path) -> None:
    first = changed(repository(tmp_path / "first", {"shop.py": ""}))
    place = tmp_path / "shop"
    git(tmp_path, "clone", "-q", "--bare", str(first), str(place / ".bare"))
    write(place, {".git": "gitdir: ./.bare\n"})
    git(place, "worktree", "add", "-q", "main")
    assert tells_its_history(place / "main")
    assert asked.head(place) == git(first, "rev-parse", "HEAD")


@pytest.mark.invariant(
    "trust",
    "no answer tells the history of another repository, wherever a `.git` leads; work trees, submodules "
    "and the user's own clones are read",
)
def test_submodules_tell_their_history(tmp_path: Path) -> None:
    innermost = changed(repository(tmp_path / "innermost", {"a.py": ""}))
    inner = changed(repository(tmp_path / "inner", {"b.py": ""}))
    allowed = ("-c", "protocol.file.allow=always", "submodule", "--quiet")
    git(inner, *allowed, "add", str(innermost), "deep")
    commit(inner)
    root = changed(repository(tmp_path / "shop", {"shop.py": ""}))
    git(root, *allowed, "add", str(inner), "libs/inner")
    git(root, *allowed, "update", "--init", "--recursive")
    commit(root)
    assert tells_its_history(root / "libs" / "inner")
    assert tells_its_history(root / "libs" / "inner" / "deep")
    git(root, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    git(tmp_path / "side", *allowed, "update", "--init")
    assert tells_its_history(tmp_path / "side" / "libs" / "inner")
    git(root / "libs" / "inner", "worktree", "add", "-q", "-b", "other", str(tmp_path / "other"))
    assert tells_its_history(tmp_path / "other")
    git(root / "libs" / "inner", "sparse-checkout", "set", "--no-cone", "/*")  # moves settings to config.worktree
    assert tells_its_history(root / "libs" / "inner")


def test_clones_of_all_kinds_tell_their_history(tmp_path: Path) -> None:
    root = changed(repository(tmp_path / "shop", {"shop.py": ""}))
    for name, options in {
        "bare": ["--bare"],
        "mirror": ["--mirror"],
        "local": ["--local"],
        "near": ["--depth=1"],
    }.items():
        git(tmp_path, "clone", "-q", *options, f"file://{root}", name)
        assert asked.why_not_asked(tmp_path / name) == ""
        assert asked.head(tmp_path / name) == git(root, "rev-parse", "HEAD")


def test_a_link_that_stays_inside_or_leads_to_what_no_answer_shows_is_none_to_refuse(tmp_path: Path) -> None:
    root = changed(repository(tmp_path / "shop", {"shop.py": ""}))
    write(tmp_path, {"mine/hooks/x": "", "mine/exclude": "*.log\n"})
    place = root / ".git"
    shutil.rmtree(place / "hooks", ignore_errors=True)
    (place / "hooks").symlink_to(tmp_path / "mine" / "hooks")
    (place / "info").mkdir(exist_ok=True)
    (place / "info" / "exclude").unlink(missing_ok=True)
    (place / "info" / "exclude").symlink_to(tmp_path / "mine" / "exclude")
    (place / "refs" / "heads" / "same").symlink_to("main")
    assert tells_its_history(root)


@pytest.mark.invariant(
    "trust",
    "no answer tells the history of another repository, wherever a `.git` leads; work trees, submodules "
    "and the user's own clones are read",
)
@pytest.mark.parametrize("way", ["--reference", "--shared", "--separate-git-dir"])
def test_a_clone_that_shares_is_read_if_the_user_says_that_it_is_the_users_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """On the disk it is nothing but what a trap is, too."""
    root = changed(repository(tmp_path / "shop", {"shop.py": ""}))
    options = [way] if way == "--shared" else [way, str(root if way == "--reference" else tmp_path / "elsewhere")]
    clone = tmp_path / "clones" / "one"
    git(tmp_path, "clone", "-q", *options, str(root), str(clone))
    assert f"name its folder in {OWN_CLONES}" in asked.why_not_asked(clone)

    for named in (clone, clone.parent, f"/absent{os.pathsep}{clone}"):
        monkeypatch.setenv(OWN_CLONES, str(named))
        assert tells_its_history(clone)
        assert asked.commit_of(clone, "HEAD~1")
    for named in (root, f"{clone}-other", ".", ""):
        monkeypatch.setenv(OWN_CLONES, str(named))
        assert asked.why_not_asked(clone)


def test_what_leads_out_later_is_noticed(tmp_path: Path) -> None:
    other = private(tmp_path)
    root = changed(repository(tmp_path / "shop", {"shop.py": ""}))
    assert tells_its_history(root)
    write(root / ".git", {"objects/info/alternates": f"{other}/.git/objects\n"})
    assert "objects/info/alternates leads outside" in asked.why_not_asked(root)
    (root / ".git" / "objects" / "info" / "alternates").unlink()
    assert tells_its_history(root)


@pytest.mark.parametrize("lines", ["\tworktree = a" + " " * 60_000 + "#\n", "\tworktree = a\n" * 8_000])
def test_odd_settings_of_git_are_read_once(tmp_path: Path, lines: str) -> None:
    """At sizes where reading them again for every blank or line would not end within the time of a test."""
    root = tmp_path / "shop"
    (root / ".git").mkdir(parents=True)
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (root / ".git" / "config").write_text(f"[core]\n{lines}")
    (root / "shop.py").write_text("def price(): ...\n")

    listed = list_files(root)

    assert [entry.path for entry in listed.entries] == ["shop.py"]


def test_a_git_folder_with_more_than_a_thousand_alternates_is_refused_without_reading_on(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    repository(root, CODE)
    stores = root / ".git" / "objects"
    few = "".join(f"{stores}/a{number}\n" for number in range(MOST_STORES - 1))
    write(root, {".git/objects/info/alternates": few * 20})
    assert identity(root).commit

    write(root, {".git/objects/info/alternates": few + f"{stores}/more\n{tmp_path}/outside\n"})
    with pytest.raises(GitUnready, match="alternates names more than 1,000 folders"):
        refuse_what_leads_out(next(places_of(str(root))))
