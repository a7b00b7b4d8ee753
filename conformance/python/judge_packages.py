"""Compares generated packages with `jsonschema_rs`: dataclasses, pydantic models, and both read and written again.

Each line of the input has the import name of a package below the folder on the command line, its schema (`$ref` to one of its
`$defs`, which is the `name` of a definition), and values. The answer is a list of what is wrong, and how many values are valid.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import Any, Iterator

from jsonschema_rs import Draft202012Validator

sys.path.insert(0, sys.argv[1])


def judge(definition: Any, error: type[Exception], value: Any) -> tuple[bool, Any]:
    """Whether a definition accepts a value, and what it writes."""
    try:
        read = definition.from_dict(value)
    except error:
        return False, None
    written = read.to_dict() if hasattr(read, "to_dict") else definition.to_dict(read)
    return True, written


def differences(name: str, dataclasses: Any, models: Any, validator: Any, value: Any) -> Iterator[str]:
    is_valid = validator.is_valid(value)
    faults = dataclasses.find_faults(name, value)
    if (faults == []) is not is_valid:
        yield f"find_faults: {faults}"
    if len(set(faults)) != len(faults):
        yield f"a fault twice: {faults}"
    for package in (dataclasses, models):
        accepts, written = judge(package.DEFINITIONS[name], dataclasses.WireError, value)
        if accepts is not is_valid:
            yield f"{package.__name__}: {accepts}"
        elif accepts and written != value:
            yield f"{package.__name__} writes {written}"
        elif accepts and package is dataclasses and json.dumps(written) != json.dumps(value):
            yield f"{package.__name__} writes {json.dumps(written)}"


for line in sys.stdin:
    request = json.loads(line)
    own = import_module(request["package"])
    pydantic = import_module(f"{request['package']}_pydantic")
    referee = Draft202012Validator(request["schema"], validate_formats=True)
    wrong = [
        {"value": each, "said": said}
        for each in request["values"]
        for said in differences(request["name"], own, pydantic, referee, each)
    ]
    valid = sum(referee.is_valid(each) for each in request["values"])
    print(json.dumps({"wrong": wrong, "valid": valid}), flush=True)
