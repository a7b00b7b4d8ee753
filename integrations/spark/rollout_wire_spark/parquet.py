"""Records as columns, with the features that the program generates from the schema."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from .worker import Job, ask

Features = Mapping[str, Any]

_VALUES: Mapping[str, tuple[pa.DataType, T.DataType]] = {
    "string": (pa.string(), T.StringType()),
    "int64": (pa.int64(), T.LongType()),
    "float64": (pa.float64(), T.DoubleType()),
    "bool": (pa.bool_(), T.BooleanType()),
}


def read_features(target: str, kind: str) -> Features:
    """The features of a kind of record. Values that may be anything are `Json`: a column with their JSON text."""
    answer = ask(Job([target], call="features"))
    features: Mapping[str, Features] = json.loads(answer.stdout)
    return features[kind]


def to_columns(records: DataFrame, target: str, kind: str) -> DataFrame:
    """The records of a column of lines, in columns of their own."""
    features = read_features(target, kind)
    schema = pa.schema([(name, _arrow_type(each)) for name, each in features.items()])

    def stage(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            rows = [_convert(json.loads(text), features) for text in batch.column(0).to_pylist()]
            yield pa.RecordBatch.from_pylist(rows, schema=schema)

    spark_schema = T.StructType([T.StructField(name, _spark_type(each)) for name, each in features.items()])
    return records.mapInArrow(stage, spark_schema)


def hash_files(spark: SparkSession, path: str) -> Mapping[str, str]:
    """Hashes of the files in a folder, by name."""
    files = spark.read.format("binaryFile").option("pathGlobFilter", "part-*").load(path)
    hashed = files.select("path", F.sha2("content", 256).alias("hash")).collect()
    return {row["path"].rsplit("/", 1)[-1]: f"sha256:{row['hash']}" for row in hashed}


def _arrow_type(feature: Features) -> pa.DataType:
    match feature.get("_type"):
        case "Value":
            return _VALUES[feature["dtype"]][0]
        case "List":
            return pa.list_(_arrow_type(feature["feature"]))
        case "Json":
            return pa.string()
        case _:
            return pa.struct([(name, _arrow_type(each)) for name, each in feature.items()])


def _spark_type(feature: Features) -> T.DataType:
    match feature.get("_type"):
        case "Value":
            return _VALUES[feature["dtype"]][1]
        case "List":
            return T.ArrayType(_spark_type(feature["feature"]))
        case "Json":
            return T.StringType()
        case _:
            fields = [T.StructField(name, _spark_type(each)) for name, each in feature.items()]
            return T.StructType(fields)


def _convert(value: Any, feature: Features) -> Any:
    match feature.get("_type"):
        case "Json":
            return None if value is None else _dump(value)
        case "Value":
            return float(value) if feature["dtype"] == "float64" and value is not None else value
        case "List":
            inner = feature["feature"]
            return None if value is None else [_convert(each, inner) for each in value]
        case _:
            if value is None:
                return None
            return {name: _convert(value.get(name), each) for name, each in feature.items()}


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
