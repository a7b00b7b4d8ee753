"""Which member of a union a value was meant for."""

from __future__ import annotations

from typing import Any, Callable, Mapping

from ._schemas import Node, definition
from ._values import is_array, is_integer, is_number, is_object
from ._words import alternatives, with_article


def is_of_type(value: Any, name: str) -> bool:
    """Whether a value has a type of JSON Schema."""
    return _TYPE_TESTS[name](value)


_TYPE_TESTS: Mapping[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": is_integer,
    "number": is_number,
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "array": is_array,
    "object": is_object,
}


def _parts_of(node: Node, met: list[Node] | None = None) -> list[Node]:
    """The node and all that applies with it to the same value, through `$ref` and `allOf`."""
    parts: list[Node] = [] if met is None else met
    if not any(each is node for each in parts):
        parts.append(node)
        if "$ref" in node:
            _parts_of(definition(node["$ref"]), parts)
        for part in node.get("allOf", ()):
            _parts_of(part, parts)
    return parts


def _types_of(node: Node) -> list[str] | None:
    """The types that a node says it accepts; None if it says none."""
    types: list[str] | None = None
    for part in _parts_of(node):
        if "type" in part:
            own: list[str] = list(part["type"])
            types = own if types is None else [each for name in types for each in _meet(name, own)]
    return types


def _meet(name: str, others: list[str]) -> list[str]:
    if name in others:
        return [name]
    numbers = {"integer", "number"}
    return ["integer"] if name in numbers and numbers.intersection(others) else []


def may_accept(node: Node, value: Any) -> bool:
    types = _types_of(node)
    return types is None or any(is_of_type(value, "number" if each == "integer" else each) for each in types)


def say_types(members: list[Node]) -> str:
    types = [_types_of(member) for member in members]
    names = dict.fromkeys(name for each in types for name in each or ())
    if None in types or not names:
        return f"must match one of {len(members)} schemas"
    return f"must be {alternatives(map(with_article, names))}"


def find_tag(members: list[Node]) -> tuple[str, list[list[str]]] | None:
    """The property by whose text members can be told apart, and its texts in each of them; no two are the same."""
    declared = [_tags_of(member) for member in members]
    for name in declared[0]:
        texts = [tags.get(name, []) for tags in declared]
        every = [text for own in texts for text in own]
        if all(texts) and len(set(every)) == len(every):
            return name, texts
    return None


def _tags_of(node: Node) -> dict[str, list[str]]:
    """The texts that a node allows for its properties, by name, where it allows only some."""
    tags: dict[str, list[str]] = {}
    for part in _parts_of(node):
        for name, child in part.get("properties", {}).items():
            texts = _texts_of(child)
            if texts:
                tags.setdefault(name, texts)
    return tags


def _texts_of(node: Node) -> list[str]:
    for part in _parts_of(node):
        literals: list[Any] = [part["const"]] if "const" in part else part.get("enum", [])
        if literals and all(isinstance(each, str) for each in literals):
            return list(dict.fromkeys(literals))
    return []
