"""
The program for `spark-submit`, with the flags of the command-line program:

    spark-submit --py-files rollout_wire_spark.zip submit.py export --input s3a://... --output s3a://... --target trl

Exit codes are those of `rollout-wire`: 0, 1 for errors in the input, 2 for wrong flags, 3 for what cannot be read.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from pyspark.sql import SparkSession

from rollout_wire_spark import InvalidInput, ProgramFailed, RolloutWireError, export, validate


def create_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="rollout-wire-spark", allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True)
    own = commands.add_parser("export", allow_abbrev=False, help="export rollouts as training data")
    own.add_argument("-i", "--input", nargs="+", required=True, help="files, folders or patterns that Spark reads")
    own.add_argument("-o", "--output", required=True, help="folder to write")
    own.add_argument("-t", "--target", default="trl", help="trainer or format layer to write for")
    own.add_argument("-e", "--eval-items", help="evaluation set: tasks must not overlap it")
    own.add_argument("--eval-field", help="field with an evaluation item's text")
    own.add_argument("--n", type=int, help="words per n-gram")
    own.add_argument("--allow-missing-g3", action="store_true", help="export without an evaluation set")
    own.add_argument("--skip-invalid", action="store_true", help="skip invalid lines and rollouts")
    own.add_argument("--rejects", help="folder for the skipped lines")
    own.add_argument("--output-format", choices=["jsonl", "parquet"], default="jsonl")
    own.add_argument("--exported-at-ms", type=int, help="time in the provenance of wire records (default: now)")
    own.add_argument("--overwrite", action="store_true", help="replace what is in the output")
    checked = commands.add_parser("validate", allow_abbrev=False, help="check records")
    checked.add_argument("input", nargs="+", help="files, folders or patterns that Spark reads")
    for command in (own, checked):
        command.add_argument("--input-format", choices=["jsonl", "parquet"], default="jsonl")
        command.add_argument(
            "--partitions", type=int, help="runs of the program (default: spark.sql.shuffle.partitions)"
        )
        command.add_argument("--max-errors", type=int, default=100, help="list at most n errors and n warnings")
        command.add_argument("--max-warnings", type=int, help="count every warning after the n-th as an error")
        command.add_argument("--files", nargs="+", default=[], help="files that further flags name by their last part")
        command.epilog = f"Further flags are those of rollout-wire {command.prog.split()[-1]}."
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    arguments, flags = create_parser().parse_known_args(argv)
    options: dict[str, Any] = vars(arguments)
    command: str = options.pop("command")
    spark = SparkSession.builder.appName(f"rollout-wire {command}").getOrCreate()  # pyright: ignore
    try:
        return _run(spark, command, options, flags)
    except InvalidInput as error:
        for finding in error.findings:
            print(finding)
        print(error, file=sys.stderr)
        return 1
    except ProgramFailed as error:
        print(error, file=sys.stderr)
        return error.exit_code
    except RolloutWireError as error:
        print(error, file=sys.stderr)
        return 3
    finally:
        spark.stop()


def _run(spark: SparkSession, command: str, options: dict[str, Any], flags: Sequence[str]) -> int:
    if command == "validate":
        result = validate(spark, **options, flags=flags)
        for finding in result.findings:
            print(finding)
        print(f"{result.found} in {result.checked:,} records", file=sys.stderr)
        return 0 if result.is_valid else 1
    written = export(spark, **options, flags=flags)
    for finding in written.findings:
        print(finding)
    for kind in dict.fromkeys(each["kind"] for each in written.manifest["outputs"]):
        parts = [each for each in written.manifest["outputs"] if each["kind"] == kind]
        print(f"{kind}: {sum(each['records'] for each in parts):,} records in {len(parts)} files", file=sys.stderr)
    print(str(written.found), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
