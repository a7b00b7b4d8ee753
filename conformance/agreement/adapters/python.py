"""Validates records with the generated Python package, and checks that valid ones round-trip."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from adapter_protocol import Faults, serve

sys.path.insert(0, str(Path(__file__).parents[3] / "generated/python"))

from rollout_wire import DEFINITIONS, WireError  # noqa: E402
from rollout_wire._json import parse_json  # noqa: E402  (the package's own reader of JSON)


def judge(name: str, record: Any) -> Faults:
    try:
        written = DEFINITIONS[name].from_dict(record).to_dict()
    except WireError as error:
        return [{"pointer": fault.pointer, "keyword": fault.keyword} for fault in error.faults]
    if written == record and list(written) == list(record):
        return []
    return [{"pointer": "", "keyword": "round-trip"}]


serve(judge, parse_json)
