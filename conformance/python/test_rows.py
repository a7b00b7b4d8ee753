"""How records look in a session: repr, dicts, JSON and rows."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest
from rollout_wire import (
    DEFINITIONS,
    PpoProvenance,
    RolloutBranch,
    RolloutBranchRecord,
    ToolEvent,
    arrow_schema,
    load_rollouts,
    to_rows,
)
from suites import TYPES, base

GOLDEN = Path(__file__).parents[2] / "fixtures/golden/support-desk/input.jsonl"


def test_the_repr_is_short_and_folds_nested_values() -> None:
    record = RolloutBranch.from_dict(
        base(
            "RolloutBranch",
            task="x" * 1000,
            build_result={"a": 1, "b": list(range(1000))},
            tool_call_sequence=[{"event": "tool_call"}] * 50,
            seed=None,
        )
    )
    text = repr(record)
    assert f"task='{'x' * 40}'..." in text
    assert "tool_call_sequence=[50 x ToolEvent]" in text
    assert "build_result={2 keys}" in text
    assert "seed=None" in text
    for hidden in ("UNSET", "_keys", "unknown_fields", "\n"):
        assert hidden not in text
    assert "unknown_fields={1 key}" in repr(RolloutBranch.from_dict(base("RolloutBranch", future=1)))


def test_the_repr_of_every_golden_record_is_short() -> None:
    lengths = [len(repr(record)) for record in load_rollouts(GOLDEN)]
    assert lengths and max(lengths) < 800


def test_the_repr_of_a_nested_record_and_of_odd_numbers() -> None:
    assert "provenance=PpoProvenance(...)" in repr(DEFINITIONS["PpoRecord"].from_dict(base("PpoRecord")))
    seed = base("RolloutBranch", seed=10**300)
    assert f"seed={'1' + '0' * 39}..." in repr(RolloutBranch.from_dict(seed))


def test_every_class_has_to_dict_and_rows() -> None:
    checked = 0
    for name in TYPES:
        record = DEFINITIONS[name].from_dict(base(name))
        assert record.to_dict() == base(name)
        (row,) = to_rows([record])
        json.dumps(row)
        checked += 1
    assert checked > 5


def failing_dump(record: Any) -> str:
    with pytest.raises(TypeError) as caught:
        json.dumps(dataclasses.asdict(record))
    return str(caught.value)


def test_asdict_says_what_to_call_instead() -> None:
    closed = PpoProvenance.from_dict(base("PpoRecord")["provenance"])
    by_hand = dataclasses.replace(closed)
    for record in [next(load_rollouts(GOLDEN)), ToolEvent.from_dict({}), closed, by_hand]:
        assert "call to_dict() of the record, not asdict" in failing_dump(record)
        assert json.loads(json.dumps(record.to_dict())) == record.to_dict()
    with pytest.raises(TypeError):
        orjson.dumps(next(load_rollouts(GOLDEN)))


def test_rows_have_the_same_columns_with_plain_values() -> None:
    records = list(load_rollouts(GOLDEN))
    rows = list(to_rows(records))
    assert len(rows) == len(records)
    assert len({tuple(row) for row in rows}) == 1
    first, record = rows[0], records[0]
    assert first["task"] == record.task
    assert isinstance(first["total_score"], float)
    assert first["seed"] is None and first["unknown_fields"] is None
    text = json.dumps(rows)
    assert "UNSET" not in text and "_keys" not in text


def test_values_whose_type_varies_are_json_text() -> None:
    event = {"event": "tool_call", "data": {"toolName": "t", "args": {"a": [1, None]}}, "later": True}
    source = base("RolloutBranch", tool_call_sequence=[event], future={"x": 1}, temperature=1)
    (row,) = to_rows([RolloutBranch.from_dict(source)])
    assert row["unknown_fields"] == '{"future":{"x":1}}'
    assert row["temperature"] == 1.0 and isinstance(row["temperature"], float)
    (shown,) = row["tool_call_sequence"]
    assert shown["data"]["args"] == '{"a":[1,null]}'
    assert shown["data"]["output"] is None
    assert shown["unknown_fields"] == '{"later":true}'


def test_arrow_schema_without_pyarrow_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match="pip install pyarrow"):
        arrow_schema(RolloutBranchRecord)


@pytest.mark.parametrize("value", [base("RolloutBranch"), None])
def test_rows_are_of_records_only(value: Any) -> None:
    record = RolloutBranch.from_dict(base("RolloutBranch"))
    rows = to_rows([record, value])
    next(rows)
    with pytest.raises(TypeError, match="^record 2 must be a dataclass of rollout_wire, is a ") as caught:
        next(rows)
    assert str(caught.value).endswith(type(value).__name__)


def test_a_schema_is_of_a_record_type_only() -> None:
    other: Any = dict
    with pytest.raises(TypeError, match="^record_type must be a dataclass of rollout_wire, is dict$"):
        arrow_schema(other)


def test_an_absent_field_prints_as_its_name() -> None:
    seed = RolloutBranch.from_dict(base("RolloutBranch")).seed
    assert [str(seed), f"{seed}", repr(seed)] == ["UNSET"] * 3
