"""Writing JSONL, and compression by zstd."""

from __future__ import annotations

import gzip
import os
import stat
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import pytest
import rollout_wire_pydantic
from rollout_wire import (
    PpoRecord,
    RolloutBranchRecord,
    WireError,
    load_jsonl,
    load_rollouts,
    write_jsonl,
    write_rollouts,
)
from suites import base

GOLDEN = Path(__file__).parents[2] / "fixtures/golden/support-desk/input.jsonl"
LIBRARY = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"


@pytest.mark.parametrize("name", ["rollouts.jsonl", "rollouts.jsonl.gz", "rollouts.jsonl.zst"])
def test_what_is_written_is_read_again(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    records = list(load_rollouts(GOLDEN))
    assert write_rollouts(path, iter(records)) == len(records)
    assert list(load_rollouts(path)) == records
    assert [file.name for file in tmp_path.iterdir()] == [name]
    first = path.read_bytes()
    assert write_rollouts(path, load_rollouts(path)) == len(records)
    assert path.read_bytes() == first


def test_compression_follows_the_name(tmp_path: Path) -> None:
    records = list(load_rollouts(GOLDEN))
    write_rollouts(tmp_path / "a.jsonl", records)
    write_rollouts(str(tmp_path / "a.jsonl.gz"), records)
    write_rollouts(tmp_path / "a.jsonl.zst", records)
    text = (tmp_path / "a.jsonl").read_bytes()
    assert gzip.decompress((tmp_path / "a.jsonl.gz").read_bytes()) == text
    zstd: Any = import_module(LIBRARY)
    assert zstd.decompress((tmp_path / "a.jsonl.zst").read_bytes()) == text


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "rollouts.jsonl"
    path.write_text("old\n", encoding="utf-8")

    def break_off() -> Iterator[RolloutBranchRecord]:
        yield next(load_rollouts(GOLDEN))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_rollouts(path, break_off())
    assert path.read_text(encoding="utf-8") == "old\n"
    assert list(tmp_path.iterdir()) == [path]


def test_records_of_another_type_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    record = next(load_rollouts(GOLDEN))
    with_set = RolloutBranchRecord.from_dict(base("RolloutBranchRecord", future={1}))
    model = rollout_wire_pydantic.RolloutBranchRecord.from_dict(record.to_dict())
    for wrong, said in (
        (record.to_dict(), "record 2 must be a RolloutBranchRecord, is a dict: use RolloutBranchRecord.from_dict"),
        (PpoRecord.from_dict(base("PpoRecord")), "record 2 must be a RolloutBranchRecord, is a PpoRecord"),
        (model, "is a rollout_wire_pydantic.rollout_wire.RolloutBranchRecord"),
    ):
        with pytest.raises(TypeError) as caught:
            write_rollouts(path, cast(Any, [record, wrong]))
        assert str(caught.value).startswith(f"{path}: ") and said in str(caught.value)
    with pytest.raises(WireError) as refused:
        write_rollouts(path, [record, with_set])
    assert str(refused.value).startswith(f"{path}:2: (record) cannot be written as JSON: ")
    assert list(tmp_path.iterdir()) == []


def test_a_name_may_be_as_long_as_the_file_system_allows(tmp_path: Path) -> None:
    path = tmp_path / f"{'a' * 249}.jsonl"
    assert write_rollouts(path, load_rollouts(GOLDEN)) > 0
    assert list(tmp_path.iterdir()) == [path]


def test_any_record_type_is_read_and_written(tmp_path: Path) -> None:
    record = PpoRecord.from_dict(base("PpoRecord"))
    assert write_jsonl(tmp_path / "ppo.jsonl", [record], PpoRecord) == 1
    assert list(load_jsonl(tmp_path / "ppo.jsonl", PpoRecord)) == [record]


def test_a_missing_folder_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "none/rollouts.jsonl"
    with pytest.raises(FileNotFoundError) as caught:
        write_rollouts(path, [])
    assert caught.value.filename == str(path)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_permissions_and_links_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    path.write_text("", encoding="utf-8")
    path.chmod(0o640)
    link.symlink_to(path)
    write_rollouts(link, load_rollouts(GOLDEN))
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(load_rollouts(path)) == list(load_rollouts(GOLDEN))


@pytest.mark.skipif(sys.platform == "win32", reason="a device of POSIX")
def test_a_device_is_written_in_place() -> None:
    assert write_rollouts(os.devnull, load_rollouts(GOLDEN)) > 0


@pytest.fixture(name="zst")
def fixture_zst(tmp_path: Path) -> Path:
    zstd: Any = import_module(LIBRARY)
    path = tmp_path / "rollouts.jsonl.zst"
    path.write_bytes(zstd.compress(GOLDEN.read_bytes()))
    return path


def test_zstd_is_read_whatever_the_name(zst: Path) -> None:
    renamed = zst.rename(zst.with_suffix(""))
    assert list(load_rollouts(renamed)) == list(load_rollouts(GOLDEN))


def test_several_frames_of_zstd_are_one_file(zst: Path) -> None:
    zst.write_bytes(zst.read_bytes() * 2)
    assert len(list(load_rollouts(zst))) == 2 * len(list(load_rollouts(GOLDEN)))


@pytest.mark.parametrize("damage", ["cut", "flipped"])
def test_damaged_zstd_names_the_file(zst: Path, damage: str) -> None:
    data = bytearray(zst.read_bytes())
    if damage == "cut":
        del data[-20:]
    else:
        data[40] ^= 0xFF
    zst.write_bytes(data)
    with pytest.raises(OSError) as caught:
        list(load_rollouts(zst, on_error="skip"))
    assert str(caught.value).startswith(f"{zst}: damaged zstd data after line ")


def test_a_file_named_zst_that_is_not(zst: Path) -> None:
    zst.write_bytes(b"PK\x03\x04")
    with pytest.raises(OSError, match="is named .zst, but is not zstd"):
        list(load_rollouts(zst))


def test_without_a_library_the_error_says_what_to_install(
    zst: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("compression.zstd", "backports.zstd"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(OSError) as caught:
        list(load_rollouts(zst))
    assert str(caught.value) == (
        f'{zst}: zstd needs Python 3.14 or pip install backports.zstd; '
        "or decompress it first (zstd -d)"
    )
    before = zst.read_bytes()
    with pytest.raises(OSError, match="or write a .jsonl or a .jsonl.gz"):
        write_rollouts(zst, load_rollouts(GOLDEN))
    assert zst.read_bytes() == before
