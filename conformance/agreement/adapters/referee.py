"""Shared by the referees: the schemas of the checkout, read from its files only."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Iterable

# JSON allows integers of any length and values of any depth.
sys.set_int_max_str_digits(0)
sys.setrecursionlimit(1_000_000)

_FOLDER = Path(__file__).parents[3] / "schema"
_DOCUMENTS = [json.loads(file.read_text("utf-8")) for file in sorted(_FOLDER.glob("*.schema.json"))]

SCHEMAS: dict[str, Any] = {document["$id"]: document for document in _DOCUMENTS}
"""Every schema by its `$id`."""


def to_fault(path: Iterable[str | int], keyword: str) -> dict[str, str]:
    """A fault in the form of the protocol; `path` has the keys and indices of the value."""
    tokens = (str(token).replace("~", "~0").replace("/", "~1") for token in path)
    return {"pointer": "".join(f"/{token}" for token in tokens), "keyword": keyword}
