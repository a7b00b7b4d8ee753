"""Streaming JSONL readers."""

from __future__ import annotations

import bz2
import gc
import gzip
import json
import lzma
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rollout_wire
from rollout_wire import RolloutBranchRecord, WireError, load_rollouts
from suites import TYPES

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "fixtures/golden/support-desk/input.jsonl"


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


def _flipped(data: bytes, index: int) -> bytes:
    return data[:index] + bytes([data[index] ^ 0xFF]) + data[index + 1 :]


_GZIP = gzip.compress(GOLDEN.read_bytes(), mtime=0)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(_GZIP[:5], id="half of its header"),
        pytest.param(_GZIP[:20], id="its header"),
        pytest.param(_GZIP[:-20], id="all but its end"),
        pytest.param(_GZIP[:20] + b"x" * 50, id="other bytes"),
        pytest.param(_flipped(_GZIP, 2), id="an unknown method"),
        pytest.param(_flipped(_GZIP, -5), id="a wrong checksum"),
        pytest.param(_flipped(_GZIP, -1), id="a wrong length"),
        pytest.param(_GZIP + b"more", id="other bytes at its end"),
        pytest.param(_GZIP + _GZIP[:40], id="half of a second member"),
    ],
)
def test_damaged_gzip_names_the_file_and_the_last_good_line(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "rollouts.jsonl.gz"
    path.write_bytes(data)
    read: list[RolloutBranchRecord] = []
    with pytest.raises(OSError) as caught:
        read.extend(load_rollouts(path))
    lines = 0
    with pytest.raises(OSError):
        for _ in load_rollouts(path):
            lines += 1
    assert str(caught.value).startswith(f"{path}: damaged gzip data after line {lines}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is named .gz, but is empty"),
        (b"PK\x03\x04", "is named .gz, but is not gzip"),
        (b"<html></html>", "is named .gz, but is not gzip"),
    ],
)
def test_a_file_named_gz_that_is_not_gzip(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "rollouts.jsonl.gz"
    path.write_bytes(data)
    with pytest.raises(OSError) as caught:
        list(load_rollouts(path))
    assert str(caught.value) == f"{path}: {message}"


def test_a_file_named_gz_that_was_decompressed_is_read(tmp_path: Path) -> None:
    path = tmp_path / "rollouts.jsonl.gz"
    for start in [b"", b"\n \n", b" " * 100, b"\xef\xbb\xbf"]:
        path.write_bytes(start + GOLDEN.read_bytes())
        assert list(load_rollouts(path)) == list(load_rollouts(GOLDEN))


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("rollouts.jsonl.bz2", bz2.compress(GOLDEN.read_bytes()), "bzip2"),
        ("rollouts.jsonl.xz", lzma.compress(GOLDEN.read_bytes()), "xz"),
        ("rollouts.jsonl", bz2.compress(GOLDEN.read_bytes()), "bzip2"),
    ],
)
def test_other_compressions_are_named(tmp_path: Path, name: str, data: bytes, kind: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(OSError) as caught:
        list(load_rollouts(path))
    assert str(caught.value).startswith(f"{path}: {kind} data is not supported: decompress it")


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_text_that_is_not_utf_8_names_the_file_and_line(
    tmp_path: Path, compress: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "rollouts"
    first = GOLDEN.read_bytes().splitlines()[0]
    path.write_bytes(compress(first + b'\n{"task": "\xff"}\n'))
    with pytest.raises(WireError) as caught:
        list(load_rollouts(path))
    assert str(caught.value) == f"{path}:2: (record) not UTF-8: byte 0xff at column 11 (json)"


def test_a_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match=re.escape(str(tmp_path))):
        next(load_rollouts(tmp_path))


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file that cannot be read")
def test_a_read_error_names_the_file() -> None:
    with pytest.raises(OSError) as caught:
        next(load_rollouts("/proc/self/mem"))
    assert caught.value.filename == "/proc/self/mem"


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


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
@pytest.mark.parametrize(
    "line, message",
    [
        ('{"a":1', "unexpected end of input at column 7"),
        ('{"a":"b', "unexpected end of input at column 8"),
        ("nul", "unexpected end of input at column 4"),
    ],
)
def test_a_line_that_is_cut_off_ends_before_its_line_break(
    tmp_path: Path, line: str, message: str, end: str
) -> None:
    path = tmp_path / "rollouts.jsonl"
    path.write_bytes((line + end).encode())
    with pytest.raises(WireError, match=message):
        next(load_rollouts(path))


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        next(load_rollouts(tmp_path / "none.jsonl"))


def test_every_entry_type_has_a_loader() -> None:
    names = [name for name in rollout_wire.__all__ if not name.endswith("_jsonl")]
    loaders = [name[len("load_") :] for name in names if name.startswith("load_")]
    assert len(loaders) == len(TYPES) > 5
    assert loaders == [name[len("write_") :] for name in names if name.startswith("write_")]


def write_lines(path: Path, *changes: dict[str, object]) -> list[str]:
    """Writes one golden record per set of changes; returns the lines."""
    record = json.loads(GOLDEN.read_text(encoding="utf-8").splitlines()[0])
    lines = [json.dumps({**record, **change}) for change in changes]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return lines


def test_several_paths_and_patterns_are_read_in_order(tmp_path: Path) -> None:
    for name in ["b.jsonl", "a.jsonl", "deep/c.jsonl", "[x].jsonl", "notes.txt"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write_lines(tmp_path / name, {"session_id": name})
    (tmp_path / "folder.jsonl").mkdir()

    def read(*names: str) -> list[str]:
        return [record.session_id for record in load_rollouts([tmp_path / name for name in names])]

    assert read("b.jsonl", "a.jsonl") == ["b.jsonl", "a.jsonl"]
    assert read("[ab].jsonl") == ["a.jsonl", "b.jsonl"]
    assert read("b.jsonl", "*.jsonl") == ["b.jsonl", "[x].jsonl", "a.jsonl"]
    assert read("**/*.jsonl")[-1] == "deep/c.jsonl"
    assert read("[x].jsonl") == ["[x].jsonl"]
    assert len(list(load_rollouts(str(tmp_path / "*.jsonl")))) == 3
    with pytest.raises(FileNotFoundError, match="no file matches the pattern"):
        read("*.parquet")


def test_invalid_lines_are_raised_skipped_or_handed_over(tmp_path: Path) -> None:
    path = tmp_path / "rollouts.jsonl"
    write_lines(path, {}, {"rank": 0, "task": 7}, {"session_id": "last"})
    with pytest.raises(WireError) as caught:
        list(load_rollouts(path))
    assert str(caught.value).split("\n") == [
        f"{path}:2: 2 faults",
        "  /rank must be >= 1, is 0 (minimum)",
        "  /task must be a string, is 7 (type)",
    ]
    assert caught.value.__context__ is None
    assert [record.session_id for record in load_rollouts(path, on_error="skip")][1:] == ["last"]
    errors: list[WireError] = []
    assert len(list(load_rollouts([path, path], on_error=errors.append))) == 4
    assert [(error.file, error.line, len(error.faults)) for error in errors] == [(str(path), 2, 2)] * 2


def test_a_callback_may_raise_its_own_error(tmp_path: Path) -> None:
    path = tmp_path / "rollouts.jsonl"
    path.write_text("{]\n", encoding="utf-8")

    def stop(error: WireError) -> None:
        raise SystemExit(str(error))

    with pytest.raises(SystemExit, match="not JSON"):
        list(load_rollouts(path, on_error=stop))


def test_an_unknown_way_to_handle_errors_is_refused_at_once() -> None:
    untyped: Any = "ignore"
    with pytest.raises(ValueError, match="on_error must be"):
        load_rollouts(GOLDEN, on_error=untyped)


def test_a_damaged_file_is_never_skipped(tmp_path: Path) -> None:
    path = tmp_path / "rollouts.jsonl.gz"
    path.write_bytes(_GZIP[:-20])
    with pytest.raises(OSError, match="damaged gzip"):
        list(load_rollouts(path, on_error="skip"))


def test_records_know_their_file_and_line(tmp_path: Path) -> None:
    one, two = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    write_lines(one, {"session_id": "a"}, {"rank": 0}, {"session_id": "c"})
    two.write_text("\n" + one.read_text(encoding="utf-8"), encoding="utf-8")
    records = load_rollouts([one, two], on_error="skip")
    assert (records.file, records.line) == (None, 0)
    found = [(records.file, line, record.session_id) for line, record in records.numbered()]
    assert found == [(str(one), 1, "a"), (str(one), 3, "c"), (str(two), 2, "a"), (str(two), 4, "c")]


def test_a_reader_can_be_closed() -> None:
    records = load_rollouts(GOLDEN)
    next(records)
    records.close()
    assert list(records) == []
