"""Faults of records, in the same words as those of the TypeScript program."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from decimal import Decimal
from typing import Any, Mapping, NamedTuple

from ._values import is_array, is_object

MAX_SHOWN = 60
"""Longest preview of a text in a message, in UTF-16 code units."""

_MAX_LISTED = 20
"""Most faults in the text of one WireError; `faults` has all of them."""

_UNSHOWN = ("Cc", "Cf", "Zl", "Zp", "Cs")
"""Categories of characters that a terminal interprets instead of displaying."""

_VERSION = re.compile(r"([^/:]+)[/:]v(\d+)(?:\.\d+)*\Z", re.ASCII)
"""The last two steps of `https://.../task/v1`."""


class WireFault(NamedTuple):
    """One failed keyword of JSON Schema."""

    pointer: str
    """JSON Pointer (RFC 6901) of the value that failed; "" is the record itself."""
    keyword: str
    """Keyword that failed, such as "required"; "json" if the text is not JSON."""
    message: str
    """What is wrong, with a preview of the value: `must be >= 1, is 0`."""

    def __str__(self) -> str:
        return f"{self.pointer or '(record)'} {self.message} ({self.keyword})"


def escape_token(name: str) -> str:
    """Escapes a property's name as a token of a JSON Pointer."""
    return name.replace("~", "~0").replace("/", "~1")


class WireError(ValueError):
    """A record that the schema rejects, or a line that is not JSON."""

    def __init__(
        self,
        faults: list[WireFault],
        file: str | None = None,
        line: int | None = None,
        explanation: str = "",
    ) -> None:
        self.faults = tuple(faults)
        """All faults, at least one, in the order of the schema."""
        self.file = file
        self.line = line
        """1-based line number in `file`; None if the record came from memory."""
        self.explanation = explanation
        """What the whole file is, in one line that stands for all faults; "" where that says nothing more."""
        super().__init__(str(self))

    @property
    def pointer(self) -> str:
        """JSON Pointer of the first fault."""
        return self.faults[0].pointer

    @property
    def keyword(self) -> str:
        """Failed keyword of the first fault."""
        return self.faults[0].keyword

    def __str__(self) -> str:
        place = "" if self.file is None else f"{self.file}:{self.line}: "
        if self.explanation:
            return place + self.explanation
        if len(self.faults) == 1:
            return f"{place}{self.faults[0]}"
        lines = [f"{place}{len(self.faults):,} faults", *map(str, self.faults[:_MAX_LISTED])]
        if len(self.faults) > _MAX_LISTED:
            lines.append(f"and {len(self.faults) - _MAX_LISTED:,} more")
        return "\n  ".join(lines)

    def __reduce__(self) -> tuple[type[WireError], tuple[object, ...]]:
        return WireError, (list(self.faults), self.file, self.line, self.explanation)


class Invalid(Exception):
    """Raised at the first fault during decoding; all faults are then collected in a second pass."""


def escape_controls(text: str) -> str:
    """Escapes what a terminal would interpret as `\\uXXXX`, so that `text` stays on one line."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        [_escape(each) if unicodedata.category(each) in _UNSHOWN else each for each in text]
    )


def _escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join([f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2)])


def preview(value: Any) -> str:
    """Previews a JSON value: short, on one line, safe to print."""
    if is_array(value):
        return "an array" if value else "an empty array"
    if is_object(value):
        return "an object"
    if isinstance(value, str):
        units = value.encode("utf-16-le", "surrogatepass")
        shown = units[: 2 * MAX_SHOWN].decode("utf-16-le", "surrogatepass")
        more = "…" if len(units) > 2 * MAX_SHOWN else ""
        return escape_controls(json.dumps(f"{shown}{more}", ensure_ascii=False))
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return _preview_number(value)
    return f"a Python {type(value).__name__}"


def explain_version(value: Any, majors: Mapping[str, int]) -> str:
    """Why the version of a schema, such as `task/v2`, is wrong: ", a newer version than ..."; or "".

    `majors` has the current major version of each schema, by its name.
    """
    if not isinstance(value, str):
        return ""
    found = _VERSION.search(value)
    major = majors.get(found[1]) if found else None
    if found is None or major is None:
        return ", an unknown schema"
    wanted = f"{found[1]}/v{major}"
    given = float(found[2])
    if given == major:
        return ""
    if given > major:
        return f", a newer version than the {wanted} of this program"
    return f", an older version than the {wanted} of this program: migrate --to {wanted} upgrades it"


def _preview_number(value: int | float) -> str:
    """A number as ECMAScript prints it; one beyond the range of a double is infinite there."""
    try:
        number = float(value)
    except OverflowError:
        number = math.inf if value > 0 else -math.inf
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    return _print_number(number)


def _print_number(value: float) -> str:
    """A finite number as ECMAScript prints it (Number::toString)."""
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
