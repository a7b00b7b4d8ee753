"""Records of the fixture suites, so that no test spells out what a type requires."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def read(path: str) -> Any:
    """A JSON file of the checkout."""
    return json.loads((ROOT / path).read_text(encoding="utf-8"))


TYPES: list[str] = [
    member["$ref"].rpartition("/")[2]
    for schema in read("schema/registry.json")["schemas"]
    if schema.get("tier") != "tool"
    for member in read(schema["file"])["anyOf"]
]
"""The record types of the wire schemas, which this package has."""


def base(record_type: str, **fields: Any) -> dict[str, Any]:
    """The smallest valid record of a type, with other fields."""
    suite = read(f"fixtures/suites/{record_type}.json")
    return {**suite["base"], **fields}
