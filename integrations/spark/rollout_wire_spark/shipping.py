"""Sends files to every machine, so that the program finds them there by their names."""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pyspark import SparkFiles
from pyspark.core.broadcast import Broadcast
from pyspark.sql import SparkSession

from .errors import RolloutWireError
from .store import Store


@dataclass(frozen=True)
class SentFile:
    """A file in a broadcast: unlike one that Spark adds to a session, it can be taken back at the end."""

    name: str
    #: Tells files of one name apart.
    token: str
    content: Broadcast[bytes]

    def path(self) -> str:
        """Its copy on this machine, which all Python processes of an executor share. Spark removes it at the end."""
        folder = Path(SparkFiles.getRootDirectory())
        path = folder / f"rollout-wire-{self.token}-{self.name}"
        if not path.exists():
            with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
                file.write(self.content.value)
            Path(file.name).replace(path)
        return os.path.abspath(path)


class Shipment:
    """Files for the program, by the names that its flags have."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self._spark = spark
        self._folder = folder
        self._all: list[SentFile] = []

    @property
    def sent(self) -> Sequence[SentFile]:
        """The last file of each name."""
        return list({file.name: file for file in self._all}.values())

    @property
    def local(self) -> Mapping[str, str]:
        """Copies for this machine."""
        return {file.name: str(self._folder / file.name) for file in self._all}

    def send(self, name: str, content: bytes) -> None:
        """Sends a file, in place of one of its name."""
        (self._folder / name).write_bytes(content)
        broadcast = self._spark.sparkContext.broadcast(content)
        self._all.append(SentFile(name, uuid.uuid4().hex, broadcast))

    def destroy(self) -> None:
        for each in self._all:
            each.content.destroy()


@contextmanager
def ship(spark: SparkSession, files: Iterable[str]) -> Generator[Shipment]:
    """Sends files: those of this machine, and those with a scheme that Spark reads. They are taken back at the end."""
    with tempfile.TemporaryDirectory(prefix="rollout-wire-spark-", ignore_cleanup_errors=True) as folder:
        shipment = Shipment(spark, Path(folder))
        try:
            for file in files:
                name = PurePosixPath(file).name
                if name in shipment.local:
                    raise RolloutWireError(f"{name}: two files have this name: rename one of them")
                with fetch(spark, file) as copy:
                    shipment.send(name, copy.read_bytes())
            yield shipment
        finally:
            shipment.destroy()


@contextmanager
def fetch(spark: SparkSession, file: str) -> Generator[Path]:
    """A copy on this machine, of its name, for a while."""
    with tempfile.TemporaryDirectory(prefix="rollout-wire-spark-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / PurePosixPath(file).name
        _copy(spark, file, copy)
        yield copy


def _copy(spark: SparkSession, file: str, target: Path) -> None:
    # A path without a scheme is of this machine, whatever file system is Spark's default.
    if "://" not in file and not file.startswith("file:"):
        if not Path(file).is_file():
            raise RolloutWireError(f"{file}: there is no such file on the driver")
        shutil.copyfile(file, target)
        return
    try:
        Store(spark, file).fetch(target)
    except Exception as error:
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise RolloutWireError(f"{file}: cannot be read: {reason}") from error
