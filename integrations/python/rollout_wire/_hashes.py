from __future__ import annotations

from hashlib import sha256
from typing import Any, NamedTuple

from ._canonical import canonical_text, parse_canonical
from ._contract import contract_of


class SchemaHashes(NamedTuple):
    """The hashes by which copies of a schema are compared, each with the name of its scheme."""

    bytes: str
    """SHA-256 of the file as it lies on disk."""
    canonical: str
    """Equal for copies that differ in formatting only."""
    contract: str
    """Equal only for schemas that give the same verdict on every record."""


def schema_hashes(source: str | bytes) -> SchemaHashes:
    """The three hashes of a schema file, as in `schema/registry.json`.

    Raises WireError for a text that has no canonical form: invalid JSON, a repeated key, a lone
    surrogate, a number that exceeds a double, or more than 200 levels of nesting.
    """
    value = parse_canonical(source)
    canonical = _canonical_sha256(value)
    contract = _canonical_sha256(contract_of(value))
    # The text was parsed, so UTF-8 can encode it.
    file = source.encode("utf-8") if isinstance(source, str) else source
    return SchemaHashes(
        bytes=_sha256(file), canonical=f"rfc8785-{canonical}", contract=f"contract1-{contract}"
    )


def _canonical_sha256(value: Any) -> str:
    return _sha256(canonical_text(value).encode("utf-8"))


def _sha256(data: bytes) -> str:
    return f"sha256:{sha256(data).hexdigest()}"
