"""Lines of JSON, whole and damaged, the same ones in every run."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).parents[2] / "fixtures"

# Pieces of text that parsers read differently.
_PIECES = (
    *(b"-0", b"-0.0", b"1e999", b"1e-999", b"0.1", b"01", b"1.", b"+1", b"NaN", b"-Infinity", b"1e5"),
    *(b"18446744073709551615", b"18446744073709551616", b"-9223372036854775809", b"9" * 400, b"9" * 5000),
    *(b"12345678901234567890.5", b"0.30000000000000004", b"2.2250738585072011e-308", b"E+", b"e", b"."),
    *(b"true", b"null", b"tru", b"{", b"}", b"[", b"]", b",", b":", b'"', b"{}", b"[]", b"\\", b"/**/"),
    *(b'"a":1,', b'"":[],', b'"a":', b"[" * 50, b"[" * 2000, b"]" * 50, b" ", b"\t", b"\r", b"\n", b"\x0c"),
    *(b"\\ud800", b"\\udc00", b"\\ud83d\\ude80", b"\\u0000", b"\\u00", b"\\x41", b"\\/", b"\\n", b"\\u0061"),
    *(b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf0\x9f\x9a\x80", b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"\x00"),
)


def whole_lines() -> list[bytes]:
    """Every line of the JSONL fixtures, and every record and edit in the suites."""
    lines: list[bytes] = []
    for path in sorted(FIXTURES.rglob("*.jsonl")):
        lines += [line for line in path.read_bytes().splitlines() if line]
    for path in sorted((FIXTURES / "suites").glob("*.json")):
        suite: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        for value in (suite["base"], *suite["valid"], *suite["invalid"]):
            lines.append(json.dumps(value, ensure_ascii=len(lines) % 2 == 0).encode("utf-8", "replace"))
    return lines


def damaged_lines(seed: int, count: int) -> Iterator[bytes]:
    """Yields `count` lines with one to three changes each."""
    numbers = random.Random(seed)
    lines = [line for line in whole_lines() if len(line) < 4000]
    for _ in range(count):
        line = numbers.choice(lines)
        for _ in range(numbers.randint(1, 3)):
            line = _change(line, numbers, lines)
        yield line


def _change(line: bytes, numbers: random.Random, lines: list[bytes]) -> bytes:
    at = numbers.randint(0, len(line))
    end = min(len(line), at + numbers.choice((0, 1, 1, 2, 8, 40)))
    kind = numbers.randrange(8)
    if kind == 0:
        return line[:at] + bytes([numbers.randrange(256)]) + line[end:]
    if kind == 1:
        return line[:at] + line[end:]
    if kind == 2:
        return line[:end] + line[at:]
    if kind == 3:
        other = numbers.choice(lines)
        return line[:at] + other[numbers.randint(0, len(other)) :]
    if kind in (4, 5):
        return line[:at] + numbers.choice(_PIECES) + line[end:]
    # The other changes leave most texts valid: in place of a value, and of a character in a string.
    after = line.find(b":" if kind == 6 else b"e", at) + 1
    if after == 0:
        return line
    if kind == 6:
        return line[:after] + numbers.choice(_PIECES) + b',"a":' + line[after:]
    return line[: after - 1] + b"\\u0065" + line[after:]
