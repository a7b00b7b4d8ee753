"""Batches of lines as Python values, and as bytes for the program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from .lines import normalise
from .places import Place

#: JSON whitespace within a line. Lines of it are blank: the program counts them, and reads nothing.
_BLANK = b" \t\r"

#: Bytes that are sent to the program at once.
CHUNK_BYTES = 256 * 1024


@dataclass(frozen=True)
class Lines:
    """Lines that are not blank, with their places."""

    lines: Sequence[bytes]
    places: Sequence[Place]


class LineReader:
    """Numbers the lines of a partition as Spark reads it: split after split, each as a whole and in order."""

    def __init__(self, files: Mapping[str, int]) -> None:
        self._files = files
        self._paths: dict[str, int] = {}
        self._current = (-1, -1)
        self._ordinal = 0

    def read(self, batch: pa.RecordBatch) -> Lines:
        lines: list[bytes] = []
        places: list[Place] = []
        columns = [column.to_pylist() for column in batch.columns]
        for line, path, split, position in zip(*columns, strict=True):
            file = self._file(path)
            if (file, split) != self._current:
                self._current, self._ordinal = (file, split), 0
            ordinal = self._ordinal if position is None else position
            self._ordinal += 1
            content = _without_return(line or b"")
            if content.strip(_BLANK):
                lines.append(content)
                places.append(Place(file, split, ordinal))
        return Lines(lines, places)

    def _file(self, path: str) -> int:
        known = self._paths.get(path)
        if known is None:
            known = self._paths[path] = self._files[normalise(path)]
        return known


def _without_return(line: bytes) -> bytes:
    if b"\n" in line:
        raise ValueError("a row holds several lines: a column of lines has one line of JSONL in each row")
    return line[:-1] if line.endswith(b"\r") else line


def needs_lead(first: pa.RecordBatch) -> bool:
    """
    Whether lines begin with a damaged one, before which an empty line goes, as `shard split` writes it: the program must not take
    its first bytes for those of a compressed or binary file.
    """
    line: bytes = first.column("line")[0].as_py()
    return not line.startswith(b"{")


#: The empty line.
LEAD = b"\n"


def to_chunks(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Lines with their newlines, in chunks of whole lines."""
    pending: list[bytes] = []
    size = 0
    for line in lines:
        pending.append(line)
        size += len(line) + 1
        if size >= CHUNK_BYTES:
            yield b"\n".join(pending) + b"\n"
            pending, size = [], 0
    if pending:
        yield b"\n".join(pending) + b"\n"
