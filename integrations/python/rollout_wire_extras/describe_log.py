"""What a file is that holds no rollouts, as the program says it."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Iterator

from rollout_wire._faults import WireError, escape_controls
from rollout_wire._files import read_lines
from rollout_wire._json_io import parse_json

from .command import COMMAND_VARIABLE, NodeMissing, find_command

# What the program itself looks at to recognise a form.
_SAMPLE_LINES = 1000
_SAMPLE_BYTES = 1 << 20
_DOCUMENT_BYTES = 1 << 26

_SAMPLE = "sample.jsonl"


def describe_log(name: str) -> str | None:
    """What the log of another tool is, and the command that reads it; "" of another file, None without the program.

    The program gets a copy of the beginning of the file, or of the whole file if that is one JSON document.
    """
    try:
        command = find_command()
    except NodeMissing:
        return None
    with TemporaryDirectory(prefix="rollout-wire-") as folder:
        with Path(folder, _SAMPLE).open("wb") as sample:
            sample.writelines(_take_sample(name))
        # `rank` names what it refuses, and writes nothing then.
        asked = [*command, "rank", "--input", _SAMPLE, "--output", "ranked.jsonl", "--format", "json"]
        env = {**os.environ, COMMAND_VARIABLE: _own_command()}
        done = subprocess.run(asked, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    said = _find_message(done.stdout)
    return said.replace(f" import {_SAMPLE} ", f" import {escape_controls(shlex.quote(name))} ")


def _take_sample(name: str) -> Iterator[bytes]:
    size, has_lines = 0, False
    for number, line in enumerate(read_lines(name)):
        if number == 0:
            has_lines = _is_json(line)
        size += len(line)
        is_enough = number == _SAMPLE_LINES or size > _SAMPLE_BYTES if has_lines else size > _DOCUMENT_BYTES
        if is_enough and number > 0:
            return
        yield line


def _is_json(line: bytes) -> bool:
    try:
        parse_json(line)
    except WireError:
        return False
    return True


def _own_command() -> str:
    if shutil.which("rollout-wire") is not None:
        return "rollout-wire"
    return shlex.join([sys.executable, "-m", "rollout_wire"])


def _find_message(report: bytes) -> str:
    try:
        findings: list[dict[str, Any]] = json.loads(report)["findings"]
    except (ValueError, KeyError):
        return ""
    return next((str(each["message"]) for each in findings if each["id"] == "log-file"), "")
