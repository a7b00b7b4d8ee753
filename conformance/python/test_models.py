"""The records as pydantic models."""

from __future__ import annotations

import copy
import json
import pickle
import warnings
from pathlib import Path
from typing import Any

import pytest
import rollout_wire
from pydantic import BaseModel, TypeAdapter, ValidationError
from rollout_wire import UNSET, WireError, load_jsonl, write_jsonl
from rollout_wire_pydantic import DEFINITIONS, RolloutBranch, RolloutBranchRecord
from suites import TYPES, base

GOLDEN = Path(__file__).parents[2] / "fixtures/golden/support-desk/input.jsonl"


def test_every_class_has_a_model_with_the_same_fields() -> None:
    assert list(DEFINITIONS) == list(rollout_wire.DEFINITIONS)
    for name in TYPES:
        record = base(name)
        model = DEFINITIONS[name].model_validate(record)
        assert model.to_dict() == record
        assert model.model_dump(mode="json") == record
        assert json.loads(model.to_json()) == record
        assert DEFINITIONS[name].model_validate_json(json.dumps(record)) == model


def test_models_are_read_and_written_like_other_records(tmp_path: Path) -> None:
    models = list(load_jsonl(GOLDEN, RolloutBranchRecord))
    records = list(rollout_wire.load_rollouts(GOLDEN))
    assert [model.to_dict() for model in models] == [record.to_dict() for record in records]
    assert write_jsonl(tmp_path / "a.jsonl.gz", models, RolloutBranchRecord) == len(models)
    assert list(load_jsonl(tmp_path / "a.jsonl.gz", RolloutBranchRecord)) == models


def test_absent_and_null_stay_apart() -> None:
    absent = RolloutBranch.from_dict(base("RolloutBranch"))
    null = RolloutBranch.from_dict(base("RolloutBranch", seed=None))
    assert absent.seed is UNSET and null.seed is None
    assert "seed" not in absent.model_dump() and "seed" not in absent.model_dump_json()
    assert null.model_dump()["seed"] is None
    assert absent != null
    seed: int = absent.seed or 0
    assert seed == 0
    for refused in ({"context": None}, {"objective_status": None}):
        with pytest.raises(ValidationError):
            RolloutBranch.model_validate(base("RolloutBranch", **refused))


def test_errors_are_pydantics_or_those_of_the_dataclasses() -> None:
    record = base("RolloutBranchRecord", rank=0, task=7)
    with pytest.raises(ValidationError) as caught:
        RolloutBranchRecord.model_validate(record)
    details = {error["loc"]: error["msg"] for error in caught.value.errors()}
    assert details[("rank",)] == "must be >= 1, is 0"
    assert set(details) == {("rank",), ("task",)}
    with pytest.raises(WireError) as wire:
        RolloutBranchRecord.from_dict(record)
    assert list(wire.value.faults) == rollout_wire.RolloutBranchRecord.find_faults(record)


def test_a_subclass_lists_the_same_faults() -> None:
    class Named(RolloutBranchRecord):
        pass

    record = base("RolloutBranchRecord", rank=0, task=7)
    with pytest.raises(WireError) as caught:
        Named.from_dict(record)
    assert list(caught.value.faults) == rollout_wire.RolloutBranchRecord.find_faults(record)


def test_open_records_keep_unknown_fields_and_closed_ones_refuse_them() -> None:
    model = RolloutBranch.from_dict(base("RolloutBranch", future=[1]))
    assert model.model_extra == {"future": [1]}
    assert model.to_dict()["future"] == [1]
    provenance = base("PpoRecord")["provenance"]
    with pytest.raises(ValidationError):
        DEFINITIONS["PpoProvenance"].model_validate({**provenance, "extra": 1})


NUMBERS: list[tuple[dict[str, Any], bool]] = [
    ({"branch_index": 1.0}, True),
    ({"branch_index": True}, False),
    ({"branch_index": "1"}, False),
    ({"temperature": 1}, True),
    ({"temperature": float("nan")}, False),
    ({"temperature": 10**400}, False),
    ({"seed": 10**300}, True),
    ({"build_result": {"deep": [1, {"a": None}]}}, True),
]


@pytest.mark.parametrize(("fields", "valid"), NUMBERS)
def test_numbers_are_those_of_json(fields: dict[str, Any], valid: bool) -> None:
    record = base("RolloutBranch", **fields)
    if valid:
        assert RolloutBranch.model_validate(record).to_dict() == record
    else:
        with pytest.raises(ValidationError):
            RolloutBranch.model_validate(record)


def test_models_are_frozen_and_copied_and_pickled() -> None:
    model = RolloutBranch.from_dict(base("RolloutBranch", future=1))
    with pytest.raises(ValidationError, match="frozen"):
        setattr(model, "task", "other")
    assert copy.deepcopy(model) == model == pickle.loads(pickle.dumps(model))
    assert model.model_copy(update={"task": "other"}).to_dict() == {**model.to_dict(), "task": "other"}
    fields: dict[str, Any] = {**model.to_dict(), "seed": UNSET}
    assert RolloutBranch(**fields) == model


def test_the_repr_is_that_of_the_dataclass() -> None:
    line = GOLDEN.read_text(encoding="utf-8").splitlines()[0]
    model = RolloutBranchRecord.from_json(line)
    assert repr(model) == str(model) == repr(rollout_wire.RolloutBranchRecord.from_json(line))


def test_the_repr_of_an_unchecked_model_leaves_out_what_is_missing() -> None:
    assert repr(RolloutBranch.model_construct(task="t")) == "RolloutBranch(task='t')"
    assert RolloutBranch.model_construct(task="t").to_dict() == {"task": "t"}


def test_deep_values_and_lone_surrogates_come_back() -> None:
    text = json.dumps(base("RolloutBranch", task="\ud800")).replace(
        '"final_answer"', f'"future": {"[" * 2000}{"]" * 2000}, "final_answer"'
    )
    assert RolloutBranch.from_json(text).to_json() == RolloutBranch.from_json(text).to_json()
    assert RolloutBranch.from_json(text).task == "\ud800"


@pytest.mark.parametrize("mode", ["validation", "serialization"])
def test_the_json_schema_has_the_keywords(mode: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        schema = RolloutBranchRecord.model_json_schema(mode=mode)
    properties = schema["properties"]
    assert properties["task"]["minLength"] == 1
    assert properties["rank"] | {"minimum": 1, "type": "integer"} == properties["rank"]
    assert properties["objective_score"]["enum"] == [0, 1]
    assert properties["rank"]["description"]
    assert "rank" in schema["required"] and "seed" not in schema["required"]
    assert "default" not in properties["seed"]


def test_models_are_fields_of_other_models() -> None:
    class Page(BaseModel):
        branches: list[RolloutBranch]

    page = Page(branches=[RolloutBranch.from_dict(base("RolloutBranch"))])
    assert json.loads(page.model_dump_json()) == {"branches": [base("RolloutBranch")]}
    assert TypeAdapter(list[RolloutBranch]).validate_python([base("RolloutBranch")]) == page.branches
