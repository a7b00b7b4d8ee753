"""What a user of the installed package does first; `--extras` if the extras are installed."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import rollout_wire
from rollout_wire import WireError, load_rollouts, to_rows, write_rollouts

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "fixtures/golden/support-desk/input.jsonl"
HAS_EXTRAS = "--extras" in sys.argv
HAS_ZSTD = HAS_EXTRAS or sys.version_info >= (3, 14)


def main(folder: Path) -> None:
    assert Path(rollout_wire.__file__).is_relative_to(sys.prefix), rollout_wire.__file__
    records = list(load_rollouts(GOLDEN))
    assert 100 < len(repr(records[0])) < 800
    rows = list(to_rows(records))
    assert len(rows) == len(records) and json.dumps(rows)

    assert write_rollouts(folder / "a.jsonl.gz", records) == len(records)
    text = gzip.decompress((folder / "a.jsonl.gz").read_bytes())
    (folder / "b.jsonl").write_bytes(text + b'{"rank": 0}\n')
    errors: list[WireError] = []
    read = load_rollouts(str(folder / "*.jsonl*"), on_error=errors.append)
    assert [line for line, _ in read.numbered()] == 2 * list(range(1, len(records) + 1))
    (error,) = errors
    assert len(error.faults) > 5 and str(error).startswith(f"{folder / 'b.jsonl'}:{error.line}: ")

    try:
        write_rollouts(folder / "c.jsonl.zst", records)
        assert HAS_ZSTD and list(load_rollouts(folder / "c.jsonl.zst")) == records
    except OSError as failure:
        assert not HAS_ZSTD and "pip install backports.zstd" in str(failure), failure

    if HAS_EXTRAS:
        from rollout_wire_extras.fast_json import parse_fast
        from rollout_wire_pydantic import RolloutBranchRecord

        assert parse_fast is not None
        model = RolloutBranchRecord.model_validate(records[0].to_dict())
        assert model.to_dict() == records[0].to_dict()
        assert RolloutBranchRecord.model_json_schema()["properties"]["rank"]["minimum"] == 1
    name_log(ROOT / "fixtures/import/forms/tau-bench.json")
    use_program(folder)


def name_log(log: Path) -> None:
    """A log of another tool is named with the command that reads it; without Node, what to install is."""
    path = os.environ.get("PATH", "")
    os.environ["PATH"] = ""
    try:
        list(load_rollouts(log))
        raise AssertionError("a log is no file of rollouts")
    except WireError as failure:
        said = str(failure)
    finally:
        os.environ["PATH"] = path
    if HAS_EXTRAS:
        command = f"{sys.executable} -m rollout_wire import {log} --output captured.jsonl"
        assert said == f"{log}:1: no rollouts, but results of tau-bench (tau-bench): {command}", said
    else:
        assert said.startswith(f"{log}:1: no branch: ") and said.endswith("(pip install 'rollout-wire[cli]')"), said


def use_program(folder: Path) -> None:
    """The command, in both spellings: with the extra `cli` it is the program, without Node it says what to install."""
    script = Path(sys.executable).with_name("rollout-wire")
    for command in ([str(script)], [sys.executable, "-m", "rollout_wire"]):

        def run(*argv: str) -> subprocess.CompletedProcess[str]:
            # Nothing else that is installed may help.
            env = {"PATH": ""}
            return subprocess.run([*command, *argv], cwd=folder, env=env, capture_output=True, text=True, check=False)

        assert run("--version").stdout.count(".") == 2
        checked = run("validate", str(GOLDEN))
        if HAS_EXTRAS:
            assert checked.returncode == 0 and "0 errors" in checked.stderr, checked
            assert run("validate", str(folder / "b.jsonl")).returncode == 1
        else:
            assert checked.returncode == 2 and "pip install 'rollout-wire[cli]'" in checked.stderr, checked
        # Without Node, only a lock says what to compare with; the program searches the folder.
        drift = run("drift")
        assert drift.returncode == (1 if HAS_EXTRAS else 3), drift


with tempfile.TemporaryDirectory() as name:
    main(Path(name))
