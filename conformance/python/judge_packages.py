"""Compares generated packages with `jsonschema_rs` and with another implementation's faults.

The command line has the folder of the packages and the import name of the dataclasses. Each line of the input has the `name` of
a definition, its schema, values, and of each value the `faults` that another implementation found. The answer is a list of
what is wrong, and how many values are valid.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import Any, Iterator

from jsonschema_rs import Draft202012Validator

folder, package = sys.argv[1:]
sys.path.insert(0, folder)
DATACLASSES = import_module(package)
MODELS = import_module(f"{package}_pydantic")


def judge(definition: Any, value: Any) -> tuple[bool, Any]:
    """Whether a definition accepts a value, and what it writes."""
    try:
        read = definition.from_dict(value)
    except DATACLASSES.WireError:
        return False, None
    return True, read.to_dict() if hasattr(read, "to_dict") else definition.to_dict(read)


def differences(name: str, is_valid: bool, value: Any, faults: Any) -> Iterator[str]:
    found = [list(fault) for fault in DATACLASSES.find_faults(name, value)]
    if (found == []) is not is_valid:
        yield f"is {'valid' if is_valid else 'invalid'}, but find_faults says {found}"
    elif found != faults:
        yield f"find_faults says {found}, not {faults}"
    for module in (DATACLASSES, MODELS):
        accepts, written = judge(module.DEFINITIONS[name], value)
        if accepts is not is_valid:
            yield f"{module.__name__}: {'valid' if accepts else 'invalid'}"
        elif accepts and written != value:
            yield f"{module.__name__} writes {written}"
        elif accepts and module is DATACLASSES and json.dumps(written) != json.dumps(value):
            yield f"{module.__name__} writes {json.dumps(written)}"


for line in sys.stdin:
    request = json.loads(line)
    referee = Draft202012Validator(request["schema"])
    verdicts = [referee.is_valid(value) for value in request["values"]]
    wrong = [
        f"{json.dumps(value)}: {said}"
        for is_valid, value, faults in zip(verdicts, request["values"], request["faults"])
        for said in differences(request["name"], is_valid, value, faults)
    ]
    print(json.dumps({"wrong": wrong, "valid": sum(verdicts)}))
