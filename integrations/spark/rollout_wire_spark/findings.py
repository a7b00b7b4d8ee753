"""Findings of the program, with their places in the files that Spark read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """A finding, as `finding-report/v1` describes it."""

    id: str
    severity: str
    file: str
    line: int
    column: int
    pointer: str
    message: str

    def __str__(self) -> str:
        where = self.pointer or "(line)"
        return f"{self.file}:{self.line}:{self.column}  {where}  {self.message}  ({self.id})"


@dataclass(frozen=True)
class FindingCounts:
    """How many errors and warnings there are, listed or not."""

    errors: int = 0
    warnings: int = 0

    def __add__(self, other: FindingCounts) -> FindingCounts:
        return FindingCounts(self.errors + other.errors, self.warnings + other.warnings)

    def __str__(self) -> str:
        return f"{_count(self.errors, 'error')}, {_count(self.warnings, 'warning')}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def to_finding(found: Mapping[str, Any]) -> Finding:
    """A finding of a report."""
    return Finding(
        id=found["id"],
        severity=found["severity"],
        file=found["file"],
        line=found["line"],
        column=found["column"],
        pointer=found["pointer"],
        message=found["message"],
    )


def list_findings(found: Iterable[Mapping[str, Any]], limit: int) -> list[Mapping[str, Any]]:
    """The first findings: at most `limit` errors and as many warnings."""
    listed: list[Mapping[str, Any]] = []
    left = {"error": limit, "warning": limit}
    for finding in found:
        if left.get(finding["severity"], 0) > 0:
            left[finding["severity"]] -= 1
            listed.append(finding)
    return listed
