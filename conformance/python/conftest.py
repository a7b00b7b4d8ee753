"""The option that hides msgspec, so that all tests also run with the standard library only."""

from __future__ import annotations

import sys
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--without-msgspec", action="store_true", help="run as if it were not installed")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--without-msgspec"):
        modules: dict[str, Any] = sys.modules
        modules["msgspec"] = None  # makes its import fail
