"""Equality of JSON values: 1 equals 1.0, true is not 1, and the order of keys does not matter."""

from __future__ import annotations

import json
from typing import Any, Hashable

from ._values import is_array, is_object


def json_key(value: Any) -> Hashable:
    """What a JSON value is compared by: equal values have equal keys, others have not."""
    if is_array(value) or is_object(value):
        return ("json", _to_text(value))
    # In Python, True is 1.
    return ("boolean", value) if isinstance(value, bool) else value


def _to_text(value: Any) -> str:
    """Without recursion, because a value may be nested deeper than Python's recursion limit."""
    parts: list[str] = []
    pending: list[tuple[str, Any]] = [("value", value)]
    while pending:
        kind, item = pending.pop()
        if kind == "text":
            parts.append(item)
        elif is_object(item):
            pending.append(("text", "}"))
            for key in sorted(item):
                pending += (("text", ","), ("value", item[key]), ("text", f"{json.dumps(key)}:"))
            parts.append("{")
        elif is_array(item):
            pending.append(("text", "]"))
            for member in reversed(item):
                pending += (("text", ","), ("value", member))
            parts.append("[")
        else:
            parts.append(_scalar_text(item))
    return "".join(parts)


def _scalar_text(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        # Python refuses to print integers of many digits, but not in base 16.
        return f"{value:x}"
    return json.dumps(value, default=repr)
