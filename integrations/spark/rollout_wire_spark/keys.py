"""Gives each line the key of its rollout: the same as `rollout-wire shard split`, because the program computes it."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import pyarrow as pa

from .errors import RolloutWireError
from .lines import COLUMNS as LINE_COLUMNS
from .places import Place
from .rows import LineReader, Lines, to_chunks
from .worker import Exit, Job, get_worker, require_result

__all__ = ["KEYED", "LINKS", "LINE_COLUMNS", "add_keys", "find_homes", "find_links"]

#: Columns of lines with keys. `home` is where the rollout is sorted, `slot` the partition that it belongs to.
KEYED = "slot int, home long, key binary, file int, split long, ordinal long, line binary"

#: Columns of pairs of rollouts that have to stay together, by the first halves of their keys.
LINKS = "one long, other long"

#: Bits of the first half of a key.
_HALF_BITS = 48

_KEYED_TYPES = pa.schema(
    [
        ("slot", pa.int32()),
        ("home", pa.int64()),
        ("key", pa.binary()),
        ("file", pa.int32()),
        ("split", pa.int64()),
        ("ordinal", pa.int64()),
        ("line", pa.binary()),
    ]
)
_LINK_TYPES = pa.schema([("one", pa.int64()), ("other", pa.int64())])

Batches = Iterable[pa.RecordBatch]
Stage = Callable[[Batches], Iterator[pa.RecordBatch]]


def add_keys(files: Mapping[str, int], homes: Mapping[int, int], partitions: int) -> Stage:
    """A stage that adds keys. `homes` are the rollouts that are sorted with another one."""

    def stage(batches: Batches) -> Iterator[pa.RecordBatch]:
        for lines, keys in _read_keys(files, batches):
            halves = [_half(own) for own, *_ in keys]
            home = [homes.get(half, half) for half in halves]
            slot = [int(each / 2**_HALF_BITS * partitions) for each in home]
            columns = [slot, home, [bytes.fromhex(own) for own, *_ in keys]]
            columns += [list(part) for part in zip(*lines.places, strict=True)]
            arrays = zip([*columns, lines.lines], _KEYED_TYPES.types, strict=True)
            yield pa.RecordBatch.from_arrays([pa.array(values, kind) for values, kind in arrays], schema=_KEYED_TYPES)

    return stage


def find_links(files: Mapping[str, int]) -> Stage:
    """A stage that finds the rollouts that a damaged line mentions together."""

    def stage(batches: Batches) -> Iterator[pa.RecordBatch]:
        for _, keys in _read_keys(files, batches):
            links = [(_half(own), _half(other)) for own, *others in keys for other in others]
            if links:
                arrays = [pa.array(side, pa.int64()) for side in zip(*links, strict=True)]
                yield pa.RecordBatch.from_arrays(arrays, schema=_LINK_TYPES)

    return stage


def find_homes(links: Iterable[tuple[int, int]]) -> dict[int, int]:
    """The least rollout of all that are linked, directly or not, for each that is not the least itself."""
    parents: dict[int, int] = {}

    def root(half: int) -> int:
        while half in parents:
            half = parents[half]
        return half

    for a, b in links:
        one, other = root(a), root(b)
        if one != other:
            parents[max(one, other)] = min(one, other)
    return {half: root(half) for half in parents}


def _half(key: str) -> int:
    return int(key[: _HALF_BITS // 4], 16)


def _read_keys(files: Mapping[str, int], batches: Batches) -> Iterator[tuple[Lines, Sequence[Sequence[str]]]]:
    """Lines with the keys that they name, the own one first. Holds few batches, however slow the reader is."""
    waiting: queue.Queue[Lines] = queue.Queue(maxsize=2)

    def chunks() -> Iterator[bytes]:
        reader = LineReader(files)
        for batch in batches:
            lines = reader.read(batch)
            if lines.lines:
                # Before its lines are sent, so that it is there when they are answered.
                waiting.put(lines)
                yield from to_chunks(lines.lines)

    text = b""
    keys: list[list[str]] = []
    current: Lines | None = None
    read = 0
    for event in get_worker().run(Job(call="keys"), chunks()):
        if isinstance(event, Exit):
            require_result(event)
            continue
        *answers, text = (text + event.data).split(b"\n")
        for answer in answers:
            current = current or waiting.get_nowait()
            read += 1
            keys.append(_parse(answer, read, current.places[len(keys)]))
            if len(keys) == len(current.lines):
                yield current, keys
                current, keys = None, []
    if current is not None or not waiting.empty():
        raise RolloutWireError("the program did not answer every line")


def _parse(answer: bytes, line: int, place: Place) -> list[str]:
    number, *keys = answer.decode("ascii").split(" ")
    if int(number) != line:
        raise RolloutWireError(f"the program answered line {number} in place of line {line}")
    if not keys:
        raise RolloutWireError(f"a line is too long to be read: {place}: remove it first")
    return keys[1:] if keys[0] == "-" else keys
