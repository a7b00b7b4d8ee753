"""Shared by all generated dataclasses.

A decoder fills a draft, which has the slots of the dataclass but is not frozen, and then assigns
`__class__`: setting the fields of a frozen dataclass one by one takes several times as long.
"""

from __future__ import annotations

from typing import Any, Iterable, Iterator, Mapping, TypeVar, cast

from ._errors import WireError, WireFault
from ._json import dump_json, parse_json
from ._values import UNSET, is_array, is_tuple
from ._words import preview

R = TypeVar("R", bound="Record")

_MAX_SHOWN = 40
"""Longest value in the repr of a record, in characters."""


class Record:
    """Base of all generated dataclasses: reading, writing and checking records."""

    __slots__ = ()

    def __post_init__(self) -> None:
        # Not called for records from from_dict, which are already checked.
        slots: tuple[str, ...] = vars(type(self))["__slots__"]
        names = [name for name in slots if name not in ("unknown_fields", "_keys")]
        for name in slots:
            if isinstance(getattr(self, name), Iterator):
                raise WireError([WireFault(f"/{name}", "type", "must not be an iterator")])
        try:
            fields = self.to_dict()
        except (AttributeError, TypeError) as error:
            raise WireError([WireFault("", "type", f"a field has another type: {error}")]) from None
        for name in names:
            value, written = getattr(self, name), fields.get(name)
            # An opaque value is written as it is: a list stays a list.
            if not is_array(written) or written is value:
                continue
            if not is_array(value) and not is_tuple(value):
                fault = WireFault(f"/{name}", "type", f"must be an array, is {preview(value)}")
                raise WireError([fault])
            object.__setattr__(self, name, tuple(value))
        fields = {name: value for name, value in fields.items() if value is not UNSET}
        declared = sum(getattr(self, name) is not UNSET for name in names)
        if len(fields) != declared + len(getattr(self, "unknown_fields", ())):
            fault = WireFault("", "unknown_fields", "holds a field that the schema names")
            raise WireError([fault])
        faults = self.find_faults(fields)
        if faults:
            raise WireError(faults)

    def __repr__(self) -> str:
        """The fields that are present, on one line: nested values are folded and long ones cut."""
        slots: tuple[str, ...] = vars(type(self))["__slots__"]
        named = [(name, getattr(self, name, UNSET)) for name in slots if name != "_keys"]
        if named[-1][0] == "unknown_fields" and not named[-1][1]:
            named.pop()
        return short_repr(type(self).__name__, named)

    @classmethod
    def from_dict(cls: type[R], value: object) -> R:
        """Reads a parsed JSON object. Keeps unknown fields, key order, and the difference of absent and null.

        Raises WireError on exactly the values that the JSON Schema rejects.
        """
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """The record as a JSON object; the inverse of from_dict. Opaque values are not copied."""
        raise NotImplementedError

    @classmethod
    def find_faults(cls, value: object) -> list[WireFault]:
        """All faults of a parsed JSON value; empty if it is valid."""
        raise NotImplementedError

    @classmethod
    def from_json(cls: type[R], text: str | bytes) -> R:
        """Reads one JSON text. Raises WireError if it is not JSON or not valid."""
        return cls.from_dict(parse_json(text))

    def to_json(self) -> str:
        """The record as one line of compact JSON, without the newline."""
        return dump_json(self.to_dict())


def short_repr(name: str, fields: Iterable[tuple[str, Any]]) -> str:
    """The text of a record: `Name(field=value, ...)`, without absent fields."""
    shown = [f"{field}={_fold(value)}" for field, value in fields if value is not UNSET]
    return f"{name}({', '.join(shown)})"


def _fold(value: Any) -> str:
    if hasattr(value, "to_dict"):
        return f"{type(value).__name__}(...)"
    if isinstance(value, Mapping):
        size = len(cast("Mapping[str, Any]", value))
        return f"{{{size} {'key' if size == 1 else 'keys'}}}" if size else "{}"
    if is_tuple(value) or is_array(value):
        kinds = sorted({type(each).__name__ for each in value})
        return f"[{len(value)} x {' | '.join(kinds)}]" if value else "[]"
    if isinstance(value, str) and len(value) > _MAX_SHOWN:
        return f"{value[:_MAX_SHOWN]!r}..."
    try:
        text = repr(value)
    except ValueError:
        return "an integer of many digits"
    return text if len(text) <= _MAX_SHOWN or isinstance(value, str) else f"{text[:_MAX_SHOWN]}..."


def to_plain(value: Any) -> Any:
    """The JSON value of a field's value, whatever it is."""
    if isinstance(value, Record):
        return value.to_dict()
    if is_tuple(value):
        return [to_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {key: to_plain(each) for key, each in cast("Mapping[str, Any]", value).items()}
    return value
