"""Checks rollouts and other records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pyspark.sql import SparkSession

from .engine import Request, run_partitions
from .errors import RolloutWireError
from .findings import Finding, FindingCounts
from .partitions import Plan

#: Flags of the program that this package gives itself.
OWN_FLAGS = (
    *("--workers", "-j", "--format", "-f", "--max-errors", "--max-warnings", "--quiet", "-q"),
    *("--exclude", "-x", "--shard"),
)


#: A file: the rules over rollouts come last, and look up the columns of their findings.
_LINES = "lines.jsonl"


@dataclass(frozen=True)
class Validation:
    """What is wrong with the input."""

    #: Records that were read.
    checked: int
    #: The first findings in the order of the lines, with file and line.
    findings: Sequence[Finding]
    #: All findings, listed or not.
    found: FindingCounts

    @property
    def is_valid(self) -> bool:
        return self.found.errors == 0


def validate(
    spark: SparkSession,
    input: str | Sequence[str],
    *,
    input_format: str = "jsonl",
    partitions: int | None = None,
    max_errors: int = 100,
    max_warnings: int | None = None,
    files: Sequence[str] = (),
    flags: Sequence[str] = (),
) -> Validation:
    """
    Checks records as `rollout-wire validate` does. `flags` are other flags of that command, `files` the files that they
    name, by their last part. Reads the input twice, so that rollouts that a damaged line mentions stay together.

    Raises RolloutWireError for what you can fix. What is wrong with the input is a result.
    """
    own = next((flag for flag in flags if flag.split("=")[0] in OWN_FLAGS), None)
    if own is not None:
        raise RolloutWireError(f"{own}: this flag is a parameter here, or has no use in Spark")
    argv = ["validate", _LINES, "--format", "json", "--workers", "1", "--max-errors", str(max_errors)]
    request = Request(
        [input] if isinstance(input, str) else input,
        input_format,
        partitions,
        True,
        files,
        max_errors,
        max_warnings,
    )
    with run_partitions(spark, Plan([*argv, *flags], input=_LINES), request) as run:
        checked = sum(report.findings["checked"] for report in run.reports)
        return Validation(checked, run.findings, run.found)
