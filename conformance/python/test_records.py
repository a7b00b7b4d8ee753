"""Records as Python objects: subclasses, attributes, pydantic fields and messages of wrong arguments."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Mapping, cast

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError
from rollout_wire import DEFINITIONS, DpoRecord, PpoRecord, RolloutBranchRecord, WireError, load_jsonl
from suites import base

ROOT = Path(__file__).parents[2]
PYTHONPATH = f"{ROOT}/generated/python{os.pathsep}{ROOT}/integrations/python"
BRANCH = RolloutBranchRecord.from_dict(base("RolloutBranchRecord"))


class Named(PpoRecord):
    def name(self) -> str:
        return f"{self.provenance.rollout_id}#{self.provenance.branch_index}"


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Weighted(PpoRecord):
    weight: float = 1.0


@pytest.mark.parametrize("record_type", [Named, Weighted])
def test_a_subclass_is_read_built_and_written(record_type: type[PpoRecord], tmp_path: Path) -> None:
    fields = base("PpoRecord", future=1)
    record = record_type.from_dict(fields)
    assert type(record) is record_type
    assert record.to_dict() == fields
    assert list(record.to_dict()) == list(fields)
    changed = dataclasses.replace(record, reward=0.5)
    assert type(changed) is record_type and changed.to_dict() == {**fields, "reward": 0.5}
    assert repr(record).startswith(f"{record_type.__name__}(prompt=")
    path = tmp_path / "a.jsonl"
    path.write_text(record.to_json(), encoding="utf-8")
    assert list(load_jsonl(path, record_type)) == [record]
    with pytest.raises(WireError, match="/reward must be a number"):
        record_type.from_dict(base("PpoRecord", reward="1"))


def test_a_subclass_has_its_own_methods_and_fields() -> None:
    record = base("PpoRecord")
    provenance = record["provenance"]
    assert Named.from_dict(record).name() == f"{provenance['rollout_id']}#{provenance['branch_index']}"
    assert Weighted.from_dict(record).weight == 1
    assert repr(Weighted.from_dict(record)).endswith("weight=1.0)")


def test_attributes_are_refused_as_in_other_frozen_dataclasses() -> None:
    for record_type in DEFINITIONS.values():
        record = object.__new__(record_type)
        name = dataclasses.fields(cast(Any, record_type))[0].name
        changes: tuple[Callable[[str], None], ...] = (
            lambda at: setattr(record, at, 1),
            lambda at: delattr(record, at),
        )
        for change in changes:
            with pytest.raises(dataclasses.FrozenInstanceError, match="use dataclasses.replace"):
                change(name)
            said = f"'{record_type.__name__}' object has no attribute 'taks'"
            with pytest.raises(AttributeError, match=said):
                change("taks")


def test_records_are_fields_of_pydantic_models() -> None:
    class Page(BaseModel):
        records: list[DpoRecord]

    record = base("DpoRecord", future=[1])
    page = Page.model_validate({"records": [record, DpoRecord.from_dict(record)]})
    assert page.records == [DpoRecord.from_dict(record)] * 2
    assert page.model_dump() == json.loads(page.model_dump_json()) == {"records": [record] * 2}
    assert Page.model_validate_json(page.model_dump_json()) == page
    assert type(TypeAdapter(Named).validate_python(base("PpoRecord"))) is Named
    assert TypeAdapter(DpoRecord).json_schema() == {"type": "object", "title": "DpoRecord"}
    with pytest.raises(ValidationError, match="/prompt must be a string, is 7"):
        Page.model_validate({"records": [{**record, "prompt": 7}]})


def test_pydantic_is_imported_only_by_those_who_use_it() -> None:
    program = "import sys, rollout_wire\nprint([name for name in sys.modules if name.startswith('pydantic')])"
    output = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": PYTHONPATH},
        capture_output=True,
        text=True,
        check=True,
    )
    assert output.stdout == "[]\n"


@pytest.mark.parametrize(
    ("changes", "faults"),
    [
        (
            {"tool_call_sequence": [{"event": "tool_call"}]},
            ["/tool_call_sequence/0 must be a ToolEvent, is an object: use ToolEvent.from_dict (type)"],
        ),
        (
            {"tool_call_sequence": {}, "context": {"messages": []}},
            [
                "/tool_call_sequence must be an array, is an object (type)",
                "/context must be a ModelContext, is an object: use ModelContext.from_dict (type)",
            ],
        ),
        ({"rank": 0}, ["/rank must be >= 1, is 0 (minimum)"]),
    ],
)
def test_a_wrong_value_is_named_with_its_place(changes: Mapping[str, Any], faults: list[str]) -> None:
    with pytest.raises(WireError) as caught:
        dataclasses.replace(BRANCH, **changes)
    assert [str(fault) for fault in caught.value.faults] == faults


def test_json_texts_are_str_bytes_or_bytearray() -> None:
    text = BRANCH.to_json()
    for given in (text, text.encode(), bytearray(text.encode())):
        assert RolloutBranchRecord.from_json(given) == BRANCH
    with pytest.raises(WireError, match="unexpected end of input"):
        RolloutBranchRecord.from_json(bytearray(b"{"))
    for wrong in (None, BRANCH.to_dict()):
        with pytest.raises(TypeError, match="a JSON text must be a str or bytes, is a"):
            RolloutBranchRecord.from_json(cast(Any, wrong))
