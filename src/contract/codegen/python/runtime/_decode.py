"""Python values of JSON values that were found valid."""

from __future__ import annotations

from typing import Any, Callable

from ._check import accepts

Decode = Callable[[Any], Any]


def first_of(value: Any, *members: tuple[str, Decode]) -> Any:
    """The value as the first member of a union decodes it that accepts it: pairs of a schema's name and a function."""
    for name, decode in members:
        if accepts(name, value):
            return decode(value)
    return value


def decode_items(value: list[Any], prefix: tuple[Decode, ...], rest: Decode) -> tuple[Any, ...]:
    """The items of an array, the first of which have functions of their own."""
    return tuple([(prefix[index] if index < len(prefix) else rest)(item) for index, item in enumerate(value)])


def as_it_is(value: Any) -> Any:
    return value
