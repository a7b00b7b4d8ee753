"""Gate G3: an index of the evaluation set, with what the tasks of all partitions tell about template text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from .keys import Batches, Stage
from .partitions import Plan
from .rows import LEAD, needs_lead, to_chunks
from .worker import Exit, Job, ask, get_worker, require_result

#: The name of the index for the program.
INDEX = "rollout-wire-eval.index"

#: Columns of the tasks of valid rollouts: where each is in the order of one machine, a hash of its words, and the n-grams of
#: the evaluation set in it. A row without a task says that its partition has errors.
TASKS = "place long, task long, ngrams array<int>"

#: Tasks that one machine tells apart: MAX_SEEN in src/base/seen-hashes.ts. After these, each rollout counts as a task of its own
#: without n-grams.
MAX_TASKS = 2**23

#: Bits of a place that number the rollouts of a partition.
_ORDINAL_BITS = 40

_TASK_TYPES = pa.schema([("place", pa.int64()), ("task", pa.int64()), ("ngrams", pa.list_(pa.int32()))])


@dataclass(frozen=True)
class Gate:
    """What rollouts are compared with. The parameters of `export` have the same names."""

    eval_items: str
    eval_field: str | None
    n: int | None


@dataclass(frozen=True)
class TaskCounts:
    """In how many distinct tasks the n-grams of an evaluation set occur."""

    tasks: int
    #: First positions of the n-grams that several tasks contain, and the numbers of these tasks.
    repeated: Sequence[tuple[int, int]]


def create_index(gate: Gate, name: str, path: str) -> bytes:
    """Indexes an evaluation set, which is a local file. `name` is how reports name it."""
    argv = ["shard", "index", "--eval-items", name, "--output", INDEX]
    if gate.eval_field is not None:
        argv += ["--eval-field", gate.eval_field]
    if gate.n is not None:
        argv += ["--n", str(gate.n)]
    return ask(Job(argv, links={name: path})).files[INDEX]


def add_counts(index: str, counts: TaskCounts) -> bytes:
    """An index with counts. `index` is a local file without them."""
    written = "counted.index"
    value = {"tasks": counts.tasks, "repeated": counts.repeated}
    job = Job([INDEX, written], "add-task-counts", {INDEX: index})
    return ask(job, json.dumps(value).encode()).files[written]


def find_tasks(plan: Plan) -> Stage:
    """A stage that reads the tasks of a partition of sorted lines."""

    def stage(batches: Batches) -> Iterator[pa.RecordBatch]:
        rest = (batch for batch in batches if batch.num_rows > 0)
        first = next(rest, None)
        if first is None:
            return
        place: int = first.column("slot")[0].as_py() << _ORDINAL_BITS
        lines = (batch.column("line").to_pylist() for batch in chain([first], rest))
        lead = [LEAD] if needs_lead(first) else []
        chunks = chain(lead, (chunk for each in lines for chunk in to_chunks(each)))
        text = b""
        for event in get_worker().run(Job(plan.argv, "tasks", plan.to_links()), chunks):
            if isinstance(event, Exit):
                require_result(event)
                if event.code != 0:
                    yield _to_batch(place, [None], [None])
                continue
            *answers, text = (text + event.data).split(b"\n")
            numbers = [[int(word) for word in answer.split(b" ")] for answer in answers]
            yield _to_batch(place, [each[1:] for each in numbers], [each[0] for each in numbers])
            place += len(numbers)

    return stage


def _to_batch(place: int, ngrams: Sequence[Sequence[int] | None], tasks: Sequence[int | None]) -> pa.RecordBatch:
    columns = [range(place, place + len(tasks)), tasks, ngrams]
    arrays = zip(columns, _TASK_TYPES.types, strict=True)
    return pa.RecordBatch.from_arrays([pa.array(values, kind) for values, kind in arrays], schema=_TASK_TYPES)


def count_tasks(found: DataFrame, limit: int = MAX_TASKS) -> TaskCounts | None:
    """Counts tasks, rows of `TASKS`, as one machine does that tells `limit` of them apart. None if there are errors."""
    if found.where(F.col("task").isNull()).count() > 0:
        return None
    firsts = found.groupBy("task").agg(F.min("place").alias("place"), F.min_by("ngrams", "place").alias("ngrams"))
    tasks = firsts.count()
    if tasks >= limit:
        last = _find_place(firsts, limit)
        firsts = firsts.where(F.col("place") <= last)
        tasks = limit + found.where(F.col("place") > last).count()
    holders = firsts.select(F.explode("ngrams").alias("first")).groupBy("first").count()
    repeated = holders.where(F.col("count") > 1).collect()
    return TaskCounts(tasks, sorted((row["first"], row["count"]) for row in repeated))


def _find_place(firsts: DataFrame, number: int) -> int:
    """The place of a distinct task by its number, from 1."""
    slot = F.shiftright("place", _ORDINAL_BITS).alias("slot")
    for row in sorted(firsts.groupBy(slot).agg(F.count("*").alias("tasks")).collect()):
        if number <= row["tasks"]:
            own = firsts.where(slot == row["slot"]).select("place").sort("place")
            (found,) = own.offset(number - 1).take(1)
            return int(found["place"])
        number -= row["tasks"]
    raise ValueError(f"there are {number} tasks fewer")
