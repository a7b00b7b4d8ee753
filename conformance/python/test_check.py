"""Values judged by schemas as data: every keyword, in words, and what must not hang or crash."""

from __future__ import annotations

import re
import sys
from typing import Any

import pytest
from rollout_wire._check import accepts, find_faults, find_node_faults
from rollout_wire._schemas import define

TREE: dict[str, Any] = {
    "type": ("object",),
    "properties": {"kind": {"const": "tree"}, "left": {"$ref": "TestTree"}, "right": {"$ref": "TestTree"}},
    "required": ["kind"],
}
EXPRESSION: dict[str, Any] = {
    "oneOf": [
        {"$ref": "TestLeaf"},
        {"properties": {"a": {"$ref": "TestExpression"}, "b": {"$ref": "TestExpression"}}, "required": ["a", "b"]},
        {"properties": {"a": {"$ref": "TestExpression"}, "c": {"$ref": "TestExpression"}}, "required": ["a", "c"]},
    ]
}
STEPS: dict[str, Any] = {
    "$ref": "TestStep2",
    "allOf": [{"allOf": [{"allOf": [{"properties": {"next": {"allOf": [{"allOf": [{"$ref": "TestStep"}]}]}}}]}]}],
}
DEFINITIONS: dict[str, dict[str, Any]] = {
    "TestTree": TREE,
    "TestExpression": EXPRESSION,
    "TestLeaf": {"type": ("integer",)},
    "TestCat": {"type": ("object",), "properties": {"kind": {"enum": ["cat", "kitten"]}, "lives": {"maximum": 9}}},
    "TestDog": {"type": ("object",), "properties": {"kind": {"const": "dog"}}},
    "TestStep": STEPS,
    "TestStep2": {},
}
define(lambda: DEFINITIONS)

PETS = {"oneOf": [{"$ref": "TestCat"}, {"$ref": "TestDog"}]}
STARTS = ("^a", re.compile("^a").search)


def said(node: dict[str, Any], value: object) -> list[str]:
    return [f"{at} {keyword}: {message}" for at, keyword, message in find_node_faults(node, value)]


@pytest.mark.parametrize(
    ("node", "value", "expected"),
    [
        ({"type": ("string", "null"), "enum": ["a"]}, 1, [" type: must be a string or null, is 1"]),
        ({"const": [1, {"a": "é"}]}, [1], [' const: must be [1,{"a":"é"}], is an array']),
        ({"enum": [True, None]}, 1, [" enum: must be true or null, is 1"]),
        ({"enum": list(range(25))}, -1, [f" enum: must be {', '.join(map(str, range(20)))} or 5 more, is -1"]),
        ({"multipleOf": 0.01}, 19.995, [" multipleOf: must be a multiple of 0.01, is 19.995"]),
        ({"minimum": 1, "exclusiveMaximum": 0}, 0.5, [" minimum: must be >= 1, is 0.5", " exclusiveMaximum: must be < 0, is 0.5"]),
        ({"maxLength": 1, "pattern": STARTS}, "bc", [' maxLength: must NOT have more than 1 characters, is "bc"', ' pattern: must match ^a, is "bc"']),
        ({"minItems": 3, "uniqueItems": True}, [1, 1.0], [" minItems: must have at least 3 items, has 2", " uniqueItems: must not have equal items, items 0 and 1 are equal"]),
        ({"contains": {"const": 1}}, [2, True], [' contains: must have at least 1 item that matches "contains", has 0']),
        ({"contains": {}, "maxContains": 1}, [2, 3], [' contains: must have at most 1 item that matches "contains", has 2']),
        ({"prefixItems": [{"type": ("null",)}], "items": {"not": {}}}, [None, 1], ["/1 not: is not allowed here"]),
        ({"minProperties": 2}, {"a": 1}, [" minProperties: must have at least 2 properties, has 1"]),
        ({"maxProperties": 1}, {"a": 1, "b": 1}, [" maxProperties: must have at most 1 property, has 2"]),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, [' dependentRequired: lacks "b", which "a" demands']),
        ({"propertyNames": {"pattern": STARTS}}, {"b": 1}, [' propertyNames: has "b", whose name must match ^a']),
        (
            {"properties": {"x/y": {}}, "patternProperties": [(STARTS[1], {"type": ("null",)})], "additionalProperties": False},
            {"x/y": 1, "ab": 1, "z": 1},
            [' additionalProperties: has "z", which is not allowed here', "/ab type: must be null, is 1"],
        ),
        ({"additionalProperties": {"type": ("null",)}}, {"~/": 1}, ["/~0~1 type: must be null, is 1"]),
        ({"not": {"type": ("integer",)}}, 1.0, [' not: must not match the schema in "not", is 1']),
        ({"if": {"required": ["a"]}, "then": {"required": ["b"]}}, {"a": 1}, [' required: lacks "b"']),
        ({"dependentSchemas": {"a": {"required": ["b"]}}}, {"a": 1}, [' required: lacks "b"']),
        ({"anyOf": [{"type": ("string",)}, {"type": ("null",)}]}, 7, [" anyOf: must be a string or null, is 7"]),
        ({"anyOf": [{"minLength": 1, "type": ("string",)}, {"type": ("null",)}]}, "", [" minLength: must not be empty"]),
        ({"anyOf": [{"const": "a"}, {"const": "b"}]}, "c", [" anyOf: matches none of the 2 schemas here"]),
        ({"oneOf": [{"type": ("integer",)}, {"minimum": 1}]}, 2, [" oneOf: matches 2 schemas here, and only one may hold"]),
        (PETS, {}, [" oneOf: matches 2 schemas here (TestCat and TestDog), and only one may hold"]),
        (PETS, {"kind": "kitten", "lives": 10}, ["/lives maximum: must be <= 9, is 10"]),
        (PETS, {"kind": "cow"}, ['/kind enum: must be "cat", "kitten" or "dog", is "cow"']),
        ({"allOf": [{"minimum": 1}, {"minimum": 1}]}, 0, [" minimum: must be >= 1, is 0"]),
    ],
)
def test_the_words_of_a_keyword(node: dict[str, Any], value: object, expected: list[str]) -> None:
    assert said(node, value) == expected


@pytest.mark.parametrize(
    ("node", "value"),
    [
        ({"multipleOf": 0.01}, 19.99),
        ({"multipleOf": 1e-300}, 1e300),
        ({"const": {"a": [1, 2.0], "b": None}}, {"b": None, "a": [1.0, 2]}),
        ({"uniqueItems": True}, [1, True, "1", [1], {"a": 1}, {"a": True}, 0, False, None]),
        ({"maxLength": 1}, "\U0001f600"),
        ({"contains": {"const": 1}, "minContains": 0}, []),
        ({"properties": {"a": {"type": ("null",)}}, "minLength": 2}, 1),
    ],
)
def test_what_is_valid(node: dict[str, Any], value: object) -> None:
    assert said(node, value) == []


def nested(depth: int, key: str = "left") -> dict[str, Any]:
    value: dict[str, Any] = {"kind": "tree"}
    for _ in range(depth):
        value = {"kind": "tree", key: value}
    return value


def test_a_definition_is_nested_in_itself_a_hundred_times() -> None:
    assert accepts("TestTree", nested(100))
    (fault,) = find_faults("TestTree", nested(3000))
    assert fault.pointer == "/left" * 101
    assert (fault.keyword, fault.message) == ("nesting", "is nested in itself more than 100 times")


def test_definitions_of_many_steps_have_room_on_the_stack() -> None:
    limit = sys.getrecursionlimit()
    value: dict[str, Any] = {}
    for _ in range(100):
        value = {"next": value}
    assert find_faults("TestStep", value) == []
    assert [fault.keyword for fault in find_faults("TestStep", {"next": value})] == ["nesting"]
    assert sys.getrecursionlimit() == limit


def test_unions_in_unions_take_no_exponential_time() -> None:
    value: Any = "no integer"
    for _ in range(60):
        value = {"a": value, "c": 1}
    assert find_faults("TestExpression", value) != []


def test_equality_of_deep_values_needs_no_stack() -> None:
    first: Any = []
    second: Any = []
    for _ in range(100_000):
        first, second = [first], [second]
    assert said({"uniqueItems": True}, [first, second]) != []
