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


@dataclass(frozen=True)
class Shipment:
    """Files for the program, by the names that its flags have."""

    sent: Sequence[SentFile]
    #: Copies for this machine.
    local: Mapping[str, str]


@contextmanager
def ship(spark: SparkSession, files: Iterable[str]) -> Generator[Shipment]:
    """Sends files: those of this machine, and those with a scheme that Spark reads. They are taken back at the end."""
    sent: list[SentFile] = []
    local: dict[str, str] = {}
    folder = Path(tempfile.mkdtemp(prefix="rollout-wire-spark-"))
    try:
        for file in files:
            name = PurePosixPath(file).name
            if name in local:
                raise RolloutWireError(f"{name}: two files have this name: rename one of them")
            copy = folder / name
            _fetch(spark, file, copy)
            content = spark.sparkContext.broadcast(copy.read_bytes())
            sent.append(SentFile(name, uuid.uuid4().hex, content))
            local[name] = str(copy)
        yield Shipment(sent, local)
    finally:
        for each in sent:
            each.content.destroy()
        shutil.rmtree(folder, ignore_errors=True)


def _fetch(spark: SparkSession, file: str, target: Path) -> None:
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
