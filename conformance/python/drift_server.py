"""Runs `python -m rollout_wire` many times: reads {cwd, argv} and writes a transcript, line by line."""

from __future__ import annotations

import io
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout

from rollout_wire.__main__ import main

for line in sys.stdin:
    job = json.loads(line)
    os.chdir(job["cwd"])
    stdout, stderr = io.StringIO(), io.StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        code = main(job["argv"])
    transcript = {"exitCode": code, "stdout": stdout.getvalue(), "stderr": stderr.getvalue()}
    print(json.dumps(transcript), flush=True)
