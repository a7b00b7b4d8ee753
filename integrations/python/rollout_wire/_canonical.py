"""The canonical text of a JSON value (RFC 8785), and the JSON texts that have one (RFC 7493)."""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from typing import Any, NoReturn

from ._errors import WireError, WireFault, escape_token
from ._values import is_array, is_object

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")

_MAX_DEPTH = 200
"""Limit on nesting that every implementation can handle."""


def parse_canonical(source: str | bytes) -> Any:
    """Parses a JSON text; all numbers become floats. A byte-order mark is ignored.

    Raises WireError for a text that has no canonical form; its keyword is "json", "depth",
    "duplicate-key", "well-formed-unicode" or "number".
    """
    text = source if isinstance(source, str) else _decode(source)
    repeated: list[str] = []

    def to_object(members: list[tuple[str, Any]]) -> dict[str, Any]:
        value: dict[str, Any] = {}
        for name, member in members:
            if name in value:
                repeated.append(name)
            value[name] = member
        return value

    decoder = json.JSONDecoder(
        object_pairs_hook=to_object,
        parse_constant=_refuse_constant,
        parse_float=float,
        parse_int=float,
    )
    try:
        value = decoder.decode(text[1:] if text.startswith("\ufeff") else text)
    except json.JSONDecodeError as error:
        _fail("", "json", f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}")
    except RecursionError:
        _fail_depth()
    _require_depth(value)
    if repeated:
        _fail("", "duplicate-key", f"a second value under the key {json.dumps(repeated[0])}")
    return value


def canonical_text(value: Any, pointer: str = "") -> str:
    """The canonical text of a value returned by `parse_canonical`.

    Raises WireError for lone surrogates and numbers that exceed a double.
    """
    if is_object(value):
        names = sorted(value, key=_utf16)
        return "{%s}" % ",".join([_member(name, value[name], pointer) for name in names])
    if is_array(value):
        items = [canonical_text(item, f"{pointer}/{index}") for index, item in enumerate(value)]
        return "[%s]" % ",".join(items)
    if isinstance(value, str):
        return _quote(value, pointer)
    if isinstance(value, float):
        return _number(value, pointer)
    return json.dumps(value)


def _member(name: str, value: Any, pointer: str) -> str:
    return f"{_quote(name, pointer)}:{canonical_text(value, f'{pointer}/{escape_token(name)}')}"


def _utf16(name: str) -> bytes:
    """Sort key for names: their UTF-16 code units."""
    return name.encode("utf-16-be", "surrogatepass")


def _quote(text: str, pointer: str) -> str:
    lone = _LONE_SURROGATE.search(text)
    if lone is not None:
        _fail(pointer, "well-formed-unicode", f"holds a lone surrogate: U+{ord(lone[0]):04X}")
    return json.dumps(text, ensure_ascii=False)


def _number(value: float, pointer: str) -> str:
    """A number as ECMAScript prints it (Number::toString)."""
    if not math.isfinite(value):
        _fail(pointer, "number", "is a number beyond a double")
    if value == 0:
        return "0"
    # The shortest digits of the same double, without trailing zeros.
    _, all_digits, scale = Decimal(repr(abs(value))).as_tuple()
    digits = "".join(map(str, all_digits)).rstrip("0")
    point = len(all_digits) + int(scale)
    sign = "-" if value < 0 else ""
    return sign + _place_point(digits, point)


def _place_point(digits: str, point: int) -> str:
    """Inserts the decimal point after the first `point` digits."""
    if len(digits) <= point <= 21:
        return digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{point - 1:+d}"


def _decode(source: bytes) -> str:
    try:
        return source.decode("utf-8")
    except UnicodeDecodeError as error:
        _fail("", "json", f"not UTF-8: byte {error.start + 1}")


def _require_depth(value: Any) -> None:
    level = _containers([value])
    for _ in range(_MAX_DEPTH):
        level = _containers([child for parent in level for child in _children(parent)])
    if level:
        _fail_depth()


def _containers(values: list[Any]) -> list[Any]:
    return [value for value in values if is_object(value) or is_array(value)]


def _children(container: Any) -> list[Any]:
    return list(container.values()) if is_object(container) else container


def _fail_depth() -> NoReturn:
    _fail("", "depth", f"nested more than {_MAX_DEPTH} levels deep")


def _refuse_constant(name: str) -> NoReturn:
    _fail("", "json", f"not JSON: {name} is no JSON number")


def _fail(pointer: str, keyword: str, message: str) -> NoReturn:
    raise WireError([WireFault(pointer, keyword, message)])
