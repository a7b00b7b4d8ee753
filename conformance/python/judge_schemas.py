"""Answers questions about schemas of several files with the package `jsonschema_rs`.

Each line of the input is a question about a schema: `documents` (pairs of a URI and a schema with `$schema`), `schema`
(URI and fragment, or null for the schema that rejects everything) and `dialect`. With `values`, the answer is a list of
booleans: which of them are valid. With `writer`, another schema, the answer is "yes" or "no" to whether the schema
admits every value that the writer's admits, or "unknown". It is a text that tells why if the package refuses a schema.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from jsonschema_rs import (
    Draft7Validator,
    Draft201909Validator,
    Draft202012Validator,
    Registry,
    canonicalize,
)

VALIDATORS: dict[str, Any] = {
    "draft-07": Draft7Validator,
    "2019-09": Draft201909Validator,
    "2020-12": Draft202012Validator,
}

URIS: dict[str, str] = {
    "draft-07": "http://json-schema.org/draft-07/schema#",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
}


def refuse(uri: str) -> Any:
    """Without this, the package would fetch unknown schemas."""
    raise LookupError(f"no document is called {uri}")


def registry_of(question: dict[str, Any]) -> Any:
    return Registry([(uri, schema) for uri, schema in question["documents"]], retriever=refuse)


def canonical_of(question: dict[str, Any]) -> Any:
    if question["schema"] is None:
        return canonicalize(False)
    schema = {"$schema": URIS[question["dialect"]], "$ref": question["schema"]}
    return canonicalize(schema, registry=registry_of(question), validate_formats=False)


def renamed(question: dict[str, Any]) -> Any:
    """The same question with other URIs: the package compares no two documents of one name."""
    text = json.dumps(question)
    for host in {uri.split("/")[2] for uri, _ in question["documents"]}:
        text = text.replace(f"//{host}/", f"//writer.{host}/")
    return json.loads(text)


def answer(question: dict[str, Any]) -> list[bool] | str:
    try:
        if "writer" in question:
            covers = canonical_of(question).covers(canonical_of(renamed(question["writer"])))
            return str(covers.value)
        values = question["values"]
        if question["schema"] is None:
            return [False for _ in values]
        create = VALIDATORS[question["dialect"]]
        schema = {"$ref": question["schema"]}
        validator = create(schema, registry=registry_of(question), validate_formats=False)
        return [validator.is_valid(value) for value in values]
    except Exception as error:  # noqa: BLE001
        return f"{type(error).__name__}: {error}"


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
