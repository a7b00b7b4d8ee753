"""The process protocol of docs/schemas.md, for adapters in Python."""

from __future__ import annotations

import json
import sys
from typing import Any, Callable

Faults = list[dict[str, str]]


def serve(judge: Callable[[str, Any], Faults], parse: Callable[[bytes], Any] = json.loads) -> None:
    """Answers every request on standard input with the faults that `judge(type, record)` returns."""
    count = 0
    for line in sys.stdin.buffer:
        request = parse(line)
        faults = judge(request["type"], request["record"])
        print(json.dumps({"id": request["id"], "valid": not faults, "errors": faults}))
        count += 1
    print(json.dumps({"summary": {"count": count}}))
