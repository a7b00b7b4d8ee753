"""The command line: `python -m rollout_wire drift`."""

from __future__ import annotations

import argparse
import os
import sys
from typing import NoReturn, Sequence

from ._drift import describe_summary, run_drift, to_json, to_text
from ._drift_files import UserError
from ._published import TOOL_VERSION

EXIT_USAGE, EXIT_BUG = 2, 70

_EXAMPLES = """\
examples:
  python -m rollout_wire drift
  python -m rollout_wire drift services/trainer --format json

exit codes: 0 clean, 1 findings, 2 wrong arguments, 3 a file cannot be read,
4 a schema differs and only `rollout-wire drift` (Node) says what breaks,
70 a bug of this program
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_USAGE, f"{self.prog}: {message}; see {self.prog} --help\n")


def _create_parser() -> argparse.ArgumentParser:
    layout = argparse.RawDescriptionHelpFormatter
    parser = _Parser(
        prog="python -m rollout_wire",
        description="Typed records of the rollout-wire format, and a check of their copies.",
        epilog=_EXAMPLES,
        formatter_class=layout,
    )
    parser.add_argument("--version", action="version", version=TOOL_VERSION)
    commands = parser.add_subparsers(title="commands", dest="command", required=True, metavar="COMMAND")
    drift = commands.add_parser(
        "drift",
        help="verify that copies still equal their originals",
        description=(
            "Verifies that the copies of schemas and generated code in a repository still equal\n"
            "their originals: by rollout-wire.lock.json, offline, without Node and git."
        ),
        epilog=_EXAMPLES,
        formatter_class=layout,
    )
    drift.add_argument("folder", nargs="?", default=".", help="the repository (default: this folder)")
    drift.add_argument(
        "--format", choices=("text", "json"), default="text", help="how findings are printed (default: text)"
    )
    drift.add_argument(
        "--latest", action="store_true", help="treat copies of older versions as errors"
    )
    drift.add_argument(
        "--max-errors",
        metavar="N",
        type=_count,
        default=100,
        help="list at most N errors and N warnings, and count the rest (default: 100)",
    )
    return parser


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"must be a whole number, is {text!r}")
    return int(text)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command line; returns its exit code."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            # The shell closed it: `>&-`.
            setattr(sys, name, open(os.devnull, "w"))
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
    arguments = _create_parser().parse_args(argv)
    try:
        result = run_drift(arguments.folder, latest=arguments.latest)
    except UserError as error:
        return _fail(str(error), error.exit_code)
    except RecursionError:
        return _fail("the folders are nested too deeply", 3)
    except Exception as error:
        kind = type(error).__name__
        return _fail(f"a bug of this program, please report it: {kind}: {error}", EXIT_BUG)
    try:
        show = to_json if arguments.format == "json" else to_text
        sys.stdout.write(show(result, arguments.max_errors))
        sys.stdout.flush()
    except BrokenPipeError:
        # A reader that stops early, such as `head`, does not change the exit code.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _fail(f"standard output: {error.strerror}", 3)
    sys.stderr.write(describe_summary(result))
    return result.exit_code


def _fail(message: str, exit_code: int) -> int:
    sys.stderr.write(f"{message}\n")
    return exit_code


if __name__ == "__main__":
    sys.exit(main())
