"""The frames between an engine and `rollout-wire worker`: docs/worker.md describes them."""

from __future__ import annotations

import struct
from typing import IO, NamedTuple

PROTOCOL = 1
MAX_PAYLOAD = 2**20

HELLO, JOB, INPUT, END = b"H", b"J", b"I", b"E"
OUTPUT, FILE, DATA, EXIT = b"O", b"F", b"D", b"X"

_HEADER = struct.Struct(">cI")


class Frame(NamedTuple):
    type: bytes
    payload: bytes


def write_frame(stream: IO[bytes], kind: bytes, payload: bytes | memoryview) -> None:
    """Writes a payload, in several frames if it is longer than one."""
    view = memoryview(payload)
    for start in range(0, max(len(view), 1), MAX_PAYLOAD):
        part = view[start : start + MAX_PAYLOAD]
        stream.write(_HEADER.pack(kind, len(part)))
        stream.write(part)
    stream.flush()


def read_frame(stream: IO[bytes]) -> Frame | None:
    """None at the end of the stream, also within a frame. Raises ValueError for bytes that are no frame."""
    header = stream.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return None
    kind, length = _HEADER.unpack(header)
    if kind not in b"HOFDX" or length > MAX_PAYLOAD:
        raise ValueError(f"the worker sent {header!r}, which begins no frame")
    payload = stream.read(length)
    return Frame(kind, payload) if len(payload) == length else None
