"""Records of JSONL files."""

from __future__ import annotations

import os
import shlex
from importlib import import_module
from typing import Any, Callable, Generator, Generic, Iterable, Iterator, Literal, Protocol, TypeVar, Union

from ._faults import WireError, WireFault, escape_controls
from ._files import BYTE_ORDER_MARK, Path, Paths, expand_paths, open_output, read_lines

INSTALL = "pip install 'rollout-wire[cli]'"
"""How the program gets here, with Node."""

_JSON_WHITESPACE = b" \t\r\n"

OnError = Union[Literal["raise", "skip"], Callable[[WireError], object]]
"""What to do at an invalid line: raise its WireError, skip the line, or call a function with the error first."""


class JsonRecord(Protocol):
    """What a record type must have to be read from lines of JSON and written to them."""

    @classmethod
    def from_json(cls: type[J], text: str | bytes) -> J:
        """Raises WireError for a text that is no such record."""
        ...

    def to_json(self) -> str: ...


J = TypeVar("J", bound=JsonRecord)


class _Place:
    """Where a reader is. Apart from it, so that a reader that nobody holds is closed at once."""

    __slots__ = ("file", "line")

    def __init__(self) -> None:
        self.file: str | None = None
        self.line = 0


class Records(Iterator[J], Generic[J]):
    """The records of JSONL files, one at a time."""

    __slots__ = ("_place", "_records")

    def __init__(self, paths: Paths, record_type: type[J], on_error: OnError) -> None:
        if on_error not in ("raise", "skip") and not callable(on_error):
            raise ValueError(f'on_error must be "raise", "skip" or a function, is {on_error!r}')
        self._place = _Place()
        self._records = _read(paths, record_type, on_error, self._place)

    def __iter__(self) -> Iterator[J]:
        # Not self: a loop over the generator saves a call for every record.
        return self._records

    def __next__(self) -> J:
        return next(self._records)

    @property
    def file(self) -> str | None:
        """The file that is read, or was read last; None before the first."""
        return self._place.file

    @property
    def line(self) -> int:
        """The line of the last record in its file, from 1; 0 before the first."""
        return self._place.line

    def numbered(self) -> Iterator[tuple[int, J]]:
        """Each record with its line in its file, from 1: `for line, record in records.numbered()`."""
        for record in self:
            yield self.line, record

    def close(self) -> None:
        """Closes the file that is read; no more records follow."""
        self._records.close()


def load_jsonl(paths: Paths, record_type: type[J], *, on_error: OnError = "raise") -> Records[J]:
    """Streams the records of JSONL files, one per line; blank lines are skipped.

    `paths` is a path, a glob pattern, or several of them. Files may be compressed with gzip, and with zstd
    from Python 3.14 or with the package `backports.zstd`.

    An invalid line is a WireError with file, line and all its faults; `on_error` says what happens then.
    A file that cannot be read, is damaged, or is compressed in another way is an OSError, always raised.
    """
    return Records(paths, record_type, on_error)


def _read(
    paths: Paths, record_type: type[J], on_error: OnError, place: _Place
) -> Generator[J, None, None]:
    from_json = record_type.from_json
    for name in expand_paths(paths):
        place.file, place.line = name, 0
        is_first = True
        for number, line in enumerate(read_lines(name), start=1):
            if number == 1 and line.startswith(BYTE_ORDER_MARK):
                line = line[len(BYTE_ORDER_MARK) :]
            try:
                record = from_json(line)
            except WireError as error:
                faults = list(error.faults)
            else:
                place.line = number
                yield record
                continue
            # Blank lines are rare, so the others are not searched for one.
            if line.strip(_JSON_WHITESPACE):
                asks = is_first and place.line == 0 and on_error != "skip"
                is_first = False
                explanation = _explain_file(name, line, record_type, faults) if asks else ""
                _handle(WireError(faults, name, number, explanation), on_error)


_BRANCHES = ("RolloutBranch", "RolloutBranchRecord")
"""The records that logs of other tools become."""

_MAX_LACKED = 3
"""Most fields that the first line of a file lacks before it is taken for something else than a branch."""

_OPEN_ENDS = (b"{", b"[", b",")
"""Ends of a first line that is only the beginning of a JSON document."""


def _explain_file(name: str, line: bytes, record_type: type[J], faults: list[WireFault]) -> str:
    """What a file is whose first line is no branch: the program knows the logs of other tools. "" if it is none."""
    lacked = [fault.message.replace("lacks ", "", 1) for fault in faults if fault.keyword == "required"]
    is_broken = faults[0].keyword == "json" and line.rstrip()[-1:] in _OPEN_ENDS
    is_value = is_broken or (faults[0].keyword == "type" and faults[0].pointer == "")
    if record_type.__name__ not in _BRANCHES or not (is_value or len(lacked) > _MAX_LACKED):
        return ""
    try:
        # Only the installed package has it; a copy of this code in a repository does not.
        extras: Any = import_module("rollout_wire_extras.describe_log")
    except ImportError:
        extras = None
    known: str | None = None if extras is None else extras.describe_log(name)
    if known is not None:
        return known
    more = len(lacked) - _MAX_LACKED
    wrong = faults[0].message if is_value else f"lacks {', '.join(lacked[:_MAX_LACKED])} and {more} more"
    command = f"rollout-wire import {escape_controls(shlex.quote(name))} --output captured.jsonl"
    return f"no branch: {wrong}. If it is a log of another tool: {command} ({INSTALL})"


def _handle(error: WireError, on_error: OnError) -> None:
    if on_error == "raise":
        raise error
    if on_error != "skip":
        on_error(error)


def write_jsonl(path: Path, records: Iterable[J], record_type: type[J]) -> int:
    """Writes records as JSONL, one per line; returns how many.

    The file is compressed if its name ends in `.gz` or `.zst`. It is complete or unchanged: written beside
    its place, and renamed at the end. Raises TypeError for what is no record of the type, and WireError for a
    record that JSON cannot represent.
    """
    count = 0
    name = os.fsdecode(path)
    with open_output(path) as output:
        for record in records:
            if not isinstance(record, record_type):
                raise TypeError(f"{name}: record {count + 1} {_explain_type(record, record_type)}")
            try:
                line = record.to_json()
            except WireError as error:
                raise WireError(list(error.faults), name, count + 1) from None
            output.write(line.encode("utf-8") + b"\n")
            count += 1
    return count


def _explain_type(record: object, demanded: type[JsonRecord]) -> str:
    given = type(record)
    if given.__name__ == demanded.__name__:
        return f"must be a {demanded.__module__}.{demanded.__name__}, is a {given.__module__}.{given.__name__}"
    hint = f": use {demanded.__name__}.from_dict" if isinstance(record, dict) else ""
    return f"must be a {demanded.__name__}, is a {given.__name__}{hint}"
