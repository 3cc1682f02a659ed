"""What `rpg doctor` looks at: each a function that says what it found.

In: a folder. Out: findings: ok, off (not there, and need not be), or wrong with the command that mends it.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from rpg.cli.clients.changes import Plan, format_place
from rpg.cli.clients.editing import formats
from rpg.cli.clients.editing.malformed import Malformed
from rpg.cli.clients.entry import is_of_rpg
from rpg.cli.clients.offers.hooks import ANSWER, CHECK, HOOKED
from rpg.cli.clients.parts import ANSWERS, HOOKS, SERVER, Target, file_of, places_to_look
from rpg.cli.clients.table import CLIENTS, PROJECT, SCOPES, USER, base_folder
from rpg.errors import BadRequest, RpgError

OK, OFF, WRONG = "ok", "off", "wrong"
LEAST_PYTHON = (3, 11)
REINSTALL = "pipx reinstall rpg-code-graph"
LIBRARIES = ("apsw", "numpy", "orjson", "re2", "Stemmer", "tree_sitter", "tree_sitter_language_pack", "zstandard",
             "mcp", "pathspec", "pygments", "rich", "ruamel.yaml", "tomlkit")  # fmt: skip
GIT_SECONDS = 5
GRAMMAR = "json"
"""One that is tried."""


class Finding(NamedTuple):
    name: str
    state: str
    what: str
    mend: str = ""
    """The command that mends it."""


def find_all(folder: Path, root: Path) -> Iterator[Finding]:
    yield check_python()
    yield check_extensions()
    yield check_git()
    yield check_data_folder()
    yield from check_graph(folder, root)
    yield check_model()
    yield from check_clients(root)


def check_python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < LEAST_PYTHON:
        return Finding(
            "python", WRONG, f"Python {version}: 3.11 or newer is needed", f"{REINSTALL} --python python3.13"
        )
    return Finding("python", OK, f"Python {version}")


def check_extensions() -> Finding:
    missing = []
    for name in LIBRARIES:
        try:
            import_module(name)
        except (ImportError, OSError) as error:
            missing.append(f"{name} ({type(error).__name__})")
    for name, loads in (("sqlite-vec", load_vectors), ("a grammar of tree-sitter", load_grammar)):
        try:
            loads()
        except (ImportError, OSError, RpgError, ValueError, LookupError) as error:
            missing.append(f"{name} ({error})")
    if missing:
        return Finding("extensions", WRONG, f"not usable: {', '.join(missing)}", REINSTALL)
    return Finding("extensions", OK, "sqlite-vec, tree-sitter and the other libraries load")


def load_vectors() -> None:
    from rpg.stores.connection import vector_extension

    file = vector_extension()
    if not any(Path(f"{file}{ending}").exists() for ending in ("", ".so", ".dylib", ".dll")):
        raise OSError("its extension is missing")


def load_grammar() -> None:
    from rpg.encoder.parsing.trees import tree_of

    tree_of(GRAMMAR, b"[]")


def check_git() -> Finding:
    program = shutil.which("git")
    if not program:
        return Finding(
            "git", WRONG, "there is no git: history, URLs and git's own list of files need it", install_git()
        )
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=GIT_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return Finding("git", WRONG, f"{program} does not answer", install_git())
    if said.returncode:
        return Finding("git", WRONG, f"{program} fails: {said.stderr.strip()[:200]}", install_git())
    return Finding("git", OK, said.stdout.strip())


def install_git() -> str:
    if sys.platform == "darwin":
        return "xcode-select --install"
    return "winget install Git.Git" if sys.platform == "win32" else "sudo apt install git"


def check_data_folder() -> Finding:
    from rpg.stores.installation import data_folder

    folder = data_folder()
    above = next(each for each in (folder, *folder.parents) if each.exists())
    if not (above.is_dir() and os.access(above, os.W_OK)):
        return Finding("data folder", WRONG, f"{folder} cannot be written", "export RPG_DATA=~/rpg-data")
    return Finding("data folder", OK, str(folder))


def check_graph(folder: Path, root: Path) -> Iterator[Finding]:
    from rpg.stores.graph_folder import graph_around

    encode = f"rpg encode {shlex.quote(str(root))}"
    try:
        graph = graph_around(folder)
    except RpgError as error:
        yield Finding("graph", WRONG, error.message, "rpg stats --graph FILE")
        return
    if graph is None:
        yield Finding("graph", OFF, f"{root} has none yet: a server makes it when it is first started", encode)
        return
    yield Finding("graph", OK, f"{graph}, {graph.stat().st_size / 1e6:.1f} MB")
    yield check_index(graph, encode)


def check_index(graph: Path, encode: str) -> Finding:
    from rpg.repository import index_path
    from rpg.stores.index.index import BrokenIndex, ForeignIndex, check, read_meta

    place = index_path(graph)
    try:
        meta = read_meta(place)
        check(place, meta)
    except ForeignIndex:
        return Finding(
            "index", WRONG, f"{place} was made by another installation: it is made again when it is used", encode
        )
    except BrokenIndex as error:
        return Finding("index", WRONG, str(error), encode)
    root = meta.get("root", "")
    if root and not Path(root).is_dir():
        return Finding(
            "index", WRONG, f"its repository, {root}, is not there any more", f"rpg forget {shlex.quote(str(graph))}"
        )
    return Finding("index", OK, f"{place.name}, of this version of rpg")


def check_model() -> Finding:
    named = os.environ.get("RPG_MODEL", "")
    if named and named not in ("none", "smollm2"):
        file = Path(named).expanduser()
        try:
            from rpg.models.gguf_file import read_gguf

            read_gguf(file)
        except (RpgError, OSError) as error:
            return Finding(
                "model", WRONG, f"RPG_MODEL names {named}: {getattr(error, 'message', error)}", "unset RPG_MODEL"
            )
    has_llama, has_encoder = find_spec("llama_cpp") is not None, find_spec("onnxruntime") is not None
    if named == "none" or not (has_llama or has_encoder):
        return Finding("model", OFF, "none: answers are the evidence itself, search uses the built-in vectors",
                       "pipx install 'rpg-code-graph[llm,meaning]'")  # fmt: skip
    can = [*(["written answers"] if has_llama else []), *(["a sentence encoder"] if has_encoder else [])]
    return Finding("model", OK, f"{' and '.join(can)} can be used{f'; RPG_MODEL is {named}' if named else ''}")


def check_clients(root: Path) -> Iterator[Finding]:
    for key, client in CLIENTS.items():
        found = [each for scope in SCOPES if client.place(scope) for each in check_client(Target(key, scope, root))]
        yield from found or [Finding(key, OFF, f"{client.title} has no server of rpg here", f"rpg install {key}")]


def check_client(target: Target) -> Iterator[Finding]:
    for file in places_to_look(SERVER, target):
        yield from check_file(target, file)
    for part, mark in ((HOOKS, CHECK), (ANSWERS, ANSWER)):
        hooks = file_of(part, target) if target.key in HOOKED else None
        if hooks is not None:
            yield from check_hook(target, hooks, mark)


def check_file(target: Target, file: Path) -> Iterator[Finding]:
    key, client = target.key, target.client
    place = client.place(target.scope)
    assert place is not None
    again = f"rpg install {key}{' --scope user' if target.scope == USER and client.project else ''}"
    try:
        above = base_folder(place.base) if target.scope == USER else target.root
        text = Plan().read(file, above)
        servers: dict[str, Any] = formats.entries(place.format, text or "", place.keys)
    except (Malformed, BadRequest) as error:
        reason = error.message if isinstance(error, BadRequest) else f"{format_place(file)}: {error}"
        yield Finding(key, WRONG, reason.removesuffix(": nothing was changed"), again)
        return
    for name, each in servers.items():
        if is_of_rpg(each):
            what = fault_of(each, target)
            yield Finding(key, WRONG if what else OK, f"{format_place(file)}: {name}{f': {what}' if what else ''}",
                          again if what else "")  # fmt: skip


def fault_of(server: dict[str, Any], target: Target) -> str:
    """Why a client could not start the server with this entry."""
    command = server.get("command", server.get("cmd"))
    words = [str(word) for word in (command if isinstance(command, list) else [command])]
    arguments = server.get("args")
    words += [str(word) for word in arguments] if isinstance(arguments, list) else []
    if server.get("enabled") is False or server.get("disabled") is True:
        return "it is switched off"
    if what := fault_of_program(words[0]):
        return what
    for word in words[1:]:
        if os.path.isabs(word) and not os.path.exists(word):
            return f"{word} is not there any more"
    return ""


def fault_of_program(program: str) -> str:
    if os.path.isabs(program):
        return "" if os.access(program, os.X_OK) else f"{program} is not there any more"
    return "" if shutil.which(program) else f"{program} is not on the PATH"


def check_hook(target: Target, file: Path, mark: str) -> Iterator[Finding]:
    with suppress(BadRequest):
        text = Plan().read(file, target.above) or ""
        for line in text.splitlines():
            if mark in line.replace('", "', " "):
                program = hook_program(line, mark)
                what = fault_of_program(program) if program else ""
                scope = "" if target.scope == PROJECT else " --scope user"
                option = "--answers" if mark == ANSWER else "--hooks"
                yield Finding(
                    f"{target.key} hook", WRONG if what else OK,
                    f"{format_place(file)}: rpg {mark}{f': {what}' if what else ''}",
                    f"rpg install {target.key}{scope} {option}" if what else "",
                )  # fmt: skip
                return


def hook_program(line: str, mark: str) -> str:
    """The program of a hook's command, as it stands in JSON."""
    import re

    before = line.replace('", "', " ").partition(mark)[0]
    found = re.search(r"[\"\[]([^\"]+?)\s*$", before.rstrip())
    with suppress(ValueError):
        words = shlex.split(found[1].replace("\\\\", "\\") if found else "")
        return words[0] if words else ""
    return ""
