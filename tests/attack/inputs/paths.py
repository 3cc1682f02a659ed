"""Spellings of places that a path must not reach, and the arguments that take a path.

In: the folders of a world. Out: names with a path, and calls for each argument. Each group says in a line why it is
there.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import quote

from attack.canaries import World
from attack.inputs.calls import Case


class Spelled(NamedTuple):
    name: str
    path: str


def spellings(world: World) -> list[Spelled]:
    """Of all groups, each path once."""
    found: dict[str, str] = {}
    for group in (climbing, encoded, look_alikes, absolute, of_windows, through_links, of_git, devices, odd, addresses):
        for number, path in enumerate(group(world)):
            found.setdefault(path, f"{group.__name__}-{number}")
    return [Spelled(name, path) for path, name in found.items()]


def climbing(world: World) -> Iterator[str]:
    """`..` at the beginning, in the middle, after what is no folder, once more than there are folders."""
    for path in ("../outside/secret.txt", "../secret.txt", "../home/.ssh/id_rsa", "../outside", "..", "../"):
        yield path
        yield f"./{path}"
        yield f"shop/../{path}"
        yield f"shop/cart.py/../../{path}"
        yield f"absent/../{path}"
        yield f"shop//..//{path}"
        yield f"{path}:1-10"
        yield f"{path}::stolen"
    yield "../" * 40 + "etc/passwd"
    yield "../shop/shop/cart.py"
    yield "../shop/.env"
    yield "...//.../outside/secret.txt"
    yield "....//....//outside/secret.txt"
    yield ".. /outside/secret.txt"
    yield "..;/outside/secret.txt"
    yield "..\0/outside/secret.txt"


def encoded(world: World) -> Iterator[str]:
    """Percent signs, once and twice, and bytes that only a lenient decoder takes for a slash or a dot."""
    for dots in ("%2e%2e", "%2E.", ".%2e", "%252e%252e", "%c0%ae%c0%ae", "%e0%80%ae%e0%80%ae", "%uff0e%uff0e"):
        for slash in ("/", "%2f", "%5c", "%252f", "%c0%af", "%u2215"):
            yield f"{dots}{slash}outside{slash}secret.txt"
    yield "%00../outside/secret.txt"
    yield "shop/cart.py%00"
    yield "&#46;&#46;/outside/secret.txt"
    yield "\\u002e\\u002e/outside/secret.txt"


def look_alikes(world: World) -> Iterator[str]:
    """What normalising may turn into dots and slashes, and names in another form than on disk."""
    for dots in ("\uff0e\uff0e", "\u2025", "\u2024\u2024", "\u00b7\u00b7", ".\u200b.", "\ufe52\ufe52", "\u202e.."):
        for slash in ("/", "\u2215", "\u2044", "\uff0f", "\u29f8"):
            yield f"{dots}{slash}outside{slash}secret.txt"
    yield unicodedata.normalize("NFD", "../outs\u00edde/secret.txt")
    yield "../OUTSIDE/SECRET.TXT"
    yield ".\u0067it/config".replace("g", "\uff47")
    yield ".g\u200cit/config"
    yield ".\u200dgit/config"


def absolute(world: World) -> Iterator[str]:
    """From the root of the system, the user's folder, a variable."""
    for path in (
        world.outside / "secret.txt",
        world.home / ".ssh" / "id_rsa",
        world.outside,
        world.repository / ".env",
    ):
        yield str(path)
        yield f"/{path}"
        yield f"{path}/."
        yield f"{world.repository}/../{os.path.relpath(path, world.folder)}"
        yield f"{world.repository}/./shop/../../{os.path.relpath(path, world.folder)}"
    yield f"{world.repository}2/x"
    yield from ("/", "//", "/etc/passwd", "//etc/passwd", "/.", "/..", "~", "~/", "~/secret.txt", "~/.ssh/id_rsa")
    yield from ("~root/.bashrc", "~nobody", "$HOME/secret.txt", "${HOME}/secret.txt", "%HOME%/secret.txt", "-", "--")


def of_windows(world: World) -> Iterator[str]:
    """Drives, shares, devices, streams and the other slash."""
    yield from ("C:", "C:\\", "C:/Windows/win.ini", "c:secret.txt", "\\\\host\\share\\x", "//host/share/x")
    yield from ("\\\\?\\C:\\x", "\\\\.\\PhysicalDrive0", "..\\outside\\secret.txt", "shop\\..\\..\\outside\\secret.txt")
    yield from ("..\\../outside/secret.txt", "\\etc\\passwd", "CON", "NUL", "aux.py", "COM1", "shop/cart.py::$DATA")
    yield from ("shop/cart.py.", "shop/cart.py ", "shop/cart.py. . .", "../outside/secret.txt.", "GIT~1/config")


def through_links(world: World) -> Iterator[str]:
    """Links of the repository that point out of it, at themselves, at what is ignored."""
    for link in ("link_folder", "link_absolute", "loop_folder/link_folder", "loop_folder/loop_folder/link_absolute"):
        for rest in ("", "/", "/secret.txt", "/secret.py", "/pkg/inner.py", "/../secret.txt", "/secret.py::stolen"):
            yield link + rest
    yield from ("link_file.py", "link_file.py:1-9", "link_file.py::stolen", "link_home", "link_env", "link_git")
    yield from ("link_git/config", "link_git_config", "loop", "loop/x", "loop_folder/.env", "loop_folder/.git/config")
    yield from ("link_proc/environ", "link_proc/cwd/secret.txt", "link_proc/root/etc/passwd", "link_zero", "pipe.py")
    yield from ("socket.py", "link_inside.py", "loop_folder/" * 100 + ".env")


def of_git(world: World) -> Iterator[str]:
    """What git keeps, however it is written, and what it was told to ignore."""
    for name in (
        ".git",
        ".GIT",
        ".Git",
        ".git.",
        ".git ",
        "./.git",
        "shop/../.git",
        ".git/.",
        ".git::$INDEX_ALLOCATION",
    ):
        yield name
        yield f"{name}/config"
        yield f"{name}/HEAD"
    yield from (".git/hooks", ".git/objects", ".git/../.git/config", ".git//config", ".git/config:1-20", ".gitignore")
    yield from (".env", "./.env", ".env:1", "built/out.py", "built/", "built/out.py::OUT", ".ENV", "shop/../.env")


def devices(world: World) -> Iterator[str]:
    """What never ends when it is read, and what tells of the process."""
    yield from ("/dev/zero", "/dev/stdin", "/dev/fd/0", "/dev/tty", "/dev/null", "/dev/random", "/proc/self/environ")
    yield from ("/proc/self/cwd/secret.txt", "/proc/self/root/etc/passwd", "/proc/self/mem", "/proc/1/environ")
    yield from (
        "/proc/self/fd/0",
        "/proc/kmsg",
        "/sys/kernel/notes",
        "../" * 30 + "dev/zero",
        "../" * 30 + "proc/self/mem",
    )


def odd(world: World) -> Iterator[str]:
    """What is hardly a path."""
    yield from ("", ".", "./", "./.", " ", "\0", "a\0b", "\n", "a\nb", "\x1b[31m", "\ud800", "x" * 255, "x" * 256)
    yield from (
        "x" * 5_000,
        "a/" * 3_000,
        "/" * 3_000,
        "../" * 3_000,
        "*",
        "**",
        "**/*",
        "[",
        "?",
        "!x",
        "#x",
        ":",
        "::",
    )
    yield from (
        ":1",
        "::x",
        "shop/cart.py:1:2:3",
        "-rf",
        "--help",
        "@{u}",
        "HEAD:shop/cart.py",
        ":(top)..",
        ":/",
        "|ls",
    )


def addresses(world: World) -> Iterator[str]:
    """Addresses where a path is wanted."""
    for scheme in (
        "file://",
        "file:",
        "FILE://localhost",
        "file:///%2e%2e",
        "jar:file:",
        "http://127.0.0.1:1",
        "ext::",
    ):
        yield f"{scheme}{world.outside}/secret.txt"
    yield from ("data:text/plain,x", "javascript:1", f"ext::{world.trap}", f"ext::sh -c {world.trap}% x")
    yield from ("code://shop/shop/cart.py", "symbol://shop/../outside/secret.py::stolen")


def reading(world: World) -> list[Case]:
    """Every argument of a tool that reads and takes a path, with every spelling."""
    return [
        Case(f"{tool}-{argument}-{number}-{name}", tool, arguments(argument, path))
        for number, (tool, argument, arguments) in enumerate(READS)
        for name, path in spellings(world)
    ]


def writing(world: World) -> list[Case]:
    """Where a graph may be written to and removed from, and what is encoded."""
    made = []
    for name, path in spellings(world):
        if reaches_the_system(world, path):
            continue
        made.append(Case(f"output-{name}", "encode", {"repository": str(world.repository), "output": path}))
        ending = path if path.endswith(".graph.json") else f"{path}.graph.json"
        made.append(Case(f"output-ending-{name}", "encode", {"repository": str(world.repository), "output": ending}))
        made.append(Case(f"include-{name}", "encode", {"include": [path], "output": "other.graph.json"}))
        made.append(Case(f"forget-{name}", "forget", {"graph": path}))
        made.append(Case(f"repository-{name}", "encode", {"repository": path, "output": "other.graph.json"}))
    return made


def reaches_the_system(world: World, path: str) -> bool:
    """Whether it leads out of the world: a test that fails must not cost whoever runs it a file."""
    try:
        if path.startswith("~") and path[1:2] not in ("", "/"):
            return True
        for folder in (world.cwd, world.graphs):
            real = os.path.realpath(folder / path.replace("~", str(world.home), 1))
            if not f"{real}/".startswith(f"{os.path.realpath(world.folder)}/"):
                return True
    except (ValueError, OSError):
        return False
    return False


def given(tool_argument: str, **others: Any) -> Any:
    """How a path is put into an argument."""

    def arguments(argument: str, path: str) -> dict[str, Any]:
        value: Any = [path] if argument in ("targets", "start") else path
        return {**others, argument: value, "graph": "shop"}

    return (*tool_argument.split("."), arguments)


READS: tuple[tuple[str, str, Any], ...] = (
    given("fetch.targets"),
    given("fetch.targets", relations=True, expand_lines=200),
    given("explore.start"),
    given("explore.start", edges=["structure"]),
    given("explore.to", start=["Cart"]),
    given("find_usages.symbol"),
    given("find_usages.since"),
    given("get_dependencies.target"),
    given("search.path", query="secret"),
    given("search.exclude_path", query="total"),
    given("search.package", query="total"),
    given("query_code.path", question="what is secret"),
    given("query_code.package", question="what is secret"),
)


def uris(world: World) -> list[tuple[str, str]]:
    """Names with addresses of resources, the path as it is and percent-encoded."""
    made = []
    for name, path in spellings(world):
        for scheme in ("code", "symbol"):
            made.append((f"{scheme}-{name}", f"{scheme}://shop/{path}"))
            encoded = quote(path.encode("utf-8", "surrogatepass"), safe="")
            made.append((f"{scheme}-quoted-{name}", f"{scheme}://shop/{encoded}"))
    return made
