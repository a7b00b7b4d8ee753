"""`python -m` of this package: the program if it is installed, else `drift` alone, by the hashes of the lock."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import PurePosixPath
from typing import Any, Iterator, NamedTuple, Sequence

from ._faults import escape_controls
from ._jsonl import INSTALL
from ._values import is_array, is_object

LOCK_FILE = "rollout-wire.lock.json"
EXIT_CLEAN, EXIT_FINDINGS, EXIT_USAGE, EXIT_UNREADABLE = 0, 1, 2, 3

WITHOUT_PROGRAM = f"this copy of rollout_wire comes without the program: {INSTALL}"

_SHA256 = re.compile(r"sha256:[0-9a-f]{64}")

_NOT_CHECKED = (
    "only hashes were compared; not checked: what a change breaks, files that the lock does not list, "
    "the configuration, forks and records"
)


class _Finding(NamedTuple):
    """A copy that differs."""

    line: str
    is_error: bool


class _Unreadable(Exception):
    """What the user can fix, in one line."""


class _Locked(NamedTuple):
    """A copy as the lock has it."""

    path: str
    original: str
    """Schema and version, such as `rollout-wire 1.1.0`."""
    sha256: str


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command line; returns the exit code, unless the program takes the place of this process."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    # The installed package has the program; a copy of this code in a repository does not.
    if find_spec("rollout_wire_extras") is not None:
        program: Any = import_module("rollout_wire_extras.command")
        exit_code: int = program.main(arguments)
        return exit_code
    return run_without_program(arguments, WITHOUT_PROGRAM)


def run_without_program(arguments: Sequence[str], reason: str) -> int:
    """Runs `drift`; of any other command line it says the `reason` why it cannot be run. Returns the exit code."""
    if list(arguments) == ["drift"]:
        return _verify_lock()
    sys.stderr.write(f"{reason}\n")
    return EXIT_USAGE


def _verify_lock() -> int:
    """Compares the copies below the current folder with the lock there; returns the exit code.

    Prints a line for each copy that differs, and then what was not checked, and how to check it.
    """
    try:
        locked = _read_lock()
        findings = list(_find_differences(locked))
        _print([line for line, _ in findings])
    except _Unreadable as error:
        _say(str(error))
        return EXIT_UNREADABLE
    count = sum(is_error for _, is_error in findings)
    errors = "1 error" if count == 1 else f"{count:,} errors"
    copies = "1 copy" if len(locked) == 1 else f"{len(locked):,} copies"
    _say(f"{errors} ({copies} in {LOCK_FILE}); {_NOT_CHECKED}: {INSTALL}")
    return EXIT_FINDINGS if count > 0 else EXIT_CLEAN


def _print(lines: list[str]) -> None:
    try:
        # Nothing is printed if the shell closed the stream: `>&-`.
        print(*map(_to_line, lines), sep="", end="", flush=True)
    except OSError as error:
        # Python would fail once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        # A reader that stops early, such as `head`, does not change the exit code.
        if not isinstance(error, BrokenPipeError):
            raise _Unreadable(f"standard output: {error.strerror}") from None


def _say(message: str) -> None:
    print(_to_line(message), end="", file=sys.stderr)


def _to_line(text: str) -> str:
    return escape_controls(text).encode("ascii", "backslashreplace").decode("ascii") + "\n"


def _find_differences(locked: list[_Locked]) -> Iterator[_Finding]:
    for path, original, expected in locked:
        copy = _read(path)
        if copy is None:
            grade, what = "missing", "is missing"
        elif _hash(copy) == expected:
            continue
        elif _hash(copy.replace(b"\r\n", b"\n")) == expected:
            advice = f'add "{path} -text" to .gitattributes, so that git does not convert them'
            said = f"warning: is identical but for line ends: {advice}"
            yield _Finding(f"{path}:1:1  (line)  {said}  (line-ends)", is_error=False)
            continue
        elif _hash(_to_plain_text(copy)) == expected:
            grade, what = "formatting", "differs in byte-order mark, final newline or line ends"
        else:
            grade, what = "changed", "is a different file"
        yield _Finding(f"{path}:1:1  (line)  {what}: should be {original}  ({grade})", is_error=True)


def _read_lock() -> list[_Locked]:
    source = _read(LOCK_FILE)
    if source is None:
        raise _Unreadable(f"{LOCK_FILE}: no such file, so there is nothing to compare with: run sync first")
    try:
        lock: Any = json.loads(source.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise _Unreadable(f"{LOCK_FILE}: is not JSON: {error}") from None
    version: object = lock.get("lock_version") if is_object(lock) else None
    if version != "lock/v1":
        raise _Unreadable(f"{LOCK_FILE}: is no lock of version lock/v1")
    entries: object = lock.get("artefacts")
    if not is_array(entries) or not entries:
        raise _Unreadable(f"{LOCK_FILE}: lists no copies")
    return [_to_locked(entry, at) for at, entry in enumerate(entries)]


def _to_locked(entry: Any, at: int) -> _Locked:
    fields: dict[str, Any] = entry if is_object(entry) else {}
    hashes: Any = fields.get("hashes")
    expected: Any = hashes.get("bytes") if is_object(hashes) else None
    names = [fields.get(name) for name in ("path", "schema", "version")]
    path, schema, version = [name if isinstance(name, str) else "" for name in names]
    place = PurePosixPath(path)
    is_inside = path != "" and not place.is_absolute() and ".." not in place.parts
    if not is_inside or not isinstance(expected, str) or _SHA256.fullmatch(expected) is None:
        raise _Unreadable(f"{LOCK_FILE}: /artefacts/{at} has no path in this folder, or no SHA-256 of its bytes")
    return _Locked(path, f"{schema} {version}", expected)


def _read(path: str) -> bytes | None:
    """None if it is not a file. Raises _Unreadable if the system refuses to read it."""
    try:
        # A pipe would never end, nor would a device such as /dev/zero.
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise _Unreadable(f"{path}: {reason}") from None


def _hash(data: bytes) -> str:
    return f"sha256:{sha256(data).hexdigest()}"


def _to_plain_text(source: bytes) -> bytes:
    """Text as the program writes it: no byte-order mark, LF, one final newline."""
    body = source.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").rstrip(b"\n")
    return body + b"\n" if body else b""
