"""Why texts have no canonical form: reads a JSON array of texts, writes a JSON array of faults."""

from __future__ import annotations

import json
import sys

from rollout_wire._json_text import explain_no_canonical_form, place_at


def explain(text: str) -> object:
    fault = explain_no_canonical_form(text.encode("utf-8", "surrogatepass"))
    if fault is None:
        return None
    place = place_at(text, fault.offset)
    return [fault.id, fault.pointer, fault.message, place.line, place.column]


if __name__ == "__main__":
    json.dump([explain(text) for text in json.load(sys.stdin)], sys.stdout)
