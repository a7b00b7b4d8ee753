"""Reads and writes JSON text like ECMAScript's JSON.parse and JSON.stringify."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from .deep_json import dump_deep, parse_deep
from .errors import WireError, WireFault
from .fast_json import parse_fast
from .json_text import explain_no_json, explain_no_utf8

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def _fail(message: str) -> NoReturn:
    raise WireError([WireFault("", "json", message)])


def _reject_constant(name: str) -> NoReturn:
    raise json.JSONDecodeError(f"{name} is no JSON number", name, 0)


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
    except json.JSONDecodeError as error:
        _fail(_explain(text, error.msg))


def _explain(text: str, reason: str) -> str:
    """Why a text is not JSON, in the words of the TypeScript program; else in Python's."""
    # A line that is cut off ends before its line break.
    text = text.removesuffix("\n").removesuffix("\r")
    return explain_no_json(text) or f"not JSON: {reason}"


def _parse(text: str) -> Any:
    try:
        return _decode(text)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        # The standard decoder recurses once per level, so a valid text may be too deep for it.
        return parse_deep(text, _parse)
    except ValueError:
        # CPython refuses to convert integers of more than 4300 digits.
        return _parse_long_integers(text)


def _decode(text: str) -> Any:
    """JSONDecoder.decode, faster for a text without white space around it but the end of the line."""
    try:
        value, end = _decoder.raw_decode(text)
    except json.JSONDecodeError:
        return _decoder.decode(text)
    return value if text[end:] in ("\n", "") else _decoder.decode(text)


def _parse_long_integers(text: str) -> Any:
    try:
        return _long_integer_decoder.decode(text)
    except RecursionError:
        return parse_deep(text, _parse)


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
        return dump_deep(value)
