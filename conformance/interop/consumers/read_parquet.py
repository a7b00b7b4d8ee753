"""Reads Parquet files. Input: a list of {path, json: the columns that hold JSON}; output: for each file, its rows by library.

JSON in a column is text for all libraries but datasets, and parsed here.
"""

import json
import sys

import duckdb
import polars
import pyarrow.parquet
from datasets import load_dataset


def parse(value):
    if isinstance(value, list):
        return [parse(item) for item in value]
    if isinstance(value, dict):
        return {name: parse(item) for name, item in value.items()}
    return json.loads(value) if isinstance(value, (bytes, str)) else value


def to_rows(rows, columns):
    return [{name: parse(value) if name in columns else value for name, value in row.items()} for row in rows]


def query(path):
    cursor = duckdb.execute("SELECT * FROM read_parquet(?)", [path])
    names = [name for name, *_ in cursor.description]
    return [dict(zip(names, row)) for row in cursor.fetchall()]


def describe(path):
    file = pyarrow.parquet.ParquetFile(path)
    return {
        "schema": str(file.schema).split("\n", 1)[1],
        "row_groups": file.num_row_groups,
        "created_by": file.metadata.created_by,
    }


def read(path, json_columns):
    return {
        "file": describe(path),
        "rows": {
            "pyarrow": to_rows(pyarrow.parquet.read_table(path).to_pylist(), json_columns),
            "duckdb": to_rows(query(path), json_columns),
            "polars": to_rows(polars.read_parquet(path).to_dicts(), json_columns),
            # Without the dataset card.
            "datasets": list(load_dataset("parquet", data_files=path, split="train")),
        },
    }


json.dump([read(request["path"], set(request["json"])) for request in json.load(sys.stdin)], sys.stdout)
