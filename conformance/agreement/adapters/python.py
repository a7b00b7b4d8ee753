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
    written = value.to_dict() if hasattr(value, "to_dict") else definition.to_dict(value)
    # Models may write undeclared members after the others.
    is_same = written == record and (package != dataclasses or order(written) == order(record))
    return [] if is_same else [{"pointer": "", "keyword": "round-trip"}]


def contradiction(pointer: str) -> Faults:
    """`from_dict` and `find_faults` have different verdicts."""
    return [{"pointer": pointer, "keyword": "contradiction"}]


def order(value: Json) -> list[str] | None:
    return list(value) if isinstance(value, dict) else None


def to_faults(faults: Any) -> Faults:
    return [{"pointer": fault.pointer, "keyword": fault.keyword} for fault in faults]


serve(judge, import_module(f"{dataclasses.name}._json_io").parse_json)
