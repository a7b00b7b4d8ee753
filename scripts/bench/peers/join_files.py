"""Joins files, and hashes each of them and the result, as whoever checks what he joins has to.

    python join_files.py OUTPUT-FOLDER FILE...

Joins those with the same name into one.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

CHUNK = 2**20


def main(folder: Path, paths: list[Path]) -> None:
    joined = folder.joinpath("joined")
    joined.mkdir()
    for kind in sorted({path.parent.name for path in paths}):
        whole = hashlib.sha256()
        with joined.joinpath(f"{kind}.jsonl").open("wb") as output:
            for path in paths:
                if path.parent.name != kind:
                    continue
                own = hashlib.sha256()
                with path.open("rb") as file:
                    while chunk := file.read(CHUNK):
                        own.update(chunk)
                        whole.update(chunk)
                        output.write(chunk)


main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
