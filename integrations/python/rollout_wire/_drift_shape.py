"""Whether a lock or a configuration has its format: the first fault, worded as by the TypeScript program."""

from __future__ import annotations

import re
from typing import Any, Callable, Iterator, Mapping

from ._errors import escape_token
from ._published import FORMATS
from ._values import is_array, is_object
from ._words import explain_version, preview

_IS_OF: Mapping[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "object": is_object,
    "array": is_array,
    "null": lambda value: value is None,
}


def find_faults(value: Any, name: str) -> Iterator[tuple[str, str]]:
    """The places of a JSON value that break a definition of FORMATS, each with its fault."""
    return _find_in(value, FORMATS[name], "")


def _find_in(value: Any, node: Mapping[str, Any], at: str) -> Iterator[tuple[str, str]]:
    if "$ref" in node:
        yield from _find_in(value, FORMATS[node["$ref"]], at)
        return
    types = node.get("type", [])
    if types and not any(_IS_OF[each](value) for each in types):
        yield at, f"must be {' or '.join(map(_with_article, types))}, is {preview(value)}"
        return
    if "const" in node and value != node["const"]:
        yield at, f"must be {preview(node['const'])}, is {preview(value)}{explain_version(value)}"
    if "enum" in node and value not in node["enum"]:
        *some, last = map(preview, node["enum"])
        yield at, f"must be {', '.join(some)} or {last}, is {preview(value)}"
    if isinstance(value, str):
        if len(value) < node.get("minLength", 0):
            yield at, "must not be empty"
        # Patterns say the same in both languages, with \Z for the end.
        if re.search(node.get("pattern", ""), value, re.ASCII) is None:
            pattern = node["pattern"].replace("\\Z", "$")
            yield at, f"must match {pattern}, is {preview(value)}"
    elif is_array(value):
        if len(value) < node.get("minItems", 0):
            yield at, f"must have at least {node['minItems']} items, has {len(value)}"
        for index, item in enumerate(value):
            yield from _find_in(item, node["items"], f"{at}/{index}")
    elif is_object(value):
        yield from _find_in_object(value, node, at)


def _find_in_object(
    value: dict[str, Any], node: Mapping[str, Any], at: str
) -> Iterator[tuple[str, str]]:
    """Objects are closed, or maps."""
    properties = node.get("properties", {})
    for name in node.get("required", ()):
        if name not in value:
            yield at, f"lacks {preview(name)}"
    rest = {name: item for name, item in value.items() if name not in properties}
    if "additionalProperties" not in node:
        for name in rest:
            yield at, f"has {preview(name)}, which is not allowed here"
        rest = {}
    for name, item in rest.items():
        yield from _find_in(item, node["additionalProperties"], f"{at}/{escape_token(name)}")
    for name, child in properties.items():
        if name in value:
            yield from _find_in(value[name], child, f"{at}/{name}")


def _with_article(name: str) -> str:
    if name == "null":
        return name
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
