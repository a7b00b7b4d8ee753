"""How messages are worded: the same texts as those of the TypeScript program."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from typing import Any, Sequence

from ._canonical import canonical_text
from ._values import is_array, is_object

_MAX_SHOWN = 60
"""Longest preview of a text in a message, in UTF-16 code units."""

_UNSHOWN = ("Cc", "Cf", "Zl", "Zp", "Cs")
"""Categories of characters that a terminal interprets instead of displaying."""

_VERSION = re.compile(r"([^/]+)/v(\d+)(?:\.\d+)*\Z", re.ASCII)
"""The last two steps of `https://.../rollout-wire/v1`."""


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
        shown = units[: 2 * _MAX_SHOWN].decode("utf-16-le", "surrogatepass")
        more = "…" if len(units) > 2 * _MAX_SHOWN else ""
        return escape_controls(json.dumps(f"{shown}{more}", ensure_ascii=False))
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return _preview_number(value)
    return f"a Python {type(value).__name__}"


def explain_version(value: Any) -> str:
    """Why the version of a schema, such as `rollout-wire/v2`, is wrong: ", a newer version than ..."; or ""."""
    from ._published import LATEST  # Its own records need the words above.

    if not isinstance(value, str):
        return ""
    found = _VERSION.search(value)
    latest = LATEST.get(found[1]) if found else None
    if found is None or latest is None:
        return ", an unknown schema"
    major = latest.partition(".")[0]
    wanted = f"{found[1]}/v{major}"
    given = float(found[2])
    if given == float(major):
        return ""
    if given > float(major):
        return f", a newer version than the {wanted} of this program"
    return f", an older version than the {wanted} of this program: rollout-wire migrate --to {wanted}"


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
    return canonical_text(number)


def count_of(count: int, noun: str, plural: str | None = None) -> str:
    """A count with its noun: `1 error`, `2,000 errors`."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def suggest_name(name: str, names: Sequence[str]) -> str:
    """What to write in place of an unknown name: the name that was meant, or all names."""
    distances = {other: _edit_distance(name, other) for other in names}
    near = [each for each in names if 2 * distances[each] <= max(len(name), len(each))]
    if not near:
        return f": use {', '.join(names)}"
    return f" (did you mean {min(near, key=distances.__getitem__)}?)"


def _edit_distance(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        following = [i]
        for j, b in enumerate(other, 1):
            following.append(min(row[j - 1] + (a != b), row[j] + 1, following[j - 1] + 1))
        row = following
    return row[-1]
