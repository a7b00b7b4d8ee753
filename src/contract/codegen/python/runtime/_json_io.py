"""Reads and writes JSON text like ECMAScript's JSON.parse and JSON.stringify."""

from __future__ import annotations

import json
import re
from importlib import import_module
from json.decoder import JSONDecodeError
from typing import Any, Callable, NoReturn

from ._faults import WireError, WireFault
from ._json_text import explain_no_json, explain_no_utf8
from ._values import is_array, is_object

Parser = Callable[["str | bytes | bytearray"], Any]


def _find_parser() -> Parser | None:
    """The parser of the extra `fast`, which only the installed package has; None in a copy."""
    try:
        # Not an import statement: type checkers of repositories with a copy would not find it.
        module: Any = import_module("rollout_wire_extras.fast_json")
    except ImportError:
        return None
    parser: Parser | None = module.parse_fast
    return parser


parse_fast = _find_parser()

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def _fail(message: str) -> NoReturn:
    raise WireError([WireFault("", "json", message)])


def _reject_constant(name: str) -> NoReturn:
    raise JSONDecodeError(f"{name} is no JSON number", name, 0)


def _parse_long_integer(digits: str) -> int | float:
    """An integer of any length; one that Python does not convert is infinite, as in JavaScript."""
    try:
        return int(digits)
    except ValueError:
        return float(digits)


_decoder = json.JSONDecoder(parse_constant=_reject_constant)
_long_integer_decoder = json.JSONDecoder(
    parse_constant=_reject_constant, parse_int=_parse_long_integer
)


def parse_json(text: str | bytes | bytearray) -> Any:
    """Parses a JSON text. Raises WireError (keyword "json") if it is not JSON or not UTF-8."""
    if parse_fast is not None:
        try:
            return parse_fast(text)
        except Exception:
            pass  # The standard library may read the text, or says why it is not JSON.
    return parse_standard(text)


def parse_standard(text: str | bytes | bytearray) -> Any:
    """The same with the standard library only."""
    given: Any = text
    if not isinstance(given, (str, bytes, bytearray)):
        raise TypeError(f"a JSON text must be a str or bytes, is a {type(given).__name__}")
    if not isinstance(text, str):
        source = bytes(text)
        try:
            text = source.decode("utf-8")
        except UnicodeDecodeError as error:
            _fail(explain_no_utf8(source, error.start))
    try:
        return _parse(text)
    except JSONDecodeError as error:
        _fail(_explain(text, error.msg))


def _explain(text: str, reason: str) -> str:
    """Why a text is not JSON, in the words of the TypeScript program; else in Python's."""
    # A line that is cut off ends before its line break.
    text = text.removesuffix("\n").removesuffix("\r")
    return explain_no_json(text) or f"not JSON: {reason}"


def _parse(text: str) -> Any:
    try:
        return _decode(text)
    except JSONDecodeError:
        raise
    except RecursionError:
        # The standard decoder recurses once per level, so a valid text may be too deep for it.
        return _parse_deep(text, _parse)
    except ValueError:
        # CPython refuses to convert integers of more than 4300 digits.
        return _parse_long_integers(text)


def _decode(text: str) -> Any:
    """JSONDecoder.decode, faster for a text without white space around it but the end of the line."""
    try:
        value, end = _decoder.raw_decode(text)
    except JSONDecodeError:
        return _decoder.decode(text)
    return value if text[end:] in ("\n", "") else _decoder.decode(text)


def _parse_long_integers(text: str) -> Any:
    try:
        return _long_integer_decoder.decode(text)
    except RecursionError:
        return _parse_deep(text, _parse)


def dump_json(value: Any) -> str:
    """Compact JSON text; lone surrogates are escaped, so that it can be encoded as UTF-8.

    Raises WireError for what JSON cannot represent: NaN, infinity, a set.
    """
    try:
        text = _dump(value)
    except (TypeError, ValueError) as error:
        _fail(f"cannot be written as JSON: {error}")
    return _LONE_SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _dump(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except RecursionError:
        return _dump_deep(value)


_WHITESPACE = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(r'[^\s\[\]{},:"]+')
_decode_string = json.JSONDecoder().raw_decode


# Without recursion, for values nested deeper than the recursion limit.


def _parse_deep(text: str, parse_scalar: Callable[[str], Any]) -> Any:
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


def _dump_deep(value: Any) -> str:
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
