"""Why a text is not JSON, as the TypeScript program says it."""

from __future__ import annotations

import re
from typing import NoReturn

from ._faults import escape_controls, preview

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING_PART = re.compile(r'(?:[^"\\\x00-\x1f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LITERAL = re.compile("true|false|null")
_FOREIGN_WORD = re.compile(
    r"(?:NaN|nan|Infinity|inf|undefined|True|False|None|TRUE|FALSE|NULL|Null|nil)(?!\w)", re.ASCII
)
"""Words that other languages write for values. Any other word may be a secret, so it is not quoted."""


class _NoJson(Exception):
    """The text is not JSON from an offset on."""

    def __init__(self, offset: int) -> None:
        super().__init__(offset)
        self.offset = offset


def explain_no_utf8(source: bytes, start: int) -> str:
    """Why bytes are not UTF-8: the first wrong one is at `start`."""
    column = _column(source.decode("utf-8", "replace"), len(source[:start].decode("utf-8")))
    return f"not UTF-8: byte 0x{source[start]:02x} at column {column}"


def explain_no_json(text: str) -> str | None:
    """Why a text is not JSON; None if it is."""
    try:
        _scan(text)
    except _NoJson as fault:
        at = min(fault.offset, len(text))
        return f"not JSON: unexpected {_name_what_is_at(text, at)} at column {_column(text, at)}"
    return None


def _name_what_is_at(text: str, at: int) -> str:
    if at >= len(text):
        return "end of input"
    word = _FOREIGN_WORD.match(text[at : at + 20])
    return word[0] if word is not None else escape_controls(preview(text[at]))


def _column(text: str, offset: int) -> int:
    """The column of the character at `offset`, from 1, in UTF-16 code units."""
    start = text.rfind("\n", 0, offset) + 1
    return len(text[start:offset].encode("utf-16-le", "surrogatepass")) // 2 + 1


def _scan(text: str) -> None:
    """Reads a JSON text without recursion. Raises _NoJson if it is none."""
    closing: list[str] = []
    at = _skip_space(text, 0)
    while True:
        first = text[at : at + 1]
        if first in ("{", "["):
            closing.append("}" if first == "{" else "]")
            at = _skip_space(text, at + 1)
            if text[at : at + 1] != closing[-1]:
                if first == "{":
                    at = _skip_key(text, at)
                continue
        elif first == '"':
            at = _skip_space(text, _end_of_string(text, at))
        elif first == "-" or "0" <= first <= "9":
            at = _skip_space(text, _end_of_number(text, at))
        else:
            at = _skip_space(text, _end_of_literal(text, at))
        # A value ended, or an empty container is about to.
        while closing and text[at : at + 1] == closing[-1]:
            closing.pop()
            at = _skip_space(text, at + 1)
        if not closing:
            if at < len(text):
                raise _NoJson(at)
            return
        if text[at : at + 1] != ",":
            raise _NoJson(at)
        at = _skip_space(text, at + 1)
        if closing[-1] == "}":
            at = _skip_key(text, at)


def _skip_key(text: str, at: int) -> int:
    """Reads a key and its colon; returns where the value begins."""
    if text[at : at + 1] != '"':
        raise _NoJson(at)
    colon = _skip_space(text, _end_of_string(text, at))
    if text[colon : colon + 1] != ":":
        raise _NoJson(colon)
    return _skip_space(text, colon + 1)


def _skip_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()


def _end_of_string(text: str, at: int) -> int:
    found = _STRING_PART.match(text, at + 1)
    end = at + 1 if found is None else found.end()
    if text[end : end + 1] == '"':
        return end + 1
    _fail_in_string(text, end)


def _fail_in_string(text: str, end: int) -> NoReturn:
    if text[end : end + 1] != "\\":
        raise _NoJson(end)
    if text[end + 1 : end + 2] != "u":
        raise _NoJson(end + 1)
    digit = end + 2
    while text[digit : digit + 1] in tuple("0123456789abcdefABCDEF"):
        digit += 1
    raise _NoJson(digit)


def _end_of_number(text: str, at: int) -> int:
    found = _NUMBER.match(text, at)
    if found is None:
        raise _NoJson(at + 1)
    end = found.end()
    if text[end : end + 1] == "." and "." not in found[0] and "e" not in found[0].lower():
        raise _NoJson(end + 1)
    if text[end : end + 1] in ("e", "E") and "e" not in found[0].lower():
        raise _NoJson(end + (2 if text[end + 1 : end + 2] in ("+", "-") else 1))
    return end


def _end_of_literal(text: str, at: int) -> int:
    found = _LITERAL.match(text, at)
    if found is not None:
        return found.end()
    is_cut = any(word.startswith(text[at : at + len(word)]) for word in ("true", "false", "null"))
    # The whole word is wrong.
    raise _NoJson(len(text) if is_cut else at)
