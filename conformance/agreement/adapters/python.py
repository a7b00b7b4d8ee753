"""Validates records with a generated Python package, and checks that valid ones come back as they were.

The command line has the folder of the package, and that of the package with the dataclasses, which may be the same.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from adapter_protocol import Faults, Json, serve

package, dataclasses = (Path(folder) for folder in sys.argv[1:])
sys.path[:0] = [str(package.parent), str(dataclasses.parent)]
DEFINITIONS: Any = import_module(package.name).DEFINITIONS
BASE: Any = import_module(dataclasses.name)


def judge(name: str, record: Any) -> Faults:
    faults = to_faults(BASE.find_faults(name, record))
    definition = DEFINITIONS.get(name)
    if definition is None:
        # A type that is neither a class nor that of a whole record has no reader.
        return faults
    try:
        value = definition.from_dict(record)
    except BASE.WireError as error:
        return to_faults(error.faults) if faults else contradiction("")
    if faults:
        return contradiction(faults[0]["pointer"])
    is_kept = is_same(to_json_value(definition, value), record) and is_same(reread(definition, value), record)
    return [] if is_kept else [{"pointer": "", "keyword": "round-trip"}]


def to_json_value(definition: Any, value: Any) -> Any:
    return value.to_dict() if hasattr(value, "to_dict") else definition.to_dict(value)


def reread(definition: Any, value: Any) -> Any:
    """The record as it is after it was written and read as text."""
    try:
        text = value.to_json() if hasattr(value, "to_json") else definition.to_json(value)
    except BASE.WireError:
        # JSON has no infinity, which an opaque value may be.
        return to_json_value(definition, value)
    return to_json_value(definition, definition.from_json(text))


def is_same(written: Json, record: Json) -> bool:
    """Whether two JSON values are equal, and have their keys in the same order. Without recursion."""
    pending: list[tuple[Json, Json]] = [(written, record)]
    while pending:
        one, other = pending.pop()
        if isinstance(one, dict) and isinstance(other, dict):
            # Models may write undeclared members after the others.
            if order(one) != order(other):
                return False
            pending += [(one[key], other[key]) for key in other]
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return False
            pending += zip(one, other)
        # In Python, True is 1.
        elif isinstance(one, bool) != isinstance(other, bool) or one != other:
            return False
    return True


def order(value: dict[str, Json]) -> list[str]:
    return list(value) if package == dataclasses else sorted(value)


def contradiction(pointer: str) -> Faults:
    """`from_dict` and `find_faults` have different verdicts."""
    return [{"pointer": pointer, "keyword": "contradiction"}]


def to_faults(faults: Any) -> Faults:
    return [{"pointer": fault.pointer, "keyword": fault.keyword} for fault in faults]


serve(judge, import_module(f"{dataclasses.name}._json_io").parse_json)
