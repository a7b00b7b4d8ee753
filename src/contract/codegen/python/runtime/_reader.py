"""Values of definitions that are no classes: unions, arrays, texts."""

from __future__ import annotations

from typing import Any, Callable, Generic, TypeVar

from ._check import check, find_faults
from ._faults import Invalid, WireError, WireFault
from ._json_io import dump_json, parse_json
from ._record import to_plain

T = TypeVar("T")


class Reader(Generic[T]):
    """Reads, writes and checks the values of one definition, with the methods that records have."""

    def __init__(self, name: str, decode: Callable[[Any], T]) -> None:
        self.__name__ = name
        self._decode = decode

    def from_dict(self, value: object) -> T:
        """Reads a parsed JSON value. Raises WireError on exactly the values that the JSON Schema rejects."""
        try:
            check(self.__name__, value)
        except Invalid:
            raise WireError(self.find_faults(value)) from None
        return self._decode(value)

    def to_dict(self, value: T) -> Any:
        """The value as JSON; the inverse of from_dict."""
        return to_plain(value)

    def find_faults(self, value: object) -> list[WireFault]:
        """All faults of a parsed JSON value; empty if it is valid."""
        return find_faults(self.__name__, value)

    def from_json(self, text: str | bytes | bytearray) -> T:
        """Reads one JSON text. Raises WireError if it is not JSON or not valid."""
        return self.from_dict(parse_json(text))

    def to_json(self, value: T) -> str:
        """The value as one line of compact JSON, without the newline."""
        return dump_json(self.to_dict(value))
