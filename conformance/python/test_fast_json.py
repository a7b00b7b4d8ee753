"""The extra `fast`: msgspec gives the values and the errors of the standard library."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from both_parsers import parse_twice
from damaged_lines import damaged_lines, whole_lines
from rollout_wire import WireError, load_rollouts
from rollout_wire_extras.fast_json import is_usable, parse_fast

GOLDEN = Path(__file__).parents[2] / "fixtures/golden/support-desk/input.jsonl"

TEXTS = [
    *(b"0", b"-0", b"-0.0", b"0e0", b"1.0", b"1e2", b"1E+2", b"5e-324", b"2e-324", b"1e999", b"-1e999"),
    *(b"1.7976931348623157e308", b"1.7976931348623159e308", b"1e99999999999999999999"),
    *(b"9223372036854775807", b"9223372036854775808", b"18446744073709551615", b"18446744073709551616"),
    *(b"-9223372036854775808", b"-9223372036854775809", b"-123456789012345678901234567890"),
    *(b"9" * 4300, b"9" * 4301, b"-" + b"9" * 5000, b"9" * 400 + b".5", b"0." + b"1" * 5000),
    *(b"01", b"-01", b"1.", b".5", b"+1", b"1e", b"-", b"--1", b"1_0", b"0x10", b"\xd9\xa1"),
    *(b"NaN", b"nan", b"Infinity", b"-Infinity", b"tru", b"True", b"true ", b" null\r\n", b"", b" "),
    *(b"\x0c1", b"1\x0b", b"1\x00", b"\xc2\xa01", b"\xef\xbb\xbf1", b"1 2", b"1/**/", b"// x\n1"),
    *(b'{"a":1,"b":2,"a":3}', b'{"a":{"x":1},"a":{"y":2}}', b'{"":1,"":2}', b'{"\\u0061":1,"a":2}'),
    *(b'{"a":1,}', b"[1,]", b"{,}", b"{'a':1}", b'{"a"}', b"{1:2}", b'{"a":1 "b":2}', b"[1]]", b"[[1]"),
    *(b'"\\ud800"', b'"\\udc00"', b'{"\\ud800":1}', b'"\\ud83d\\ude80"', b'"\\ud83d\\ud83d\\ude80"'),
    *(b'"\\u00"', b'"\\u00zz"', b'"\\u+123"', b'"\\u 123"', b'"\\x41"', b'"\\/"', b'"\\u0000"', b'"\\"'),
    *(b'"a\x00b"', b'"a\nb"', b'"a\x1fb"', b'"a\x7fb"', b'"\xe2\x80\xa8"', b'"abc'),
    *(b'"\xff"', b'"\xc0\x80"', b'"\xed\xa0\x80"', b'"\xf4\x90\x80\x80"', b'{"\xff":1}', b'"\\n\xff"'),
    *(b"[" * depth + b"]" * depth for depth in (200, 900, 1100, 3_000)),
    *(b'{"a":' * depth + b"1" + b"}" * depth for depth in (900, 1100, 3_000)),
    *(b"[" * depth for depth in (900, 3_000)),
]


@pytest.fixture(name="without_msgspec")
def fixture_without_msgspec(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--without-msgspec"))


def test_msgspec_is_used_where_it_is_installed(without_msgspec: bool) -> None:
    assert (parse_fast is None) == without_msgspec


def test_parsers_with_other_values_or_verdicts_are_not_used() -> None:
    assert not is_usable(json.loads)
    assert not is_usable(lambda text: float(json.loads(text)) if text.isdigit() else json.loads(text))


def count_refused(lines: Iterable[bytes]) -> int:
    refused = 0
    for line in lines:
        try:
            parse_twice(line)
        except WireError:
            refused += 1
    return refused


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: repr(text[:30]))
def test_both_parsers_agree(text: bytes) -> None:
    for line in [text, text + b"\n", b" " + text, b'{"a": ' + text + b"}", b"[0, " + text + b" ]\r\n"]:
        try:
            parse_twice(line)
        except WireError as error:
            assert error.keyword == "json"


def test_both_parsers_agree_on_every_record_and_on_damaged_ones() -> None:
    whole = whole_lines()
    assert len(whole) > 200
    assert count_refused(whole) < 20
    assert 300 < count_refused(damaged_lines(1, 3000)) < 2700


def test_text_as_well_as_bytes() -> None:
    text = GOLDEN.read_text(encoding="utf-8").splitlines()[0]
    record = next(load_rollouts(GOLDEN))
    assert type(record).from_json(text) == type(record).from_json(text.encode()) == record


@pytest.mark.parametrize("limit", [640, 0])
def test_other_limits_on_the_length_of_integers(limit: int) -> None:
    before = sys.get_int_max_str_digits()
    try:
        sys.set_int_max_str_digits(limit)
        for digits in (639, 641, 4300):
            parse_twice(b"9" * digits)
    finally:
        sys.set_int_max_str_digits(before)
