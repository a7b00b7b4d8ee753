"""Prints the faults of each request on standard input, as JSON: pointer, keyword and message."""

from __future__ import annotations

import json
import sys
from pathlib import Path

for folder in ("generated/python", "integrations/python"):
    sys.path.insert(0, str(Path(__file__).parents[2] / folder))

from rollout_wire import DEFINITIONS, WireError  # noqa: E402
from rollout_wire._json_io import parse_json  # noqa: E402

for line in sys.stdin.buffer:
    request = json.loads(line)
    try:
        record = parse_json(request["text"])
        print(json.dumps(DEFINITIONS[request["type"]].find_faults(record)))
    except WireError as error:
        print(json.dumps(error.faults))
