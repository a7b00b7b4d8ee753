"""Judges records with the schemas themselves and the package `jsonschema`."""

from __future__ import annotations

from functools import cache
from typing import Any

from adapter_protocol import Faults, serve
from jsonschema import Draft202012Validator, FormatChecker  # type: ignore[import-untyped]
from referee import REFERENCES, SCHEMAS, to_fault
from referencing import Registry, Resource

EMPTY: Registry[Any] = Registry()
# It has no way to fetch what it does not hold.
REGISTRY = EMPTY.with_resources(
    (uri, Resource.from_contents(schema)) for uri, schema in SCHEMAS.items()
)


@cache
def validator_of(name: str) -> Any:
    checker = FormatChecker()
    return Draft202012Validator(REFERENCES[name], registry=REGISTRY, format_checker=checker)


def judge(name: str, record: Any) -> Faults:
    errors = validator_of(name).iter_errors(record)
    return [to_fault(error.absolute_path, error.validator) for error in errors]


serve(judge)
