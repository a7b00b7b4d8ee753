from __future__ import annotations

from typing import NamedTuple


_MAX_LISTED = 20
"""Most faults in the text of one WireError; `faults` has all of them."""


class WireFault(NamedTuple):
    """One failed keyword of JSON Schema."""

    pointer: str
    """JSON Pointer (RFC 6901) of the value that failed; "" is the record itself."""
    keyword: str
    """Keyword that failed, such as "required"; "json" if the text is not JSON."""
    message: str
    """What is wrong, with a preview of the value: `must be >= 1, is 0`."""

    def __str__(self) -> str:
        return f"{self.pointer or '(record)'} {self.message} ({self.keyword})"


def escape_token(name: str) -> str:
    """Escapes a property's name as a token of a JSON Pointer."""
    return name.replace("~", "~0").replace("/", "~1")


class WireError(ValueError):
    """A record that the schema rejects, or a line that is not JSON."""

    def __init__(
        self, faults: list[WireFault], file: str | None = None, line: int | None = None
    ) -> None:
        self.faults = tuple(faults)
        """All faults, at least one, in the order of the schema."""
        self.file = file
        self.line = line
        """1-based line number in `file`; None if the record came from memory."""
        super().__init__(str(self))

    @property
    def pointer(self) -> str:
        """JSON Pointer of the first fault."""
        return self.faults[0].pointer

    @property
    def keyword(self) -> str:
        """Failed keyword of the first fault."""
        return self.faults[0].keyword

    def __str__(self) -> str:
        place = "" if self.file is None else f"{self.file}:{self.line}: "
        if len(self.faults) == 1:
            return f"{place}{self.faults[0]}"
        lines = [f"{place}{len(self.faults):,} faults", *map(str, self.faults[:_MAX_LISTED])]
        if len(self.faults) > _MAX_LISTED:
            lines.append(f"and {len(self.faults) - _MAX_LISTED:,} more")
        return "\n  ".join(lines)

    def __reduce__(self) -> tuple[type[WireError], tuple[object, ...]]:
        return WireError, (list(self.faults), self.file, self.line)


class Invalid(Exception):
    """Raised at the first fault during decoding; all faults are then collected in a second pass."""
