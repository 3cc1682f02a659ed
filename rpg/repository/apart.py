"""Encoding in a process of its own: a server does not grow by what an encode needs, nor answer slower meanwhile.

In: a request, as plain values. Out: what was done. The process is started for one request and ends with it, or with the
one that asked, whichever is first; killing it leaves the old graph, as killing any encode does. Nothing is forked, and
the caller's own program is not run again in it.

Both sides stand here: `Encoder` for who asks, `perform` for apart_child.py, which is what the process runs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import orjson

from rpg import errors
from rpg.errors import EncodeFailed, RpgError
from rpg.repository.summary import Summary

if TYPE_CHECKING:
    from rpg.encoder.options import Options

CHILD = Path(__file__).with_name("apart_child.py")
LARGE_BYTES = 8_000_000
"""Of a graph file: beside a smaller one the start of a process would be what takes longest."""
STOPPED = "encoding was stopped: the old graph stands"
POLITE = 5
"""By how much a repair that nobody asked for by name steps back behind answers."""

Report = Callable[[str, int, int], None]


def is_large(graph_path: Path) -> bool:
    try:
        return graph_path.stat().st_size > LARGE_BYTES
    except OSError:
        return False


class Encoder:
    """One request at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: subprocess.Popen[bytes] | None = None
        self._closed = False

    def ask(self, request: Mapping[str, Any], report: Report | None = None) -> dict[str, Any]:
        """What `perform` gave back. Raises what it raised; EncodeFailed where the process died."""
        with self._lock:
            if self._closed:
                raise EncodeFailed(STOPPED)
            process = self._running = subprocess.Popen(
                [sys.executable, "-I", str(CHILD)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C belongs to the program in front, which then ends this one
            )
        try:
            assert process.stdin
            assert process.stdout
            process.stdin.write(orjson.dumps({"path": sys.path, "request": dict(request)}) + b"\n")
            process.stdin.flush()
            return self._last(process, process.stdout, report)
        except BrokenPipeError:
            raise self._died(process) from None
        finally:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    try:
                        pipe.close()
                    except BrokenPipeError:
                        continue
            self._running = None

    def close(self) -> None:
        """Ends what is running. Nothing is started any more."""
        with self._lock:
            self._closed = True
            if self._running is not None:
                self._running.kill()

    def _last(self, process: subprocess.Popen[bytes], lines: IO[bytes], report: Report | None) -> dict[str, Any]:
        for line in lines:
            said: dict[str, Any] = orjson.loads(line)
            if "stage" in said:
                if report is not None:
                    report(said["stage"], said["done"], said["total"])
                continue
            if "code" in said:
                raise _error(said["code"], said["message"])
            return said
        raise self._died(process)

    def _died(self, process: subprocess.Popen[bytes]) -> EncodeFailed:
        if self._closed:
            return EncodeFailed(STOPPED)
        status = process.wait()
        why = f"was killed by signal {-status}, perhaps for want of memory" if status < 0 else f"ended with {status}"
        return EncodeFailed(f"the process that encoded {why}: the old graph stands; `rpg encode` shows the whole story")


def encode(
    root: Path, output: Path, options: Options, *, workers: int | None, progress: Report, full: bool, patience: float
) -> Summary:
    """As `encoding.encode`. Where nothing changed no process is started."""
    from rpg.encoder.options import to_json
    from rpg.repository import encoding

    if not full and (summary := encoding.unchanged(root, output, options, patience)):
        return summary
    request = {
        "do": "encode", "graph": str(output), "root": str(root), "options": to_json(options), "workers": workers,
        "full": full, "patience": patience,
    }  # fmt: skip
    return summary_from(Encoder().ask(request, progress)["summary"])


def serve(asking: IO[bytes], answering: IO[bytes], request: Mapping[str, Any]) -> None:
    """In the process: perform one request; end as soon as whoever asked is gone."""

    def end_with_asker() -> None:
        asking.read()
        os._exit(1)

    def say(message: Mapping[str, Any]) -> None:
        answering.write(orjson.dumps(message) + b"\n")
        answering.flush()

    threading.Thread(target=end_with_asker, daemon=True).start()
    if request.get("polite") and hasattr(os, "nice"):
        os.nice(POLITE)
    try:
        say(perform(request, lambda stage, done, total: say({"stage": stage, "done": done, "total": total})))
    except RpgError as error:
        say({"code": error.code, "message": error.message})


def perform(request: Mapping[str, Any], report: Report | None = None) -> dict[str, Any]:
    """`do` is encode (root, options, full, workers, patience), repair (root, options, generation, identity, patience)
    or settle (root, damage, patience); each of the graph at `graph`."""
    from rpg.encoder.files import Identity
    from rpg.encoder.options import from_json
    from rpg.repository import encoding, repair

    graph, patience = Path(request["graph"]), request["patience"]
    if request["do"] == "settle":
        root = request["root"]
        return {"note": repair.settle(graph, Path(root) if root else None, request["damage"], patience)}
    root, options = Path(request["root"]), from_json(request["options"])
    if request["do"] == "repair":
        identity = request["identity"]
        made = repair.bring_up_to_date(
            graph, root, options, request["generation"], Identity(*identity) if identity else None, patience
        )
        return {"made": made}
    workers, full = request["workers"], request["full"]
    summary = encoding.encode(
        root, graph, options, workers=workers, progress=report, full=full, patience=patience
    )  # fmt: skip
    return {
        "summary": {name: str(each) if isinstance(each, Path) else each for name, each in summary._asdict().items()}
    }


def summary_from(said: Mapping[str, Any]) -> Summary:
    paths = {name: Path(said[name]) for name in ("graph_path", "index_path", "root")}
    return Summary(**{**said, **paths})


def _error(code: str, message: str) -> RpgError:
    known = {each.code: each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, RpgError)}
    return known.get(code, EncodeFailed)(message)
