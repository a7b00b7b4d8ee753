"""The process protocol of docs/schemas.md, for adapters in Python."""

from __future__ import annotations

import json
import sys
from typing import Any, Callable, TypeAlias

Faults = list[dict[str, str]]
Json: TypeAlias = "dict[str, Json] | list[Json] | str | float | None"


def serve(judge: Callable[[str, Any], Faults | None], parse: Callable[[bytes], Any] = json.loads) -> None:
    """Answers every request on standard input with the faults that `judge(type, record)` returns.

    It returns None for an invalid record whose faults cannot be told.
    """
    count = 0
    for line in sys.stdin.buffer:
        request = parse(line)
        try:
            faults = judge(request["type"], request["record"])
        except Exception as error:
            # Code that fails on a record is wrong about it.
            faults = [{"pointer": "", "keyword": type(error).__name__}]
        verdict = {"valid": False} if faults is None else {"valid": not faults, "errors": faults}
        print(json.dumps({"id": request["id"], **verdict}))
        count += 1
    print(json.dumps({"summary": {"count": count}}))
