"""Writes what the partitions gave, by Spark's own writers and committers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from .engine import Run
from .errors import RolloutWireError
from .lines import count_before
from .parquet import hash_files, to_columns
from .partitions import REJECT
from .places import name_places
from .store import Store

#: The text writer of Spark cannot name its files. That of CSV can; a JSON object has no character that it would change.
_LINES = {
    "extension": "jsonl",
    "sep": "\x01",
    "quote": "",
    "emptyValue": "",
    "ignoreLeadingWhiteSpace": "false",
    "ignoreTrailingWhiteSpace": "false",
}


def write_lines(frame: DataFrame, path: str) -> None:
    """Writes a column of JSON objects as JSONL, a file for each partition."""
    frame.write.options(**_LINES).csv(path)


def write_records(
    spark: SparkSession, run: Run, target: str, output: str, output_format: str
) -> list[Mapping[str, Any]]:
    """Writes a folder for each kind of record that there is. Returns its files as a manifest lists them."""
    outputs: list[Mapping[str, Any]] = []
    by_kind: dict[str, dict[int, Mapping[str, Any]]] = {}
    for report in run.reports:
        for each in [] if report.report is None else report.report["outputs"]:
            if each["records"] > 0:
                by_kind.setdefault(each["kind"], {})[report.slot] = each
    store = Store(spark, output)
    for kind, parts in by_kind.items():
        records = run.built.where(run.built["kind"] == kind).select("text")
        path = f"{output.rstrip('/')}/{kind}"
        if output_format == "jsonl":
            write_lines(records, path)
            outputs += _check_lines(store, kind, parts)
        else:
            to_columns(records, target, kind).write.parquet(path)
            hashes = hash_files(spark, path)
            outputs += [
                {
                    "kind": kind,
                    "file": f"{kind}/{file.name}",
                    "records": parts[file.part]["records"],
                    "bytes": file.bytes,
                    "sha256": hashes[file.name],
                }
                for file in store.list_parts(kind)
                if file.part in parts
            ]
    return outputs


def _check_lines(store: Store, kind: str, parts: Mapping[int, Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The program has hashed what it wrote. Spark must have written exactly that."""
    files = [file for file in store.list_parts(kind) if file.bytes > 0]
    if [file.part for file in files] != sorted(parts):
        raise RolloutWireError(f"{kind}: Spark wrote other files than the program: report this bug")
    for file in files:
        written = parts[file.part]
        if file.bytes != written["bytes"]:
            raise RolloutWireError(
                f"{kind}/{file.name}: has {file.bytes} bytes, but the program wrote {written['bytes']}: report this bug"
            )
        yield {**written, "file": f"{kind}/{file.name}"}


def write_rejects(spark: SparkSession, run: Run, path: str) -> None:
    """Writes the skipped lines, each with the place where Spark read it."""
    rejects = run.built.where(run.built["kind"] == REJECT).select("text")
    before = count_before(run.source, None) if rejects.head(1) else {}
    names = run.source.names()
    write_lines(rejects.mapInArrow(_name_all(names, before), "text string"), path)


def _name_all(
    names: Sequence[str], before: Mapping[tuple[int, int], int]
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A stage that turns places into files and lines."""

    def stage(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            texts: list[str] = []
            for text in batch.column(0).to_pylist():
                reject = name_places(json.loads(text), names, before)
                texts.append(json.dumps(reject, ensure_ascii=False, separators=(",", ":")))
            yield pa.RecordBatch.from_arrays([pa.array(texts, pa.string())], names=["text"])

    return stage
