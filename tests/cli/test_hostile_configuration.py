"""What a repository configures (git's files, ignore files, options of rpg) neither holds an encode up nor breaks it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from commands import CODE, Ended, module_paths, rpg
from repositories import git, repository, write

from rpg.cli.failures import DONE, FAILED, WRONG_REQUEST
from rpg.encoder.patterns import Ignored, compile_patterns, problem_with_pattern
from rpg.encoder.source_files import git as asked
from rpg.encoder.source_files.git_hazards import readiness
from rpg.encoder.source_files.git_places import GitUnready
from rpg.encoder.source_files.listing import look

OF_GIT = (
    ".git/index", ".git/config", ".git/HEAD", ".git/info/exclude", ".git/info/attributes", ".git/packed-refs",
    ".git/refs/heads/main", ".git/commondir",
)  # fmt: skip
IN_THE_TREE = (
    ".gitignore",
    ".gitattributes",
    "rpg.toml",
    "pyproject.toml",
    "pkg/.gitignore",
    "go.mod",
    "tsconfig.json",
)


def processes_of_git(folder: Path) -> list[str]:
    """Command lines of git that name the folder."""
    lines = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = process.read_bytes().split(b"\0")
        except OSError:
            continue
        if line[0].endswith(b"git") and os.fsencode(folder) in b" ".join(line):
            lines.append(b" ".join(line).decode())
    return lines


@pytest.mark.invariant("trust", "rpg never waits for a pipe or device in a repository")
@pytest.mark.parametrize("name", [*OF_GIT, *IN_THE_TREE])
@pytest.mark.parametrize("kind", ["pipe", "endless"])
def test_a_pipe_or_a_device_in_place_of_a_file_is_not_waited_for(tmp_path: Path, name: str, kind: str) -> None:
    root = repository(tmp_path / "shop", {"shop.py": CODE, "pkg/more.py": CODE})
    place = root / name
    place.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(place)
    else:
        place.symlink_to("/dev/zero")
    began = time.monotonic()

    ended = rpg(tmp_path, "encode", "shop", "-o", "shop.graph.json")

    assert ended.code == DONE, ended.errors
    assert time.monotonic() - began < 25
    assert {"pkg/more.py", "shop.py"} <= set(module_paths(tmp_path / "shop.graph.json"))
    assert rpg(tmp_path, "usages", "price").code == DONE
    if Path("/proc/self/cmdline").exists():
        assert processes_of_git(root) == []


def test_what_git_would_wait_at_is_found_behind_a_pointer_and_a_common_folder(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", {"shop.py": CODE})
    git(root, "worktree", "add", "-q", str(tmp_path / "other"))
    assert readiness(tmp_path / "other").seconds > 0
    (root / ".git" / "config").unlink()
    os.mkfifo(root / ".git" / "config")

    with pytest.raises(GitUnready, match="config is not a regular file"):
        readiness(tmp_path / "other")
    with pytest.raises(asked.GitFailed, match="is not a regular file"):
        asked.head(tmp_path / "other")


DEEP = (
    ".git/objects/pack/multi-pack-index", ".git/objects/COMMIT", ".git/sequencer/todo", "a/b/c/.gitignore",
    "new/.gitignore", "a/b/c/.gitattributes", "new/.git/HEAD",
)  # fmt: skip


@pytest.mark.invariant("trust", "rpg never waits for a pipe or device in a repository")
@pytest.mark.parametrize("name", DEEP)
def test_what_git_waits_for_deep_down_is_found_while_it_waits(tmp_path: Path, name: str) -> None:
    """Not first when its time is over, after which it would not be asked for a while."""
    root = repository(tmp_path / "shop", {"a/b/c/x.py": CODE})
    write(root, {"a/b/c/x.py": CODE.replace("price", "prise"), "new/y.py": CODE})  # of the same size: git compares
    commit = git(root, "rev-parse", "HEAD")
    place = root / name.replace("COMMIT", f"{commit[:2]}/{commit[2:]}")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    os.mkfifo(place)

    listing = look(root).listing

    assert {"a/b/c/x.py", "new/y.py"} == {entry.path for entry in listing.entries}
    assert listing.note == f"git is not run: {place.relative_to(root)} is not a regular file"
    if ".git/" not in name:
        assert asked.head(root) == commit  # which needs no walk
    place.unlink()
    if "COMMIT" not in name and name != "new/.git/HEAD":
        assert look(root).listing.source == "git"


def test_a_branch_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", {"shop.py": CODE})
    os.mkfifo(root / ".git" / "refs" / "heads" / "side")
    with pytest.raises(asked.GitFailed, match=r"\.git/refs/heads/side is not a regular file"):
        asked.commit_of(root, "side")


# Options


def encoded_with(tmp_path: Path, options: str, name: str = "rpg.toml") -> Ended:
    repository(tmp_path / "shop", {"shop.py": CODE, name: options})
    return rpg(tmp_path, "encode", "shop", "-o", "shop.graph.json")


@pytest.mark.parametrize(
    "options",
    [
        "include = " + "[" * 5000 + "]" * 5000,
        "exclude = " + "{a=" * 5000,
        "max_bytes = " + "1" * 5000,
        ".".join("a" * 5000) + " = 1",
        "[" + ".".join("a" * 100_000) + "]",
        "include = [" + '"x",' * 20_000 + "]",
        'exclude = ["' + "x" * 100_000 + '"]',
        'exclude = ["' + "**/a/" * 50 + '"]',
        'exclude = ["' + "*[!a]" * 50 + '"]',
        "vendored = 'yes' # " + "x" * 2_000_000,
        "x" * 300_000 + " = 1",
        "".join(f"[t{number}]\n" for number in range(50_000)),
        "\ufffe" * 10,
        "include = ['" + "\\u0000" + "']\nroots = [1979-05-27]",
    ],
    ids=range(14),
)
def test_options_beyond_all_measure_are_a_wrong_request_that_says_what_to_correct(tmp_path: Path, options: str) -> None:
    ended = encoded_with(tmp_path, options)

    assert ended.code == WRONG_REQUEST, ended.errors[:500]
    assert ended.errors.startswith("BAD_REQUEST: rpg.toml: ")
    assert len(ended.errors) < 800


def test_a_project_file_that_has_nothing_to_say_to_rpg_may_be_anything(tmp_path: Path) -> None:
    assert encoded_with(tmp_path, "a = " + "[" * 5000, "pyproject.toml").code == DONE


# Patterns


@pytest.mark.parametrize("pattern", ["*a" * 200 + "b", "?*" * 200 + "b", "a*" * 100 + "/**/" + "*a" * 60])
def test_a_pattern_takes_time_that_grows_with_its_length_alone(pattern: str) -> None:
    assert problem_with_pattern(pattern) == ""
    spec = compile_patterns([pattern])
    assert not spec.match_file("c" + "a" * 900)


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("*a*b*", "xaxbx", "xbxax"),
        ("*.min.*", "pkg/x.min.js", "pkg/xmin.js"),
        ("a*b*c", "abbcbc", "abbcb"),
        ("*?a*", "aaa", "a"),
        ("a*/b*c", "ax/bxc", "ax/x/bxc"),
        ("*[ab]*c", "xbxc", "xdxc"),
        (r"*\**x", "a*x", "ax"),
        ("**/t*s*t/", "a/tsst/x", "a/tsx/x"),
    ],
)
def test_patterns_match_what_git_matches(pattern: str, matching: str, other: str) -> None:
    spec = compile_patterns([pattern])

    assert (spec.match_file(matching), spec.match_file(other)) == (True, False)


def test_ignored_names_are_those_of_each_pattern_by_itself() -> None:
    lines = [
        "*.log",
        "!keep.log",
        "/built",
        "docs/*.txt",
        "**/deep/*/x",
        "a*b*c",
        "folder/",
        "é?",
        "[ab]z",
        "#no",
        "!folder/in",
    ]
    names = [
        "x.log", "keep.log", "built/a", "p/built", "docs/a.txt", "docs/p/a.txt", "deep/q/x", "p/deep/q/x", "aXbXc",
        "p/abc", "folder/in", "p/folder/y", "éa", "p/éa", "az", "cz", "plain.py", "",
    ]  # fmt: skip
    together, alone = Ignored(lines), compile_patterns(lines)

    assert [together.verdict(name) for name in names] == [alone.check_file(name).include for name in names]


@pytest.mark.parametrize(
    ("patterns", "code"),
    [
        ("".join(f"{'d' * (number % 7)}*a{number}*b*c.x\n" for number in range(330)), DONE),
        ("".join(f"*a{number}*b*c.x\n" for number in range(10_000)), FAILED),
        ("*a" * 240 + "b\n" + "*[!a]" * 90 + "\n" + "**/a/" * 90 + "\n", DONE),
    ],
    ids=["hundreds", "thousands", "long"],
)
def test_what_a_folder_outside_git_ignores_is_tried_in_time_or_refused(
    tmp_path: Path, patterns: str, code: int
) -> None:
    write(tmp_path / "shop", {".gitignore": patterns, "shop.py": CODE, "new/.gitignore": "hidden.py\n"})
    write(tmp_path / "shop", {f"data/{'a' * 60}{number}.bin": "" for number in range(2000)})
    write(tmp_path / "shop", {"new/hidden.py": CODE, "new/seen.py": CODE})

    ended = rpg(tmp_path, "encode", "shop", "-o", "shop.graph.json")

    assert ended.code == code, ended.errors
    if code == DONE:
        assert module_paths(tmp_path / "shop.graph.json") == ["new/seen.py", "shop.py"]
    else:
        assert ".gitignore': it has more than 1,000 patterns" in ended.errors
        assert not (tmp_path / "shop.graph.json").exists()
