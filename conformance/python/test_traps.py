"""Known differences between Python and JSON Schema, and between Python and JavaScript."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rollout_wire import PpoProvenance, RolloutBranch, RolloutBranchRecord, WireError
from suites import base

ROOT = Path(__file__).parents[2]
PYTHONPATH = f"{ROOT}/generated/python{os.pathsep}{ROOT}/integrations/python"

RANKED = base("RolloutBranchRecord", task="What is 2+2?", final_answer="four")
PROVENANCE = {
    "source": "wasmagent-rollout",
    "rollout_id": "r-1",
    "branch_index": 0,
    "objective_score": 1,
    "exported_at_ms": 0,
    "n_gram_hash": "52cb6b5e4a038af1",
}


def branch_text(field: str, value: str) -> str:
    """A branch as JSON text, with one field in the given spelling."""
    return json.dumps({**RANKED, field: "@@"}).replace('"@@"', value)


def faults(record: object) -> list[tuple[str, str]]:
    return [(fault.pointer, fault.keyword) for fault in RolloutBranchRecord.find_faults(record)]


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("rank", 0, [("/rank", "minimum")]),
        ("rank", 0.5, [("/rank", "type")]),
        ("rank", True, [("/rank", "type")]),
        ("branch_index", -3, [("/branch_index", "minimum")]),
        ("branch_index", False, [("/branch_index", "type")]),
        ("objective_score", 7, [("/objective_score", "enum")]),
        ("objective_score", True, [("/objective_score", "type")]),
        ("total_score", True, [("/total_score", "type")]),
        ("total_score", float("nan"), [("/total_score", "type")]),
        ("total_score", float("-inf"), [("/total_score", "type")]),
        ("total_score", 10**400, [("/total_score", "type")]),
        ("seed", 1.5, [("/seed", "type")]),
        ("rollout_id", "", [("/rollout_id", "minLength")]),
        ("tool_call_sequence", (), [("/tool_call_sequence", "type")]),
        ("schema_version", "rollout-wire/v0", [("/schema_version", "const")]),
        ("objective_status", "PASS", [("/objective_status", "enum")]),
    ],
)
def test_rejected(field: str, value: object, expected: list[tuple[str, str]]) -> None:
    record = {**RANKED, field: value}
    assert faults(record) == expected
    with pytest.raises(WireError) as caught:
        RolloutBranchRecord.from_dict(record)
    assert (caught.value.pointer, caught.value.keyword) == expected[0]


@pytest.mark.parametrize("value", [1.0, 1e0, 10**20, 1e300])
def test_a_float_without_fraction_is_an_integer(value: float) -> None:
    read = RolloutBranchRecord.from_dict({**RANKED, "rank": value})
    assert read.rank == value
    assert isinstance(read.rank, int)


def test_dollar_does_not_match_before_a_trailing_newline() -> None:
    assert PpoProvenance.from_dict(PROVENANCE).n_gram_hash == "52cb6b5e4a038af1"
    with pytest.raises(WireError) as caught:
        PpoProvenance.from_dict({**PROVENANCE, "n_gram_hash": "52cb6b5e4a038af1\n"})
    assert (caught.value.pointer, caught.value.keyword) == ("/n_gram_hash", "pattern")


def test_digits_are_ascii_digits() -> None:
    with pytest.raises(WireError):
        PpoProvenance.from_dict({**PROVENANCE, "n_gram_hash": "５２cb6b5e4a038af1"})


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "01", "1.", "+1", "'a'", "[1,]"])
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(WireError) as caught:
        RolloutBranchRecord.from_json(branch_text("total_score", text))
    assert caught.value.keyword == "json"


def test_nan_is_refused_in_unknown_fields_too() -> None:
    with pytest.raises(WireError) as caught:
        RolloutBranchRecord.from_json(branch_text("extra", "NaN"))
    assert caught.value.keyword == "json"


@pytest.mark.parametrize("text", ["1e999", "1" * 400, "1" * 5000])
def test_numbers_beyond_a_double_are_no_numbers(text: str) -> None:
    with pytest.raises(WireError) as caught:
        RolloutBranchRecord.from_json(branch_text("total_score", text))
    assert (caught.value.pointer, caught.value.keyword) == ("/total_score", "type")


def test_huge_integers_in_unknown_fields_do_not_break_the_reader() -> None:
    assert RolloutBranchRecord.from_json(branch_text("extra", "1" * 5000)).rank == 1


def test_a_long_integer_leaves_the_others_as_they_are() -> None:
    text = branch_text("extra", f"[{'1' * 5000}, {'2' * 1000}]")
    assert RolloutBranchRecord.from_json(text).unknown_fields["extra"] == [float("inf"), int("2" * 1000)]


def test_lone_surrogates_come_back() -> None:
    text = branch_text("final_answer", '"a\\ud800b"')
    read = RolloutBranchRecord.from_json(text)
    assert len(read.final_answer) == 3
    written = read.to_json()
    assert written.encode("utf-8")
    assert RolloutBranchRecord.from_json(written) == read


def test_surrogate_pairs_are_one_character() -> None:
    read = RolloutBranchRecord.from_json(branch_text("final_answer", '"\\ud83d\\ude00"'))
    assert read.final_answer == "\U0001f600"


@pytest.mark.parametrize("depth", [900, 5_000, 200_000])
def test_depth_is_no_fault(depth: int) -> None:
    deep = "[" * depth + '{"a":[1,"\\"]",null,{}],"b":true}' + "]" * depth
    text = branch_text("extra", deep)
    read = RolloutBranchRecord.from_json(text)
    assert RolloutBranchRecord.from_dict(read.to_dict()).rank == 1
    assert read.to_json() == text.replace(": ", ":").replace(", ", ",")


@pytest.mark.parametrize("tail", ["]", "", "}", ',"b"', "x", ":"])
def test_deep_text_that_is_not_json_is_refused(tail: str) -> None:
    with pytest.raises(WireError) as caught:
        RolloutBranchRecord.from_json("[" * 5000 + "]" * 4999 + tail + ("]" if tail == "]" else ""))
    assert caught.value.keyword in {"json", "type"}


def test_bytes_that_are_not_utf8_are_refused() -> None:
    with pytest.raises(WireError) as caught:
        RolloutBranch.from_json(b'{"task": "\xff"}')
    assert caught.value.keyword == "json"


def test_an_infinite_number_has_no_json_text() -> None:
    read = RolloutBranchRecord.from_json(branch_text("extra", "1e999"))
    with pytest.raises(WireError):
        read.to_json()


def test_checks_do_not_depend_on_assert() -> None:
    program = (
        "from rollout_wire import RolloutBranch, WireError\n"
        "try:\n    RolloutBranch.from_dict({})\n"
        "except WireError as error:\n    print(len(error.faults))\n"
    )
    output = subprocess.run(
        [sys.executable, "-O", "-c", program],
        env={"PYTHONPATH": PYTHONPATH},
        capture_output=True,
        text=True,
        check=True,
    )
    expected = len(RolloutBranch.find_faults({}))
    assert expected > 0
    assert output.stdout == f"{expected}\n"


def test_all_faults_are_collected() -> None:
    with pytest.raises(WireError) as caught:
        RolloutBranchRecord.from_dict({**RANKED, "rank": 0, "task": 1})
    assert [fault.pointer for fault in caught.value.faults] == ["/rank", "/task"]
    assert str(caught.value).split("\n") == [
        "2 faults",
        "  /rank must be >= 1, is 0 (minimum)",
        "  /task must be a string, is 1 (type)",
    ]


def test_the_text_of_an_error_is_bounded() -> None:
    with pytest.raises(WireError) as caught:
        RolloutBranchRecord.from_dict({**RANKED, "tool_call_sequence": [1] * 1000})
    lines = str(caught.value).split("\n")
    assert len(caught.value.faults) == 1000
    assert (lines[0], lines[-1], len(lines)) == ("1,000 faults", "  and 980 more", 22)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (float("inf"), "Infinity"),
        (-(10**400), "-Infinity"),
        (float("nan"), "NaN"),
        (1.5e-7, "1.5e-7"),
        (True, "true"),
        ((), "a Python tuple"),
        ("a\x1b" + "b" * 80, '"a\\u001b' + "b" * 58 + '…"'),
    ],
)
def test_messages_preview_any_value(value: object, shown: str) -> None:
    faults = RolloutBranchRecord.find_faults({**RANKED, "rank": value})
    assert faults[0].message == f"must be an integer, is {shown}"
