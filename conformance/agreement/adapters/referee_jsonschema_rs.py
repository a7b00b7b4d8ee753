"""Validates records against the schemas with the package `jsonschema-rs`."""

from __future__ import annotations

from functools import cache
from typing import Any

from adapter_protocol import Faults, serve
from jsonschema_rs import Draft202012Validator, Registry
from referee import SCHEMAS, to_fault


def refuse(uri: str) -> Any:
    """Without this, the package would fetch unknown schemas."""
    raise LookupError(f"no schema of the checkout is called {uri}")


URIS = {name: f"{uri}#/$defs/{name}" for uri, schema in SCHEMAS.items() for name in schema["$defs"]}
REGISTRY = Registry(list(SCHEMAS.items()), retriever=refuse)


@cache
def validator_of(name: str) -> Any:
    return Draft202012Validator({"$ref": URIS[name]}, registry=REGISTRY, validate_formats=True)


def judge(name: str, record: Any) -> Faults:
    validator = validator_of(name)
    try:
        errors = list(validator.iter_errors(record))
    except (UnicodeEncodeError, ValueError):
        # The package does not accept every value that Python reads from JSON.
        return [to_fault([], "json")]
    return [to_fault(error.instance_path, str(error.schema_path[-1])) for error in errors]


serve(judge)
