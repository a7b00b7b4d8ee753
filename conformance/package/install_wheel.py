"""Installs the Python package as its users do: `python install_wheel.py FOLDER`, with the standard library alone.

Installs the wheel in FOLDER in a clean environment of the Python that runs this, first alone and then with its extras, and
runs session.py in each.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

SESSION = Path(__file__).resolve().with_name("session.py")
EXTRAS = "cli,fast,pydantic,zstd"


def run(*command: str | Path) -> None:
    # No variable may lead to the sources.
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    subprocess.run(command, check=True, cwd=tempfile.gettempdir(), env=env)


def install(python: Path, requirement: str) -> None:
    run(python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", requirement)


def main(wheels: Path, place: Path) -> None:
    (wheel,) = wheels.resolve().glob("*.whl")
    venv.create(place, with_pip=True)
    python = place / ("Scripts" if os.name == "nt" else "bin") / "python"
    install(python, str(wheel))
    run(python, SESSION)
    install(python, f"{wheel}[{EXTRAS}]")
    run(python, SESSION, "--extras")


with tempfile.TemporaryDirectory() as folder:
    main(Path(sys.argv[1]), Path(folder))
print(f"Python {sys.version.split()[0]}: the wheel works, alone and with {EXTRAS}")
