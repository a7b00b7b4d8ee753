"""The hashes of schemas, with the same test vectors as TypeScript."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from rollout_wire import WireError, schema_hashes

ROOT = Path(__file__).parents[2]


def vectors(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((ROOT / "fixtures/hashes" / name).read_bytes())
    assert len(found) > 30
    return found


@pytest.mark.parametrize("vector", vectors("canonical.json"), ids=lambda each: each["why"])
def test_canonical(vector: dict[str, Any]) -> None:
    text = vector["text"]
    if "fault" in vector:
        with pytest.raises(WireError) as raised:
            schema_hashes(text)
        assert raised.value.keyword == vector["fault"]
        return
    # For a canonical text, both schemes have the same digest.
    canonical = schema_hashes(vector["canonical"])
    assert canonical.canonical == f"rfc8785-{canonical.bytes}"
    assert schema_hashes(text).canonical == canonical.canonical
    assert schema_hashes(text.encode()) == schema_hashes(text)


@pytest.mark.parametrize("vector", vectors("contract.json"), ids=lambda each: each["why"])
def test_contract(vector: dict[str, Any]) -> None:
    schemas = vector["schemas"]
    contracts = {schema_hashes(json.dumps(schema)).contract for schema in schemas}
    assert len(contracts) == (1 if vector["equal"] else len(schemas))


def test_the_hashes_of_the_registry() -> None:
    registry = json.loads((ROOT / "schema/registry.json").read_bytes())
    assert registry["schemas"]
    for entry in registry["schemas"]:
        assert schema_hashes((ROOT / entry["file"]).read_bytes())._asdict() == entry["hashes"]


def test_the_hash_of_bytes_is_that_of_sha256sum() -> None:
    file = ROOT / "schema/rollout-wire.schema.json"
    printed = subprocess.run(
        ["sha256sum", str(file)], check=True, capture_output=True, text=True
    ).stdout
    assert schema_hashes(file.read_bytes()).bytes == f"sha256:{printed.split()[0]}"


def test_a_fault_says_where_and_what() -> None:
    with pytest.raises(WireError, match=r"/b/c holds a lone surrogate: U\+D83D"):
        schema_hashes('{"a": 1, "b": {"c": "\\ud83d"}}')
    with pytest.raises(WireError, match=r"/a/1 is a number beyond a double"):
        schema_hashes('{"a": [1, 1e999]}')
    with pytest.raises(WireError, match='a second value under the key "a"'):
        schema_hashes('{"a": 1, "a": 2}')
    with pytest.raises(WireError, match="not UTF-8: byte 2"):
        schema_hashes(b'"\xff"')
    with pytest.raises(WireError, match="lone surrogate"):
        schema_hashes('"\ud83d"')
