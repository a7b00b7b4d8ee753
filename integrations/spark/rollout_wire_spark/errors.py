"""What can go wrong, as exceptions."""

from __future__ import annotations

from collections.abc import Sequence

from .findings import Finding


class RolloutWireError(Exception):
    """Base of all errors of this package. Its message is one line that says what to do."""


class ProgramMissing(RolloutWireError):
    """Node or the program `rollout-wire` is missing on a machine, or cannot be run there."""


class WorkerDied(RolloutWireError):
    """The worker ended within a job. Spark tries the task again, with a new worker."""


class ProgramFailed(RolloutWireError):
    """The program refused its flags or files, or has a bug: an exit code that is neither 0 nor 1."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code

    def __reduce__(self) -> tuple[type[ProgramFailed], tuple[str, int]]:
        return type(self), (str(self), self.exit_code)


class InvalidInput(RolloutWireError):
    """The input has errors, so nothing was written. `findings` are the first of them, with file and line."""

    def __init__(self, message: str, findings: Sequence[Finding]) -> None:
        super().__init__(message)
        self.findings = list(findings)

    def __reduce__(self) -> tuple[type[InvalidInput], tuple[str, list[Finding]]]:
        return type(self), (str(self), self.findings)
