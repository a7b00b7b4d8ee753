"""Streams the same rollouts with the generated package and msgspec, and with pydantic models that have the same fields.

Prints one JSON line per comparison: {"peer", "seconds", "peerSeconds"}, in processor time, the best of
several rounds each, alternating between the two sides.
"""

from __future__ import annotations

import dataclasses
import gc
import json
import sys
import time
import typing
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Callable

import pydantic
import rollout_wire
from rollout_wire import Record, RolloutBranchRecord, Unset
from rollout_wire import _json_io as json_io

ROUNDS = 7


def pydantic_model(record_type: type[Record], known: dict[type, Any]) -> Any:
    """The same fields as a strict, frozen model that keeps unknown fields."""
    if record_type not in known:
        hints = typing.get_type_hints(record_type)
        fields: dict[str, Any] = {}
        for field in dataclasses.fields(record_type):  # type: ignore[arg-type]
            if field.name in ("unknown_fields", "_keys"):
                continue
            required = field.default is dataclasses.MISSING
            # Opaque JSON is not validated, as in the dataclasses.
            opaque = dict[str, Any] | None if "Mapping" in str(field.type) else Any
            is_opaque = "JsonValue" in str(field.type)
            annotation = opaque if is_opaque else translate(hints[field.name], known)
            fields[field.name] = (annotation, ... if required else None)
        config = pydantic.ConfigDict(extra="allow", frozen=True, strict=True)
        known[record_type] = pydantic.create_model(
            record_type.__name__, __config__=config, **fields
        )
    return known[record_type]


def translate(annotation: Any, known: dict[type, Any]) -> Any:
    """Converts an annotation of the dataclasses for pydantic: tuples become lists, and UNSET becomes None."""
    if annotation is Unset:
        return None
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return pydantic_model(annotation, known)
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is tuple:
        return list[translate(arguments[0], known)]  # type: ignore[misc]
    if arguments and origin is not typing.Literal:
        return typing.Union[tuple(translate(argument, known) for argument in arguments)]
    return annotation


def measure(ours: Callable[[], Iterable[object]], peer: str, theirs: Callable[[], Iterable[object]]) -> None:
    best = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        for side, read in enumerate((ours, theirs)):
            start = time.process_time()
            deque(read(), maxlen=0)  # consumes the records without keeping them
            best[side] = min(best[side], time.process_time() - start)
    print(json.dumps({"peer": peer, "seconds": best[0], "peerSeconds": best[1]}))


def main(path: Path) -> None:
    assert json_io.parse_fast is not None, "msgspec is not installed"
    model = pydantic_model(RolloutBranchRecord, {})
    gc.freeze()  # excludes existing objects from garbage collection on both sides

    def ours() -> Iterable[object]:
        return rollout_wire.load_rollouts(path)

    measure(
        ours,
        "json.loads + pydantic model_validate",
        lambda: (model.model_validate(json.loads(line)) for line in path.open("rb")),
    )
    measure(
        ours,
        "pydantic model_validate_json",
        lambda: (model.model_validate_json(line) for line in path.open("rb")),
    )


main(Path(sys.argv[1]))
