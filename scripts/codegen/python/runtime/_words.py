"""How messages are worded: the same texts as those of the TypeScript program."""

from __future__ import annotations

import json
import re
import unicodedata
from ast import literal_eval
from typing import Any, Sequence

from ._canonical import canonical_text
from ._errors import WireFault
from ._values import is_array, is_object

_MAX_SHOWN = 60
"""Longest preview of a text in a message, in UTF-16 code units."""

_UNSHOWN = ("Cc", "Cf", "Zl", "Zp", "Cs")
"""Categories of characters that a terminal interprets instead of displaying."""


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
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return canonical_text(float(value))
    return json.dumps(value)


def count_of(count: int, noun: str, plural: str | None = None) -> str:
    """A count with its noun: `1 error`, `2,000 errors`."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def describe_fault(fault: WireFault, document: Any) -> str:
    """A failed keyword without its place: `lacks "repository"`, `must be a string, is 7`."""
    said, value = fault.message, _resolve(document, fault.pointer)
    is_what = f", is {preview(value)}"
    if fault.keyword == "required":
        return f"lacks {preview(said.split(maxsplit=4)[4][1:-1])}"
    if fault.keyword == "additionalProperties":
        name = literal_eval(said[len("must not have property ") :])
        return f"has {preview(name)}, which is not allowed here"
    if fault.keyword == "type":
        names = said[len("must be ") :].split(" or ")
        return f"must be {_alternatives([_with_article(name) for name in names])}{is_what}"
    if fault.keyword == "enum":
        allowed = json.loads(f"[{said[len('must be one of ') :]}]")
        return f"must be {_alternatives([preview(each) for each in allowed])}{is_what}"
    if fault.keyword == "pattern":
        return said.replace("must match the pattern", "must match", 1) + is_what
    if fault.keyword == "minLength":
        return "must not be empty" if value == "" else said + is_what
    if fault.keyword == "minItems":
        return f"{said}, has {len(value)}"
    return said + is_what


def _resolve(document: Any, pointer: str) -> Any:
    value = document
    for token in pointer.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        value = value[int(name)] if is_array(value) else value[name]
    return value


def _alternatives(shown: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return " or ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]


def _with_article(name: str) -> str:
    if name == "null":
        return name
    return f"{'an' if re.match('[aeiou]', name) else 'a'} {name}"


def nearest(name: str, names: Sequence[str]) -> str:
    """The name with the smallest edit distance; the first one on a tie."""
    return min(names, key=lambda other: _edit_distance(name, other))


def _edit_distance(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        following = [i]
        for j, b in enumerate(other, 1):
            following.append(min(row[j - 1] + (a != b), row[j] + 1, following[j - 1] + 1))
        row = following
    return row[-1]
