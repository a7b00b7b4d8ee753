"""Judges records with the generated Python package; see ../protocol.ts."""

import json
import sys

from rollout_wire import DEFINITIONS, WireError
from rollout_wire._json import parse_json  # the package's own reader, for numbers and depth

count = 0
for line in sys.stdin.buffer:
    request = parse_json(line)
    record = request["record"]
    errors: list[dict[str, str]] = []
    try:
        written = DEFINITIONS[request["type"]].from_dict(record).to_dict()
        if written != record or list(written) != list(record):
            errors.append({"pointer": "", "keyword": "round-trip"})
    except WireError as error:
        errors = [{"pointer": fault.pointer, "keyword": fault.keyword} for fault in error.faults]
    print(json.dumps({"id": request["id"], "valid": not errors, "errors": errors}))
    count += 1
print(json.dumps({"summary": {"count": count}}))
