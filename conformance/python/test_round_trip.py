"""Every valid record round-trips: values, key order, unknown fields, absent and null."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from rollout_wire import (
    UNSET,
    DpoRecord,
    PpoTrainingRecord,
    RolloutBranch,
    RolloutBranchRecord,
    ToolEvent,
    ToolEventData,
    WireError,
)
from suites import base

GOLDEN = Path(__file__).parents[2] / "fixtures/golden/support-desk/input.jsonl"


def golden_records() -> list[dict[str, Any]]:
    records = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
    assert records
    return records


def branch(**fields: Any) -> dict[str, Any]:
    return base("RolloutBranch", **fields)


@pytest.mark.parametrize("record", golden_records())
def test_golden_records_come_back(record: dict[str, Any]) -> None:
    source = copy.deepcopy(record)
    written = RolloutBranchRecord.from_dict(record).to_dict()
    assert json.dumps(written) == json.dumps(source)
    assert record == source
    text = RolloutBranchRecord.from_dict(record).to_json()
    assert RolloutBranchRecord.from_json(text).to_dict() == source


def test_key_order_is_that_of_the_source() -> None:
    source = {"zebra": 1, **dict(reversed(branch(apple=2).items()))}
    assert list(RolloutBranch.from_dict(source).to_dict()) == list(source)


def test_absent_and_null_stay_apart() -> None:
    absent = RolloutBranch.from_dict(branch())
    null = RolloutBranch.from_dict(branch(seed=None, build_result=None))
    assert absent.seed is UNSET
    assert null.seed is None
    assert "seed" not in absent.to_dict()
    assert null.to_dict()["seed"] is None
    assert absent != null
    assert not UNSET


def test_unknown_fields_are_kept_at_every_level() -> None:
    event = {"event": "tool_call", "data": {"toolName": "t", "future": [1]}, "future": {"a": None}}
    source = branch(tool_call_sequence=[event], future="x")
    read = RolloutBranch.from_dict(source)
    assert read.unknown_fields == {"future": "x"}
    assert read.tool_call_sequence[0].unknown_fields == {"future": {"a": None}}
    assert read.to_dict() == source


def test_flat_dialect_events_come_back() -> None:
    flat = {"tool_name": "t", "arguments": "{", "result": None, "error": {"code": 1}}
    assert ToolEvent.from_dict(flat).to_dict() == flat


def test_records_are_frozen_slotted_and_keyword_only() -> None:
    read = RolloutBranch.from_dict(branch())
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(read, "task", "other")
    assert not hasattr(read, "__dict__")
    untyped: Any = RolloutBranch
    with pytest.raises(TypeError):
        untyped("r1")


def test_records_can_be_copied_pickled_and_replaced() -> None:
    source = branch(zebra=1, seed=None)
    read = RolloutBranch.from_dict(source)
    assert pickle.loads(pickle.dumps(read)) == read
    assert copy.deepcopy(read).to_dict() == source
    plain = RolloutBranch.from_dict(branch())
    assert pickle.loads(pickle.dumps(plain)).unknown_fields == {}
    changed = dataclasses.replace(read, task="other")
    assert changed.to_dict() == {**source, "task": "other"}
    assert list(changed.to_dict()) == list(source)


def test_records_built_by_hand_are_checked() -> None:
    with pytest.raises(WireError) as caught:
        dataclasses.replace(RolloutBranch.from_dict(branch()), task="")
    assert (caught.value.pointer, caught.value.keyword) == ("/task", "minLength")


ODD_VALUES: list[dict[str, Any]] = [
    {"unknown_fields": {"rollout_id": "other"}},
    {"tool_call_sequence": (1,)},
    {"tool_call_sequence": None},
    {"tool_call_sequence": iter([])},
    {"steps": ({},)},
    {"tool_call_sequence": {}},
    {"tool_call_sequence": ""},
]


@pytest.mark.parametrize("changes", ODD_VALUES)
def test_records_built_by_hand_from_odd_values_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(WireError):
        dataclasses.replace(RolloutBranch.from_dict(branch()), **changes)


def test_a_required_field_without_a_value_is_missing() -> None:
    untyped: dict[str, Any] = {"task": UNSET}
    with pytest.raises(WireError, match='^\\(record\\) lacks "task" \\(required\\)$'):
        dataclasses.replace(RolloutBranch.from_dict(branch()), **untyped)


def test_an_opaque_list_stays_a_list_when_a_record_is_changed() -> None:
    read = ToolEventData.from_dict({"toolName": "t", "args": [1, {"a": [2]}]})
    assert dataclasses.replace(read) == read
    assert dataclasses.replace(read).to_dict() == read.to_dict()


def test_lists_given_by_hand_become_tuples() -> None:
    event = ToolEvent.from_dict({"event": "tool_call"})
    untyped: dict[str, Any] = {"tool_call_sequence": [event]}
    changed = dataclasses.replace(RolloutBranch.from_dict(branch()), **untyped)
    assert changed.tool_call_sequence == (event,)


def test_unset_is_falsy_for_type_checkers_too() -> None:
    read = RolloutBranch.from_dict(branch(seed=3))
    seed: int = read.seed or 0
    assert seed == 3
    assert [step for step in read.steps or ()] == []


def test_fields_keep_the_order_of_the_schema() -> None:
    names = [field.name for field in dataclasses.fields(DpoRecord)]
    assert names[:5] == ["prompt", "chosen", "rejected", "tool_call_sequence", "provenance"]


def test_closed_blocks_refuse_unknown_fields() -> None:
    record: dict[str, Any] = {
        "messages": [{"role": "user", "content": ""}, {"role": "assistant", "content": ""}],
        "reward": 1,
        "loss_weight_tokens": "default",
        "provenance": {
            "source": "wasmagent-rollout",
            "rollout_id": "r",
            "task_hash": "52cb6b5e4a038af1",
        },
    }
    assert PpoTrainingRecord.from_dict(record).to_dict() == record
    record["provenance"] = {**record["provenance"], "extra": 1}
    with pytest.raises(WireError) as caught:
        PpoTrainingRecord.from_dict(record)
    assert (caught.value.pointer, caught.value.keyword) == ("/provenance", "additionalProperties")
