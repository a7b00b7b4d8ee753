"""What `export` and `validate` share: from inputs to what the program says of each partition."""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession

from .errors import ProgramFailed, RolloutWireError
from .findings import Finding, FindingCounts, list_findings, to_finding
from .gate import INDEX, TASKS, Gate, add_counts, count_tasks, create_index, find_tasks
from .keys import KEYED, LINKS, add_keys, find_homes, find_links
from .lines import Source, count_before, read_lines
from .partitions import BUILT, REPORT, Plan, run_partition
from .places import STDIN, find_places, name_places
from .shipping import Shipment, fetch, ship
from .worker import Job, ask

#: Rows and bytes in a batch between Spark and Python: lines can be long.
_BATCH_SETTINGS = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": "1000",
    "spark.sql.execution.arrow.maxBytesPerBatch": str(16 * 2**20),
}


@dataclass(frozen=True)
class Request:
    """Inputs and how they are split. The parameters of `export` have the same names."""

    inputs: Sequence[str]
    input_format: str
    partitions: int | None
    #: Whether rollouts that a damaged line mentions together stay together. That reads the inputs twice.
    keep_together: bool
    #: Local files, or files that Spark reads, that the flags name by their last part.
    files: Sequence[str]
    max_errors: int
    max_warnings: int | None
    gate: Gate | None = None


@dataclass(frozen=True)
class PartitionReport:
    """What the program said of a partition."""

    slot: int
    exit_code: int
    #: A finding-report/v1 in which each line is a place.
    findings: Mapping[str, Any]
    #: An export-report/v1, of an export.
    report: Mapping[str, Any] | None

    @property
    def found(self) -> FindingCounts:
        summary = self.findings["summary"]
        return FindingCounts(summary["errors"], summary["warnings"])


@dataclass(frozen=True)
class Run:
    """What all partitions gave. Its frame is stored on the executors' disks."""

    source: Source
    built: DataFrame
    reports: Sequence[PartitionReport]
    partitions: int
    found: FindingCounts
    findings: Sequence[Finding]

    @property
    def is_clean(self) -> bool:
        return self.found.errors == 0


@contextmanager
def run_partitions(spark: SparkSession, plan: Plan, request: Request) -> Generator[Run]:
    """
    Runs the program on the partitions of the inputs. Raises ProgramFailed for flags and files that the program refuses,
    before Spark reads any input.
    """
    with ship(spark, request.files) as shipment, _settings(spark, _BATCH_SETTINGS), ExitStack() as stored:
        if request.gate is not None:
            with fetch(spark, request.gate.eval_items) as items:
                shipment.send(INDEX, create_index(request.gate, items.name, str(items)))
        plan = replace(plan, files=shipment.sent)
        empty = _try_out(plan, shipment)
        source = read_lines(spark, request.inputs, request.input_format)
        partitions = request.partitions or int(_setting(spark, "spark.sql.shuffle.partitions"))
        if partitions < 1:
            raise RolloutWireError(f"partitions must be at least 1, not {partitions}")
        lines = _sort(source, partitions, request.keep_together)
        if _needs_counts(empty):
            # Otherwise Spark would read and shuffle the inputs for each use.
            lines = stored.enter_context(_store(lines))
            plan = _count(lines, plan, shipment)
        built = stored.enter_context(_store(lines.mapInArrow(run_partition(plan), BUILT)))
        rows = built.where(built["kind"] == REPORT).collect()
        reports = sorted((_to_report(row["slot"], row["text"]) for row in rows), key=_by_slot)
        reports = reports or [_name_inputs(empty, request.inputs)]
        yield _to_run(source, built, reports, partitions, request)


def _needs_counts(empty: PartitionReport) -> bool:
    """Whether text may be template text. `empty` is the report of an export without input."""
    gate = None if empty.report is None else empty.report["decontamination"]
    return gate is not None and gate["performed"] and float(gate["boilerplate_share"]) < 1


def _count(lines: DataFrame, plan: Plan, shipment: Shipment) -> Plan:
    """The plan with an index that knows the tasks of all partitions."""
    with _store(lines.mapInArrow(find_tasks(plan), TASKS)) as found:
        counts = count_tasks(found)
    if counts is None:
        # The export reports the errors. What is template text is not known.
        return replace(plan, argv=[*plan.argv, "--boilerplate-share", "1"])
    shipment.send(INDEX, add_counts(shipment.local[INDEX], counts))
    return replace(plan, files=shipment.sent)


@contextmanager
def _store(frame: DataFrame) -> Generator[DataFrame]:
    """Keeps the rows of a frame on the executors' disks for a while."""
    stored = frame.persist(StorageLevel.DISK_ONLY)
    try:
        yield stored
    finally:
        stored.unpersist()


def _name_inputs(report: PartitionReport, inputs: Sequence[str]) -> PartitionReport:
    """The report of an input without lines, which is of no partition."""
    name = ", ".join(inputs)
    findings = [{**each, "file": name} for each in report.findings["findings"]]
    return replace(report, findings={**report.findings, "findings": findings})


def _by_slot(report: PartitionReport) -> int:
    return report.slot


def _sort(source: Source, partitions: int, keep_together: bool) -> DataFrame:
    """The lines of the inputs in partitions, as the shards of `shard split`."""
    files = source.indices()
    homes: dict[int, int] = {}
    if keep_together:
        links = source.frame.mapInArrow(find_links(files), LINKS).distinct().collect()
        homes = find_homes((row["one"], row["other"]) for row in links)
    keyed = source.frame.mapInArrow(add_keys(files, homes, partitions), KEYED)
    placed = keyed.repartitionById(partitions, "slot")
    return placed.sortWithinPartitions("home", "key", "file", "split", "ordinal")


def _to_report(slot: int, text: str) -> PartitionReport:
    value = json.loads(text)
    return PartitionReport(slot, value["exit_code"], value["findings"], value["report"])


def _to_run(
    source: Source,
    built: DataFrame,
    reports: Sequence[PartitionReport],
    partitions: int,
    request: Request,
) -> Run:
    found = sum((report.found for report in reports), FindingCounts())
    if request.max_warnings is not None:
        excess = max(0, found.warnings - request.max_warnings)
        found = FindingCounts(found.errors + excess, found.warnings - excess)
    listed = [each for report in reports for each in report.findings["findings"]]
    listed.sort(key=_by_place)
    listed = list_findings(listed, request.max_errors)
    parts = [report.report for report in reports]
    before = count_before(source, list(find_places([listed, parts])))
    findings = [to_finding(each) for each in name_places(listed, source.names(), before)]
    named = [replace(report, report=name_places(report.report, source.names(), before)) for report in reports]
    return Run(source, built, named, partitions, found, findings)


def _by_place(found: Mapping[str, Any]) -> tuple[bool, Sequence[int]]:
    """Findings that are in no line come last."""
    line = found["line"]
    return (False, line) if isinstance(line, list) else (True, [line])


@contextmanager
def _settings(spark: SparkSession, settings: Mapping[str, str]) -> Generator[None]:
    """Changes settings of the session for a while."""
    before = {name: spark.conf.get(name, None) for name in settings}
    for name, value in settings.items():
        spark.conf.set(name, value)
    try:
        yield
    finally:
        for name, former in before.items():
            if former is None:
                spark.conf.unset(name)
            else:
                spark.conf.set(name, former)


def _setting(spark: SparkSession, name: str) -> str:
    value = spark.conf.get(name)
    if value is None:
        raise RolloutWireError(f"{name} is not set")
    return value


def _try_out(plan: Plan, shipment: Shipment) -> PartitionReport:
    """Runs the program on nothing, here: what it refuses is reported once, and not by every executor."""
    links = shipment.local if plan.input == STDIN else {**shipment.local, plan.input: os.devnull}
    answer = ask(Job(plan.argv, links=links))
    if answer.exit.code not in (0, 1):
        raise ProgramFailed(answer.exit.stderr.strip(), answer.exit.code)
    report = answer.files.get("report.json")
    return PartitionReport(0, answer.exit.code, json.loads(answer.stdout), json.loads(report) if report else None)
