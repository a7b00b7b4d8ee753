"""Runs a Python validator of JSON Schema on records in memory:

    python validator.py PACKAGE SCHEMA-FOLDER RECORDS

Prints {"records", "seconds"}: the fastest pass over the records within half a second. Fails if
a valid record is rejected, or an invalid one is not.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PERIOD = 0.5
TYPE = "RolloutBranchRecord"

Schemas = dict[str, Any]
IsValid = Callable[[object], bool]


def to_entry(schemas: Schemas) -> dict[str, str]:
    uri = next(uri for uri, schema in schemas.items() if TYPE in schema["$defs"])
    return {"$ref": f"{uri}#/$defs/{TYPE}"}


def use_jsonschema(schemas: Schemas) -> IsValid:
    import jsonschema  # type: ignore[import-untyped]
    import referencing

    resources = [(uri, referencing.Resource.from_contents(each)) for uri, each in schemas.items()]
    registry: Any = referencing.Registry().with_resources(resources)
    validator = jsonschema.Draft202012Validator(to_entry(schemas), registry=registry)
    return lambda record: bool(validator.is_valid(record))


def use_fastjsonschema(schemas: Schemas) -> IsValid:
    """Supports draft 7 at most; the schemas use nothing that differs in draft 2020-12. Resolves no reference in a URN."""
    import fastjsonschema

    text = json.dumps(list(schemas.values())).replace('"urn:', '"https://urn/')
    addressed = {schema["$id"]: schema for schema in json.loads(text)}
    handlers = {"https": lambda uri: addressed[uri]}
    validate = fastjsonschema.compile(to_entry(addressed), handlers=handlers)

    def is_valid(record: object) -> bool:
        try:
            validate(record)
        except fastjsonschema.JsonSchemaValueException:
            return False
        return True

    return is_valid


def use_jsonschema_rs(schemas: Schemas) -> IsValid:
    import jsonschema_rs

    registry = jsonschema_rs.Registry(list(schemas.items()))
    return jsonschema_rs.Draft202012Validator(to_entry(schemas), registry=registry).is_valid


PACKAGES = {
    "jsonschema": use_jsonschema,
    "fastjsonschema": use_fastjsonschema,
    "jsonschema-rs": use_jsonschema_rs,
}


def read_schemas(folder: Path) -> Schemas:
    schemas = [
        json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.schema.json"))
    ]
    return {schema["$id"]: schema for schema in schemas}


def main(package: str, schema_folder: Path, records_file: Path) -> None:
    is_valid = PACKAGES[package](read_schemas(schema_folder))
    with records_file.open("rb") as file:
        records = [json.loads(line) for line in file]
    if is_valid({**records[0], "rank": "1"}):
        raise SystemExit("an invalid record passes")

    best = float("inf")
    end = time.perf_counter() + PERIOD
    while best == float("inf") or time.perf_counter() < end:
        start = time.perf_counter()
        for record in records:
            if not is_valid(record):
                raise SystemExit("a valid record is rejected")
        best = min(best, time.perf_counter() - start)
    print(json.dumps({"records": len(records), "seconds": best}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
