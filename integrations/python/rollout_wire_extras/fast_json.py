"""The JSON parser of msgspec, if it is installed: the extra `fast`."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Callable

Parser = Callable[["str | bytes | bytearray"], Any]

# Texts that parsers read differently, and what the standard library makes of them. They tell whether the
# installed version can be used; that all others give equal values is shown by tests, with one version.
_VALUES = (
    (b"-0", "0"),
    (b"-0.0", "-0.0"),
    (b"1e2", "100.0"),
    (b"5e-324", "5e-324"),
    (b"9007199254740993", "9007199254740993"),
    (b"18446744073709551616", "18446744073709551616"),
    (b"-9223372036854775809", "-9223372036854775809"),
    (b'{"a":1,"b":2,"a":[3]}', "{'a': [3], 'b': 2}"),
    (b'"\\ud83d\\ude80\\u0000\\/"', "'\U0001f680\\x00/'"),
)
# Most are not JSON. The others are, but with values that few parsers can represent.
_REFUSED = (
    *(b"NaN", b"Infinity", b"-Infinity", b"1e999", b"01", b"1.", b".5", b"+1"),
    *(b"[1,]", b'{"a":1,}', b"1 2", b"/**/1", b"'a'", b'"\t"', b"\x0c1", b"\xef\xbb\xbf1"),
    *(b'"\\ud800"', b'"\\udc00\\ud800"', b'"\xed\xa0\x80"', b'"\xc0\x80"', b'"\xff"', b'{"\xff":1}'),
)


def _find_parser() -> Parser | None:
    try:
        # Not an import statement: type checkers of repositories without msgspec would not find it.
        json: Any = import_module("msgspec.json")
    except ImportError:
        return None
    parse: Parser = json.Decoder().decode
    return parse if is_usable(parse) else None


def is_usable(parse: Parser) -> bool:
    """Whether `parse` reads the texts above like the standard library, or refuses those that it may."""
    for text in _REFUSED:
        try:
            parse(text)
        except Exception:
            continue
        return False
    try:
        return all(repr(parse(text)) == value for text, value in _VALUES)
    except Exception:
        return False


parse_fast = _find_parser()
"""Parses a JSON text to the value that the standard library returns. None without the extra.

Raises an exception of any class if the text is not JSON, and for some texts that are: lone surrogates,
numbers too large for a float, integers of more than 4300 digits, very deep nesting.
"""
