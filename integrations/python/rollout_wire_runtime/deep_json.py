"""Reads and writes JSON without recursion, for values nested deeper than the recursion limit."""

from __future__ import annotations

import json
import re
from json.decoder import JSONDecodeError
from typing import Any, Callable

from .values import is_array, is_object

_WHITESPACE = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(r'[^\s\[\]{},:"]+')
_decode_string = json.JSONDecoder().raw_decode


def parse_deep(text: str, parse_scalar: Callable[[str], Any]) -> Any:
    """Parses a JSON text of any depth; `parse_scalar` parses numbers and words.

    Raises JSONDecodeError, and whatever `parse_scalar` raises.
    """
    holder: list[Any] = []
    parents: list[Any] = []
    parent: Any = holder
    keys: list[str] = []
    index = _skip(text, 0)
    while True:
        # A value begins at `index`.
        char = text[index : index + 1]
        if char in ("{", "["):
            child: Any = {} if char == "{" else []
            _attach(parent, keys, child)
            parents.append(parent)
            parent = child
            index = _skip(text, index + 1)
            if text[index : index + 1] == ("}" if char == "{" else "]"):
                parent = parents.pop()
                index = _skip(text, index + 1)
            else:
                if char == "{":
                    index = _read_key(text, index, keys)
                continue
        elif char == '"':
            value, index = _decode_string(text, index)
            _attach(parent, keys, value)
            index = _skip(text, index)
        else:
            match = _SCALAR.match(text, index)
            if match is None:
                raise JSONDecodeError("Expecting value", text, index)
            _attach(parent, keys, parse_scalar(match[0]))
            index = _skip(text, match.end())
        # A value ended: close containers, up to the next value.
        while parent is not holder:
            char = text[index : index + 1]
            is_object = isinstance(parent, dict)
            if char == ("}" if is_object else "]"):
                parent = parents.pop()
                index = _skip(text, index + 1)
            elif char == ",":
                index = _skip(text, index + 1)
                if is_object:
                    index = _read_key(text, index, keys)
                break
            else:
                raise JSONDecodeError("Expecting ',' delimiter", text, index)
        else:
            if index != len(text):
                raise JSONDecodeError("Extra data", text, index)
            return holder[0]


def _skip(text: str, index: int) -> int:
    match = _WHITESPACE.match(text, index)
    return index if match is None else match.end()


def _read_key(text: str, index: int, keys: list[str]) -> int:
    if text[index : index + 1] != '"':
        raise JSONDecodeError("Expecting property name enclosed in double quotes", text, index)
    key, index = _decode_string(text, index)
    keys.append(key)
    index = _skip(text, index)
    if text[index : index + 1] != ":":
        raise JSONDecodeError("Expecting ':' delimiter", text, index)
    return _skip(text, index + 1)


def _attach(parent: Any, keys: list[str], value: Any) -> None:
    if isinstance(parent, dict):
        parent[keys.pop()] = value
    else:
        parent.append(value)


def dump_deep(value: Any) -> str:
    """Compact JSON text of a value of any depth. Raises ValueError for NaN and infinity."""
    parts: list[str] = []
    pending: list[str | _Value] = [_Value(value)]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            parts.append(item)
        elif is_object(item.value):
            members = [
                (f"{_dump_scalar(key)}:", _Value(child)) for key, child in item.value.items()
            ]
            _push(pending, "{", members, "}")
        elif is_array(item.value):
            _push(pending, "[", [("", _Value(child)) for child in item.value], "]")
        else:
            parts.append(_dump_scalar(item.value))
    return "".join(parts)


def _push(
    pending: list[str | _Value], opening: str, members: list[tuple[str, _Value]], closing: str
) -> None:
    """Pushes the parts of a container onto the stack, the last one first."""
    pending.append(closing)
    for index in range(len(members) - 1, -1, -1):
        prefix, child = members[index]
        pending += (child, f",{prefix}" if index > 0 else prefix)
    pending.append(opening)


def _dump_scalar(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


class _Value:
    """A value that is still to be printed, as opposed to printed text."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value
