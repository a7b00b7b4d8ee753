"""Files that are logs of other tools: `load_rollouts` says what they are, if the program is there to ask."""

from __future__ import annotations

import gzip
import json
import pickle
import shutil
from pathlib import Path

import pytest

from rollout_wire import PpoRecord, WireError, load_jsonl, load_ppo, load_rollouts
from rollout_wire_extras import describe_log

ROOT = Path(__file__).resolve().parents[2]
LOGS = ROOT / "fixtures/import"
ROW = json.dumps({"messages": [{"role": "user", "content": "2+2?"}, {"role": "assistant", "content": "4"}]})
INSTALLED = "(pip install 'rollout-wire[cli]')"


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program of this checkout, in the place of the one that the wheel has."""
    node = shutil.which("node")
    assert node is not None
    command = [node, "--import", (ROOT / "node_modules/tsx/dist/esm/index.mjs").as_uri(), str(ROOT / "scripts/cli.ts")]
    monkeypatch.setattr(describe_log, "find_command", lambda: command)


def error_of(path: Path) -> WireError:
    with pytest.raises(WireError) as caught:
        list(load_rollouts(path))
    return caught.value


def test_the_program_names_the_form_and_the_command_that_reads_it(program: None, tmp_path: Path) -> None:
    document = error_of(LOGS / "forms/tau-bench.json")
    said = f"import {LOGS / 'forms/tau-bench.json'} --output captured.jsonl"
    assert str(document).startswith(f"{LOGS / 'forms/tau-bench.json'}:1: no rollouts, but results of tau-bench (tau-bench): ")
    assert str(document).endswith(said) and str(document).count("\n") == 0
    assert [fault.keyword for fault in document.faults] == ["json"]
    assert str(pickle.loads(pickle.dumps(document))) == str(document)

    rows = tmp_path / "my rows.jsonl.gz"
    rows.write_bytes(gzip.compress(f"{ROW}\n{ROW}\n".encode()))
    lines = error_of(rows)
    assert "no rollouts, but rows with messages, of any layout (messages): " in str(lines)
    assert str(lines).endswith(f" import '{rows}' --output captured.jsonl")
    assert len(lines.faults) > 5


def test_what_the_program_does_not_know_keeps_its_faults(program: None, tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text('{"weather": "fine"}\n', encoding="utf-8")
    assert "faults\n  (record) lacks " in str(error_of(path))


def test_without_the_program_one_line_says_what_is_lacked_and_what_to_install(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(f"{ROW}\n{ROW}\n", encoding="utf-8")
    text = str(error_of(path))
    assert text.startswith(f'{path}:1: no branch: lacks "objective_score", "rank", "total_score" and ')
    remedy = f"rollout-wire import {path} --output captured.jsonl {INSTALLED}"
    assert text.endswith(f" more. If it is a log of another tool: {remedy}")
    path.write_text("[\n{}\n]\n", encoding="utf-8")
    assert str(error_of(path)).startswith(f"{path}:1: no branch: not JSON: ")
    path.write_text(f"[{ROW}]\n", encoding="utf-8")
    assert str(error_of(path)).endswith(INSTALLED)


def test_every_line_keeps_its_error_and_only_the_first_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(f"\n{ROW}\n{ROW}\n", encoding="utf-8")
    errors: list[WireError] = []
    assert list(load_rollouts([path, path], on_error=errors.append)) == []
    assert [(error.line, error.explanation != "") for error in errors] == [(2, True), (3, False)] * 2
    assert all(len(error.faults) > 5 for error in errors)
    assert list(load_rollouts(path, on_error="skip")) == []


def test_damaged_branches_and_other_records_are_no_logs(tmp_path: Path) -> None:
    branch = next(iter(load_rollouts(ROOT / "fixtures/golden/support-desk/input.jsonl"))).to_dict()
    path = tmp_path / "damaged.jsonl"
    for text in (json.dumps({**branch, "rank": 0}), "{]", '{"rank": 1'):
        path.write_text(f"{text}\n", encoding="utf-8")
        assert error_of(path).explanation == ""
    path.write_text(f"{json.dumps(branch)}\n{ROW}\n", encoding="utf-8")
    assert error_of(path).explanation == ""
    path.write_text(f"{ROW}\n", encoding="utf-8")
    for records in (load_ppo(path), load_jsonl(path, PpoRecord)):
        with pytest.raises(WireError) as caught:
            list(records)
        assert caught.value.explanation == ""
