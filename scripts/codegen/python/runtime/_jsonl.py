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
# RFC 8878, section 3.1.1; the manuals of bzip2 and xz.
_UNSUPPORTED = (
    (b"\x28\xb5\x2f\xfd", "zstd", "zstd -d"),
    (b"BZh", "bzip2", "bunzip2"),
    (b"\xfd7zXZ\x00", "xz", "unxz"),
)
_HEAD_LENGTH = 64
_JSON_WHITESPACE = b" \t\r\n"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_JSON_STARTS = (b"{", _BYTE_ORDER_MARK)


def load_jsonl(path: str | os.PathLike[str], record_type: type[R]) -> Iterator[R]:
    """Streams the records of a JSONL file, plain or gzip, one per line; blank lines are skipped.

    Raises WireError with file and line at the first line that is not a valid record, and OSError
    with the file if it cannot be read, is damaged gzip, or is compressed in another way.
    """
    name = os.fsdecode(path)
    from_json = record_type.from_json
    for number, line in enumerate(_read_lines(name), start=1):
        if number == 1 and line.startswith(_BYTE_ORDER_MARK):
            line = line[len(_BYTE_ORDER_MARK) :]
        try:
            record = from_json(line)
        except WireError as error:
            # Blank lines are rare, so the others are not searched for one.
            if not line.strip(_JSON_WHITESPACE):
                continue
            raise WireError(list(error.faults), name, number) from None
        yield record


def _read_lines(name: str) -> Iterator[bytes]:
    count = 0
    with ExitStack() as files:
        file = files.enter_context(io.BufferedReader(io.FileIO(name), 1 << 20))
        try:
            lines: IO[bytes] = file
            if _is_gzip(name, file.peek(_HEAD_LENGTH)):
                lines = files.enter_context(cast(IO[bytes], gzip.GzipFile(fileobj=file)))
            for line in lines:
                yield line
                count += 1
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise OSError(f"{name}: damaged gzip data after line {count}: {error}") from error
        except OSError as error:
            # The system knows no names of open files.
            if error.errno is None or error.filename is not None:
                raise
            raise OSError(error.errno, os.strerror(error.errno), name) from error


def _is_gzip(name: str, head: bytes) -> bool:
    """Whether a file is gzip, by its first bytes. Raises OSError for what is neither that nor text."""
    if head.startswith(_GZIP_MAGIC):
        return True
    for magic, kind, program in _UNSUPPORTED:
        if head.startswith(magic):
            raise OSError(f"{name}: {kind} data is not supported: decompress it first ({program})")
    # A download may have been decompressed and kept its name, so JSON is no fault.
    text = head.lstrip(_JSON_WHITESPACE)
    if name.endswith(".gz") and (not head or (text and not text.startswith(_JSON_STARTS))):
        raise OSError(f"{name}: is named .gz, but is {'not gzip' if head else 'empty'}")
    return False
