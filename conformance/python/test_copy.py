"""The folder `rollout_wire`, copied into another repository: it works at any place, with nothing else installed."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any, Iterator

import pytest
from damaged_lines import damaged_lines
from rollout_wire import WireError
from suites import ROOT, TYPES, base

PACKAGE = ROOT / "generated/python/rollout_wire"
GOLDEN = ROOT / "fixtures/golden/support-desk/input.jsonl"
MOST_FILES = 24
LINTERS = ("# ruff: noqa", "# fmt: off")

# Where a repository puts the folder, what is on its path, and what the package is called there.
PLACES = [
    ("src/rollout_wire", "src", "rollout_wire"),
    ("vendor/rw/rollout_wire", "vendor/rw", "rollout_wire"),
    ("myapp/contracts/rollout_wire", ".", "myapp.contracts.rollout_wire"),
    ("contracts_v1", ".", "contracts_v1"),
]

# Reads lines of JSON from standard input, as records, and says what it made of them and which modules that took.
PROGRAM = """
import gzip, importlib, json, sys
path, name, folder = sys.argv[1:]
sys.path.insert(0, path)
package = importlib.import_module(name)
outcomes = []
for line in sys.stdin.buffer:
    request = json.loads(line)
    try:
        outcomes.append(package.DEFINITIONS[request["type"]].from_json(request["text"]).to_dict())
    except package.WireError as error:
        outcomes.append([list(fault) for fault in error.faults])
records = list(package.load_rollouts(request["golden"]))
count = package.write_rollouts(folder + "/a.jsonl.gz", records)
again = list(package.load_rollouts(folder + "/*.gz"))
rows = len(list(package.to_rows(again)))
own = {"__main__", name.partition(".")[0]}
foreign = {module.partition(".")[0] for module in sys.modules} - sys.stdlib_module_names - own
print(json.dumps({"outcomes": outcomes, "counts": [count, rows], "equal": again == records, "foreign": sorted(foreign)}))
"""


@pytest.fixture(params=PLACES, ids=lambda place: place[2])
def copy(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str, str]:
    """The root of a repository with a copy, the folder of its path, and the package's name."""
    folder, path, name = request.param
    shutil.copytree(PACKAGE, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path, path, name


def run(root: Path, *argv: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Python with the standard library alone."""
    command = [sys.executable, "-S", *argv]
    env = {"PYTHONPATH": options.pop("path", ""), "PATH": ""}
    return subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=False, **options)


def outcome(record_type: Any, text: str) -> Any:
    try:
        return record_type.from_json(text).to_dict()
    except WireError as error:
        return [list(fault) for fault in error.faults]


def requests() -> Iterator[tuple[str, str]]:
    for record_type in TYPES:
        yield record_type, json.dumps(base(record_type))
        yield record_type, json.dumps({**base(record_type), "provenance": 1, "task": 2, "rank": 0})
    for line in damaged_lines(7, 300):
        yield "RolloutBranchRecord", line.decode("utf-8", "replace")


def test_it_reads_validates_and_writes_as_the_installed_package_does(copy: tuple[Path, str, str]) -> None:
    import rollout_wire

    root, path, name = copy
    asked = list(requests())
    lines = [json.dumps({"type": each, "text": text, "golden": str(GOLDEN)}) + "\n" for each, text in asked]
    done = run(root, "-c", PROGRAM, path, name, str(root), input="".join(lines))
    assert done.stderr == ""
    said = json.loads(done.stdout)
    expected = [outcome(rollout_wire.DEFINITIONS[each], text) for each, text in asked]
    assert said["outcomes"] == json.loads(json.dumps(expected))
    rejected = sum(isinstance(each, list) for each in expected)
    assert len(TYPES) <= rejected < len(expected) - len(TYPES)
    count = len(GOLDEN.read_text(encoding="utf-8").splitlines())
    assert said["counts"] == [count, count] and said["equal"]
    assert said["foreign"] == []


def test_it_verifies_copies_without_the_program(copy: tuple[Path, str, str]) -> None:
    root, path, name = copy
    files = sorted(each for each in root.rglob("*") if each.is_file())
    artefacts = [
        {
            "path": each.relative_to(root).as_posix(),
            "schema": "rollout-wire",
            "version": "1.1.0",
            "hashes": {"bytes": f"sha256:{sha256(each.read_bytes()).hexdigest()}"},
        }
        for each in files
    ]
    lock = {"lock_version": "lock/v1", "artefacts": artefacts}
    (root / "rollout-wire.lock.json").write_text(json.dumps(lock), encoding="utf-8")

    clean = run(root, "-m", name, "drift", path=path)
    assert clean.returncode == 0 and clean.stderr.startswith(f"0 errors ({len(files)} copies in ")
    changed = next(each for each in files if each.name == "_faults.py")
    changed.write_bytes(changed.read_bytes() + b"# ours\n")
    red = run(root, "-m", name, "drift", path=path)
    assert red.returncode == 1
    assert red.stdout.startswith(f"{changed.relative_to(root).as_posix()}:1:1  (line)  is a different file")
    other = run(root, "-m", name, "validate", "a.jsonl", path=path)
    assert other.returncode == 2 and other.stderr.startswith("this copy of rollout_wire comes without the program: ")


def sources() -> list[Path]:
    return [each for each in PACKAGE.rglob("*") if each.is_file() and "__pycache__" not in each.parts]


def foreign_imports(text: str) -> list[str]:
    """What a module imports by a statement that is neither the package itself nor the standard library."""
    found: list[str] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level != 1:
            found.append(f"{'.' * node.level}{node.module}")
    return [each for each in found if each.partition(".")[0] not in sys.stdlib_module_names]


def test_it_is_one_folder_of_few_files_that_imports_the_standard_library_alone() -> None:
    files = sources()
    assert 10 < len(files) <= MOST_FILES
    assert {each.parent for each in files} == {PACKAGE}
    assert PACKAGE / "py.typed" in files
    modules = [each for each in files if each.suffix == ".py"]
    assert [name for each in modules for name in foreign_imports(each.read_text(encoding="utf-8"))] == []


def test_another_import_is_found() -> None:
    text = "import os, msgspec.json\nfrom rollout_wire import a\nfrom ..b import c\nfrom .d import e\n"
    assert foreign_imports(text) == ["msgspec.json", "rollout_wire", "..b"]


def test_every_module_says_that_linters_leave_it_alone() -> None:
    modules = [each for each in sources() if each.suffix == ".py"]
    assert len(modules) > 10
    for each in modules:
        lines = each.read_text(encoding="utf-8").splitlines()
        comments = lines[: next(at for at, line in enumerate(lines) if not line.startswith("#"))]
        assert set(LINTERS) <= set(comments), each.name
