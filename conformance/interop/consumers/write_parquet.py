"""Writes branches to Parquet as users do, one file for each way. Input {package, path, folder}; output: the files, with
whether their JSON comes back as it was. Otherwise structs have lost the difference between null and absent fields.
"""

import json
import os
import sys
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.parquet

request = json.load(sys.stdin)
sys.path[:0] = request["package"].split(os.pathsep)

from rollout_wire import DEFINITIONS, arrow_schema, load_jsonl, to_rows  # noqa: E402

folder = Path(request["folder"])
lines = Path(request["path"]).read_text().rstrip("\n").split("\n")
rows = [json.loads(line) for line in lines]
files = []


def write(name, is_exact, save):
    path = str(folder / f"{name}.parquet")
    save(path)
    files.append({"path": path, "exact": is_exact})


def as_text(value):
    return json.dumps(value) if isinstance(value, (dict, list)) else value


frame = pandas.DataFrame([{name: as_text(value) for name, value in row.items()} for row in rows])
plain = pyarrow.table({"line": lines})
record_type = DEFINITIONS["RolloutBranchRecord"]
typed = pyarrow.Table.from_pylist(
    list(to_rows(load_jsonl(request["path"], record_type))), schema=arrow_schema(record_type)
)

write("lines-pyarrow", True, lambda path: pyarrow.parquet.write_table(plain, path, row_group_size=40))
write("lines-gzip", True, lambda path: pyarrow.parquet.write_table(plain, path, compression="gzip"))
write("lines-brotli", True, lambda path: pyarrow.parquet.write_table(plain, path, compression="brotli"))
write("lines-polars", True, lambda path: polars.DataFrame({"line": lines}).write_parquet(path, compression="snappy"))
write("lines-duckdb", True, lambda path: duckdb.sql("SELECT line::JSON AS line FROM plain").write_parquet(path))
write("text-pandas", False, lambda path: frame.to_parquet(path))
write("typed-pyarrow", False, lambda path: pyarrow.parquet.write_table(typed, path))
json.dump(files, sys.stdout)
