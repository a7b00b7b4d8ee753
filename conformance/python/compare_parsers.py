"""Reads damaged lines with both parsers: `compare_parsers.py SEED COUNT`.

Prints how many the package refused and how many msgspec read, as JSON. Fails at the first difference.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

for folder in ("generated/python", "integrations/python"):
    sys.path.insert(0, str(Path(__file__).parents[2] / folder))

from both_parsers import parse_twice  # noqa: E402
from damaged_lines import damaged_lines  # noqa: E402
from rollout_wire import WireError  # noqa: E402
from rollout_wire_extras.fast_json import parse_fast  # noqa: E402


def main(seed: int, count: int) -> None:
    assert parse_fast is not None, "msgspec is not installed"
    counts = {"refused": 0, "fast": 0}
    for line in damaged_lines(seed, count):
        try:
            parse_twice(line)
        except WireError:
            counts["refused"] += 1
        try:
            parse_fast(line)
            counts["fast"] += 1
        except Exception:
            pass
    print(json.dumps(counts))


main(int(sys.argv[1]), int(sys.argv[2]))
