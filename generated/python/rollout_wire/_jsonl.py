# Copied by `npm run generate` from scripts/codegen/python/runtime/_jsonl.py. Do not edit here.

from __future__ import annotations

import gzip
import io
import os
from typing import IO, Iterator, cast

from ._errors import WireError
from ._record import R

_GZIP_MAGIC = b"\x1f\x8b"
_JSON_WHITESPACE = b" \t\r\n"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def load_jsonl(path: str | os.PathLike[str], record_type: type[R]) -> Iterator[R]:
    """Streams the records of a JSONL file, plain or gzip, one per line; blank lines are skipped.

    Raises WireError with file and line at the first line that is not a valid record, and OSError
    when the file cannot be read.
    """
    name = os.fspath(path)
    with _open(name) as lines:
        for number, line in enumerate(lines, start=1):
            if number == 1 and line.startswith(_BYTE_ORDER_MARK):
                line = line[len(_BYTE_ORDER_MARK) :]
            text = line.strip(_JSON_WHITESPACE)
            if not text:
                continue
            try:
                yield record_type.from_json(text)
            except WireError as error:
                raise WireError(list(error.faults), name, number) from None


def _open(name: str) -> IO[bytes]:
    file = io.BufferedReader(io.FileIO(name), 1 << 20)
    if file.peek(len(_GZIP_MAGIC)).startswith(_GZIP_MAGIC):
        return cast(IO[bytes], gzip.GzipFile(fileobj=file))
    return file
