"""The program `rollout-wire worker` as a process that runs many jobs."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import IO, Any, TypeVar

from . import frames
from .errors import ProgramFailed, ProgramMissing, WorkerDied

NODE_VARIABLE = "ROLLOUT_WIRE_NODE"
PROGRAM_VARIABLE = "ROLLOUT_WIRE_PROGRAM"


@dataclass(frozen=True)
class Job:
    """What a worker is asked for: a command line, or one of its calls."""

    argv: Sequence[str] = ()
    call: str | None = None
    #: Files that the command finds in its folder: paths by name.
    links: Mapping[str, str] = field(default_factory=dict[str, str])

    def to_json(self) -> bytes:
        job: dict[str, object] = {"argv": list(self.argv), "links": dict(self.links)}
        if self.call is not None:
            job["call"] = self.call
        return json.dumps(job).encode()


@dataclass(frozen=True)
class Exit:
    """How a job ended."""

    code: int
    stderr: str


@dataclass(frozen=True)
class Output:
    """Bytes that a job printed."""

    data: bytes


def find_command() -> list[str]:
    """
    The command line of a worker on this machine: of the variables, else of the installed package `rollout-wire`, else of
    PATH. Raises ProgramMissing if there is none.
    """
    if NODE_VARIABLE not in os.environ and PROGRAM_VARIABLE not in os.environ:
        with contextlib.suppress(ImportError):
            package: Any = import_module("rollout_wire_extras.command")
            with contextlib.suppress(package.NodeMissing):
                return [*package.find_command(), "worker"]
    node = os.environ.get(NODE_VARIABLE) or shutil.which("node")
    program = os.environ.get(PROGRAM_VARIABLE) or shutil.which("rollout-wire")
    host = socket.gethostname()
    if node is None or shutil.which(node) is None:
        where = f"{node} is no program" if node else "there is no node on PATH"
        raise ProgramMissing(
            f"{host}: {where}: pip install 'rollout-wire[cli]' on every executor and on the driver,"
            f" or set {NODE_VARIABLE} to its path"
        )
    if program is None or not Path(program).is_file():
        where = f"{program} is no file" if program else "there is no rollout-wire on PATH"
        raise ProgramMissing(
            f"{host}: {where}: pip install 'rollout-wire[cli]' on every executor and on the driver,"
            f" or set {PROGRAM_VARIABLE} to the path of its dist/bin/main.js"
        )
    return [node, str(Path(program).resolve()), "worker"]


class Worker:
    """A worker process. Not for several threads at once."""

    def __init__(self, command: Sequence[str]) -> None:
        self._errors: deque[bytes] = deque(maxlen=20)
        try:
            self._process: subprocess.Popen[bytes] = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as error:
            raise ProgramMissing(f"{socket.gethostname()}: {command[0]}: {error}") from error
        self._stdin: IO[bytes] = _require(self._process.stdin)
        self._stdout: IO[bytes] = _require(self._process.stdout)
        threading.Thread(target=self._keep_errors, args=[_require(self._process.stderr)], daemon=True).start()
        hello = self._read()
        greeting = json.loads(hello.payload) if hello.type == frames.HELLO else {}
        if greeting.get("protocol") != frames.PROTOCOL:
            self.kill()
            raise ProgramMissing(
                f"{socket.gethostname()}: {command[1]} speaks protocol {greeting.get('protocol')},"
                f" this package {frames.PROTOCOL}: install packages of one version"
            )
        self.version: str = greeting["version"]

    @property
    def pid(self) -> int:
        return self._process.pid

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        """Ends the process at once, whatever it does."""
        if self.is_alive():
            self._process.kill()
        self._process.wait()
        for stream in (self._stdin, self._stdout):
            with contextlib.suppress(OSError):
                stream.close()

    def run(self, job: Job, chunks: Iterable[bytes], folder: Path | None = None) -> Iterator[Output | Exit]:
        """
        Runs a job with `chunks` as standard input, which a thread of its own takes and sends. Yields what the job
        prints, and at last how it ended. The files that it wrote are then in `folder`.

        Raises WorkerDied if the process ends before that, and whatever `chunks` raises. The process is then killed, as
        when the caller stops early: what is in its pipes belongs to no other job.
        """
        sender = _Sender(self, self._stdin, job, chunks)
        sender.start()
        ended = False
        file: IO[bytes] | None = None
        try:
            while not ended:
                frame = self._read(sender)
                if frame.type == frames.OUTPUT:
                    yield Output(frame.payload)
                elif frame.type == frames.FILE:
                    if file is not None:
                        file.close()
                    file = _open_file(folder, json.loads(frame.payload)["name"])
                elif frame.type == frames.DATA:
                    _require(file).write(frame.payload)
                elif frame.type == frames.EXIT:
                    if file is not None:
                        file.close()
                    sender.stop()
                    ended = True
                    answer = json.loads(frame.payload)
                    yield Exit(answer["exit_code"], answer["stderr"])
        finally:
            if not ended:
                self.kill()
            sender.join()
        if sender.error is not None:
            self.kill()
            raise sender.error

    def _read(self, sender: _Sender | None = None) -> frames.Frame:
        try:
            frame = frames.read_frame(self._stdout)
        except ValueError as error:
            self.kill()
            raise WorkerDied(f"{socket.gethostname()}: {error}") from error
        if frame is not None:
            return frame
        code = self._process.wait()
        if sender is not None:
            sender.join()
            if sender.error is not None:
                raise sender.error
        raise WorkerDied(f"{socket.gethostname()}: the worker {self._describe_end(code)}")

    def _describe_end(self, code: int) -> str:
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
        said = b"".join(self._errors).decode(errors="replace").strip()
        return f"{how}: {said}" if said else how

    def _keep_errors(self, stream: IO[bytes]) -> None:
        for line in stream:
            self._errors.append(line[:1000])


class _Sender(threading.Thread):
    """Sends a job and its standard input, so that its output can be read meanwhile."""

    def __init__(self, worker: Worker, stream: IO[bytes], job: Job, chunks: Iterable[bytes]) -> None:
        super().__init__(daemon=True)
        self._worker = worker
        self._stream = stream
        self._job = job
        self._chunks = chunks
        self._stopped = False
        #: What `chunks` raised.
        self.error: BaseException | None = None

    def stop(self) -> None:
        """The job needs no more input."""
        self._stopped = True

    def run(self) -> None:
        try:
            frames.write_frame(self._stream, frames.JOB, self._job.to_json())
            chunks = iter(self._chunks)
            while not self._stopped:
                chunk = self._next(chunks)
                if chunk is None:
                    break
                if chunk:
                    frames.write_frame(self._stream, frames.INPUT, chunk)
            if self.error is None:
                frames.write_frame(self._stream, frames.END, b"")
        except (OSError, ValueError):
            # The process has ended, which its reader reports.
            pass

    def _next(self, chunks: Iterator[bytes]) -> bytes | None:
        try:
            return next(chunks, None)
        except BaseException as error:  # noqa: BLE001  It is raised in the thread that asked for the job.
            self.error = error
            self._worker._process.kill()  # pyright: ignore[reportPrivateUsage]
            return None


def _open_file(folder: Path | None, name: str) -> IO[bytes]:
    if folder is None:
        raise ValueError(f"the job wrote {name}, but has no folder for files")
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("wb")


_T = TypeVar("_T")


def _require(value: _T | None) -> _T:
    if value is None:
        raise ValueError("the worker has no pipes")
    return value


_workers: dict[int, Worker] = {}


def get_worker() -> Worker:
    """The worker of this process, which is started when it is needed first, and again after it has died."""
    worker = _workers.get(os.getpid())
    if worker is None or not worker.is_alive():
        # A fork inherits the entry of its parent, but not the right to use its pipes.
        _workers.clear()
        worker = _workers[os.getpid()] = Worker(find_command())
        atexit.register(worker.kill)
    return worker


@dataclass(frozen=True)
class Answer:
    """Everything that a short job answers."""

    exit: Exit
    stdout: bytes
    files: Mapping[str, bytes]


def ask(job: Job, stdin: bytes = b"") -> Answer:
    """Runs a job whose answer fits in memory. Raises ProgramFailed for an exit code that is neither 0 nor 1."""
    stdout = bytearray()
    end = Exit(0, "")
    with tempfile.TemporaryDirectory(prefix="rollout-wire-spark-") as name:
        folder = Path(name)
        for event in get_worker().run(job, [stdin], folder):
            if isinstance(event, Output):
                stdout += event.data
            else:
                end = event
        files = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
    require_result(end)
    return Answer(end, bytes(stdout), files)


def require_result(end: Exit) -> None:
    """Raises ProgramFailed unless the program did its work, whether or not it found errors in its input."""
    if end.code not in (0, 1):
        raise ProgramFailed(end.stderr.strip() or f"exit code {end.code}", end.code)
