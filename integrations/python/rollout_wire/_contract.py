"""The contract of a schema: everything that affects verdicts, in canonical order."""

from __future__ import annotations

import re
from typing import Any, Callable, Iterable, Iterator, NamedTuple

from ._canonical import canonical_text
from ._errors import escape_token
from ._keywords import (
    ANNOTATIONS,
    DEFINITION_KEYWORDS,
    LIST_APPLICATORS,
    MAP_APPLICATORS,
    SINGLE_APPLICATORS,
)
from ._values import is_array, is_object

_NAMING = ("$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef")
"""Keywords that name or reference parts of a schema by other means than JSON Pointers."""

_LANGUAGE = ("$schema", "$vocabulary")
"""Keywords that name the dialect of the document."""

_DIALECT = re.compile(r"https://json-schema\.org/draft/2020-12/schema#?")

_PLAIN_URI = re.compile(r"https?://[a-z0-9.-]+(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*")
"""Absolute URIs with only one spelling, so that text comparison is enough."""


class _Scope(NamedTuple):
    """The context of a reduction."""

    id: Any
    pins: frozenset[str]
    """JSON Pointers that references lead to or through: these parts stay in place."""


class _Nothing:
    """The type of _NOTHING."""


_NOTHING = _Nothing()
"""Marks an omitted value; None is a JSON value."""


def contract_of(document: Any) -> Any:
    """The contract of a draft 2020-12 schema: schemas with the same contract give the same verdicts.

    A document with references other than JSON Pointers from the root is its own contract.
    """
    if not is_object(document) or not _refers_plainly(document):
        return document
    published = _published_by(document)
    pins = published
    while True:
        contract = _reduce(document, "", _Scope(document.get("$id"), pins))
        # Referenced parts may contain further references.
        found = published | _pinned_by(contract)
        if len(found) == len(pins):
            return _without_name(contract)
        pins = found


def _published_by(document: dict[str, Any]) -> frozenset[str]:
    """The definitions of a root without constraints: it is a collection, so all of them count as used."""
    for keyword in document:
        if not (_is_silent(keyword) or keyword == "$id" or keyword in DEFINITION_KEYWORDS):
            return frozenset()
    return frozenset(
        f"/{keyword}/{escape_token(name)}"
        for keyword in DEFINITION_KEYWORDS
        if is_object(document.get(keyword))
        for name in document[keyword]
    )


def _without_name(contract: Any) -> Any:
    if not is_object(contract) or not isinstance(contract.get("$id"), str):
        return contract
    rest = {keyword: value for keyword, value in contract.items() if keyword != "$id"}
    if not _is_nameless(contract["$id"], _references_in(rest)):
        return contract
    return rest or True


def _reduce(schema: Any, pointer: str, scope: _Scope) -> Any:
    if not is_object(schema):
        return schema
    members = _map_members(
        schema,
        pointer,
        lambda value, at, keyword: _reduce_keyword(keyword, value, at, scope),
    )
    # An empty schema is the same as `true`.
    return True if members is _NOTHING else members


def _reduce_keyword(keyword: str, value: Any, at: str, scope: _Scope) -> Any:
    """The canonical value of a keyword; _NOTHING if it affects no verdict."""
    if _is_silent(keyword):
        return value if at in scope.pins else _NOTHING
    if _is_no_op(keyword, value):
        return _NOTHING
    if keyword == "$ref" and isinstance(value, str):
        return _to_local(value, scope.id)
    if keyword in SINGLE_APPLICATORS:
        return _reduce(value, at, scope)
    if is_array(value):
        return _reduce_list(keyword, value, at, scope)
    if not is_object(value):
        return value
    if keyword == "dependentRequired":
        return _map_members(value, at, lambda names, _at, _name: _to_set(names))
    if keyword not in MAP_APPLICATORS:
        return value
    is_definitions = keyword in DEFINITION_KEYWORDS
    return _map_members(
        value,
        at,
        lambda child, place, _name: (
            _NOTHING
            if is_definitions and place not in scope.pins
            else _reduce(child, place, scope)
        ),
    )


def _reduce_list(keyword: str, values: list[Any], at: str, scope: _Scope) -> Any:
    if keyword in LIST_APPLICATORS:
        members = [
            _reduce(member, f"{at}/{index}", scope) for index, member in enumerate(values)
        ]
        if keyword == "prefixItems" or at in scope.pins:
            return members
        # Duplicates matter in `oneOf` only: there, equal members exclude each other.
        return _to_sorted(members) if keyword == "oneOf" else _to_set(members)
    if at in scope.pins:
        return values
    if keyword == "required":
        return _to_set(values) if values else _NOTHING
    if keyword == "enum":
        return _to_set(values)
    if keyword == "type":
        return values[0] if len(values) == 1 else _to_set(values)
    return values


def _is_silent(keyword: str) -> bool:
    return keyword in ANNOTATIONS or keyword in _LANGUAGE or keyword.startswith("x-")


def _is_no_op(keyword: str, value: Any) -> bool:
    """Whether a keyword has no effect. False == 0 in Python, but not in JSON."""
    if keyword == "uniqueItems":
        return value is False
    limits = ("minItems", "minLength", "minProperties")
    return keyword in limits and isinstance(value, float) and value == 0.0


def _map_members(
    members: dict[str, Any], pointer: str, change: Callable[[Any, str, str], Any]
) -> Any:
    """Maps the members of an object, without omitted ones; _NOTHING if none remain."""
    changed = {
        name: change(value, f"{pointer}/{escape_token(name)}", name)
        for name, value in members.items()
    }
    left = {name: value for name, value in changed.items() if value is not _NOTHING}
    return left or _NOTHING


def _to_set(values: Any) -> Any:
    if not is_array(values):
        return values
    return _to_sorted(list({canonical_text(value): value for value in values}.values()))


def _to_sorted(values: list[Any]) -> list[Any]:
    return sorted(values, key=lambda value: canonical_text(value).encode("utf-16-be"))


def _objects_in(value: Any) -> Iterator[dict[str, Any]]:
    if is_object(value):
        yield value
        for child in value.values():
            yield from _objects_in(child)
    elif is_array(value):
        for child in value:
            yield from _objects_in(child)


def _references_in(value: Any) -> Iterator[str]:
    """Every `$ref` in a JSON value, even where it may not be a keyword."""
    for node in _objects_in(value):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]


def _refers_plainly(document: dict[str, Any]) -> bool:
    """Whether all references are plain JSON Pointers from the root, in draft 2020-12."""
    for node in _objects_in(document):
        reference, dialect = node.get("$ref"), node.get("$schema")
        if any(isinstance(node.get(keyword), str) for keyword in _NAMING):
            return False
        if isinstance(node.get("$id"), str) and node is not document:
            return False
        if isinstance(dialect, str) and _DIALECT.fullmatch(dialect) is None:
            return False
        if isinstance(reference, str) and "%" in reference:
            return False
    return True


def _to_local(reference: str, own_id: Any) -> str:
    """Removes `own_id` from a reference of the document to itself; other references are unchanged."""
    if not isinstance(own_id, str):
        return reference
    if reference == own_id:
        return "#"
    return reference[len(own_id) :] if reference.startswith(f"{own_id}#") else reference


def _is_nameless(own_id: str, references: Iterable[str]) -> bool:
    """Whether the document means the same without its name `own_id`."""
    if _PLAIN_URI.fullmatch(own_id) is None:
        return False
    for reference in references:
        uri = reference.partition("#")[0]
        if not reference.startswith("#") and (uri == own_id or not _PLAIN_URI.fullmatch(uri)):
            return False
    return True


def _pinned_by(value: Any) -> frozenset[str]:
    """The JSON Pointers to the targets of all references in a value, and to their parents."""
    pins: set[str] = set()
    for reference in _references_in(value):
        tokens = reference.partition("#")[2].split("/")
        pins.update("/".join(tokens[:length]) for length in range(2, len(tokens) + 1))
    return frozenset(pins)
