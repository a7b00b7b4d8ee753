"""Records of the fixture suites, so that no test spells out what a type requires."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SUITES = Path(__file__).parents[2] / "fixtures/suites"


def base(record_type: str, **fields: Any) -> dict[str, Any]:
    """The smallest valid record of a type, with other fields."""
    suite = json.loads((SUITES / f"{record_type}.json").read_text(encoding="utf-8"))
    return {**suite["base"], **fields}
