"""Files on any file system that Spark knows, by way of the JVM of the driver."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession


@dataclass(frozen=True)
class StoredFile:
    """A file that Spark has written."""

    name: str
    bytes: int

    @property
    def part(self) -> int:
        """The number of the partition that it holds."""
        match = re.match(r"part-(\d+)", self.name)
        if match is None:
            raise ValueError(f"{self.name} is no part of an output")
        return int(match[1])


class Store:
    """The file system of a path."""

    def __init__(self, spark: SparkSession, path: str) -> None:
        # The JVM has no types in Python.
        jvm: Any = spark.sparkContext._jvm  # pyright: ignore[reportPrivateUsage]
        context: Any = spark.sparkContext._jsc  # pyright: ignore[reportPrivateUsage]
        self._new_path: Any = jvm.org.apache.hadoop.fs.Path
        self._root = path.rstrip("/")
        self._system: Any = self._new_path(path).getFileSystem(context.hadoopConfiguration())

    def _path(self, name: str) -> Any:
        return self._new_path(f"{self._root}/{name}" if name else self._root)

    def is_empty(self) -> bool:
        """Whether there is nothing, or a folder without files."""
        path = self._path("")
        return not self._system.exists(path) or (
            self._system.getFileStatus(path).isDirectory() and not self._system.listStatus(path)
        )

    def list_parts(self, folder: str) -> list[StoredFile]:
        """The files of records in a folder, in the order of the partitions."""
        found = [(each.getPath().getName(), each.getLen()) for each in self._statuses(folder)]
        return [StoredFile(name, size) for name, size in sorted(found) if name.startswith("part-")]

    def _statuses(self, folder: str) -> list[Any]:
        return list(self._system.listStatus(self._path(folder)))

    def write(self, name: str, content: bytes) -> None:
        """Writes a file, in place of one of its name."""
        stream = self._system.create(self._path(name), True)
        try:
            stream.write(bytearray(content))
        finally:
            stream.close()

    def remove(self, name: str) -> None:
        """Removes a file or a folder, if it is there."""
        self._system.delete(self._path(name), True)

    def fetch(self, target: Path) -> None:
        """Copies the file at the path of this store to a local path."""
        self._system.copyToLocalFile(False, self._path(""), self._new_path(str(target)), True)
