"""Where the values of a JSON text are, and why a text is not JSON, as the TypeScript program says it."""

from __future__ import annotations

import json
import math
import re
from typing import NamedTuple, NoReturn

from ._errors import escape_token
from ._words import escape_controls, preview

MAX_DEPTH = 200
"""Limit on nesting. Values below it have no place."""

_MAX_LOCATED = 2**20
"""Longest text, in characters, whose values have places."""

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING_PART = re.compile(r'(?:[^"\\\x00-\x1f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LITERAL = re.compile("true|false|null")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_FOREIGN_WORD = re.compile(
    r"(?:NaN|nan|Infinity|inf|undefined|True|False|None|TRUE|FALSE|NULL|Null|nil)(?!\w)", re.ASCII
)
"""Words that other languages write for values. Any other word may be a secret, so it is not quoted."""


class JsonFault(Exception):
    """Why a text cannot be read as JSON, or has no canonical form."""

    def __init__(self, id: str, offset: int, message: str, pointer: str = "") -> None:
        super().__init__(message)
        self.id = id
        self.offset = offset
        """0-based, in characters."""
        self.message = message
        """A sentence that follows the file's name, safe on a terminal."""
        self.pointer = pointer


class Place(NamedTuple):
    """1-based; columns in UTF-16 code units."""

    line: int
    column: int


def place_at(text: str, offset: int) -> Place:
    """The place of the character at `offset` in `text`."""
    start = text.rfind("\n", 0, offset) + 1
    return Place(text.count("\n", 0, offset) + 1, _utf16_length(text[start:offset]) + 1)


def locate(text: str, pointer: str) -> Place:
    """Where the value at `pointer` begins, or its nearest parent; 1:1 in a text that is not JSON."""
    try:
        places = scan_json(text).places
    except JsonFault:
        return Place(1, 1)
    tokens = pointer.split("/")
    family = ["/".join(tokens[: end + 1]) for end in range(len(tokens))]
    return place_at(text, max(places.get(each, 0) for each in family))


def decode_utf8(source: bytes) -> str:
    """Raises JsonFault for bytes that are not UTF-8."""
    try:
        return source.decode("utf-8")
    except UnicodeDecodeError as error:
        offset = len(source[: error.start].decode("utf-8"))
        byte = source[error.start]
        raise JsonFault("json", offset, f"is not UTF-8: byte 0x{byte:02x}") from None


def explain_no_canonical_form(source: bytes) -> JsonFault | None:
    """Why the text of a schema has no hashes; None if it has."""
    try:
        whole = decode_utf8(source)
        scan = scan_json(whole[1:] if whole.startswith("\ufeff") else whole)
    except JsonFault as fault:
        return fault
    if scan.depth > MAX_DEPTH:
        return JsonFault("depth", 0, f"is nested more than {MAX_DEPTH} levels deep")
    return scan.repeated or scan.lone_surrogate or scan.endless_number


class Scan:
    """What one pass over a JSON text finds; of each fault the first."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        """Offsets of the values by JSON Pointer; of a repeated key the last."""
        self.depth = 0
        self.repeated: JsonFault | None = None
        self.lone_surrogate: JsonFault | None = None
        self.endless_number: JsonFault | None = None


class _Container:
    def __init__(self, closing: str) -> None:
        self.closing = closing
        self.child: str | int = "" if closing == "}" else 0
        """Key or index of the child that is read."""
        self.keys: set[str] = set()


def scan_json(text: str) -> Scan:
    """Reads a JSON text without recursion. Raises JsonFault (`json`) if it is not JSON."""
    scan = Scan()
    open_: list[_Container] = []
    is_located = len(text) <= _MAX_LOCATED
    at = _skip_space(text, 0)
    while True:
        if is_located and len(open_) <= MAX_DEPTH:
            scan.places[_pointer(open_)] = at
        first = text[at : at + 1]
        if first in ("{", "["):
            open_.append(_Container("}" if first == "{" else "]"))
            scan.depth = max(scan.depth, len(open_))
            at = _skip_space(text, at + 1)
            if text[at : at + 1] != open_[-1].closing:
                if first == "{":
                    at = _read_key(text, at, open_, scan)
                continue
        elif first == '"':
            end = _end_of_string(text, at)
            _find_lone_surrogate(text[at:end], at, "holds", open_, scan)
            at = _skip_space(text, end)
        elif first == "-" or "0" <= first <= "9":
            end = _end_of_number(text, at)
            if scan.endless_number is None and math.isinf(float(text[at:end])):
                message = "is a number beyond a double"
                scan.endless_number = JsonFault("number", at, message, _pointer(open_))
            at = _skip_space(text, end)
        else:
            at = _skip_space(text, _end_of_literal(text, at))
        # A value ended, or an empty container is about to.
        while open_:
            container, mark = open_[-1], text[at : at + 1]
            if mark == container.closing:
                open_.pop()
                at = _skip_space(text, at + 1)
                continue
            if mark != ",":
                _fail(text, at)
            at = _skip_space(text, at + 1)
            if isinstance(container.child, int):
                container.child += 1
            else:
                at = _read_key(text, at, open_, scan)
            break
        else:
            if at < len(text):
                _fail(text, at)
            return scan


def _read_key(text: str, at: int, open_: list[_Container], scan: Scan) -> int:
    """Reads a key and its colon; returns where the value begins."""
    if text[at : at + 1] != '"':
        _fail(text, at)
    end = _end_of_string(text, at)
    key: str = json.loads(text[at:end])
    container = open_[-1]
    container.child = key
    if key in container.keys and scan.repeated is None:
        message = f"has a second value under the key {preview(key)}: remove one of the two"
        scan.repeated = JsonFault("duplicate-key", at, message, _pointer(open_))
    container.keys.add(key)
    _find_lone_surrogate(text[at:end], at, "its key holds", open_, scan)
    colon = _skip_space(text, end)
    if text[colon : colon + 1] != ":":
        _fail(text, colon)
    return _skip_space(text, colon + 1)


def _find_lone_surrogate(
    quoted: str, at: int, what: str, open_: list[_Container], scan: Scan
) -> None:
    if scan.lone_surrogate is not None or "\\u" not in quoted:
        return
    lone = _LONE_SURROGATE.search(json.loads(quoted))
    if lone is not None:
        message = f"{what} a lone surrogate: U+{ord(lone[0]):04X}"
        scan.lone_surrogate = JsonFault("well-formed-unicode", at, message, _pointer(open_))


def _pointer(open_: list[_Container]) -> str:
    return "".join([f"/{escape_token(str(each.child))}" for each in open_])


def _skip_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()


def _end_of_string(text: str, at: int) -> int:
    found = _STRING_PART.match(text, at + 1)
    end = at + 1 if found is None else found.end()
    if text[end : end + 1] == '"':
        return end + 1
    if text[end : end + 1] != "\\":
        _fail(text, end)
    if text[end + 1 : end + 2] != "u":
        _fail(text, end + 1)
    digit = end + 2
    while text[digit : digit + 1] in tuple("0123456789abcdefABCDEF"):
        digit += 1
    _fail(text, digit)


def _end_of_number(text: str, at: int) -> int:
    found = _NUMBER.match(text, at)
    if found is None:
        _fail(text, at + 1)
    end = found.end()
    if text[end : end + 1] == "." and "." not in found[0] and "e" not in found[0].lower():
        _fail(text, end + 1)
    if text[end : end + 1] in ("e", "E") and "e" not in found[0].lower():
        _fail(text, end + (2 if text[end + 1 : end + 2] in ("+", "-") else 1))
    return end


def _end_of_literal(text: str, at: int) -> int:
    found = _LITERAL.match(text, at)
    if found is not None:
        return found.end()
    is_cut = any(word.startswith(text[at : at + len(word)]) for word in ("true", "false", "null"))
    # The whole word is wrong.
    _fail(text, len(text) if is_cut else at)


def _fail(text: str, at: int) -> NoReturn:
    word = _FOREIGN_WORD.match(text[at : at + 20])
    if at >= len(text):
        unexpected = "end of input"
    else:
        unexpected = word[0] if word is not None else escape_controls(preview(text[at]))
    raise JsonFault("json", min(at, len(text)), f"is not JSON: unexpected {unexpected}")


def _utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
