"""Exports and validates agent rollouts on Apache Spark, with the records and reports of `rollout-wire`."""

from .errors import (
    InvalidInput,
    ProgramFailed,
    ProgramMissing,
    RolloutWireError,
    WorkerDied,
)
from .export import Export, export
from .findings import Finding, FindingCounts
from .validate import Validation, validate

__all__ = [
    "Export",
    "Finding",
    "FindingCounts",
    "InvalidInput",
    "ProgramFailed",
    "ProgramMissing",
    "RolloutWireError",
    "Validation",
    "WorkerDied",
    "export",
    "validate",
]
