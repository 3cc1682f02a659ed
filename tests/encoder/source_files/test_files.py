"""Which files a repository has and what bytes they are, on real folders and real repositories."""

from __future__ import annotations

import codecs
import os
import socket
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repositories import commit, git, repository, write

from rpg.encoder.options import Options
from rpg.encoder.source_files.contents import reason_to_skip
from rpg.encoder.source_files.listing import (
    Entry,
    Listing,
    Skipped,
    decode,
    identity,
    identity_after,
    is_generated,
    list_files,
    look,
    normalise,
    read,
    read_all,
)
from rpg.errors import BadRequest, Forbidden, InvalidPath
from rpg.system.filesystem import resolve_inside


@pytest.fixture(autouse=True)
def _no_configuration_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def paths(listing: Listing) -> list[str]:
    return [entry.path for entry in listing.entries]


def reasons(listing: Listing) -> dict[str, str]:
    return dict(listing.skipped)


def read_one(root: Path, path: str) -> bytes | Skipped:
    [entry] = [entry for entry in list_files(root).entries if entry.path == path]
    return read(root, entry)


# Who says which files there are


def test_git_lists_what_is_tracked_and_what_is_new_but_not_ignored(tmp_path: Path) -> None:
    root = repository(tmp_path, {"a.py": "", "pkg/b.py": "", ".gitignore": "*.log\nout/\n!keep.log\n", "c.log": ""})
    write(
        root,
        {
            "new.py": "",
            "d.log": "",
            "keep.log": "",
            "out/x.py": "",
            "pkg/.gitignore": "secret.py\n",
            "pkg/secret.py": "",
        },
    )
    (root / "a.py").unlink()
    listing = list_files(root)
    assert paths(listing) == [".gitignore", "keep.log", "new.py", "pkg/.gitignore", "pkg/b.py"]
    assert (listing.source, listing.note, listing.skipped) == ("git", "", [])


def test_a_tracked_file_counts_though_it_is_ignored(tmp_path: Path) -> None:
    root = repository(tmp_path, {".gitignore": "*.log\n"})
    write(root, {"a.log": "", "b.log": ""})
    git(root, "add", "-f", "a.log")
    assert paths(list_files(root)) == [".gitignore", "a.log"]


def test_an_entry_has_size_and_time_without_its_file_being_opened(tmp_path: Path) -> None:
    root = repository(tmp_path, {"a.py": "12345"})
    os.utime(root / "a.py", ns=(1, 1_000_000_007))
    status = (root / "a.py").stat()
    stamp = 5, 1_000_000_007, status.st_ctime_ns, status.st_ino
    assert list_files(root).entries == [Entry("a.py", 5, stamp, "a.py")]


def test_a_sub_folder_of_a_repository_is_a_repository_of_its_own_paths(tmp_path: Path) -> None:
    root = repository(tmp_path, {"outside.py": "", "sub/a.py": "", "sub/deep/b.py": "", ".gitignore": "*.log\n"})
    write(root, {"sub/new.py": "", "sub/x.log": ""})
    listing = list_files(root / "sub")
    assert (listing.source, paths(listing)) == ("git", ["a.py", "deep/b.py", "new.py"])
    assert paths(list_files(root / "sub", revision="HEAD")) == ["a.py", "deep/b.py"]
    assert identity(root / "sub").commit == git(root, "rev-parse", "HEAD")


@pytest.mark.parametrize("pattern", ["clones/", "clones/*", "*"])
def test_a_folder_that_an_outer_repository_ignores_is_walked(tmp_path: Path, pattern: str) -> None:
    outer = repository(tmp_path, {"a.py": ""})
    write(outer, {".gitignore": pattern + "\n"})
    root = write(outer / "clones/shop", {"cart.py": "", ".gitignore": "*.log\n", "x.log": "", "deep/till.py": ""})
    listing = list_files(root)
    assert (listing.source, paths(listing)) == ("walk", [".gitignore", "cart.py", "deep/till.py"])
    assert "outer repository" in listing.note
    assert identity(root) == ("", False, "")


def test_a_repository_inside_an_ignored_folder_is_read_by_its_own_git(tmp_path: Path) -> None:
    outer = repository(tmp_path, {".gitignore": "clones/\n"})
    root = repository(outer / "clones/shop", {"cart.py": ""})
    assert (list_files(root).source, paths(list_files(root))) == ("git", ["cart.py"])
    assert identity(root).commit == git(root, "rev-parse", "HEAD")


def test_a_new_folder_in_a_repository_is_listed_but_has_no_commit(tmp_path: Path) -> None:
    outer = repository(tmp_path, {".gitignore": "*.log\n"})
    root = write(outer / "new", {"a.py": "", "b.log": ""})
    assert (list_files(root).source, paths(list_files(root))) == ("git", ["a.py"])
    assert identity(root) == ("", False, "")


def test_outside_git_nested_ignore_files_hold(tmp_path: Path) -> None:
    write(tmp_path, {
        ".gitignore": "*.log\r\n/top.py\nbuild/\n# comment\n\\\n",
        "a.py": "", "top.py": "", "x.log": "", "build/a.py": "", "sub/top.py": "", "sub/build/a.py": "",
        "sub/.gitignore": "!important.log\nlocal.py\n/deep/only.py\n",
        "sub/important.log": "", "sub/local.py": "", "sub/deep/local.py": "", "sub/deep/only.py": "",
        "sub/deep/deeper/only.py": "", "important.log": "",
        ".git_is_no_git/a.py": "", ".hidden/a.py": "", "__pycache__/a.py": "", ".venv/lib/a.py": "",
        "node_modules/x/a.js": "", ".tox/py/a.py": "",
    })  # fmt: skip
    listing = list_files(tmp_path)
    assert (listing.source, listing.note) == ("walk", "")
    assert paths(listing) == [
        ".git_is_no_git/a.py", ".gitignore", ".hidden/a.py", "a.py", "sub/.gitignore", "sub/deep/deeper/only.py",
        "sub/important.log", "sub/top.py",
    ]  # fmt: skip
    assert reasons(listing) == {"node_modules/": "vendored", ".venv/": "vendored"}


def test_walking_agrees_with_git_on_what_is_ignored(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        ".gitignore": "*.o\n!keep.o\n/only_top\nany_dir/\ndocs/**/draft\n**/deep/x\nspace\\ \n[ab].txt\n"
        "foo/*\n!foo/bar\n",
        "foo/.gitignore": "*.tmp\n",
    }
    for name in (
        "a.o", "keep.o", "sub/a.o", "sub/keep.o", "only_top", "sub/only_top", "any_dir/f", "sub/any_dir/f",
        "any_dir.py", "docs/draft", "docs/a/b/draft", "docs/drafts", "deep/x", "s/deep/x/y", "space ", "space", "a.txt",
        "c.txt", "foo/baz", "foo/bar", "foo/bar2/x", "foo/x.tmp", "foo.tmp",
    ):  # fmt: skip
        files.setdefault(name, "")
    by_walk = list_files(write(tmp_path / "plain", files))
    by_git = list_files(repository(tmp_path / "git", files))
    assert (by_walk.source, by_git.source) == ("walk", "git")
    assert paths(by_walk) == paths(by_git)


def test_a_repository_without_a_file_to_list_is_empty_and_no_error(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    listing = list_files(tmp_path)
    assert (listing.entries, listing.skipped) == ([], [])


def test_a_broken_index_does_not_hide_the_files(tmp_path: Path) -> None:
    root = repository(tmp_path, {"a.py": ""})
    (root / ".git/index").write_bytes(b"DIRC broken")
    listing = list_files(root)
    assert (listing.source, paths(listing)) == ("walk", ["a.py"])
    assert "index" in listing.note


def test_a_folder_that_is_not_there_says_so(tmp_path: Path) -> None:
    write(tmp_path, {"file": ""})
    (tmp_path / "loop").symlink_to("loop")
    for missing in ("missing", "file", "loop", "a\0b"):
        with pytest.raises(InvalidPath, match="no such folder"):
            list_files(tmp_path / missing)


def test_a_submodule_and_a_clone_inside_are_recorded_not_read(tmp_path: Path) -> None:
    library = repository(tmp_path / "library", {"lib.py": ""})
    root = repository(tmp_path / "shop", {"a.py": ""})
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library), "libs/library")
    commit(root)
    repository(root / "cloned", {"x.py": ""})
    listing = list_files(root)
    assert paths(listing) == [".gitmodules", "a.py"]
    assert reasons(listing) == {
        "libs/library/": "a git repository of its own",
        "cloned/": "a git repository of its own",
    }
    older = list_files(root, revision="HEAD")
    assert paths(older) == [".gitmodules", "a.py"]
    assert reasons(older) == {"libs/library/": "a git repository of its own"}
    git(root, "submodule", "deinit", "-q", "-f", "libs/library")
    assert reasons(list_files(root))["libs/library/"] == "a git repository of its own"


def test_in_a_plain_folder_clones_are_walked_and_other_work_trees_are_not(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop", {"a.py": ""})
    git(shop, "worktree", "add", "-q", "../feature")
    listing = list_files(tmp_path)
    assert (listing.source, paths(listing)) == ("walk", ["shop/a.py"])
    assert reasons(listing) == {"feature/": "a git repository of its own"}


# Revisions


def test_a_revision_is_read_without_touching_the_work_tree(tmp_path: Path) -> None:
    root = repository(tmp_path, {"a.py": "old\n", "gone.py": "gone\n", "b.bin": b"\0"})
    first = git(root, "rev-parse", "HEAD")
    (root / "gone.py").unlink()
    write(root, {"a.py": "new\n", "c.py": "c\n"})
    commit(root)
    write(root, {"a.py": "newest\n", "untracked.py": ""})
    before = sorted((path, path.stat().st_mtime_ns) for path in root.rglob("*"))

    listing = list_files(root, revision="HEAD~1")
    assert listing.source == first
    assert [(entry.path, data) for entry, data in read_all(root, listing)] == [
        ("a.py", b"old\n"),
        ("gone.py", b"gone\n"),
    ]
    assert read(root, listing.entries[1]) == b"gone\n"
    assert reasons(listing) == {"b.bin": "binary"}
    assert sorted((path, path.stat().st_mtime_ns) for path in root.rglob("*")) == before
    with pytest.raises(BadRequest, match="no such revision"):
        list_files(root, revision="HEAD~9")


def test_a_clean_work_tree_and_its_commit_give_the_same_files_and_bytes(tmp_path: Path) -> None:
    root = repository(tmp_path, {
        "a.py": "\ufeffa = 1\r\n", "b.js": "x" * 3000, "name with \"quotes\"\nand\tmore.py": "", "ü/ö.py": "é",
        "image.png": b"\x89PNG", "data.py": b"\0", "vendor/lib/x.py": "", "big.py": "#" * 2_000_000, "CASE.py": "",
        "case.py": "",
    })  # fmt: skip
    (root / "link.py").symlink_to("a.py")
    (root / "out.py").symlink_to("/etc/hostname")
    (root / "nothing.py").symlink_to("missing.py")
    (root / "ring").symlink_to("ring2")
    (root / "ring2").symlink_to("ring")
    (root / "ü/up").symlink_to("..")
    commit(root)
    now, then = list_files(root), list_files(root, revision="HEAD")
    assert [(e.path, e.size) for e in now.entries] == [(e.path, e.size) for e in then.entries]
    assert now.skipped == then.skipped
    assert [data for _, data in read_all(root, now)] == [data for _, data in read_all(root, then)]
    assert len(now.entries) == 8
    assert len(now.skipped) == 8


# What is skipped


def test_symlinks_are_followed_by_nobody_and_say_where_they_lead(tmp_path: Path) -> None:
    root = repository(tmp_path / "repository", {"a.py": "", "pkg/b.py": ""})
    write(tmp_path, {"secret.py": ""})
    for link, target in {
        "same.py": "a.py", "pkg/up.py": "../a.py", "folder": "pkg", "via.py": "folder/b.py", "chain.py": "same.py",
        "out.py": "../secret.py", "pkg/far.py": "../../secret.py", "absolute.py": str(root / "a.py"),
        "etc": "/etc", "through.py": "etc/hostname", "self": "self", "ring": "ring2", "ring2": "ring", "pkg/here": ".",
        "pkg/parent": "..", "broken.py": "missing.py", "pkg/round.py": "../pkg/./b.py",
    }.items():  # fmt: skip
        (root / link).symlink_to(target)
    inner = "symlink to a listed file"
    outer, loop, nothing = (
        "symlink to outside the repository",
        "symlink in a loop",
        "symlink to a missing or unlisted file",
    )
    expected = {
        "same.py": inner, "pkg/up.py": inner, "folder": inner, "via.py": inner, "chain.py": inner,
        "pkg/round.py": inner, "out.py": outer, "pkg/far.py": outer, "absolute.py": outer, "etc": outer,
        "through.py": outer, "self": loop, "ring": loop, "ring2": loop, "pkg/here": loop,
        "pkg/parent": loop, "broken.py": nothing,
    }  # fmt: skip
    by_git = list_files(root)
    assert (by_git.source, paths(by_git), reasons(by_git)) == ("git", ["a.py", "pkg/b.py"], expected)
    git(root, "config", "core.repositoryFormatVersion", "99")
    by_walk = list_files(root)
    assert (by_walk.source, paths(by_walk), reasons(by_walk)) == ("walk", ["a.py", "pkg/b.py"], expected)


def test_a_tracked_folder_that_became_a_symlink_is_not_read_through(tmp_path: Path) -> None:
    root = repository(tmp_path / "repository", {"pkg/a.py": "mine\n", "b.py": ""})
    write(tmp_path, {"elsewhere/a.py": "not mine\n"})
    (root / "pkg/a.py").unlink()
    (root / "pkg").rmdir()
    (root / "pkg").symlink_to("../elsewhere")
    listing = list_files(root)
    assert paths(listing) == ["b.py"]
    assert reasons(listing) == {"pkg": "symlink to outside the repository"}


def test_a_root_that_is_a_symlink_is_the_folder_it_leads_to(tmp_path: Path) -> None:
    repository(tmp_path / "real", {"a.py": "a"})
    (tmp_path / "link").symlink_to("real")
    listing = list_files(tmp_path / "link")
    assert (listing.source, paths(listing)) == ("git", ["a.py"])
    assert read(tmp_path / "link", listing.entries[0]) == b"a"


def test_a_file_of_50_megabytes_is_skipped_by_its_size(tmp_path: Path) -> None:
    root = repository(tmp_path, {"small.py": "x" * 1024})
    with open(root / "huge.py", "wb") as file:
        file.truncate(50_000_000)
    assert reasons(list_files(root)) == {"huge.py": "larger than max_bytes"}
    assert paths(list_files(root, Options(max_bytes=1024))) == ["small.py"]
    assert paths(list_files(root, Options(max_bytes=1023))) == []
    assert "huge.py" in paths(list_files(root, Options(max_bytes=50_000_000)))


def test_pipes_and_sockets_are_recorded_and_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"a.py": "", ".gitignore/inside": "", "b/a.py": ""})
    os.mkfifo(tmp_path / "pipe.py")
    os.mkfifo(tmp_path / "b/.gitignore")
    monkeypatch.chdir(tmp_path)  # a socket's path is short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.py")
        listing = list_files(tmp_path)
    assert paths(listing) == [".gitignore/inside", "a.py", "b/a.py"]
    assert reasons(listing) == dict.fromkeys(("b/.gitignore", "pipe.py", "socket.py"), "not a regular file")


def test_what_cannot_be_read_is_recorded_with_the_systems_word(tmp_path: Path) -> None:
    write(tmp_path, {"gone.py": "", "folder.py": "", "pipe.py": "", "link.py": "", "grown.py": "", "a.py": "a"})
    entries = {entry.path: entry for entry in list_files(tmp_path).entries}
    for name in ("gone.py", "folder.py", "pipe.py", "link.py"):
        (tmp_path / name).unlink()
    (tmp_path / "folder.py").mkdir()
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "link.py").symlink_to("a.py")
    (tmp_path / "grown.py").write_bytes(b"#" * 2_000_000)
    assert read(tmp_path, entries["gone.py"]) == Skipped("gone.py", "unreadable (ENOENT)")
    assert read(tmp_path, entries["pipe.py"]) == Skipped("pipe.py", "unreadable (EINVAL)")
    assert read(tmp_path, entries["link.py"]) == Skipped("link.py", "unreadable (ELOOP)")
    assert read(tmp_path, entries["grown.py"]) == Skipped("grown.py", "unreadable (EFBIG)")
    assert isinstance(read(tmp_path, entries["folder.py"]), Skipped)
    assert read(tmp_path, entries["a.py"]) == b"a"


def test_a_folder_deeper_than_the_system_can_name_is_recorded(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": ""})
    folder = os.open(tmp_path, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("deep" * 60, dir_fd=folder)
        below = os.open("deep" * 60, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = below
    os.close(folder)
    listing = list_files(tmp_path)
    assert paths(listing) == ["a.py"]
    [skipped] = listing.skipped
    assert skipped.path.startswith("deep" * 60 + "/deepdeep")
    assert skipped.reason == "unreadable (ENAMETOOLONG)"


def test_vendored_trees_are_one_record_each_even_when_tracked(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "vendor/a/b.go": "", "vendor/c.go": "", "pkg/third_party/x.py": "", "web/node_modules/y/i.js": "",
        "pip/_vendor/z.py": "", "env/pyvenv.cfg": "", "env/lib/q.py": "", "target/CACHEDIR.TAG": "", "target/r.rs": "",
        "vendors.py": "", "src/vendor.py": "", "pkg/__pycache__/a.cpython-311.pyc": b"\0",
    }  # fmt: skip
    root = repository(tmp_path / "git", files)
    expected = {
        "vendor/": "vendored", "pkg/third_party/": "vendored", "web/node_modules/": "vendored",
        "pip/_vendor/": "vendored", "env/": "vendored", "target/": "build cache",
    }  # fmt: skip
    assert paths(list_files(root)) == ["src/vendor.py", "vendors.py"]
    assert reasons(list_files(root)) == expected
    assert reasons(list_files(root, revision="HEAD")) == expected
    walked = list_files(write(tmp_path / "plain", files))
    assert (walked.source, paths(walked), reasons(walked)) == ("walk", ["src/vendor.py", "vendors.py"], expected)

    wanted = list_files(root, Options(vendored=True))
    assert paths(wanted) == [
        "pip/_vendor/z.py", "pkg/third_party/x.py", "src/vendor.py", "vendor/a/b.go", "vendor/c.go", "vendors.py",
    ]  # fmt: skip
    assert set(reasons(wanted)) == {"web/node_modules/", "env/", "target/"}


def test_include_and_exclude_are_patterns_as_in_gitignore(tmp_path: Path) -> None:
    root = repository(tmp_path, {
        "src/a.py": "", "src/deep/b.py": "", "src/c.js": "", "tests/d.py": "", "tests/data/e.py": "", "f.py": "",
    })  # fmt: skip
    excluded = list_files(root, Options(exclude=("tests/", "*.js")))
    assert paths(excluded) == ["f.py", "src/a.py", "src/deep/b.py"]
    assert reasons(excluded) == {"tests/": "excluded by option", "src/c.js": "excluded by option"}
    included = list_files(root, Options(include=("/src/", "f.py"), exclude=("deep",)))
    assert paths(included) == ["f.py", "src/a.py", "src/c.js"]
    assert reasons(included) == {"src/deep/": "excluded by option"}
    assert paths(list_files(root, Options(exclude=("tests/**", "!tests/d.py")))) == [
        "f.py", "src/a.py", "src/c.js", "src/deep/b.py", "tests/d.py",
    ]  # fmt: skip
    (root / ".git").rename(tmp_path / "src/.git")  # no repository any more
    assert reasons(list_files(root, Options(exclude=("tests/",), include=("*.py",)))) == {
        "tests/": "excluded by option"
    }


def test_what_this_program_writes_is_never_input_and_leaves_no_record(tmp_path: Path) -> None:
    root = repository(tmp_path, {
        "shop.graph.json": "{}", "shop.graph.db": "", "shop.graph.db-wal": "", "sub/x.graph.db-shm": "",
        "shop.graph.db-vectors": "", "shop.graph.db-vectors-journal": "",
        "shop.graph.json.1234.tmp": "", "shop.graph.db.lock": "", "graph.json": "{}", "a.graph.json.py": "", "a.py": "",
    })  # fmt: skip
    assert paths(list_files(root)) == ["a.graph.json.py", "a.py", "graph.json"]
    assert paths(list_files(root, revision="HEAD")) == ["a.graph.json.py", "a.py", "graph.json"]
    assert list_files(root).skipped == []


# Names


def test_odd_names_are_names(tmp_path: Path) -> None:
    names = [" lead.py", "a b.py", "a\nb.py", "a\tb.py", "\"quoted\".py", "'single'.py", "back\\slash.py", "-dash.py",
             ":(glob)*.py", "*.py", "日本/語.py", "emoji 🎉.py", "a::b.py", "~tilde.py", "trail .py "]  # fmt: skip
    files: dict[str, str | bytes] = dict.fromkeys(names, "x")
    root = repository(tmp_path / "git", files)
    plain = write(tmp_path / "plain", files)
    for place, revision in ((root, ""), (plain, ""), (root, "HEAD")):
        listing = list_files(place, revision=revision)
        assert paths(listing) == sorted(names)
        assert all(data == b"x" for _, data in read_all(place, listing))


def test_order_is_by_path_whatever_made_the_files(tmp_path: Path) -> None:
    names = ["b.py", "a/z.py", "a.py", "a-b/x.py", "A.py", "é.py", "z.py"]
    write(tmp_path, dict.fromkeys(names, ""))
    assert (
        paths(list_files(tmp_path)) == sorted(names) == ["A.py", "a-b/x.py", "a.py", "a/z.py", "b.py", "z.py", "é.py"]
    )


def test_paths_are_nfc_and_are_read_by_the_name_on_disk(tmp_path: Path) -> None:
    composed, decomposed = "café/é.py", unicodedata.normalize("NFD", "café/é.py")
    write(tmp_path, {decomposed: "decomposed"})
    if composed in os.listdir(tmp_path):
        pytest.skip("this file system composes names")
    listing = list_files(tmp_path)
    assert paths(listing) == [composed]
    assert read(tmp_path, listing.entries[0]) == b"decomposed"
    assert resolve_inside(tmp_path, composed).read_text() == "decomposed"

    write(tmp_path, {composed: "composed"})
    both = list_files(tmp_path)
    assert paths(both) == [composed]
    assert read(tmp_path, both.entries[0]) == b"composed"
    assert both.skipped == [Skipped("cafe\\u0301/e\\u0301.py", "same name as another file but for case or accents")]

    write(tmp_path, {"cafe\\u0301/e\\u0301.py": "a name like the record's"})
    assert paths(list_files(tmp_path)) == ["cafe\\u0301/e\\u0301.py", composed]
    assert list_files(tmp_path).skipped == []


def test_a_name_that_is_not_utf8_is_recorded_as_escapes(tmp_path: Path) -> None:
    root = repository(tmp_path, {"a.py": ""})
    with open(os.fsencode(root) + b"/caf\xe9.py", "wb"):
        pass
    assert paths(list_files(root)) == ["a.py"]
    assert reasons(list_files(root)) == {"caf\\xe9.py": "file name is not UTF-8"}
    commit(root)
    assert reasons(list_files(root, revision="HEAD")) == {"caf\\xe9.py": "file name is not UTF-8"}


def test_one_file_under_two_cases_of_its_name_is_read_once(tmp_path: Path) -> None:
    """As git lists both where the file system ignores case; hard links stand for that here."""
    write(tmp_path, {"README.md": "one", "other.md": "", "Other.md": ""})
    os.link(tmp_path / "README.md", tmp_path / "readme.md")
    os.link(tmp_path / "README.md", tmp_path / "copy.md")
    listing = list_files(tmp_path)
    assert paths(listing) == ["Other.md", "README.md", "copy.md", "other.md"]
    assert reasons(listing) == {"readme.md": "same name as another file but for case or accents"}


# Bytes


def test_a_binary_named_py_is_skipped_when_read(tmp_path: Path) -> None:
    elf = b"\x7fELF" + bytes(range(256)) * 4
    root = write(tmp_path, {"a.py": elf, "b.py": b"x = '" + b"\xe9" * 9 + b"'\n", "logo.zip": "text or not"})
    assert read_one(root, "a.py") == Skipped("a.py", "binary")
    assert reasons(list_files(root)) == {"logo.zip": "binary"}


def test_a_picture_is_input_by_its_name_and_never_read(tmp_path: Path) -> None:
    root = repository(tmp_path, {"a.py": "", "logo.png": b"\x89PNG\0", "wide.WEBP": b"\0" * 3_000_000})
    commit(root)
    for listing in (list_files(root), list_files(root, revision="HEAD")):
        read = {entry.path: data for entry, data in read_all(root, listing)}
        assert read == {"a.py": b"", "logo.png": b"", "wide.WEBP": b""}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", ""),
        (b"\n", ""),
        (b"x = 1\n\0", "binary"),
        (b"#" * 8191 + b"\0", "binary"),
        (b"#" * 8192 + b"\0", ""),
        (codecs.BOM_UTF16_LE + "x = 1\n".encode("utf-16-le"), ""),
        (codecs.BOM_UTF32_BE + "x = 1\n".encode("utf-32-be"), ""),
        ("x = 1\n".encode("utf-16-le"), "binary"),
        (b"\x01\x02\x03 \xff\xfe", "binary"),
        (b"\x01\x02\x03 valid UTF-8 all the same", ""),
        (b"caf\xe9 \x1b[0m\f\n", ""),
        ("# コメント\n".encode("shift_jis"), ""),
    ],
)
def test_what_is_binary(data: bytes, reason: str) -> None:
    assert reason_to_skip("a.py", data) == reason


LINE = b"function f(a){return a+1};"


@pytest.mark.parametrize(
    ("path", "data", "reason"),
    [
        ("a.js", LINE * 200, "minified"),
        ("a.css", b"/* licence */\n" * 9 + b"a{b:c}" * 500, "minified"),
        ("a.mjs", (LINE * 20 + b"\n") * 9, "minified"),
        ("a.js", (LINE + b"\n") * 500, ""),
        ("a.js", b"const data = '" + b"A" * 9000 + b"';\n" + (LINE + b"\n") * 500, ""),
        ("a.js", LINE * 30, ""),
        ("a.py", LINE * 200, ""),
        ("a.ts", LINE * 200, ""),
        ("main.js", b"/******/ (() => { // webpackBootstrap\n", "generated bundle"),
        ("main.js", b"require('./x');/******/ \n\t// webpackBootstrap\n", "generated bundle"),
        ("main.js", b"(function(){function r(e,n,t){new Error(\"Cannot find module '\"+i)}})()\n", "generated bundle"),
        ("main.js", b"parcelRequire = (function (modules) {\n", "generated bundle"),
        ("main.js", b"function load() {\n  throw new Error('Cannot find module')\n}\n", ""),
        ("main.js", b"// @generated\n" + (LINE + b"\n") * 3000, "generated bundle"),
        ("main.js", b"// @generated\n" + (LINE + b"\n") * 30, ""),
        ("a.pb.go", b"// Code generated by protoc-gen-go. DO NOT EDIT.\n" + (LINE + b"\n") * 3000, ""),
    ],
)  # fmt: skip
def test_what_a_tool_wrote_for_machines(path: str, data: bytes, reason: str) -> None:
    assert reason_to_skip(path, data) == reason


def test_minified_by_name_is_not_even_opened(tmp_path: Path) -> None:
    write(tmp_path, {"a.min.js": "", "b-min.css": "", "min.js": "", "c.min.py": "", "admin.js": ""})
    assert paths(list_files(tmp_path)) == ["admin.js", "c.min.py", "min.js"]
    assert reasons(list_files(tmp_path)) == {"a.min.js": "minified", "b-min.css": "minified"}


def test_generated_code_says_so_in_its_first_lines() -> None:
    for head in (
        b"// Code generated by protoc-gen-go. DO NOT EDIT.\npackage x\n",
        b"# -*- coding: utf-8 -*-\n# Generated by the protocol buffer compiler.  DO NOT EDIT!\n",
        b"/**\n * @generated SignedSource<<1>>\n */\n",
        b"/* This file was automatically generated. */\n",
        b"<!-- autogenerated -->\n",
    ):
        assert is_generated(head), head
    for head in (b"x = 'DO NOT EDIT'\n", b"def generated(): pass\n", b"#\n" * 600 + b"# @generated\n", b""):
        assert not is_generated(head), head


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"", "", "utf-8"),
        ("é\r\n".encode(), "é\r\n", "utf-8"),
        (codecs.BOM_UTF8 + "é\r\n".encode(), "é\r\n", "utf-8"),
        (codecs.BOM_UTF16_LE + "é\n日".encode("utf-16-le"), "é\n日", "utf-16-le"),
        (codecs.BOM_UTF16_BE + "é\n日".encode("utf-16-be"), "é\n日", "utf-16-be"),
        (codecs.BOM_UTF32_LE + "é\n日".encode("utf-32-le"), "é\n日", "utf-32-le"),
        (codecs.BOM_UTF16_LE + b"a\0b", "a\ufffd", "utf-16-le"),
        (b"caf\xe9\n", "café\n", "latin-1"),
        (b"# coding: cp1252\nx = '\x80'\n", "# coding: cp1252\nx = '€'\n", "cp1252"),
        (b"#!/bin/x\n# -*- coding: koi8-r -*-\n\xc4\xc1\n", "#!/bin/x\n# -*- coding: koi8-r -*-\nда\n", "koi8-r"),
        ("# coding: shift_jis\n# コ\n".encode("shift_jis"), "# coding: shift_jis\n# コ\n", "shift_jis"),
        ("# coding: latin-1\né\n".encode(), "# coding: latin-1\né\n", "utf-8"),
        (b"\n\n# coding: cp1252\n\x80\n", "\n\n# coding: cp1252\n\x80\n", "latin-1"),
        (b"# coding: nonsense\n\xe9\n", "# coding: nonsense\né\n", "latin-1"),
        (b"# coding: utf-8\n\xe9\n", "# coding: utf-8\né\n", "latin-1"),
        (b"# coding: cp037\n\xe9\n", "# coding: cp037\né\n", "latin-1"),
        (b"# coding: cp037 \xe9", "# coding: cp037 é", "latin-1"),
        (b"# coding: unicode_escape\n\\x41\xe9\n", "# coding: unicode_escape\n\\x41é\n", "latin-1"),
        (b"# coding: unicode_escape\n\\n\xe9\n", "# coding: unicode_escape\n\\né\n", "latin-1"),
        (b"# coding: utf_7\n+AAo-\xe9\n", "# coding: utf_7\n+AAo-é\n", "latin-1"),
        (b"# coding: zlib\n\xe9\n", "# coding: zlib\né\n", "latin-1"),
    ],
)
def test_decoding(data: bytes, text: str, encoding: str) -> None:
    assert decode(data) == (text, encoding)
    assert normalise(data) == text.encode()


COOKIES = [b"", b"# coding: cp1252\n", b"# coding: gb18030\n", b"# coding: iso2022_jp\n", b"# coding: utf-7\n"]
MARKS = [b"", codecs.BOM_UTF8, codecs.BOM_UTF8 * 2, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE]


@settings(deadline=None)
@given(st.sampled_from(MARKS), st.sampled_from(COOKIES), st.binary() | st.text().map(str.encode))
def test_any_bytes_have_a_normal_form(mark: bytes, cookie: bytes, body: bytes) -> None:
    data = mark + cookie + body
    normal = normalise(data)
    assert normal.decode() == decode(data).text
    assert normalise(normal) == normal
    if mark in (b"", codecs.BOM_UTF8):
        assert normal.count(b"\n") == data.count(b"\n")
    reason_to_skip("a.js", data)


def test_reading_gives_the_normal_form(tmp_path: Path) -> None:
    root = repository(tmp_path, {"a.py": codecs.BOM_UTF16_LE + "é\r\n".encode("utf-16-le")})
    assert read_one(root, "a.py") == "é\r\n".encode()
    assert read(root, list_files(root, revision="HEAD").entries[0]) == "é\r\n".encode()


# Paths that others give


def test_a_path_inside_is_found(tmp_path: Path) -> None:
    root = write(tmp_path / "root", {"pkg/a b.py": "", "x": ""})
    (root / "link.py").symlink_to("pkg/a b.py")
    assert resolve_inside(root, "pkg/a b.py") == root.resolve() / "pkg/a b.py"
    assert resolve_inside(root, "link.py") == root.resolve() / "pkg/a b.py"
    assert resolve_inside(root, "./pkg//") == root.resolve() / "pkg"
    assert resolve_inside(root, "") == resolve_inside(root, ".") == root.resolve()


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "../secret", "pkg/../../secret", "pkg/..", "..", "C:\\x", "C:/x", "\\\\server\\share", "..\\secret",
     "a\0b", "out", "out/deeper", "outer/secret", ".git/config", "pkg/.GIT/config", "config"],
)  # fmt: skip
def test_a_path_that_leads_out_is_forbidden_whether_or_not_it_is_there(tmp_path: Path, path: str) -> None:
    root = write(tmp_path / "root", {"pkg/a.py": "", ".git/config": "", "pkg/.GIT/config": ""})
    write(tmp_path, {"secret": ""})
    (root / "out").symlink_to("/nowhere/at/all")
    (root / "outer").symlink_to("..")
    (root / "config").symlink_to(".git/config")
    with pytest.raises(Forbidden):
        resolve_inside(root, path)


@pytest.mark.parametrize("path", ["missing.py", "pkg/a.py/x", "loop", "loop/x", "x" * 300, "broken", "\udce9"])
def test_a_path_that_is_not_there_is_invalid(tmp_path: Path, path: str) -> None:
    root = write(tmp_path, {"pkg/a.py": ""})
    (root / "loop").symlink_to("loop")
    (root / "broken").symlink_to("missing")
    with pytest.raises(InvalidPath, match="no such path in the repository"):
        resolve_inside(root, path)


def test_what_the_options_keep_out_makes_no_work_tree_dirty(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", {"a.py": "", "b.js": "", "vendor/c.py": "", "d/e.py": ""})
    only_python = Options(include=("*.py",), exclude=("d/",))
    write(root, {"b.js": "b", "vendor/c.py": "c", "d/e.py": "e", "f.js": ""})

    assert identity(root).dirty
    assert not identity(root, only_python).dirty
    (root / "d" / "e.py").unlink()
    assert identity(root, only_python).dirty


def test_what_is_asked_of_git_at_once_or_in_part_is_what_it_says_of_all(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"a.py": "a = 1\n", "b/c.py": "c = 1\n", "b/e.bin": b"\0", ".gitignore": "made/\n"}
    root = repository(tmp_path / "shop", files)
    (root / "made").mkdir()
    only_a = Options(include=("a.py",))

    def agrees() -> bool:
        for folder in (root, root / "b"):
            for options in (Options(), only_a):
                assert look(folder, options)[:2] == (list_files(folder, options), identity(folder, options))
        for options in (Options(), only_a):
            for edited in (["a.py"], ["b/c.py"], ["a.py", "b/c.py"], ["absent.py"]):
                assert identity_after(edited, root, options) == identity(root, options)
        return identity(root).dirty

    assert not agrees()
    for path, text in (
        ("a.py", "a = 2\n"),
        ("b/c.py", "c = 2\n"),
        ("new.py", ""),
        ("b/new.bin", "\0"),
        ("made/x.py", ""),
    ):
        write(root, {path: text})
        assert agrees()
    git(root, "add", "-A")
    assert agrees()
    (root / "a.py").unlink()
    assert agrees()
    commit(root)
    assert not agrees()
    git(root, "rm", "-q", "--cached", "b/c.py")
    assert agrees()
    repository(root / "nested", {"d.py": ""})
    assert agrees()
    (root / ".git" / "HEAD").write_text("ref: refs/heads/unborn\n")
    agrees()
