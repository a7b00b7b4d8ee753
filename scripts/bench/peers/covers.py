"""Compares pairs of schemas with `covers` of the package `jsonschema_rs`.

Reads a list of pairs from standard input, in the form of `fixtures/compat/pairs.json`. Prints for each a line with a
verdict per direction: compatible, breaking or undecided.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from jsonschema_rs import Draft7, Draft201909, Draft202012, Registry, canonicalize

VERDICTS = {"yes": "compatible", "no": "breaking", "unknown": "undecided"}


def refuse(uri: str) -> Any:
    """Without this, the package would fetch unknown schemas."""
    raise LookupError(f"no document is called {uri}")


def canonical(pair: dict[str, Any], side: str) -> Any:
    schema = pair[side]
    # Both sides in folders of their own: the package compares no two documents of one name.
    uri = f"file:///{side}/x/y/{pair.get('path', 'record.json')}"
    documents = [(uri, schema)]
    for name, file in pair.get(f"{side}_files", {}).items():
        for ending in ("", ".json", ".schema.json"):
            if name.endswith(ending):
                documents.append((f"file:///{side}/x/y/{name.removesuffix(ending)}", file))
    dialect = str(schema.get("$schema", "")) if isinstance(schema, dict) else ""
    draft = Draft7 if "draft-0" in dialect else Draft201909 if "2019-09" in dialect else Draft202012
    registry = Registry(documents, draft=draft, retriever=refuse)
    fragment = pair.get(f"{side}_type")
    if fragment is not None:
        schema = {"$ref": uri + "#" + fragment.removeprefix("#")}
    return canonicalize(schema, draft=draft, registry=registry, base_uri=uri)


def verdict(pair: dict[str, Any], writer: str, reader: str) -> str:
    try:
        return VERDICTS[str(canonical(pair, reader).covers(canonical(pair, writer)).value)]
    except Exception:  # noqa: BLE001
        return "undecided"


for each in json.load(sys.stdin):
    answer = {"backward": verdict(each, "old", "new"), "forward": verdict(each, "new", "old")}
    print(json.dumps(answer))
