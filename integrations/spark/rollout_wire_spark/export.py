"""Exports rollouts as training data."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import SparkSession

from .engine import Request, Run, run_partitions
from .errors import InvalidInput, RolloutWireError
from .findings import Finding, FindingCounts
from .gate import INDEX, Gate
from .output import write_records, write_rejects
from .partitions import Plan
from .store import Store
from .worker import Job, ask

KINDS = ("dpo", "ppo", "sft")

#: Flags of the program that this package gives itself.
OWN_FLAGS = (
    *("--input", "-i", "--eval-items", "-e", "--eval-index", "--eval-field", "--n", "--allow-missing-g3"),
    *("--target", "-t", "--exported-at-ms", "--skip-invalid", "--rejects", "--report"),
    *("--output-dpo", "--output-ppo", "--output-sft", "--output-dir", "--explain", "--shard"),
    *("--workers", "-j", "--format", "-f", "--max-errors", "--max-warnings", "--quiet", "-q"),
)


@dataclass(frozen=True)
class Export:
    """What an export wrote."""

    #: The manifest, an export-report/v1.
    manifest: Mapping[str, Any]
    #: The first warnings, with file and line.
    findings: Sequence[Finding]
    found: FindingCounts


def export(
    spark: SparkSession,
    input: str | Sequence[str],
    output: str,
    target: str = "trl",
    eval_items: str | None = None,
    *,
    eval_field: str | None = None,
    n: int | None = None,
    allow_missing_g3: bool = False,
    skip_invalid: bool = False,
    rejects: str | None = None,
    input_format: str = "jsonl",
    output_format: str = "jsonl",
    partitions: int | None = None,
    exported_at_ms: int | None = None,
    overwrite: bool = False,
    max_errors: int = 100,
    max_warnings: int | None = None,
    files: Sequence[str] = (),
    flags: Sequence[str] = (),
) -> Export:
    """
    Exports rollouts as records of `target`, one folder for each kind, with a manifest.

    `input`: files, folders and patterns that Spark reads. `eval_items`: the evaluation set of gate G3, a file of the
    driver or one that Spark reads; `eval_field`: the field with the text of an item; `n`: words per n-gram. `rejects`: a
    folder for the skipped lines (`skip_invalid`). `partitions`: how many runs of the program (default:
    `spark.sql.shuffle.partitions`). `flags`: other flags of `rollout-wire export`; `files`: files that they name, by
    their last part.

    Raises InvalidInput if the input has errors; then nothing is written. Raises RolloutWireError for anything else that
    you can fix.
    """
    own = next((flag for flag in flags if flag.split("=")[0] in OWN_FLAGS), None)
    if own is not None:
        raise RolloutWireError(f"{own}: this flag is a parameter here, or has no use in Spark")
    if "--redact" in flags and "--redact-key" not in flags:
        raise RolloutWireError("--redact requires --redact-key: otherwise each partition would have other placeholders")
    if output_format not in ("jsonl", "parquet"):
        raise RolloutWireError(f"there is no output format {output_format}: choose jsonl or parquet")
    words = set(re.split("[ =,]", " ".join(flags)))
    skip_invalid = skip_invalid or words >= {"--skip", "invalid"}
    if rejects is not None and not (skip_invalid or words & {"--skip", "--drop-contaminated"}):
        raise RolloutWireError("rejects requires skip_invalid")
    if eval_items is None and not allow_missing_g3:
        raise RolloutWireError(
            "no evaluation set to decontaminate against: give eval_items, or allow_missing_g3 to export without"
        )
    if eval_items is None and (eval_field, n) != (None, None):
        raise RolloutWireError("eval_field and n require eval_items")
    store = _claim(spark, output, overwrite)
    rejects_store = None if rejects is None else _claim(spark, rejects, overwrite)
    time_ms = int(time.time() * 1000) if exported_at_ms is None else exported_at_ms
    argv = ["export", "--input", "-", "--target", target, "--exported-at-ms", str(time_ms)]
    argv += ["--allow-missing-g3"] if eval_items is None else ["--eval-index", INDEX]
    argv += ["--report", "report.json", "--format", "json", "--workers", "1"]
    argv += ["--max-errors", str(max_errors), *flags]
    argv += ["--skip", "invalid"] if skip_invalid else []
    argv += [] if rejects is None else ["--rejects", "rejects.jsonl"]
    plan = Plan(argv, "export-partition", {f"{kind}.jsonl": kind for kind in KINDS})
    request = Request(
        [input] if isinstance(input, str) else input,
        input_format,
        partitions,
        skip_invalid,
        files,
        max_errors,
        max_warnings,
        None if eval_items is None else Gate(eval_items, eval_field, n),
    )
    with run_partitions(spark, plan, request) as run:
        if not run.is_clean:
            raise InvalidInput(describe_errors(run, "nothing was written"), run.findings)
        if all(each.report is not None and each.report["rollouts"]["exported"] == 0 for each in run.reports):
            raise InvalidInput("no valid records: all were skipped, so nothing was written", run.findings)
        if rejects is not None and rejects_store is not None:
            rejects_store.remove("")
            write_rejects(spark, run, rejects)
        store.remove("")
        outputs = write_records(spark, run, target, output, output_format)
        manifest = _describe(run, outputs, store, with_card=output_format == "parquet")
        return Export(manifest, run.findings, run.found)


def describe_errors(run: Run, effect: str) -> str:
    """One line with the first error, and how many there are."""
    first = next((each for each in run.findings if each.severity == "error"), None)
    where = "" if first is None else f": {first}"
    return f"{run.found}: {effect}{where}"


def _claim(spark: SparkSession, path: str, overwrite: bool) -> Store:
    store = Store(spark, path)
    if not overwrite and not store.is_empty():
        raise RolloutWireError(f"{path}: is not empty: choose another folder, or overwrite it")
    return store


def _describe(run: Run, outputs: Sequence[Mapping[str, Any]], store: Store, with_card: bool) -> Mapping[str, Any]:
    """Writes the files of a dataset that hold no records. The last one says that all others are there."""
    reports: list[Mapping[str, Any]] = []
    for each in run.reports:
        if each.report is not None:
            # The name that `shard split` gives to this shard.
            name = f"part-{each.slot + 1:05}-of-{run.partitions:05}.jsonl"
            inputs = [{**given, "file": name} for given in each.report["inputs"]]
            reports.append({**each.report, "inputs": inputs})
    lines = [json.dumps(each) for each in [{"outputs": list(outputs)}, *reports]]
    answer = ask(Job(call="merge-reports"), "\n".join(lines).encode())
    if answer.exit.code != 0:
        raise RolloutWireError(answer.exit.stderr.strip())
    if with_card:
        store.write("README.md", answer.files["README.md"])
    store.write("manifest.json", answer.files["manifest.json"])
    store.write("_SUCCESS", b"")
    manifest: Mapping[str, Any] = json.loads(answer.files["manifest.json"])
    return manifest
