"""Uses a worker without Spark, and prints what happened as JSON."""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from rollout_wire_spark.worker import Exit, Job, Output, ask, get_worker

LINE = b'{"rollout_id":"r-1","text":"' + b"x" * 1000 + b'"}\n'


def lines(count: int) -> Iterator[bytes]:
    for _ in range(count // 100):
        yield LINE * 100


def run(job: Job, chunks: Iterator[bytes]) -> dict[str, object]:
    printed, end = 0, Exit(-1, "")
    with tempfile.TemporaryDirectory() as folder:
        for event in get_worker().run(job, chunks, Path(folder)):
            if isinstance(event, Output):
                printed += len(event.data)
            else:
                end = event
    return {"code": end.code, "printed": printed, "stderr": end.stderr[-200:]}


def both_ways() -> object:
    """More than fits into the pipes, in both directions at once."""
    return run(Job(call="keys"), lines(100_000))


def stops_early() -> object:
    """The program reads nothing of a long input."""
    return run(Job(["validate", "--frobnicate", "-"]), lines(100_000))


def next_job() -> object:
    """A worker that has run jobs runs another one."""
    before = get_worker().pid
    code = ask(Job(["--version"])).exit.code
    return {"code": code, "same": get_worker().pid == before}


def killed() -> object:
    """The worker is killed while it is fed."""
    worker = get_worker()

    def chunks() -> Iterator[bytes]:
        yield LINE
        os.kill(worker.pid, signal.SIGKILL)
        yield from lines(100_000)

    return failure(lambda: run(Job(call="keys"), chunks()))


def damaged_input() -> object:
    """What gives the input raises an exception."""

    def chunks() -> Iterator[bytes]:
        yield LINE
        raise OSError("the shuffle is lost")

    return failure(lambda: run(Job(call="keys"), chunks()))


def abandoned() -> object:
    """The caller stops in the middle of an answer."""
    for event in get_worker().run(Job(call="keys"), lines(100_000)):
        return type(event).__name__
    return None


def failure(call: Callable[[], object]) -> dict[str, object]:
    worker = get_worker()
    try:
        call()
    except Exception as error:  # noqa: BLE001  It is the answer.
        again = ask(Job(["--version"])).exit.code
        dead = not worker.is_alive()
        return {"kind": type(error).__name__, "message": str(error), "dead": dead, "again": again}
    return {"kind": None}


def main() -> None:
    steps = [both_ways, stops_early, next_job, killed, damaged_input, abandoned, next_job]
    answers = [step() for step in steps]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    senders = [each.name for each in threading.enumerate() if each.name.startswith("_Sender")]
    json.dump({"answers": answers, "peak": peak, "threads": len(senders), "pid": get_worker().pid}, sys.stdout)


if __name__ == "__main__":
    main()
