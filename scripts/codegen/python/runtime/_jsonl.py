from __future__ import annotations

import gzip
import io
import os
import zlib
from contextlib import ExitStack
from typing import IO, Iterator, cast

from ._errors import WireError
from ._record import R

_GZIP_MAGIC = b"\x1f\x8b"
_JSON_WHITESPACE = b" \t\r\n"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def load_jsonl(path: str | os.PathLike[str], record_type: type[R]) -> Iterator[R]:
    """Streams the records of a JSONL file, plain or gzip, one per line; blank lines are skipped.

    Raises WireError with file and line at the first line that is not a valid record, and OSError
    if the file cannot be read or is damaged gzip.
    """
    name = os.fsdecode(path)
    for number, line in enumerate(_read_lines(name), start=1):
        if number == 1 and line.startswith(_BYTE_ORDER_MARK):
            line = line[len(_BYTE_ORDER_MARK) :]
        if not line.strip(_JSON_WHITESPACE):
            continue
        try:
            yield record_type.from_json(line)
        except WireError as error:
            raise WireError(list(error.faults), name, number) from None


def _read_lines(name: str) -> Iterator[bytes]:
    with ExitStack() as files:
        file = files.enter_context(io.BufferedReader(io.FileIO(name), 1 << 20))
        lines: IO[bytes] = file
        if file.peek(len(_GZIP_MAGIC)).startswith(_GZIP_MAGIC):
            lines = files.enter_context(cast(IO[bytes], gzip.GzipFile(fileobj=file)))
        try:
            yield from lines
        except (EOFError, zlib.error) as error:
            raise OSError(f"{name}: damaged gzip data: {error}") from error
