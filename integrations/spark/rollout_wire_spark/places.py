"""Where lines come from. The program knows them by their numbers in its standard input."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO, Any, NamedTuple

#: The name of standard input in what the program writes.
STDIN = "<stdin>"

#: Fields that hold a line as it was read, and no place.
_CONTENT = ("text", "base64")


class Place(NamedTuple):
    """A line: the index of its file, the offset of its split in that file, and its number in the split, from 0."""

    file: int
    split: int
    ordinal: int


class PlaceFile:
    """The places of the lines that the program gets, in a file: there may be many."""

    _ROW = struct.Struct("<iqq")

    def __init__(self, file: IO[bytes], name: str) -> None:
        """`name`: that of the lines in what the program writes."""
        self._file = file
        self._name = name
        self._count = 0

    def add(self, place: Sequence[int]) -> None:
        self._file.write(self._ROW.pack(*place))
        self._count += 1

    def find(self, line: int) -> Place:
        """The place of a line by its number, from 1. A number beyond the last line means the last line."""
        number = min(max(line, 1), self._count)
        self._file.seek((number - 1) * self._ROW.size)
        return Place(*self._ROW.unpack(self._file.read(self._ROW.size)))

    def resolve(self, value: Any) -> Any:
        """What the program wrote, with the place of each of its lines instead of the number."""

        def replace(found: Mapping[str, Any]) -> Mapping[str, Any]:
            if found["file"] != self._name or not isinstance(found["line"], int):
                return found
            return {**found, "line": list(self.find(found["line"]))}

        return _map(value, replace)


def find_places(value: Any) -> Iterator[Place]:
    """The places in a resolved value."""
    places: list[Place] = []

    def keep(found: Mapping[str, Any]) -> Mapping[str, Any]:
        if isinstance(found["line"], list):
            places.append(Place(*found["line"]))
        return found

    _map(value, keep)
    yield from places


def name_places(value: Any, names: Sequence[str], before: Mapping[tuple[int, int], int]) -> Any:
    """A resolved value with files and lines. `before`: the lines of a file before a split."""

    def replace(found: Mapping[str, Any]) -> Mapping[str, Any]:
        if not isinstance(found["line"], list):
            return found
        place = Place(*found["line"])
        line = before.get(place[:2], 0) + place.ordinal + 1
        return {**found, "file": names[place.file], "line": line}

    return _map(value, replace)


def _map(value: Any, replace: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> Any:
    """A JSON value in which every object with a file and a line is replaced."""
    if isinstance(value, list):
        return [_map(each, replace) for each in value]
    if not isinstance(value, dict):
        return value
    if "file" in value and "line" in value:
        value = replace(value)
    return {key: each if key in _CONTENT else _map(each, replace) for key, each in value.items()}
