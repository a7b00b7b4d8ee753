"""Installs the Python package as its users do: `python install_wheel.py`, with the standard library alone.

Builds the sdist, and the wheel from the sdist; installs the wheel in a clean environment of the Python that
runs this, first alone and then with its extras; and runs session.py in each.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = "fast,pydantic,zstd"


def run(*command: str | Path) -> None:
    # No variable may lead to the sources.
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    subprocess.run(command, check=True, cwd=tempfile.gettempdir(), env=env)


def create_environment(folder: Path) -> Path:
    venv.create(folder, with_pip=True)
    return folder / ("Scripts" if os.name == "nt" else "bin") / "python"


def install(python: Path, *requirements: str | Path) -> None:
    run(python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", *requirements)


def main(place: Path) -> None:
    # The build writes beside the sources.
    ignore = shutil.ignore_patterns("__pycache__", "build", "*.egg-info")
    shutil.copytree(ROOT / "generated/python", place / "source", ignore=ignore)
    builder = create_environment(place / "builder")
    install(builder, "build")
    # Without options, `build` makes the wheel from the sdist.
    run(builder, "-m", "build", place / "source", "--outdir", place / "dist")
    (wheel,) = (place / "dist").glob("*.whl")
    python = create_environment(place / "user")
    install(python, wheel)
    run(python, ROOT / "conformance/package/session.py")
    install(python, f"{wheel}[{EXTRAS}]")
    run(python, ROOT / "conformance/package/session.py", "--extras")


with tempfile.TemporaryDirectory() as folder:
    main(Path(folder))
print(f"Python {sys.version.split()[0]}: the wheel from the sdist works, alone and with {EXTRAS}")
