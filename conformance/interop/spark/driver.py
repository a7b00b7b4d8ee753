"""
Runs calls of the package for Spark in one session. Standard input: the settings of the session as a JSON line, then a
line for each call, `{"call": "export", "arguments": {...}}`. Standard output: a line for each answer.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from typing import Any

import rollout_wire_spark
from pyspark.sql import SparkSession
from rollout_wire_spark.gate import TASKS, count_tasks


def main() -> None:
    # Spark prints on standard output too.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    settings: dict[str, Any] = json.loads(sys.stdin.readline())
    builder: Any = SparkSession.builder.appName("rollout-wire-spark tests")  # pyright: ignore
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark: SparkSession = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    for line in sys.stdin:
        print(json.dumps(answer(spark, json.loads(line))), file=answers, flush=True)
    spark.stop()


def answer(spark: SparkSession, request: dict[str, Any]) -> dict[str, Any]:
    arguments = request["arguments"]
    try:
        match request["call"]:
            case "export":
                return {"result": asdict(rollout_wire_spark.export(spark, **arguments))}
            case "validate":
                return {"result": asdict(rollout_wire_spark.validate(spark, **arguments))}
            case "count_tasks":
                found = spark.createDataFrame(arguments["rows"], TASKS).repartition(3)
                counts = count_tasks(found, arguments["limit"])
                return {"result": counts and asdict(counts)}
            case "write_parquet":
                write_parquet(spark, **arguments)
                return {"result": None}
            case "read_parquet":
                frame = spark.read.parquet(arguments["path"])
                rows = [row.asDict(True) for row in frame.collect()]
                return {"result": {"schema": json.loads(frame.schema.json()), "rows": rows}}
            case call:
                raise ValueError(f"there is no call {call}")
    except Exception as error:  # noqa: BLE001  It is the answer.
        findings = [asdict(each) for each in getattr(error, "findings", [])]
        kinds = [kind.__name__ for kind in type(error).__mro__]
        return {"error": {"kinds": kinds, "message": str(error), "findings": findings}}


def write_parquet(spark: SparkSession, path: str, input: str, column: str | None) -> None:
    """Writes lines as Parquet: in one column, or as inferred columns."""
    if column is None:
        spark.read.json(input).coalesce(1).write.parquet(path)
    else:
        spark.read.text(input, lineSep="\n").toDF(column).coalesce(1).write.parquet(path)


if __name__ == "__main__":
    main()
