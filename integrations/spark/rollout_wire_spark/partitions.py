"""Runs the program on each partition, and says what became of it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import pyarrow as pa
from pyspark import SparkFiles

from .keys import Batches, Stage
from .places import STDIN, PlaceFile
from .rows import LEAD, needs_lead, to_chunks
from .shipping import SentFile
from .worker import Exit, Job, Output, get_worker, require_result

#: Columns of what the partitions give: records by kind, rejects, and one report for each.
BUILT = "slot int, kind string, text string"

REPORT, REJECT = "report", "reject"

_BUILT_TYPES = pa.schema([("slot", pa.int32()), ("kind", pa.string()), ("text", pa.string())])

#: Length of the texts in a batch for Spark.
_BATCH_BYTES = 4 * 2**20

_REPORT_FILE, _REJECTS_FILE = "report.json", "rejects.jsonl"


@dataclass(frozen=True)
class Plan:
    """What is run on each partition."""

    argv: Sequence[str]
    #: The call of the worker that takes `argv`. None: a command.
    call: str | None = None
    #: Kinds of records by the files that hold them.
    outputs: Mapping[str, str] = field(default_factory=dict[str, str])
    #: Files that the command reads besides the lines.
    files: Sequence[SentFile] = ()
    #: How the command names the lines. A file instead of standard input is for one that looks at lines again.
    input: str = STDIN

    def to_links(self) -> dict[str, str]:
        return {file.name: file.path() for file in self.files}


def run_partition(plan: Plan) -> Stage:
    """A stage that runs the program on a partition of sorted lines. An empty partition gives nothing."""

    def stage(batches: Batches) -> Iterator[pa.RecordBatch]:
        rest = (batch for batch in batches if batch.num_rows > 0)
        first = next(rest, None)
        if first is None:
            return
        slot: int = first.column("slot")[0].as_py()
        # Spark removes its own folder even if this process is killed.
        with tempfile.TemporaryDirectory(dir=SparkFiles.getRootDirectory()) as name:
            folder = Path(name)
            with (folder / "places").open("w+b") as file:
                places = PlaceFile(file, plan.input)
                out = folder / "out"
                out.mkdir()
                outcome = _run(plan, places, chain([first], rest), out)
                texts = _texts(plan, outcome, places, out)
                yield from _to_batches(slot, texts)

    return stage


@dataclass(frozen=True)
class _Outcome:
    exit: Exit
    stdout: bytes


def _run(plan: Plan, places: PlaceFile, batches: Batches, folder: Path) -> _Outcome:
    def chunks() -> Iterator[bytes]:
        for index, batch in enumerate(batches):
            columns = [batch.column(name).to_pylist() for name in ("file", "split", "ordinal")]
            rows = list(zip(*columns, strict=True))
            if index == 0 and needs_lead(batch):
                places.add(rows[0])
                yield LEAD
            for place in rows:
                places.add(place)
            yield from to_chunks(batch.column("line").to_pylist())

    stdout = bytearray()
    end = Exit(0, "")
    stdin, links = chunks(), plan.to_links()
    if plan.input != STDIN:
        path = folder.parent / plan.input
        with path.open("wb") as file:
            file.writelines(stdin)
        stdin, links = iter(()), {**links, plan.input: str(path.resolve())}
    for event in get_worker().run(Job(plan.argv, plan.call, links), stdin, folder):
        if isinstance(event, Output):
            stdout += event.data
        else:
            end = event
    require_result(end)
    return _Outcome(end, bytes(stdout))


def _texts(plan: Plan, outcome: _Outcome, places: PlaceFile, folder: Path) -> Iterator[tuple[str, str]]:
    """What the program wrote, by kind, and at last the report."""
    written = {path.name: path for path in folder.iterdir()}
    for name, kind in plan.outputs.items():
        if name in written:
            yield from ((kind, line) for line in _read_lines(written[name]))
    if _REJECTS_FILE in written:
        for line in _read_lines(written[_REJECTS_FILE]):
            yield REJECT, _dump(places.resolve(json.loads(line)))
    report = written.get(_REPORT_FILE)
    yield (
        REPORT,
        _dump(
            {
                "exit_code": outcome.exit.code,
                "stderr": outcome.exit.stderr,
                "findings": places.resolve(json.loads(outcome.stdout)),
                "report": places.resolve(json.loads(report.read_bytes())) if report else None,
            }
        ),
    )


def _read_lines(path: Path) -> Iterator[str]:
    with path.open("rb") as file:
        for line in file:
            yield line.rstrip(b"\n").decode()


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _to_batches(slot: int, texts: Iterator[tuple[str, str]]) -> Iterator[pa.RecordBatch]:
    pending: list[tuple[str, str]] = []
    size = 0

    def flush() -> pa.RecordBatch:
        kinds, lines = zip(*pending, strict=True)
        columns = [[slot] * len(pending), kinds, lines]
        arrays = zip(columns, _BUILT_TYPES.types, strict=True)
        return pa.RecordBatch.from_arrays([pa.array(values, kind) for values, kind in arrays], schema=_BUILT_TYPES)

    for each in texts:
        pending.append(each)
        size += len(each[1])
        if size >= _BATCH_BYTES:
            yield flush()
            pending, size = [], 0
    if pending:
        yield flush()
