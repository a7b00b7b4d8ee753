"""Reads JSONL with the Python package into data frames. Input: {package, path, type}; output: their rows."""

import json
import os
import sys

import pandas
import polars
import pyarrow
from datasets import Dataset, Features

request = json.load(sys.stdin)
sys.path[:0] = request["package"].split(os.pathsep)

from rollout_wire import DEFINITIONS, arrow_schema, load_jsonl, to_rows  # noqa: E402

record_type = DEFINITIONS[request["type"]]


def rows():
    return to_rows(load_jsonl(request["path"], record_type))


schema = arrow_schema(record_type)
frame = pandas.DataFrame(rows())
table = pyarrow.Table.from_pylist(list(rows()), schema=schema)
features = Features.from_arrow_schema(schema)
json.dump(
    {
        "rows": list(rows()),
        "pandas": json.loads(frame.to_json(orient="records", double_precision=15)),
        "polars": polars.DataFrame(rows(), infer_schema_length=None).to_dicts(),
        "polars from arrow": polars.from_arrow(table).to_dicts(),
        "pyarrow": table.to_pylist(),
        "datasets": list(Dataset.from_generator(rows, features=features)),
        "columns": {
            "pandas": list(frame.columns),
            "pyarrow": table.column_names,
        },
    },
    sys.stdout,
)
