"""Reads inputs as lines, each with its place: everything that Spark reads, in the order of the command-line program."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from .errors import RolloutWireError
from .places import Place

#: Columns of the lines: bytes, file, offset of the split, and for Parquet the number of the row.
COLUMNS = "line binary, path string, split long, position long"


@dataclass(frozen=True)
class Source:
    """The lines of all inputs."""

    #: With the columns `COLUMNS`.
    frame: DataFrame
    #: URIs of the files, in order.
    files: Sequence[str]

    def indices(self) -> dict[str, int]:
        return {file: index for index, file in enumerate(self.files)}

    def names(self) -> list[str]:
        """The files as a user would name them."""
        return [unquote(uri[len("file:") :]) if uri.startswith("file:") else uri for uri in self.files]


def read_lines(spark: SparkSession, inputs: Sequence[str], input_format: str) -> Source:
    """
    Opens files, folders and patterns. The files of an input are sorted by path, by code unit; Spark decompresses them.
    `input_format` is `jsonl`, or `parquet` with a column of lines.
    """
    if not inputs:
        raise RolloutWireError("there is no input: name files, folders or patterns")
    if input_format not in ("jsonl", "parquet"):
        raise RolloutWireError(f"there is no input format {input_format}: choose jsonl or parquet")
    files: list[str] = []
    for given in inputs:
        found = [normalise(uri) for uri in _load(spark, given, input_format).inputFiles()]
        files += sorted(found, key=_by_code_unit)
    twice = next((file for file in files if files.count(file) > 1), None) if len(inputs) > 1 else None
    if twice is not None:
        raise RolloutWireError(f"{twice}: given twice; name each input once")
    frame = _load(spark, list(inputs), input_format)
    line = F.col("value") if input_format == "jsonl" else _line_column(frame)
    position = F.lit(None) if input_format == "jsonl" else F.col("_metadata.row_index")
    split = F.col("_metadata.file_block_start") if input_format == "jsonl" else F.lit(0)
    return Source(
        frame.select(
            line.cast("binary").alias("line"),
            F.col("_metadata.file_path").alias("path"),
            split.cast("long").alias("split"),
            position.cast("long").alias("position"),
        ),
        files,
    )


def _load(spark: SparkSession, paths: str | list[str], input_format: str) -> DataFrame:
    reader = spark.read.option("recursiveFileLookup", True)
    if input_format == "parquet":
        return reader.parquet(*([paths] if isinstance(paths, str) else paths))
    # By default, Spark also ends a line at a lone carriage return.
    return reader.text(paths, lineSep="\n")


#: Names of a Parquet column that holds a line of JSONL in each row.
LINE_COLUMNS = ("line", "value", "record")


def _line_column(frame: DataFrame) -> Column:
    """The column of lines, or else the whole row as JSON."""
    types = dict(frame.dtypes)
    name = next((name for name in LINE_COLUMNS if types.get(name) in ("string", "binary")), None)
    if name is not None and len(types) == 1:
        return F.col(name)
    return F.to_json(F.struct(*[F.col(f"`{column}`") for column in frame.columns]))


def normalise(uri: str) -> str:
    """Spark writes local files as `file:/` and as `file:///`."""
    return re.sub(r"^file:/+", "file:/", uri)


def _by_code_unit(uri: str) -> bytes:
    return unquote(uri).encode("utf-16-be", "surrogatepass")


def count_before(source: Source, places: Sequence[Place] | None) -> Mapping[tuple[int, int], int]:
    """
    Counts the lines of each file before the splits of `places`, by file and split; None means all splits. Spark knows
    only the bytes at which a split begins. Reads those files again, unless every place is in a first split.
    """
    before = {(place.file, place.split): 0 for place in places or []}
    late = {file for file, split in before if split > 0}
    if places is not None and not late:
        return before
    files = source.indices()
    path = F.regexp_replace("path", "^file:/+", "file:/")
    frame = source.frame
    if places is not None:
        frame = frame.where(path.isin([source.files[file] for file in late]))
    counted = frame.groupBy(path.alias("path"), "split").count().collect()
    sums: dict[int, int] = {}
    for file, split, count in sorted((files[row[0]], row[1], row[2]) for row in counted):
        before[(file, split)] = sums.get(file, 0)
        sums[file] = before[(file, split)] + count
    return before
