"""Where a repository comes from: how it is named, the spelling of its URL, and cloning it.

In: what a user typed, or a work tree. Out: URLs, and a folder with a work tree. Absent on purpose: network access of
our own; git talks to servers, with the user's own credentials, and runs nothing that it downloads.
"""

from __future__ import annotations

import re
from pathlib import Path

from rpg.encoder.source_files import git
from rpg.errors import BadRequest, Forbidden

CLONE_SECONDS = 900.0
_SCHEMES = frozenset({"https", "http", "ssh", "git", "file"})
_PROTOCOLS = "https:http:ssh:git"
_SCP = re.compile(r"(?:[\w.~+-]+@)?(?P<host>[\w-][\w.-]*|\[[\da-fA-F:]+\]):(?!:|//)(?P<path>.+)")


def source_url(repository: str) -> str:
    """The URL to clone if `repository` names one, '' if it is a path on this machine.

    Accepts https, http, ssh, git and file URLs, git@host:owner/name, host.domain/owner/name and owner/name (on
    github.com); an existing path is a path. Forbidden for a transport that runs commands, BadRequest for an unknown
    one.
    """
    text = repository.strip()
    if not text or text.startswith(("-", ".", "/", "~", "\\")) or _is_there(text):
        return ""
    if re.match(r"[\w+.-]+::", text):
        raise Forbidden("a URL with '::' makes git run a program; give an https or ssh URL")
    if scheme := re.match(r"([A-Za-z][\w+.-]*)://", text):
        if scheme[1].lower() not in _SCHEMES:
            raise BadRequest(f"{scheme[1]}:// cannot be cloned; give one of: {', '.join(sorted(_SCHEMES))}")
        return text
    if (scp := _SCP.fullmatch(text)) and ("@" in text.partition(":")[0] or "." in scp["host"]):
        return text
    if re.fullmatch(r"[\w-]+(\.[\w-]+)+(/[\w.~-]+){2,}/?", text):
        return f"https://{text}"
    if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9-]*/[\w.-]+", text):
        return f"https://github.com/{text}"
    return ""


def _is_there(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):  # too long, or a NUL
        return False


def normalised_url(url: str) -> str:
    """One spelling for all forms of a repository's URL, without credentials, query, `.git` and default port.

    ssh, git and scp-like forms become https; '' for URLs that only this machine knows (paths, file, loopback hosts).
    """
    text = url.strip()
    if scp := _SCP.fullmatch(text):
        host, port, path, scheme = scp["host"], "", scp["path"], "https"
        if re.match(r"[A-Za-z]:[\\/]", text):
            return ""
    elif parts := re.fullmatch(r"(\w+)://(?:[^/]*@)?(\[[^\]/]*\]|[^:/]*)(?::(\d*))?/([^?#]*).*", text):
        scheme, host, port, path = parts[1].lower(), parts[2], parts[3] or "", parts[4]
        if scheme not in _SCHEMES or scheme == "file":
            return ""
        if scheme in ("ssh", "git"):
            scheme, port = "https", ""
        if port == {"https": "443", "http": "80"}[scheme]:
            port = ""
    else:
        return ""
    host, path = host.lower(), re.sub(r"/{2,}", "/", path).strip("/").removesuffix(".git").rstrip("/")
    if not host or not path or host == "localhost" or host.startswith(("127.", "[::1]")):
        return ""
    return f"{scheme}://{host}{port and ':' + port}/{path}"


def clone(url: str, folder: Path, branch: str = "", seconds: float = CLONE_SECONDS) -> None:
    """The newest commit of `url` (as from `source_url`, or a path) as a work tree at `folder`, whole or not at all.

    `branch` may be a tag. Nothing of the repository runs: no hooks, filters or submodules. A password in the URL is
    used and not stored. EncodeFailed says whether git, the network, the repository or the branch is missing.
    """
    import tempfile  # imports a lot, which only cloning needs

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadRequest(f"{folder} exists and is not empty; name another folder to clone into")
    if branch.startswith("-") or any(character.isspace() or character == "\0" for character in branch):
        raise BadRequest(f"{branch!r} is not a branch name")
    local = Path(url)
    explicit = url.startswith("file://") or (local.is_absolute() and local.exists())
    where = local.as_uri() if explicit and not url.startswith("file://") else url
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Cloned into a temporary folder, so that a rename makes it complete.
    with tempfile.TemporaryDirectory(prefix=".clone-", dir=folder.parent, ignore_cleanup_errors=True) as name:
        new = Path(name) / "tree"
        options = ["--depth=1", "--single-branch", "--no-tags", "--no-recurse-submodules", "--template=", "--quiet"]
        options += ["--origin=origin", "--config=core.autocrlf=false"] + ([f"--branch={branch}"] if branch else [])
        try:
            git.run(
                Path(name), "clone", *options, "--", where, "tree",
                seconds=seconds, protocols="file" if explicit else _PROTOCOLS,
            )  # fmt: skip
        except git.GitFailed as error:
            raise git.GitFailed(_clone_advice(url, branch, error), error.status) from error
        git.run(new, "config", "remote.origin.url", _without_credentials(where))
        if folder.exists():
            folder.rmdir()
        new.rename(folder)


def remote_url(root: Path) -> str:
    """The repository's URL as `normalised_url` writes it: that of `origin`, else of the first remote by name."""
    urls: dict[str, str] = {}
    for item in git.parts(git.answer(root, "config", "-z", "--get-regexp", r"^remote\..*\.url$")):
        key, _, url = item.partition("\n")
        urls.setdefault(key.removeprefix("remote.").removesuffix(".url"), url)
    return normalised_url(urls.get("origin") or next((url for _, url in sorted(urls.items())), ""))


def _clone_advice(url: str, branch: str, error: git.GitFailed) -> str:
    """What to do about a failed clone, then git's own words."""
    said = error.message
    reasons = (
        (r"Remote branch .* not found", f"it has no branch or tag {branch!r}: name another or leave it out"),
        (
            r"resolve host|unable to access|Could not connect|Connection (refused|timed out|reset)|unreachable",
            "the server cannot be reached: check the network, or encode a folder that was cloned before",
        ),
        (
            r"Authentication|could not read|Permission denied|not found|does not exist|publickey|Host key",
            "it does not exist or is not open to you: check the URL, or clone it yourself and encode the folder",
        ),
        (r"transport '.*' not allowed", "it redirects to another protocol, which is not followed"),
        (r"longer than", "it takes too long: clone it yourself and encode the folder"),
    )
    advice = next((advice for pattern, advice in reasons if re.search(pattern, said, re.IGNORECASE)), "")
    return f"cannot clone {_without_credentials(url)}{advice and ': ' + advice} ({_without_credentials(said, url)})"


def _without_credentials(text: str, url: str = "") -> str:
    """Removes user, password and query from any URL in the text, and from `url` even if git prints only parts of it."""
    for secret in re.findall(r"(?<=://)[^/\s]*@|\?\S*", url):
        text = text.replace(secret, "")
    return re.sub(r"(\w://)[^/\s]*@", r"\1", re.sub(r"(://[^\s?']*)\?[^\s']*", r"\1", text))
