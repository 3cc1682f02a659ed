"""Fetching from a server of this machine, over TLS with a certificate made for the test: passwords and redirects."""

from __future__ import annotations

import base64
import os
import shutil
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from repositories import bare

from rpg.encoder.source_files import git as asked
from rpg.encoder.source_files.cloning import clone
from rpg.encoder.source_files.remotes import Remote, remote_named
from rpg.errors import EncodeFailed

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl for a certificate")
PASSWORD = "s3cret"
BASIC = "Basic " + base64.b64encode(f"me:{PASSWORD}".encode()).decode()


class GitServer(ThreadingHTTPServer):
    def __init__(self, root: Path, needs_password: bool, redirects_to: str) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.root, self.needs_password, self.redirects_to = root, needs_password, redirects_to
        self.seen: list[str] = []
        """The Authorization header of every request."""


class Handler(BaseHTTPRequestHandler):
    server: GitServer

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def log_message(self, format: str, *args: object) -> None:
        return None

    def _answer(self) -> None:
        sent = self.headers.get("Authorization", "")
        self.server.seen.append(sent)
        if self.server.redirects_to:
            self._say(302, "Location", self.server.redirects_to + self.path)
        elif self.server.needs_password and sent != BASIC:
            self._say(401, "WWW-Authenticate", 'Basic realm="git"')
        else:
            self._ask_git()

    def _say(self, status: int, header: str, value: str) -> None:
        self.send_response(status)
        self.send_header(header, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _ask_git(self) -> None:
        """As a web server asks `git http-backend`, by CGI."""
        path, _, query = self.path.partition("?")
        length = int(self.headers.get("Content-Length", 0))
        environment = os.environ | {
            "GIT_PROJECT_ROOT": str(self.server.root), "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path,
            "QUERY_STRING": query, "REQUEST_METHOD": self.command, "CONTENT_LENGTH": str(length),
            "CONTENT_TYPE": self.headers.get("Content-Type", ""), "REMOTE_ADDR": "127.0.0.1",
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "HTTP_GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }  # fmt: skip
        body = self.rfile.read(length)
        made = subprocess.run(["git", "http-backend"], input=body, env=environment, capture_output=True, check=True)
        head, _, content = made.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        self.send_response(int(headers.pop("Status", "200 OK").split()[0]))
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Certificate and key in one file."""
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "key", "-out", folder / "certificate"],
        check=True, capture_output=True,
    )  # fmt: skip
    both = folder / "both"
    both.write_bytes((folder / "certificate").read_bytes() + (folder / "key").read_bytes())
    return both


Start = Callable[..., tuple[str, GitServer]]


@pytest.fixture
def start(tmp_path: Path, certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Starts a server, and gives its host with the port. Its one repository is /tea.git."""
    bare(tmp_path, "tea", {"a.py": "a = 1\n"})
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_SSL_CAINFO", str(certificate.with_name("certificate")))
    for name in ("http_proxy", "https_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with ExitStack() as stack:

        def begin(needs_password: bool = False, redirects_to: str = "") -> tuple[str, GitServer]:
            server = stack.enter_context(running(GitServer(tmp_path, needs_password, redirects_to), certificate))
            return f"localhost:{server.server_port}", server

        yield begin


@contextmanager
def running(server: GitServer, certificate: Path) -> Iterator[GitServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def remote(url: str) -> Remote:
    found = remote_named(url)
    assert found
    return found


def test_a_repository_is_fetched_with_its_password(start: Start, tmp_path: Path) -> None:
    host, server = start(needs_password=True)
    commit = clone(remote(f"https://me:{PASSWORD}@{host}/tea.git"), tmp_path / "clone")
    assert asked.head(tmp_path / "clone") == commit
    assert set(server.seen) == {BASIC}
    assert PASSWORD not in (tmp_path / "clone/.git/config").read_text()


@pytest.mark.parametrize("user", ["", "me:wr0ng@", "t0ken@"])
def test_without_the_password_the_repository_is_not_open(start: Start, tmp_path: Path, user: str) -> None:
    host, _ = start(needs_password=True)
    with pytest.raises(EncodeFailed, match="is not open to you") as failure:
        clone(remote(f"https://{user}{host}/tea.git"), tmp_path / "clone")
    assert "wr0ng" not in failure.value.message
    assert "t0ken" not in failure.value.message


def test_a_repository_that_has_moved_is_followed(start: Start, tmp_path: Path) -> None:
    there, _ = start()
    host, _ = start(redirects_to=f"https://{there}")
    assert clone(remote(f"https://{host}/tea.git"), tmp_path / "clone")


@pytest.mark.invariant(
    "trust",
    "a URL is fetched only over https, ssh or from this machine; no part of it becomes an option; its "
    "password is in no argument, file or text, and a token in its path in no file or text",
)
def test_a_password_follows_no_redirect(start: Start, tmp_path: Path) -> None:
    there, receiver = start()
    host, _ = start(redirects_to=f"https://{there}")
    with pytest.raises(EncodeFailed, match="it leads to another URL") as failure:
        clone(remote(f"https://me:{PASSWORD}@{host}/tea.git"), tmp_path / "clone")
    assert receiver.seen == []
    assert PASSWORD not in failure.value.message


@pytest.mark.parametrize("elsewhere", ["http://localhost:1", "file:///", "ssh://localhost:1", "ext::x/"])
def test_no_redirect_leads_to_another_protocol(start: Start, tmp_path: Path, elsewhere: str) -> None:
    host, _ = start(redirects_to=elsewhere)
    with pytest.raises(EncodeFailed, match="it leads to another protocol"):
        clone(remote(f"https://{host}/tea.git"), tmp_path / "clone")
    assert not (tmp_path / "clone").exists()
