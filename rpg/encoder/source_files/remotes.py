"""Where a repository comes from: how it is named, and the spelling of its URL.

In: what a user typed, or a work tree. Out: URLs, and what git needs to fetch from one (cloning.py does). Absent on
purpose: the network.

A URL goes to git without its credentials, because command lines are seen by every user of a machine, and is kept, shown
and recorded without them. `repr` of a remote shows none either.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from pathlib import Path

from rpg.encoder.source_files import git
from rpg.errors import BadRequest, Forbidden
from rpg.text.printable import quote_text

FETCHED = ("https", "ssh", "file")
"""Schemes of the URLs that are fetched from."""
_READABLE_BY_ALL = {"http": "https", "git": "https or ssh"}
"""Schemes without encryption or proof of who answers, and what to use instead."""
_KNOWN = frozenset({*FETCHED, *_READABLE_BY_ALL})
LONGEST_REVISION = 250
_SCP = re.compile(r"(?:(?P<user>[\w.~+-]+)@)?(?P<host>[\w-][\w.-]*|\[[\da-fA-F:]+\]):(?!:|//)(?P<path>.+)")
_URL = re.compile(
    r"(?P<scheme>\w+)://(?:(?P<user>[^/]*)@)?(?P<host>\[[\da-fA-F:.]+\]|[\w.-]*)(?P<port>:\d{1,5})?(?P<path>/.*)"
)
_PASSWORD_FOR_PATH = re.compile(
    r"(?P<user>[^/:\s]+):(?!//)[^/\s]*@(?P<host>[\w-][\w.-]*|\[[\da-fA-F:]+\])(?P<sign>[:/])(?P<path>.+)"
)
_PASSWORD_FOR_PORT = re.compile(r"^(\w+://)[^/@:\s]*:[^@\s]*/[^@\s]*@(?=[\w.-]+[/:])")
LONG_PART = 16
"""Shorter parts of a path are names."""
_AT_REVISION = re.compile(r"(?P<path>.*?[^/])@(?P<revision>.+)")
"""`@scope` at the beginning of a folder's name is a part of the name."""
_NO_REVISION = re.compile(r"[-./]|.*(?:[\s\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|/$|\.lock$)", re.DOTALL)
"""What a name of a branch or tag must not begin with or contain; ':', '*' and '^' would mean something else to git."""


@dataclass(frozen=True)
class Remote:
    """A repository on a server, or a file: URL, at one revision."""

    url: str
    """The URL that git gets: without credentials."""
    revision: str = ""
    """A branch, a tag, a full commit id, or a name that begins with refs/; empty: the server's default."""
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)

    @property
    def protocols(self) -> str:
        """What git may use. A URL of a server never leads to files of this machine, nor to anything unencrypted."""
        return "file" if self.url.startswith("file:") else "https:ssh"

    @property
    def shown(self) -> str:
        url = mask_url(self.url)
        return f"{url}@{self.revision}" if self.revision else url

    @property
    def credentials(self) -> dict[str, str]:
        """Settings of git that let the user in, for the environment of its process, which other users cannot see."""
        if not self.user:
            return {}
        host = re.match(r"https://[^/]*", self.url)
        assert host, "only https takes credentials"
        if not self.password:
            return {f"credential.{host[0]}.username": self.user}
        value = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        # Git would send the header wherever it is redirected to.
        return {
            f"http.{host[0]}/.extraHeader": f"Authorization: Basic {value}",
            f"http.{host[0]}/.followRedirects": "false",
        }


def remote_named(repository: str, revision: str = "") -> Remote | None:
    """The repository to fetch if `repository` names one by URL; None if it is a path on this machine.

    The revision may also follow the URL: `owner/name@v2`. Raises what `source_url` raises; BadRequest for a URL that
    git would read in another way than it looks, and for what can be no revision.
    """
    url = source_url(repository)
    if not url:
        return None
    if any(character.isspace() or not character.isprintable() for character in url):
        raise BadRequest("the URL has white space or control characters: leave them out, or write them as %20")
    if "?" in url or "#" in url:
        raise BadRequest(
            "a repository's URL has no '?' and no '#': leave out what follows, or write them as %3F and %23"
        )
    found = _of_server(url) if not url.lower().startswith("file:") else _of_files(url)
    if found.revision and revision and found.revision != revision:
        raise BadRequest(
            f"two revisions are named, {quote_text(found.revision)} and {quote_text(revision)}: leave one out"
        )
    revision = revision or found.revision
    if len(revision) > LONGEST_REVISION or _NO_REVISION.match(revision):
        raise BadRequest(
            f"{quote_text(revision)} is not a revision: name a branch, a tag, or the full id of a "
            "commit (40 characters)"
        )
    return Remote(found.url, revision, found.user, found.password)


def _of_server(url: str) -> Remote:
    if scp := _SCP.fullmatch(url):
        _refuse_option(scp["user"] or "", scp["host"], scp["path"])
        path, revision = _split(scp["path"])
        user = f"{scp['user']}@" if scp["user"] else ""
        return Remote(f"{user}{scp['host']}:{path}", revision)
    parts = _URL.fullmatch(url)
    if parts is None or not parts["host"] or not parts["path"].strip("/"):
        raise BadRequest(
            "the URL has no valid host and path: write https://host/owner/name; in a password, write '/' as %2F and "
            "'@' as %40"
        )
    scheme, user = parts["scheme"].lower(), parts["user"] or ""
    path, revision = _split(parts["path"])
    _refuse_option(user, parts["host"], "")
    place = f"{parts['host']}{parts['port'] or ''}{path}"
    if scheme == "ssh":
        if ":" in user:
            raise BadRequest("ssh takes no password from a URL, and others would see it: use a key or an agent")
        return Remote(f"ssh://{user and user + '@'}{place}", revision)
    name, _, password = user.partition(":")
    return Remote(f"https://{place}", revision, _decode_escapes(name), _decode_escapes(password))


def _of_files(url: str) -> Remote:
    """An existing path with '@' is a path."""
    parts = re.fullmatch(r"file://(?:[^/]*@)?(?:localhost)?(?P<path>/.*)", url, re.IGNORECASE)
    if parts is None:
        raise BadRequest("a file URL names a folder of this machine: write file:///folder/name")
    path, revision = parts["path"], ""
    if not _is_there(_decode_escapes(path)):
        for at in re.finditer("@", path):
            if path[: at.start()].strip("/") and _is_there(_decode_escapes(path[: at.start()])):
                path, revision = path[: at.start()], path[at.end() :]
                break
    return Remote(f"file://{path}", revision)


def _decode_escapes(text: str) -> str:
    """The text with percent escapes of a URL decoded."""
    parts = re.split(rb"%([0-9A-Fa-f]{2})", text.encode())
    plain = b"".join(bytes.fromhex(part.decode()) if number % 2 else part for number, part in enumerate(parts))
    return plain.decode(errors="replace")


def _split(path: str) -> tuple[str, str]:
    """The path, and the revision that follows it."""
    match = _AT_REVISION.fullmatch(path)
    return (match["path"], match["revision"]) if match else (path, "")


def _refuse_option(*parts: str) -> None:
    """Git, and the ssh that it starts, would take these for options."""
    if any(part.startswith("-") for part in parts):
        raise Forbidden("user, host and path of a URL must not begin with '-': programs would take them for options")


def source_url(repository: str) -> str:
    """The URL to clone if `repository` names one, '' if it is a path on this machine.

    Accepts https, ssh and file URLs, git@host:owner/name, host.domain/owner/name and owner/name (on github.com), each
    with `@revision` after it or without; an existing path is a path. Forbidden for a transport that runs commands or
    has no encryption, BadRequest for an unknown one.
    """
    text = repository.strip()
    if not text or text.startswith(("-", ".", "/", "~", "\\")) or _is_there(text):
        return ""
    if re.match(r"[\w+.-]+::", text):
        raise Forbidden("a URL with '::' makes git run a program; give an https or ssh URL")
    if scheme := re.match(r"([A-Za-z][\w+.-]*)://", text):
        if instead := _READABLE_BY_ALL.get(scheme[1].lower()):
            raise Forbidden(
                f"{scheme[1]}:// is not encrypted, so that anybody on the way could read and change what is fetched: "
                f"give the {instead} URL, or clone it yourself and encode the folder"
            )
        if scheme[1].lower() not in FETCHED:
            raise BadRequest(f"{scheme[1]}:// cannot be fetched from; give one of: {', '.join(FETCHED)}")
        return text
    if (scp := _SCP.fullmatch(text)) and ("@" in text.partition(":")[0] or "." in scp["host"]):
        return text
    if re.fullmatch(r"[\w-]+(\.[\w-]+)+(/[\w.~-]+){2,}/?(?:(?<!/)@\S+)?", text):
        return f"https://{text}"
    if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9-]*/[\w.-]+(?:@\S+)?", text):
        return f"https://github.com/{text}"
    return ""


def is_of_files(repository: str) -> bool:
    """Whether this names a repository by a URL of files, in whatever spelling."""
    return source_url(repository).lower().startswith("file:")


def _is_there(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):  # too long, or a NUL
        return False


def normalise_url(url: str) -> str:
    """One spelling for all forms of a repository's URL, without credentials, query, `.git` and default port.

    ssh, git and scp-like forms become https; '' for URLs that only this machine knows (paths, file, loopback hosts).
    """
    text = _without_user(url.strip())
    if scp := _SCP.fullmatch(text):
        host, port, path, scheme = scp["host"], "", scp["path"], "https"
        if re.match(r"[A-Za-z]:[\\/]", text):
            return ""
    elif parts := re.fullmatch(r"(\w+)://(?:[^/]*@)?(\[[^\]/]*\]|[^:/]*)(?::(\d*))?/([^?#]*).*", text):
        scheme, host, port, path = parts[1].lower(), parts[2], parts[3] or "", parts[4]
        if scheme not in _KNOWN or scheme == "file":
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


def remote_url(root: Path) -> str:
    """The repository's URL as `normalise_url` writes it: that of `origin`, else of the first remote by name."""
    urls: dict[str, str] = {}
    # Settings that the repository includes from elsewhere may be those of another one.
    for item in git.parts(git.answer(root, "config", "--local", "-z", "--get-regexp", r"^remote\..*\.url$")):
        key, _, url = item.partition("\n")
        urls.setdefault(key.removeprefix("remote.").removesuffix(".url"), url)
    return mask_url(normalise_url(urls.get("origin") or next((url for _, url in sorted(urls.items())), "")))


def mask_url(url: str) -> str:
    """A URL with asterisks for the parts of its path that look like a secret: by an issuer's form, or as random as
    no owner's name is."""
    scheme, slashes, rest = url.partition("://")
    host, *parts = rest.split("/")
    if not slashes or not any(len(part) >= LONG_PART for part in parts):
        return url
    from rpg.encoder.masking import is_secret_alone, mask

    last = len(parts) - 1
    shown = [
        "*" * len(part) if is_secret_alone(_decode_escapes(part).encode(), may_be_a_name=number == last) else part
        for number, part in enumerate(parts)
    ]
    return mask("/".join((f"{scheme}{slashes}{host}", *shown)).encode()).decode()


def _without_user(url: str) -> str:
    """Without a user and password before the host that git would take for host and path: `user:password@host:path`. One
    with a slash or a colon in the password is none of a URL's parts either."""
    if match := _PASSWORD_FOR_PATH.fullmatch(url):
        user, sign = match["user"], match["sign"]
        if sign == ":" or ("@" not in user and ("." in match["host"] or "." not in user)):
            return f"{match['host']}:{match['path'].lstrip('/')}"
    return _PASSWORD_FOR_PORT.sub(r"\1", url)


def remove_credentials(text: str) -> str:
    """Without user, password and query of any URL in the text. A user of git@host:path is no secret."""
    text = re.sub(r"(://[^\s?']*)\?[^\s']*", r"\1", text)
    return re.sub(r"(\w://)[^/\s]*@|(?<![^\s'\"(])[^\s/:@]*:[^\s/@]+@", r"\1", text)
