"""What a schema demands, in the words of the TypeScript program."""

from __future__ import annotations

import json
from typing import Any, Iterable

from ._faults import MAX_SHOWN, escape_controls, preview
from ._values import is_array, is_object

_MAX_LISTED = 20
"""Most literals that a message lists."""


def show_literal(literal: Any) -> str:
    """A literal of a schema: unlike in the preview of a value, arrays and objects are printed."""
    if is_array(literal) or is_object(literal):
        text = _to_json(literal)
        return escape_controls(text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…")
    return preview(literal)


def _to_json(literal: Any) -> str:
    if is_array(literal):
        return f"[{','.join(map(_to_json, literal))}]"
    if is_object(literal):
        return f"{{{','.join(f'{_to_json(key)}:{_to_json(each)}' for key, each in literal.items())}}}"
    return json.dumps(literal, ensure_ascii=False) if isinstance(literal, str) else preview(literal)


def alternatives(texts: Iterable[str], word: str = "or") -> str:
    """`a`, `a or b`, `a, b or c`; how many there are beyond the first ones."""
    every = list(texts)
    shown = every[:_MAX_LISTED]
    last = f"{len(every) - _MAX_LISTED} more" if len(every) > _MAX_LISTED else shown.pop() if shown else ""
    return f"{', '.join(shown)} {word} {last}" if shown else last


def with_article(name: str) -> str:
    return name if name == "null" else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def limit_items(relation: str, limit: int) -> str:
    noun = "item that matches" if limit == 1 else "items that match"
    return f'must have {relation} {limit} {noun} "contains"'


def limit_properties(relation: str, limit: int) -> str:
    return f"must have {relation} {limit} {'property' if limit == 1 else 'properties'}"
