"""Encodes in a separate process, so that a server neither keeps the memory that an encode needs nor answers more slowly
during one.

In: requests, as plain values. Out: what was done. Killing the process leaves the old graph, as killing any encode does.
Nothing is forked, and the caller's program is not run again in it.

Only graph files over 8 MB are repaired here, and an answer waits two seconds for it: work of many seconds must neither
block answers nor leave its memory in the server. Smaller graphs are repaired in the server before it answers. The
second query starts the process (44 MB, 160 after edits), because starting it takes as long as most edits.

A process that encoded only a few edits stays, so that the next one finds everything imported: until the server is gone,
or has sent no request for IDLE_SECONDS. It writes what it deferred (deferred_write.py) after PAUSE_SECONDS without a
request, and stops writing when the next one comes. After any other work it ends, to return its memory.

Both sides are here: `Encoder` for the caller, `serve` and `perform` for encoder_child.py, which the process runs.
"""

from __future__ import annotations

import gc
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import orjson

from rpg import errors
from rpg.errors import EncodeFailed, RpgError, TooLittleMemory
from rpg.repository.encoding.summary import Summary
from rpg.stores.installation import own_secret
from rpg.system import heap
from rpg.system.memory import shortage

if TYPE_CHECKING:
    from rpg.encoder.options import Options

CHILD = Path(__file__).with_name("encoder_child.py")
LARGE_BYTES = 8_000_000
"""Size of a graph file: for a smaller one, starting the process would take longest."""
STOPPED = "encoding was stopped: the old graph remains"
IDLE_SECONDS = 600.0
PAUSE_SECONDS = 0.2
POLITE = 5
"""Niceness of a long repair that nobody asked for explicitly: answers come first."""

Report = Callable[[str, int, int], None]


def is_large(graph_path: Path) -> bool:
    try:
        return graph_path.stat().st_size > LARGE_BYTES
    except OSError:
        return False


class Encoder:
    """Handles one request at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        """Guards the fields below."""
        self._process: subprocess.Popen[bytes] | None = None
        self._is_asked = False
        self._closed = False

    def start(self) -> None:
        """Starts a process for the next request."""
        with self._lock:
            if not self._closed and not self._is_asked:
                self._started()

    def expect_edits(self, graph_path: Path) -> None:
        """Starts what an edit of that graph needs: this process, or one that parses."""
        if is_large(graph_path):
            self.start()
        else:
            from rpg.encoder.parsing import worker_pool

            worker_pool.start_ahead()

    def ask(self, request: Mapping[str, Any], report: Report | None = None) -> dict[str, Any]:
        """What `perform` returned. Raises what it raised; EncodeFailed if the process died."""
        while True:
            with self._lock:
                if self._closed:
                    raise EncodeFailed(STOPPED)
                process = self._started()
                self._is_asked = True
            reply = self._answer(process, request, report)
            if reply is None:
                continue  # it had ended after a long idle time
            if "code" in reply:
                raise _error(reply["code"], reply["message"])
            return reply

    def close(self) -> None:
        """Ends what is running; nothing is started afterwards."""
        with self._lock:
            self._closed = True
            process = self._process
            if process is not None and self._is_asked:
                process.kill()
            elif process is not None:
                self._end(process)  # lets it finish deferred writes

    def _started(self) -> subprocess.Popen[bytes]:
        """The running process, or a new one. With the lock held."""
        if self._process is not None and self._process.poll() is not None:
            self._end(self._process)
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-I", str(CHILD)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C goes to the foreground program, which then ends this one
            )
            _tell(self._process, {"path": sys.path, "secret": own_secret()})
        return self._process

    def _answer(
        self, process: subprocess.Popen[bytes], request: Mapping[str, Any], report: Report | None
    ) -> dict[str, Any] | None:
        stays = False
        try:
            _tell(process, request)
            reply = self._last(process, report)
            stays = reply is not None and bool(reply.pop("stays", False))
            return reply
        except BaseException:  # nobody waits for it any longer: the old graph remains
            process.kill()
            raise
        finally:
            with self._lock:
                self._is_asked = False
                if self._closed or not stays:
                    self._end(process)

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """With the lock held."""
        self._process = None
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
        process.wait()

    def _last(self, process: subprocess.Popen[bytes], report: Report | None) -> dict[str, Any] | None:
        """Its final message for a request; None if it ended before sending one."""
        assert process.stdout
        for line in process.stdout:
            message: dict[str, Any] = orjson.loads(line)
            if "stage" not in message:
                return message
            if report is not None:
                report(message["stage"], message["done"], message["total"])
        status = process.wait()
        if self._closed:
            raise EncodeFailed(STOPPED)
        if status == 0:
            return None
        ending = f"was killed by signal {-status}, perhaps for lack of memory" if status < 0 else f"ended with {status}"
        raise EncodeFailed(f"the encoder process {ending}: the old graph remains; `rpg encode` shows the details")


def _tell(process: subprocess.Popen[bytes], request: Mapping[str, Any]) -> None:
    assert process.stdin
    with suppress(BrokenPipeError):  # its status tells how it ended
        process.stdin.write(orjson.dumps(dict(request)) + b"\n")
        process.stdin.flush()


def encode(
    root: Path, output: Path, options: Options, *, workers: int | None, progress: Report, full: bool, patience: float
) -> Summary:
    """As `encoding.encode`."""
    from rpg.encoder.options import dump_options

    request = {
        "do": "encode", "graph": str(output), "root": str(root), "options": dump_options(options), "workers": workers,
        "full": full, "patience": patience,
    }  # fmt: skip
    return summary_from(Encoder().ask(request, progress)["summary"])


def serve(asking: IO[bytes], answering: IO[bytes]) -> None:
    """Runs in the process: performs requests; ends with the server, at once even in the middle of a request."""
    requests: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
    is_asked = threading.Event()

    def listen() -> None:
        for line in asking:
            is_asked.set()
            requests.put(orjson.loads(line))
        if is_asked.is_set():
            os._exit(1)
        requests.put(None)

    def say(message: Mapping[str, Any]) -> None:
        answering.write(orjson.dumps(message) + b"\n")
        answering.flush()

    heap.keep_small()
    threading.Thread(target=listen, daemon=True).start()
    with suppress(TooLittleMemory):  # the caller gets the error
        _import_ahead()
    deferred_write: Path | None = None
    while True:
        try:
            request = requests.get(timeout=PAUSE_SECONDS if deferred_write else IDLE_SECONDS)
        except queue.Empty:
            if deferred_write is None:
                return
            gc.collect()  # it pauses while edits are encoded
            if _finish(deferred_write, requests.empty):
                deferred_write = None
            continue
        if request is None:
            break
        try:
            reply = perform(request, lambda stage, done, total: say({"stage": stage, "done": done, "total": total}))
        except RpgError as error:
            reply = {"code": error.code, "message": error.message}
        except (MemoryError, ImportError, RuntimeError, OSError) as error:
            short = shortage(error)
            if short is None:
                raise
            reply = {"code": short.code, "message": short.message}
        is_asked.clear()
        say(reply)
        if not reply.get("stays"):
            from rpg.encoder.parsing import worker_pool

            worker_pool.end_idle()
            return
        deferred_write = Path(request["graph"])
    if deferred_write is not None:
        _finish(deferred_write, lambda: True)


def _finish(graph: Path, is_wanted: Callable[[], bool]) -> bool:
    """Whether nothing is left to write: any other process that writes the graph also does it."""
    from rpg.repository.encoding import deferred_write, encode

    try:
        with encode.writing(graph, finish=False):
            return deferred_write.finish(graph, is_wanted) or is_wanted()
    except RpgError:
        return True  # its next start reports it


def _import_ahead() -> None:
    """Imports what an edit needs."""
    from rpg.encoder.parsing import worker_pool
    from rpg.models.embedding_table import load_built_in
    from rpg.repository.encoding import incremental, repair
    from rpg.repository.encoding.unchanged import code
    from rpg.stores.search import table_update

    worker_pool.start_ahead()
    assert incremental
    assert repair
    assert table_update
    code()
    load_built_in()


def perform(request: Mapping[str, Any], report: Report | None = None) -> dict[str, Any]:
    """`do` is encode (root, options, full, workers, patience), repair (root, options, generation, identity, edited,
    patience) or settle (root, damage, patience), each for the graph at `graph`. `stays`: more requests may follow."""
    from rpg.encoder.options import parse_options
    from rpg.encoder.source_files.listing import Identity
    from rpg.repository.encoding import encode, repair

    graph, patience = Path(request["graph"]), request["patience"]
    if request["do"] == "settle":
        root = request["root"]
        return {"note": repair.settle(graph, Path(root) if root else None, request["damage"], patience)}
    root, options = Path(request["root"]), parse_options(request["options"])
    if request["do"] == "repair":
        generation, identity, edited = request["generation"], request["identity"], tuple(request["edited"])
        if (
            edited
            and (new_generation := repair.take_edits(graph, root, options, generation, edited, patience)) is not None
        ):
            return {"made": new_generation, "edits_only": edited, "stays": True}
        now = Identity(*identity) if identity else None
        if now is None and hasattr(os, "nice"):
            os.nice(POLITE)
        declined = bool(edited)
        new_generation = repair.bring_up_to_date(
            graph, root, options, generation, now, patience, request["known_edited"], declined
        )
        return {"made": new_generation, "edits_only": (), "stays": now is not None}
    worker_pool, full = request["workers"], request["full"]
    summary = encode.encode(
        root, graph, options, workers=worker_pool, progress=report, full=full, patience=patience
    )  # fmt: skip
    return {
        "summary": {name: str(each) if isinstance(each, Path) else each for name, each in summary._asdict().items()}
    }


def summary_from(fields: Mapping[str, Any]) -> Summary:
    paths = {name: Path(fields[name]) for name in ("graph_path", "index_path", "root")}
    return Summary(**{**fields, **paths})


def _error(code: str, message: str) -> RpgError:
    known = {each.code: each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, RpgError)}
    return known.get(code, EncodeFailed)(message)
