"""Validates records with the generated Python package, and checks that valid ones round-trip.

Every record is read with the extra `fast` and without. The adapter fails if they differ.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from adapter_protocol import Faults, serve

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT / folder / "python") for folder in ("generated", "integrations", "conformance")]

from both_parsers import parse_twice  # noqa: E402
from rollout_wire import DEFINITIONS, WireError  # noqa: E402
from rollout_wire_extras.fast_json import parse_fast  # noqa: E402


def judge(name: str, record: Any) -> Faults:
    try:
        written = DEFINITIONS[name].from_dict(record).to_dict()
    except WireError as error:
        return [{"pointer": fault.pointer, "keyword": fault.keyword} for fault in error.faults]
    if written == record and list(written) == list(record):
        return []
    return [{"pointer": "", "keyword": "round-trip"}]


if parse_fast is None:
    sys.exit("msgspec is not installed")
serve(judge, parse_twice)
