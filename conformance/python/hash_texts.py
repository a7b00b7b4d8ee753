"""Reads a JSON list of texts on standard input and prints the result of schema_hashes for each."""

from __future__ import annotations

import json
import sys

from rollout_wire import WireError, schema_hashes


def describe(text: str) -> dict[str, object]:
    try:
        return schema_hashes(text)._asdict()
    except WireError as error:
        return {"fault": error.keyword}


json.dump([describe(text) for text in json.load(sys.stdin)], sys.stdout)
