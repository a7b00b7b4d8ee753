"""Validates records against the schemas with the package `jsonschema`."""

from __future__ import annotations

import marshal
from functools import cache
from typing import Any, cast

from adapter_protocol import Faults, serve
from jsonschema import Draft202012Validator, FormatChecker  # type: ignore[import-untyped]
from jsonschema.validators import extend  # type: ignore[import-untyped]
from referee import SCHEMAS, to_fault

DEFINITIONS: dict[str, Any] = {}
for document in SCHEMAS.values():
    DEFINITIONS.update(document["$defs"])


def follow(validator: Any, ref: str, record: Any, _schema: Any) -> Any:
    """Resolves `$ref` by the name of the definition, which is unique across all schemas.

    The package would resolve it again for every value, which takes a third of its time. The other referee
    resolves references in full.
    """
    return validator.descend(record, DEFINITIONS[ref.rpartition("/")[2]])


Validator = cast(Any, extend)(Draft202012Validator, {"$ref": follow})

EVOLVED: dict[int, Any] = {}
"""The validator of each node of a schema. All nodes are in `DEFINITIONS`, so none has the identity of another."""


def evolve(_validator: Any, *, schema: Any, **_changes: Any) -> Any:
    """The package would create a validator of the node again for every value, which takes half of its time."""
    known = EVOLVED.get(id(schema))
    if known is None:
        known = EVOLVED[id(schema)] = Validator(schema, format_checker=FormatChecker())
    return known


Validator.evolve = evolve

SOUND: set[tuple[int, bytes]] = set()
"""Nodes of a schema by identity, each with the bytes of a value that is valid under it."""

RESOLVER = object()
"""Given to the package, which would create a resolver for every value. `follow` needs none."""

_descend = Validator.descend


def descend(
    validator: Any, instance: Any, schema: Any, path: Any = None, schema_path: Any = None
) -> Any:
    """Most records differ in one place only, so most values were judged before.

    A value that was found valid is not judged again. Values are compared as bytes, because 1, 1.0 and true are
    equal in Python.
    """
    key = (id(schema), marshal.dumps(instance, 2))
    if key in SOUND:
        return
    sound = True
    for error in _descend(validator, instance, schema, path, schema_path, RESOLVER):
        sound = False
        yield error
    if sound:
        SOUND.add(key)


Validator.descend = descend


@cache
def validator_of(name: str) -> Any:
    return Validator(DEFINITIONS[name], format_checker=FormatChecker())


def judge(name: str, record: Any) -> Faults:
    errors = validator_of(name).iter_errors(record)
    return [to_fault(error.absolute_path, error.validator) for error in errors]


serve(judge)
