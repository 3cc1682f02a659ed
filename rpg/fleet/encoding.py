"""Encodes a list of repositories on a Dask cluster.

In: the list, a library, a cluster. Out: outcomes as they come. A worker that dies costs the tasks it had, which Dask
gives to another; after a scheduler goes away, the command waits for it, and submits again what has no outcome yet.
Encoding twice does no harm: an encode holds its graph alone, and one that finds nothing changed writes nothing.
"""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, NamedTuple

from rpg.errors import BadRequest, EncodeFailed, RpgError
from rpg.fleet.listed import Listed
from rpg.fleet.outcomes import Outcome
from rpg.fleet.publishing import Library

if TYPE_CHECKING:
    from distributed import Client

USUAL_MEMORY = 2 * 10**9
"""Bytes that an encode is assumed to need if its line in the list says nothing."""
PATIENCE = 600.0
"""Seconds to wait for another process that writes the same graph: it may be the orphan of a worker that died."""
RECONNECTS, RECONNECT_SECONDS = 5, 30.0
"""How many times in a row, and how long each time, to wait for a scheduler that went away."""
LOOPBACK, LOOPBACK_SECONDS = "127.0.0.1", 5.0
MEMORY = "memory"
"""The Dask worker resource that tasks request, if workers declare it."""


class Fleet(NamedTuple):
    """A cluster, as the user describes it."""

    scheduler: str = ""
    """Address of a Dask scheduler; empty: workers on this machine."""
    workers: int = 2
    memory: int = 0
    """Bytes that a worker of this machine may use; 0: its share."""
    retries: int = 2


def encode_all(listed: Sequence[Listed], library: str, fleet: Fleet) -> Iterator[Outcome]:
    """Outcomes in the order in which they come, one for each repository."""
    Library(library)  # fails at once if it is invalid
    pending = {each.name: each for each in listed}
    losses = in_a_row = 0
    while pending:
        with ExitStack() as stack:
            try:
                client = stack.enter_context(connect(stack, fleet))
                for outcome in _submit(client, list(pending.values()), library, fleet.retries):
                    del pending[outcome.name]
                    in_a_row = 0
                    yield outcome._replace(attempts=outcome.attempts + losses)
            except (OSError, TimeoutError) as error:  # the scheduler went away
                if not fleet.scheduler or in_a_row == RECONNECTS:
                    raise EncodeFailed(
                        f"the scheduler {fleet.scheduler or 'of this machine'} does not answer, or has no workers "
                        f"({error}): start them again and run the same command, which encodes what is missing"
                    ) from error
                losses += 1
                in_a_row += 1
        if pending:
            time.sleep(1.0)


def connect(stack: ExitStack, fleet: Fleet) -> Client:
    """A client, whose cluster ends with `stack` if it runs on this machine."""
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise BadRequest(f'a fleet needs Dask ({error}): pip install "rpg-code-graph[fleet]"') from None
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # its problems are reported here
    if fleet.scheduler:
        client = Client(fleet.scheduler, timeout=RECONNECT_SECONDS)
        client.wait_for_workers(1, timeout=RECONNECT_SECONDS)  # without any worker, tasks would wait for ever
        return client
    check_loopback()
    try:
        cluster = LocalCluster(
            n_workers=fleet.workers,
            threads_per_worker=1,  # an encode takes a core, and what it costs is counted by process
            memory_limit=fleet.memory or "auto",
            resources={MEMORY: fleet.memory} if fleet.memory else None,
            host=LOOPBACK,
            dashboard_address=f"{LOOPBACK}:0",
            silence_logs=logging.ERROR,
        )
    except RuntimeError as error:
        raise EncodeFailed(f"the workers of this machine did not start: {error}") from error
    return Client(stack.enter_context(cluster))


def check_loopback() -> None:
    """EncodeFailed if processes of this machine cannot reach each other, which Dask would wait half a minute for."""
    with socket.create_server((LOOPBACK, 0)) as listener:
        try:
            socket.create_connection(listener.getsockname(), LOOPBACK_SECONDS).close()
        except OSError as error:
            raise EncodeFailed(
                f"the workers of this machine are reached at {LOOPBACK}, which does not answer ({error}): set its "
                "loopback interface up (ip link set lo up)"
            ) from error


def _submit(client: Client, listed: Sequence[Listed], library: str, retries: int) -> Iterator[Outcome]:
    from distributed import as_completed

    limits = [worker.get("resources", {}).get(MEMORY, 0) for worker in client.scheduler_info()["workers"].values()]
    by_key: dict[Any, Listed] = {}
    futures = []
    for each in listed:
        need = each.memory or USUAL_MEMORY
        future = client.submit(
            encode_one, each, library, key=f"encode-{each.name}-{time.time_ns()}", retries=retries, pure=False,
            # A task that needs more than any worker has would wait for ever.
            resources={MEMORY: min(need, max(limits))} if any(limits) else None,
        )  # fmt: skip
        by_key[future.key] = each
        futures.append(future)
    lost = 0
    for future in as_completed(futures):
        each = by_key[future.key]
        if future.status in ("lost", "cancelled"):
            lost += 1
            continue
        error = future.exception() if future.status == "error" else None
        yield Outcome(each.name, "failed", each.shown, _reason(error)) if error else future.result()
        future.release()
    if lost:
        raise OSError(f"{lost} tasks were lost")


def _reason(error: BaseException) -> str:
    name = type(error).__name__
    if name == "KilledWorker":
        return "every worker that tried it was killed, perhaps for lack of memory: state its need with memory="
    return f"{name}: {error}"[:500]


def encode_one(listed: Listed, library: str) -> Outcome:
    """Runs in a worker. An error in the repository is its outcome: trying again would not help."""
    from distributed import get_worker

    from rpg.encoder.options import options_for
    from rpg.repository import encode_in_child, find_source, obtain

    began, cpu = time.perf_counter(), _cpu_of_children()
    worker = get_worker().name
    try:
        root = obtain(find_source(listed.source, listed.branch)).folder
        cpu = _cpu_of_children()
        place = Library(library)
        output = place.output(listed.name)
        summary = encode_in_child(
            root, output, options_for(root), workers=1, progress=_unheard, full=False, patience=PATIENCE
        )
        place.publish(summary.graph_path, changed=summary.changed)
    except RpgError as error:
        return Outcome(
            listed.name, "failed", listed.shown, f"{error.code}: {error.message}", worker=str(worker),
            seconds=time.perf_counter() - began,
        )  # fmt: skip
    return Outcome(
        name=listed.name,
        state="encoded" if summary.changed else "unchanged",
        source=listed.shown,
        reason=summary.note,
        files=summary.files,
        symbols=summary.symbols,
        graph_bytes=summary.graph_path.stat().st_size,
        cpu_seconds=round(_cpu_of_children() - cpu, 2),
        seconds=round(time.perf_counter() - began, 2),
        worker=str(worker),
    )


def _unheard(stage: str, done: int, total: int) -> None:
    """Progress goes to Dask's dashboard instead."""


def _cpu_of_children() -> float:
    """Seconds of ended child processes: an encode is one. 0 where the system does not count them."""
    try:
        import resource
    except ImportError:
        return 0.0
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
