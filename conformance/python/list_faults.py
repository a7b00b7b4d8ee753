"""Prints the faults of each request on standard input, as JSON: pointer, keyword and message.

Every record is read with the extra `fast` and without, which must not differ.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

for folder in ("generated/python", "integrations/python"):
    sys.path.insert(0, str(Path(__file__).parents[2] / folder))

from both_parsers import parse_twice  # noqa: E402
from rollout_wire import DEFINITIONS, WireError  # noqa: E402
from rollout_wire_extras.fast_json import parse_fast  # noqa: E402

if parse_fast is None:
    sys.exit("msgspec is not installed")

for line in sys.stdin.buffer:
    request = json.loads(line)
    try:
        record = parse_twice(request["text"].encode())
        print(json.dumps(DEFINITIONS[request["type"]].find_faults(record)))
    except WireError as error:
        print(json.dumps(error.faults))
