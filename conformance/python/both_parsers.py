"""Reads JSON as the package does with its extra `fast`, and as it does without; both must agree."""

from __future__ import annotations

import marshal
from typing import Any, Callable

from rollout_wire import WireError
from rollout_wire._json_io import parse_json, parse_standard
from rollout_wire._values import is_array, is_object


def parse_twice(text: bytes) -> Any:
    """The value of a JSON text. Raises WireError if it is none, and ValueError if the parsers differ."""
    fast, standard = _read(parse_json, text), _read(parse_standard, text)
    if _exactly(fast) != _exactly(standard):
        raise ValueError(f"the parsers differ on {text!r}")
    if isinstance(standard, WireError):
        raise standard
    return fast


def _read(parse: Callable[[bytes], Any], text: bytes) -> Any:
    try:
        return parse(text)
    except WireError as error:
        return error


def _exactly(value: Any) -> bytes | list[str]:
    """Tells 1 from 1.0 and True, -0.0 from 0.0, and one order of keys from another, at any depth."""
    try:
        return marshal.dumps(value, 2)
    except ValueError:
        # Too deep, or an error instead of a value.
        return _print(value)


def _print(value: Any) -> list[str]:
    parts: list[str] = []
    pending = [value]
    while pending:
        item = pending.pop()
        if is_object(item):
            parts.append(f"object {list(item)!r}")
            pending += item.values()
        elif is_array(item):
            parts.append(f"array {len(item)}")
            pending += item
        else:
            parts.append(repr(item))
    return parts
