"""Streaming JSONL readers."""

from __future__ import annotations

import gc
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import rollout_wire
from rollout_wire import RolloutBranchRecord, WireError, load_rollouts

SCHEMAS = Path(__file__).parents[2] / "schema"
GOLDEN = Path(__file__).parents[2] / "fixtures/golden/support-desk/input.jsonl"


def test_rollouts_stream_from_a_plain_file() -> None:
    records = list(load_rollouts(GOLDEN))
    assert len(records) == len(GOLDEN.read_text(encoding="utf-8").splitlines())
    assert all(isinstance(record, RolloutBranchRecord) for record in records)


def test_rollouts_stream_from_gzip_whatever_the_name(tmp_path: Path) -> None:
    path = tmp_path / "rollouts.jsonl"
    path.write_bytes(gzip.compress(GOLDEN.read_bytes()))
    assert list(load_rollouts(str(path))) == list(load_rollouts(GOLDEN))


def test_byte_order_mark_crlf_blank_lines_and_no_last_newline(tmp_path: Path) -> None:
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()[:3]
    path = tmp_path / "rollouts.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n \r\n".join(lines).encode())
    assert len(list(load_rollouts(path))) == 3


def test_line_separators_inside_strings_are_text(tmp_path: Path) -> None:
    record = json.loads(GOLDEN.read_text(encoding="utf-8").splitlines()[0])
    record["final_answer"] = "a\u2028b\u0085c"
    path = tmp_path / "rollouts.jsonl"
    path.write_text(json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8", newline="")
    assert [read.final_answer for read in load_rollouts(path)] == ["a\u2028b\u0085c"]


def test_errors_name_file_and_line(tmp_path: Path) -> None:
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()[:2]
    path = tmp_path / "rollouts.jsonl"
    path.write_text("\n".join([*lines, "", '{"task": ']), encoding="utf-8")
    records = load_rollouts(path)
    assert next(records) and next(records)
    with pytest.raises(WireError) as caught:
        next(records)
    assert (caught.value.file, caught.value.line) == (str(path), 4)
    assert caught.value.keyword == "json"
    assert str(caught.value).startswith(f"{path}:4: (record) not JSON")


@pytest.mark.parametrize("kept", [20, -20])
def test_damaged_gzip_is_an_os_error(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "rollouts.jsonl.gz"
    path.write_bytes(gzip.compress(GOLDEN.read_bytes())[:kept] + (b"x" * 50 if kept > 0 else b""))
    with pytest.raises(OSError, match="gzip|[Bb]ad|CRC"):
        list(load_rollouts(path))


@pytest.mark.filterwarnings("error::ResourceWarning")
@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_files_are_closed(tmp_path: Path, compress: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "rollouts"
    path.write_bytes(compress(GOLDEN.read_bytes()))
    records = load_rollouts(path)
    next(records)
    del records
    list(load_rollouts(path))
    gc.collect()


def test_columns_count_from_the_start_of_the_line(tmp_path: Path) -> None:
    path = tmp_path / "rollouts.jsonl"
    path.write_text("   {]\n", encoding="utf-8")
    with pytest.raises(WireError, match="column 5"):
        next(load_rollouts(path))


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        next(load_rollouts(tmp_path / "none.jsonl"))


def test_every_entry_type_has_a_loader() -> None:
    schemas = [json.loads(path.read_text()) for path in SCHEMAS.glob("*.schema.json")]
    loaders = [name for name in rollout_wire.__all__ if name.startswith("load_")]
    assert schemas
    assert len(loaders) == sum(len(schema["anyOf"]) for schema in schemas)
