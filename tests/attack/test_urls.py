"""URLs and revisions that mean something else to git, ssh or curl than they look like: whatever is passed on is a place
behind `--`, over https, ssh or of this machine, and shows no password."""

from __future__ import annotations

import os
import random
import re
import shutil
from pathlib import Path

import pytest

from attack.conftest import share
from rpg.errors import RpgError
from rpg.repository import find_source, obtain

SECRET, TOKEN = "s3cr3t", "t0k3n"
"""A password wherever it stands; a user, who is a secret in https alone, and whom ssh needs as an argument."""
OF_EVERY_RUN = 150
SCHEMES = [
    "https://", "HTTPS://", "ssh://", "file://", "http://", "git://", "ftp://", "ext::", "ext::sh -c ", "fd::7",
    "git+ssh://", "https::https://", "file://localhost", "file://server", "", "-", "--upload-pack=", "-c", " ",
]  # fmt: skip
USERS = ["", f"me:{SECRET}@", f"{TOKEN}@", f"me:{SECRET}@good.example@", "git@", "-oProxyCommand=x@", f"me:{SECRET}/@",
         f"me:{SECRET}%0a@", f":{SECRET}@", "@"]  # fmt: skip
HOSTS = [
    "good.example", "good.example:443", "good.example:99999999", "-oProxyCommand=touch%20x", "-host", "[::1]", "[-x]",
    "good.example\\@evil.example", "good.example#@evil.example", "good.example?@evil.example", "good.example:x@evil",
    "good.example\n.evil", "good.example\0", "gööd.example", "127.0.0.1", "", "..", "a b", "$(x)", "`x`", "a;x", "%00",
]  # fmt: skip
PATHS = ["/a/b", ":a/b", ":-a", "/-a/b", "/a/b.git", "/../../etc", "/a?x=1", "/a#x", "//a/b", "/a/b --upload-pack=x",
         "/a;x", "/a\nb", "", "/", "/a%0ab", f"/a?private_token={SECRET}", "/a/b@v1", "/a/b@-x", "/a/b@--all",
         "/a/b@x:y", "/@a", "/a@b@c"]  # fmt: skip
REVISIONS = ["", "main", "-x", "--upload-pack=touch x", "+main", "main:refs/heads/x", ":x", "refs/heads/*", "^main",
             "a..b", "a b", "HEAD~1", "@{u}", "refs/../x", "a\nb", "a\0b", "0" * 40, "x" * 300]  # fmt: skip
FETCH = ["fetch", "--depth=1", "--no-tags", "--no-recurse-submodules", "--force", "--progress", "--"]
PLACE = re.compile(
    r"https://([\w.-]+|\[[\da-fA-F:.]+\])(:\d{1,5})?/[^?#\s]+"
    r"|ssh://(\w[\w.~+-]*@)?([\w.-]+|\[[\da-fA-F:.]+\])(:\d{1,5})?/\S+"
    r"|(\w[\w.~+-]*@)?([\w.][\w.-]*|\[[\da-fA-F:]+\]):[^-\s]\S*"
    r"|file:///\S*"
)
SPECIFIED = re.compile(r"(HEAD|refs/(heads|tags)/[^\s:~^?*\[\\]+|refs/[^\s:~^?*\[\\]+|[0-9a-f]{40}):refs/rpg/fetched")


def cases() -> list[tuple[str, str]]:
    """Every part in otherwise plain surroundings, and as many of all parts at random."""
    plain = ("https://", "", "good.example", "/a/b", "")
    parts = (SCHEMES, USERS, HOSTS, PATHS, REVISIONS)
    found = [(*plain[:at], each, *plain[at + 1 :]) for at, part in enumerate(parts) for each in part]
    found += [("ssh://", *case[1:]) for case in found]
    found += [("", case[1] or "git@", case[2], ":a/b", case[4]) for case in found]
    draw = random.Random(0)
    found += [tuple(draw.choice(part) for part in parts) for _ in range(1_000)]  # type: ignore[misc]
    return list(dict.fromkeys(("".join(case[:4]), case[4]) for case in found))


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What git was started with, by a git that does nothing but write that down: the protocols, then the words."""
    place = tmp_path / "bin"
    place.mkdir()
    written = tmp_path / "calls"
    (place / "git").write_text(f'#!/bin/sh\n{{ printf "%s\\0" "CALL" "$GIT_ALLOW_PROTOCOL" "$@"; }} >> "{written}"\n')
    (place / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{place}:{os.environ['PATH']}")
    monkeypatch.setenv("RPG_DATA", str(tmp_path / "data"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return written


@pytest.mark.invariant(
    "trust",
    "a URL is fetched only over https, ssh or from this machine; no part of it becomes an option; its "
    "password is in no argument, file or text, and a token in its path in no file or text",
)
def test_no_url_or_revision_becomes_an_option_or_another_place(calls: Path, pytestconfig: pytest.Config) -> None:
    fetched = 0
    for url, revision in share(pytestconfig, cases(), OF_EVERY_RUN):
        calls.write_bytes(b"")
        with pytest.raises(RpgError) as refusal:  # that git brings nothing, if nothing else
            obtain(find_source(url, revision))
        secrets = [SECRET, TOKEN] if url.lower().startswith("https://") else [SECRET]
        assert not any(secret in refusal.value.message for secret in secrets), (url, revision)
        for call in calls.read_bytes().decode(errors="surrogateescape").split("CALL\0")[1:]:
            protocols, *words = call.split("\0")[:-1]
            assert not any(secret in word for word in words for secret in secrets), (url, revision, words)
            if "fetch" not in words:
                assert protocols == "none"
                continue
            fetched += 1
            begun = words[words.index("fetch") :]
            assert begun[: len(FETCH)] == FETCH, (url, revision)
            place, specified = begun[len(FETCH) :]
            assert PLACE.fullmatch(place), (url, revision, place)
            assert SPECIFIED.fullmatch(specified), (url, revision, specified)
            assert "//-" not in specified
            assert protocols == ("file" if place.startswith("file:") else "https:ssh"), (url, revision)
        shutil.rmtree(calls.parent / "data", ignore_errors=True)
    assert fetched
    assert os.listdir(calls.parent / "here") == []
