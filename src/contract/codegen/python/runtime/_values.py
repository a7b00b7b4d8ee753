from __future__ import annotations

from enum import Enum
from math import isfinite
from typing import Any, Dict, Final, Iterator, List, Literal, Mapping, Tuple, TypeGuard, Union

JsonValue = Union[None, bool, int, float, str, List["JsonValue"], Dict[str, "JsonValue"]]
"""Any JSON value."""


class Unset(Enum):
    """The type of UNSET."""

    # No JSON value, because some writers of JSON write the value of an enum.
    UNSET = ...

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "UNSET"

    # An enum's own would be the name below.
    __str__ = __repr__


# json.dumps names the class of what it cannot write, so the name says what to do.
Unset.__name__ = "Unset (an absent field: call to_dict() of the record, not asdict)"

UNSET: Final = Unset.UNSET
"""Value of an absent optional field. An explicit null is None."""


class NoFields(Mapping[str, JsonValue]):
    """The unknown fields of a record that has none: one empty mapping, shared and immutable."""

    __slots__ = ()

    def __getitem__(self, key: str) -> JsonValue:
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __hash__(self) -> int:
        return hash(NoFields)

    def __repr__(self) -> str:
        return "{}"

    def __reduce__(self) -> str:
        return "NO_FIELDS"


NO_FIELDS: Final = NoFields()

_LARGEST_INTEGER: Final = 2**1024 - 2**970 - 1
"""The largest integer that does not round to infinity as an IEEE 754 double, which JSON numbers are
in JavaScript."""

_SMALLEST_INTEGER: Final = -_LARGEST_INTEGER


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether `value` is an object in JSON Schema."""
    return isinstance(value, dict)


def is_array(value: Any) -> TypeGuard[list[Any]]:
    """Whether `value` is an array in JSON Schema. A tuple is not, because JSON is never parsed to one."""
    return isinstance(value, list)


def is_tuple(value: Any) -> TypeGuard[tuple[Any, ...]]:
    """Whether `value` is what a record holds for an array."""
    return isinstance(value, tuple)


def is_number(value: Any) -> TypeGuard[float]:
    """Whether `value` is a number in JSON Schema: not a bool, NaN or infinity."""
    if isinstance(value, float):
        return isfinite(value)
    return _is_int(value)


def is_integer(value: Any) -> TypeGuard[float]:
    """Whether `value` is an integer in JSON Schema: 1.0 is, True is not."""
    if type(value) is int:
        return _SMALLEST_INTEGER <= value <= _LARGEST_INTEGER
    if isinstance(value, float):
        return value.is_integer()
    return _is_int(value)


def _is_int(value: Any) -> bool:
    return (
        isinstance(value, int)
        and not isinstance(value, bool)
        and _SMALLEST_INTEGER <= value <= _LARGEST_INTEGER
    )


def to_int(value: Any) -> Any:
    """Converts 1.0 to 1; returns values other than floats unchanged."""
    return int(value) if isinstance(value, float) else value


def is_literal_number(value: Any) -> bool:
    """Whether `value` may equal a number in an enum: True == 1 in Python, but not in JSON."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


# For the same reason as that of Unset.
NoFields.__name__ = "NoFields (no unknown fields: call to_dict() of the record, not asdict)"

KeyOrder = Tuple[Union[Unset, str], ...]
"""The keys of the JSON object. UNSET is in front if `asdict` of the record could be taken for JSON without it."""

NO_ORDER: Final[KeyOrder] = (UNSET,)
"""The keys of a record that was not read: the order of the schema."""


def in_key_order(fields: dict[str, Any], order: KeyOrder) -> dict[str, Any]:
    """`fields` with the names in `order` first, in that order."""
    if tuple(fields) == order:
        return fields
    ordered = {key: fields[key] for key in order if key is not UNSET and key in fields}
    ordered.update(fields)
    return ordered
