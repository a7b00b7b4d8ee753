"""Validates records against schemas as their owner wrote them, with the package `jsonschema-rs`.

The command line names a JSON file: the path of each schema file by its URI, the URI of each type with a JSON Pointer, and
whether `format` is asserted.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

from adapter_protocol import Faults, Json, serve
from jsonschema_rs import Registry, validator_for

# JSON allows integers of any length and values of any depth.
sys.set_int_max_str_digits(0)
sys.setrecursionlimit(1_000_000)

PLAN: Any = json.loads(Path(sys.argv[1]).read_text("utf-8"))
DOCUMENTS = {uri: json.loads(Path(file).read_text("utf-8")) for uri, file in PLAN["files"].items()}


def refuse(uri: str) -> Any:
    """Without this, the package would fetch unknown schemas."""
    raise LookupError(f"no schema is called {uri}")


REGISTRY = Registry(list(DOCUMENTS.items()), retriever=refuse)


@cache
def validator_of(name: str) -> Any:
    schema = {"$ref": PLAN["types"][name]}
    return validator_for(schema, registry=REGISTRY, validate_formats=PLAN["formats"])


def judge(name: str, record: Any) -> Faults | None:
    validator = validator_of(name)
    try:
        errors = list(validator.iter_errors(record))
    except (UnicodeEncodeError, ValueError):
        # The package does not accept every value that Python reads from JSON.
        return [to_fault([], "json")]
    if errors and has_empty_key(record):
        # The package leaves empty keys out of the places of faults.
        return None
    return [to_fault(error.instance_path, str(error.schema_path[-1])) for error in errors]


def has_empty_key(value: Json) -> bool:
    if isinstance(value, dict):
        return "" in value or any(map(has_empty_key, value.values()))
    return isinstance(value, list) and any(map(has_empty_key, value))


# The name of a keyword in later drafts, which ours say.
RENAMED = {"dependencies": "dependentRequired"}


def to_fault(path: list[str | int], keyword: str) -> dict[str, str]:
    tokens = (str(token).replace("~", "~0").replace("/", "~1") for token in path)
    return {"pointer": "".join(f"/{token}" for token in tokens), "keyword": RENAMED.get(keyword, keyword)}


serve(judge)
