"""The sessions in docs/python.md print what they show."""

from __future__ import annotations

import doctest
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "fixtures/golden/support-desk/input.jsonl"


def test_the_sessions_print_what_they_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = GOLDEN.read_text(encoding="utf-8")
    (tmp_path / "runs").mkdir()
    for name in ("1.jsonl", "2.jsonl"):
        (tmp_path / "runs" / name).write_text(text, encoding="utf-8")
    record = {**json.loads(text.splitlines()[0]), "rank": 1}
    lines = [json.dumps(each) for each in (record, {**record, "task": 7, "rank": 0}, record)]
    (tmp_path / "damaged.jsonl").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(ROOT / "docs/python.md"), module_relative=False)
    assert tried > 15
    assert failed == 0
