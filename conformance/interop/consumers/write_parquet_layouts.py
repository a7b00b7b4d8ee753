"""Writes the same rows to Parquet in the layouts that pyarrow knows. Input {folder}; output: the files, with the group of
files that have the same rows."""

import json
import sys
from pathlib import Path

import pyarrow
import pyarrow.parquet

folder = Path(json.load(sys.stdin)["folder"])
files = []

event = pyarrow.struct(
    [
        ("event", pyarrow.string()),
        ("data", pyarrow.struct([("name", pyarrow.string()), ("steps", pyarrow.list_(pyarrow.int64()))])),
    ]
)
schema = pyarrow.schema(
    [
        ("rollout_id", pyarrow.string()),
        ("task", pyarrow.string()),
        ("branch_index", pyarrow.int32()),
        ("seed", pyarrow.int64()),
        ("temperature", pyarrow.float64()),
        ("passed", pyarrow.bool_()),
        ("events", pyarrow.list_(event)),
        ("scores", pyarrow.map_(pyarrow.string(), pyarrow.float64())),
        ("visits", pyarrow.map_(pyarrow.int32(), pyarrow.string())),
        ("build", pyarrow.struct([("status", pyarrow.string()), ("millis", pyarrow.int32())])),
    ]
)


def create_row(index):
    events = [
        {"event": "tool_call", "data": {"name": f"f{step}", "steps": [step, None, index] if step else []}}
        for step in range(index % 4)
    ]
    return {
        "rollout_id": f"r-{index // 4}",
        "task": None if index % 9 == 0 else f"Täsk {index}",
        "branch_index": index,
        "seed": None if index % 3 else 2**53 + index,
        "temperature": index / 7,
        "passed": index % 2 == 0,
        "events": events if index % 5 else None,
        "scores": [("a", index * 1.5), ("b", None)][: index % 3],
        "visits": [(7, "x"), (index, "y")][: index % 3],
        "build": {"status": f"s{index % 3}", "millis": None if index % 2 else index} if index % 6 else None,
    }


table = pyarrow.Table.from_pylist([create_row(index) for index in range(60)], schema=schema)
flat = table.select(["rollout_id", "task", "branch_index", "seed", "temperature", "passed"])
encodings = {
    "rollout_id": "DELTA_BYTE_ARRAY",
    "task": "DELTA_LENGTH_BYTE_ARRAY",
    "branch_index": "DELTA_BINARY_PACKED",
    "seed": "DELTA_BINARY_PACKED",
    "temperature": "BYTE_STREAM_SPLIT",
}


def write(name, group, rows, **options):
    path = str(folder / f"{name}.parquet")
    pyarrow.parquet.write_table(rows, path, **options)
    files.append({"path": path, "group": group})


for version in ("1.0", "2.0"):
    small = {"data_page_version": version, "data_page_size": 200, "write_batch_size": 10}
    plain = {"use_dictionary": False, "compression": "none"}
    write(f"dictionary-{version}", "nested", table, compression="snappy", data_page_version=version)
    write(f"pages-{version}", "nested", table, compression="none", **small)
    write(f"plain-{version}", "nested", table, **plain, **small)
    write(f"groups-{version}", "nested", table, compression="gzip", row_group_size=13, data_page_version=version)
    write(f"flat-{version}", "flat", flat, compression="brotli", data_page_version=version)
    write(f"delta-{version}", "flat", flat, **plain, column_encoding=encodings, data_page_version=version)
widths = [8, 16, 32, 64]
ends = {f"int{n}": [-(2 ** (n - 1)), 2 ** (n - 1) - 1] for n in widths} | {f"uint{n}": [0, 2**n - 1] for n in widths}
integers = {name: pyarrow.array(values, getattr(pyarrow, name)()) for name, values in ends.items()}
write("integers", "integers", pyarrow.table(integers))
write("zstd", "nested", table, compression="zstd")
write("lz4", "nested", table, compression="lz4")
write("index", "nested", table, compression="snappy", write_page_index=True)
write("checksum", "nested", table, use_dictionary=False, compression="none", write_page_checksum=True)
json.dump(files, sys.stdout)
