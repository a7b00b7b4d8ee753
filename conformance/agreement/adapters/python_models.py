"""Validates records with the pydantic models of the Python package, and checks that valid ones round-trip."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from adapter_protocol import Faults, serve

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT / folder / "python") for folder in ("generated", "integrations")]

from rollout_wire import WireError  # noqa: E402
from rollout_wire._json_io import parse_json  # noqa: E402
from rollout_wire_pydantic import DEFINITIONS  # noqa: E402


def judge(name: str, record: Any) -> Faults:
    try:
        written = DEFINITIONS[name].from_dict(record).to_dict()
    except WireError as error:
        return [{"pointer": fault.pointer, "keyword": fault.keyword} for fault in error.faults]
    return [] if written == record else [{"pointer": "", "keyword": "round-trip"}]


serve(judge, parse_json)
