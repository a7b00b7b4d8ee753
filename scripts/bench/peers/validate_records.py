"""Validates the structure of rollouts as fast as Python libraries allow: orjson and jsonschema-rs, in one process.

    python validate_records.py SCHEMA-FOLDER INPUT

Prints the number of valid records. Fails if a record is invalid, or if a broken one would pass. Checks no rule about
the meaning of a record, and none about a whole rollout.
"""

from __future__ import annotations

import sys
from pathlib import Path

import orjson
from validator import read_schemas, use_jsonschema_rs


def main(schema_folder: Path, path: Path) -> None:
    is_valid = use_jsonschema_rs(read_schemas(schema_folder))
    records = 0
    with path.open("rb") as file:
        for line in file:
            record = orjson.loads(line)
            if records == 0 and is_valid({**record, "rank": "1"}):
                raise SystemExit("an invalid record passes")
            if not is_valid(record):
                raise SystemExit(f"line {records + 1} is rejected")
            records += 1
    print(records)


main(Path(sys.argv[1]), Path(sys.argv[2]))
