"""Runs a program and measures it:

    python measure.py REPORT COMMAND ARGUMENT...

Writes {"seconds", "cpuSeconds", "peakBytes"} to the file REPORT, and exits with the program's code.

The operating system counts processor time (user and system) and peak memory, for all threads of the program and
for the child processes that it waited for. `peakBytes` is that of the largest of these processes.
"""

from __future__ import annotations

import json
import os
import sys
import time


def main(report: str, argv: list[str]) -> int:
    start = time.perf_counter()
    process = os.posix_spawnp(argv[0], argv, os.environ)
    _, status, usage = os.wait4(process, 0)
    seconds = time.perf_counter() - start
    # Linux counts memory in kibibytes, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    with open(report, "w", encoding="utf-8") as file:
        json.dump(
            {
                "seconds": seconds,
                "cpuSeconds": usage.ru_utime + usage.ru_stime,
                "peakBytes": usage.ru_maxrss * unit,
            },
            file,
        )
    # A program that was ended by signal n has the code -n; a shell reports it as 128 + n.
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


sys.exit(main(sys.argv[1], sys.argv[2:]))
