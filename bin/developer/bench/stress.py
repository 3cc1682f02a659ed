"""Two servers, ten askers and an encode loop on one graph while files are edited; then encodes that are killed.

In: a repository, which is copied first. Out: how many questions were asked, and what was wrong with the answers: an
error, a line that no version of its file has at that number, a line of an older version of a file that the answer does
not call behind. Every version of an edited file is known here, with the time at which it stood on disk.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from rpg.repository import index_path
from rpg.stores.index.index import Index

from .measuring.clones import copy
from .measuring.conversation import INITIALIZE
from .measuring.processes import RPG, RPG_MCP
from .measuring.tables import show
from .serve import percentile

SERVERS = 2
ASKERS = 10
EDITED = 6
"""Files that are edited, the largest shares of the program."""
LINE_COMMENT = {".py": "#", ".ts": "//", ".tsx": "//", ".js": "//", ".go": "//", ".rb": "#", ".rs": "//"}
SHOWN = 10
WIDTH = 99
"""Characters of a source line in a list, the mark of a cut not counted."""


class Version(NamedTuple):
    lines: list[str]
    since: float
    """When it stood on disk for certain."""


class Edited:
    """One file, all that it ever was, and a symbol in it that every version has."""

    def __init__(self, path: Path, name: str, symbol: str) -> None:
        self.path, self.name, self.symbol = path, name, symbol
        self._original = path.read_text("utf-8")
        self._lock = threading.Lock()
        self._versions = [Version(self._original.split("\n"), 0.0)]

    def edit(self, number: int, chance: random.Random) -> None:
        """Lines before the first, so that every other line moves; by replacing the file, as editors do."""
        mark = LINE_COMMENT[self.path.suffix]
        head = "".join(f"{mark} version {number} line {line}\n" for line in range(chance.randrange(8)))
        text = head + self._original
        with self._lock:
            self._versions.append(Version(text.split("\n"), float("inf")))
        beside = self.path.with_name(self.path.name + "~")
        beside.write_text(text, "utf-8")
        beside.replace(self.path)
        with self._lock:
            self._versions[-1] = self._versions[-1]._replace(since=time.monotonic())

    def newest(self, at: float) -> int:
        with self._lock:
            return max(index for index, version in enumerate(self._versions) if version.since <= at)

    def having(self, shown: dict[int, str], whole: bool) -> list[int]:
        """Versions that have these lines."""
        with self._lock:
            versions = list(self._versions)
        return [index for index, version in enumerate(versions) if has(version.lines, shown, whole)]


def has(lines: list[str], shown: dict[int, str], whole: bool) -> bool:
    for number, text in shown.items():
        line = lines[number - 1] if 0 < number <= len(lines) else None
        if line is None:
            return False
        if line.rstrip("\r") != text if whole else not same(line.strip(), text):
            return False
    return True


def same(line: str, text: str) -> bool:
    return line == text or (text.endswith("…") and line.startswith(text[: min(WIDTH, len(text) - 1)]))


class Server:
    """Many questions at once over one stdin and stdout."""

    def __init__(self, graph: Path) -> None:
        self._process = subprocess.Popen(
            [*RPG_MCP, "--structured", str(graph)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._lock = threading.Lock()
        self._count = 0
        self._waiting: dict[int, list[Any]] = {}
        self._arrived = threading.Condition()
        self._ended = False
        threading.Thread(target=self._read, daemon=True).start()
        self.ask("initialize", INITIALIZE)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        with self._lock:
            self._count += 1
            number = self._count
            self._waiting[number] = []
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        with self._arrived:
            self._arrived.wait_for(lambda: self._waiting[number] or self._ended, 120)
            found = self._waiting.pop(number)
        if not found:
            return {"error": "no answer: the server went away or took over two minutes"}
        return dict(found[0])

    def end(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(30)

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin
        with self._lock:
            self._process.stdin.write(orjson.dumps(message) + b"\n")
            self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            message = orjson.loads(line)
            with self._arrived:
                if message.get("id") in self._waiting:
                    self._waiting[message["id"]].append(message)
                    self._arrived.notify_all()
        with self._arrived:
            self._ended = True
            self._arrived.notify_all()


class Record:
    """What happened, from all threads."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.milliseconds: list[float] = []
        """Of each answer."""
        self._lock = threading.Lock()

    def add(self, what: str, wrong: str = "") -> None:
        with self._lock:
            self.counts[what] += 1
            if wrong:
                self.wrong.append(f"{what}: {wrong}")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bin/bench stress", description=__doc__)
    parser.add_argument("repository", type=Path, metavar="REPOSITORY")
    parser.add_argument("--seconds", type=float, default=60.0, help="of questions under edits (default 60)")
    parser.add_argument("--pause", type=float, default=0.5, help="between two edits (default 0.5)")
    parser.add_argument("--kills", type=int, default=50, help="encodes that are killed (default 50)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    chance = random.Random(given.seed)
    with prepared(given.repository) as (root, graph):
        files = edited_files(root, graph)
        print(f"edited: {', '.join(each.name for each in files)}", flush=True)
        wrong = []
        if given.seconds:
            wrong += under_edits(root, graph, files, given.seconds, given.pause, chance)
        if given.kills:
            wrong += killed(root, graph, files, given.kills, chance)
    for each in wrong[:SHOWN]:
        print(f"  WRONG {each}")
    print(f"{len(wrong)} wrong", flush=True)
    return 1 if wrong else 0


@contextmanager
def prepared(repository: Path) -> Iterator[tuple[Path, Path]]:
    """A copy of the repository and its graph."""
    with tempfile.TemporaryDirectory(prefix="rpg-stress-") as folder:
        root = copy(repository, Path(folder) / repository.resolve().name)
        graph = Path(folder) / "graphs" / f"{root.name}.graph.json"
        graph.parent.mkdir()
        subprocess.run([*RPG, "encode", str(root), "-o", str(graph)], check=True, stdout=subprocess.DEVNULL)
        yield root, graph


def edited_files(root: Path, graph: Path) -> list[Edited]:
    """Those with the most symbols, each with its most used function or class at the top level."""
    index = Index.open_read_only(index_path(graph))
    try:
        rows = index.rows(
            "SELECT s.path, s.symbol, s.end_line - s.start_line AS length, "
            "(SELECT count(*) FROM edges e WHERE e.target = s.id AND e.kind IN ('calls', 'references')) AS used "
            "FROM symbols s JOIN symbols m ON s.parent = m.id WHERE m.kind = 'module' "
            "AND s.kind IN ('function', 'class', 'struct', 'interface') AND length BETWEEN 2 AND 60 ORDER BY used DESC"
        )
    finally:
        index.close()
    found: dict[str, Edited] = {}
    for path, symbol, *_ in rows:
        file = root / path
        if path not in found and file.suffix in LINE_COMMENT and b"\r" not in file.read_bytes():
            found[path] = Edited(file, path, symbol)
        if len(found) == EDITED:
            break
    return list(found.values())


def under_edits(
    root: Path, graph: Path, files: list[Edited], seconds: float, pause: float, chance: random.Random
) -> list[str]:
    record, stop = Record(), threading.Event()
    servers = [Server(graph) for _ in range(SERVERS)]
    threads = [
        threading.Thread(target=ask, args=(servers[number % SERVERS], files, record, stop, random.Random(number)))
        for number in range(ASKERS)
    ]
    threads.append(threading.Thread(target=encode_again, args=(root, graph, record, stop)))
    for thread in threads:
        thread.start()
    ends = time.monotonic() + seconds
    number = 0
    while time.monotonic() < ends:
        number += 1
        chance.choice(files).edit(number, chance)
        record.add("edits")
        time.sleep(pause)
    stop.set()
    for thread in threads:
        thread.join()
    quantiles = (statistics.median(record.milliseconds), percentile(record.milliseconds, 0.95))
    settled(servers, files, record)
    for server in servers:
        server.end()
    names = ("edits", "encodes", "questions", "answers that name files behind", "places compared", "settled answers")
    show(
        f"{SERVERS} servers, {ASKERS} askers, one encode loop, {seconds:g} s",
        (*names, "median ms", "95% ms"),
        [(*(record.counts[name] for name in names), *quantiles)],
    )
    return record.wrong


def ask(server: Server, files: list[Edited], record: Record, stop: threading.Event, chance: random.Random) -> None:
    while not stop.is_set():
        file = chance.choice(files)
        compare(server, file, chance.randrange(4), files, record)


def compare(server: Server, file: Edited, kind: int, files: list[Edited], record: Record) -> bool:
    """Ask and judge one question. Whether the answer is of the newest versions."""
    questions: list[tuple[str, dict[str, Any]]] = [
        ("fetch", {"targets": [file.symbol]}),
        ("fetch", {"targets": [f"{file.name}:1-12"]}),
        ("find_usages", {"symbol": file.symbol}),
        ("search", {"query": file.symbol.rpartition("::")[2], "excerpts": True}),
    ]
    tool, arguments = questions[kind]
    before = {each.name: each.newest(time.monotonic()) for each in files}
    asked = time.perf_counter()
    answer = server.ask("tools/call", {"name": tool, "arguments": arguments})
    record.milliseconds.append((time.perf_counter() - asked) * 1000)
    record.add("questions")
    result = answer.get("result", {})
    if "error" in answer or result.get("isError"):
        said = json.dumps(answer.get("error") or result["content"][0]["text"])
        record.add("errors", f"{tool} {arguments}: {said[:300]}")
        return False
    structured = result["structuredContent"]
    state = structured.get("state", {})
    stale = set(state.get("stale", ()))
    if stale:
        record.add("answers that name files behind")
    by_name = {each.name: each for each in files}
    for path, shown, whole in places(structured):
        if path not in by_name:
            continue
        record.add("places compared")
        versions = by_name[path].having(shown, whole)
        if not versions:
            record.add("wrong lines", f"{tool} {arguments}: no version of {path} has {list(shown.items())[:3]}")
        elif path not in stale and not state.get("more_stale") and max(versions) < before[path]:
            record.add(
                "stale lines",
                f"{tool} {arguments}: {path} is of version {max(versions)}, not of {before[path]}; state {state}",
            )
    return not stale


def places(value: Any) -> Iterator[tuple[str, dict[int, str], bool]]:
    """Every path with the numbered lines that are shown of it, and whether they are shown as they are."""
    if isinstance(value, list):
        for item in value:
            yield from places(item)
    if not isinstance(value, dict):
        return
    path = value.get("path")
    for key in ("source", "excerpt"):
        if path and isinstance(value.get(key), str) and "\t" in value[key]:
            numbered = (line.partition("\t") for line in value[key].split("\n"))
            shown = {int(number): text for number, tab, text in numbered if tab and number.strip().isdigit()}
            if shown:
                yield path, shown, True
    if path and isinstance(value.get("usages"), list):
        yield path, {int(usage[0].partition(":")[0]): usage[2] for usage in value["usages"] if usage[2]}, False
    for item in value.values():
        yield from places(item)


def settled(servers: list[Server], files: list[Edited], record: Record) -> None:
    """When nothing changes any more every server soon answers of the newest versions, and says so."""
    ends = time.monotonic() + 300
    for server in servers:
        for file in files:
            while not compare(server, file, 1, files, record):
                if time.monotonic() > ends:
                    record.add("errors", f"{file.name} is still behind five minutes after the last edit")
                    return
                time.sleep(0.2)
            record.add("settled answers")


def encode_again(root: Path, graph: Path, record: Record, stop: threading.Event) -> None:
    while not stop.is_set():
        ran = subprocess.run([*RPG, "encode", str(root), "-o", str(graph)], capture_output=True, text=True, check=False)
        record.add("encodes")
        if ran.returncode:
            record.add("errors", f"encode: {ran.stderr[-300:]}")


def killed(root: Path, graph: Path, files: list[Edited], kills: int, chance: random.Random) -> list[str]:
    """Each time: an edit, an encode that is killed at a random moment, and a server that must start and be right."""
    record = Record()
    started = time.monotonic()
    files[0].edit(10_000_000, chance)
    subprocess.run([*RPG, "encode", str(root), "-o", str(graph)], check=True, stdout=subprocess.DEVNULL)
    usual = time.monotonic() - started
    number = 0
    while record.counts["killed"] < kills:
        number += 1
        file = chance.choice(files)
        file.edit(20_000_000 + number, chance)
        process = subprocess.Popen(
            [*RPG, "encode", str(root), "-o", str(graph)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        began = time.monotonic()
        try:
            process.wait(chance.uniform(0.02, 1.0) * usual)
            usual = min(usual, time.monotonic() - began)
            record.add("ended before")
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            record.add("killed")
        if left := left_behind(process.pid):
            record.add("processes left", f"{left} of a killed encode are still there after 10 s")
        server = Server(graph)
        ends = time.monotonic() + 60 + 20 * usual
        while not compare(server, file, number % 3, files, record):
            if time.monotonic() > ends or record.wrong:
                record.add("errors", f"{file.name} is behind long after kill {number}")
                break
            time.sleep(0.05)
        server.end()
        record.add("starts")
    names = ("ended before", "killed", "starts", "questions", "places compared", "processes left")
    show(f"{kills} encodes, killed within {usual:.1f} s", names, [tuple(record.counts[name] for name in names)])
    return record.wrong


def left_behind(session: int) -> int:
    """Processes of a session ten seconds after its leader was killed, or none as soon as there is none."""
    ends = time.monotonic() + 10
    while left := sum(is_of(session, stat) for stat in Path("/proc").glob("[0-9]*/stat")):
        if time.monotonic() > ends:
            return left
        time.sleep(0.05)
    return 0


def is_of(session: int, stat: Path) -> bool:
    try:
        fields = stat.read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return int(fields[3]) == session and fields[0] != "Z"
