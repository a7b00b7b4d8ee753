"""Splits rollouts into files by the SHA-256 of their id: orjson reads each line, which is written at once.

    python partition_records.py SHARDS INPUT OUTPUT-FOLDER

Does less than rollout-wire: the branches of a rollout stay apart, a damaged line ends the program, and a killed run leaves
half of a file.
"""

from __future__ import annotations

import hashlib
import sys
from contextlib import ExitStack
from pathlib import Path

import orjson


def main(count: int, path: Path, folder: Path) -> None:
    folder.joinpath("shards").mkdir()
    width = 2**48
    with ExitStack() as stack:
        outputs = []
        for index in range(count):
            name = f"shards/part-{index + 1:05}-of-{count:05}.jsonl"
            outputs.append(stack.enter_context(folder.joinpath(name).open("wb")))
        hashes = [hashlib.sha256() for _ in range(count)]
        read = hashlib.sha256()
        with path.open("rb") as file:
            for line in file:
                read.update(line)
                digest = hashlib.sha256(orjson.loads(line)["rollout_id"].encode()).digest()
                shard = int.from_bytes(digest[:6], "big") * count // width
                outputs[shard].write(line)
                hashes[shard].update(line)


main(int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
