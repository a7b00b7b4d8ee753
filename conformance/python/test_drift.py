"""`python -m rollout_wire` without Node: `drift` compares copies with the hashes of their lock, the rest asks for Node."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from rollout_wire._drift import main
from rollout_wire._jsonl import INSTALL
from rollout_wire_extras import command

ROOT = Path(__file__).parents[2]
SCHEMA = "schemas/rollout-wire.schema.json"
CODE = "src/rollout_wire/__init__.py"
LOCK = "rollout-wire.lock.json"
FORMATTING = "differs in byte-order mark, final newline or line ends: should be rollout-wire 1.1.0  (formatting)"
CHANGED = "is a different file: should be rollout-wire 1.1.0  (changed)"
SCHEMA_TEXT = b'{\n  "title": "a"\n}\n'
CODE_TEXT = b"a = 1\nb = 2\n"
MISSING = "is missing: should be rollout-wire 1.1.0  (missing)"


def entry(path: str, content: bytes) -> dict[str, Any]:
    hashes = {"bytes": f"sha256:{sha256(content).hexdigest()}"}
    return {"kind": "generated", "schema": "rollout-wire", "version": "1.1.0", "path": path, "hashes": hashes}


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two copies and their lock, on a machine without Node. It is the current folder."""
    contents = {SCHEMA: SCHEMA_TEXT, CODE: CODE_TEXT}
    for path, content in contents.items():
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_bytes(content)
    lock = {"lock_version": "lock/v1", "artefacts": [entry(*each) for each in contents.items()]}
    (tmp_path / LOCK).write_text(json.dumps(lock), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "")
    return tmp_path


def test_unchanged_copies_are_clean(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["drift"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("0 errors (2 copies in rollout-wire.lock.json); only hashes were compared; not checked: ")
    assert err.endswith(f": {INSTALL}\n") and err.count("\n") == 1


@pytest.mark.parametrize(
    ("path", "content", "said"),
    [
        (SCHEMA, SCHEMA_TEXT.replace(b"a", b"b"), CHANGED),
        (SCHEMA, b"\xef\xbb\xbf" + SCHEMA_TEXT.replace(b"\n", b"\r\n"), FORMATTING),
        (SCHEMA, b"\xef\xbb\xbf" + SCHEMA_TEXT, FORMATTING),
        (CODE, CODE_TEXT.rstrip(), FORMATTING),
        (CODE, b"", CHANGED),
        (CODE, b"\x00\xff\xfe", CHANGED),
    ],
)
def test_a_copy_that_differs_is_a_finding(
    path: str, content: bytes, said: str, repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repo / path).write_bytes(content)
    assert main(["drift"]) == 1
    out, err = capsys.readouterr()
    assert out == f"{path}:1:1  (line)  {said}\n"
    assert err.startswith("1 error (2 copies in ")


def test_line_ends_that_git_converted_are_a_warning(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path, content in ((SCHEMA, SCHEMA_TEXT), (CODE, CODE_TEXT)):
        (repo / path).write_bytes(content.replace(b"\n", b"\r\n"))
    assert main(["drift"]) == 0
    out, err = capsys.readouterr()
    advice = 'add "{} -text" to .gitattributes, so that git does not convert them'
    said = "warning: is identical but for line ends: "
    lines = [f"{path}:1:1  (line)  {said}{advice.format(path)}  (line-ends)\n" for path in (SCHEMA, CODE)]
    assert out == "".join(lines)
    assert err.startswith("0 errors (2 copies in ")
    (repo / CODE).write_bytes(b"other\r\n")
    assert main(["drift"]) == 1
    assert capsys.readouterr().err.startswith("1 error (2 copies in ")


def test_missing_copies_are_findings(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repo / SCHEMA).unlink()
    (repo / CODE).unlink()
    (repo / CODE).mkdir()
    assert main(["drift"]) == 1
    out = capsys.readouterr().out
    assert out == "".join([f"{path}:1:1  (line)  {MISSING}\n" for path in (SCHEMA, CODE)])


@pytest.mark.parametrize(
    ("lock", "said"),
    [
        (None, "no such file, so there is nothing to compare with: run sync first"),
        ("", "is not JSON: "),
        ('{"lock', "is not JSON: "),
        ("[" * 100_000, "is not JSON: "),
        ('{"lock_version": "lock/v2"}', "is no lock of version lock/v1"),
        ("[]", "is no lock of version lock/v1"),
        ('{"lock_version": "lock/v1", "artefacts": []}', "lists no copies"),
        ('{"lock_version": "lock/v1", "artefacts": [7]}', "/artefacts/0 has no path in this folder, or no SHA-256"),
        (entry("../secret", b""), "/artefacts/0 has no path in this folder"),
        (entry("/etc/passwd", b""), "/artefacts/0 has no path in this folder"),
        ({**entry("a", b""), "hashes": {"bytes": "md5:0"}}, "/artefacts/0 has no path in this folder, or no SHA-256"),
    ],
)
def test_a_lock_that_cannot_be_used_is_one_line(
    lock: Any, said: str, repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if lock is None:
        (repo / LOCK).unlink()
    else:
        whole = lock if isinstance(lock, str) else json.dumps({"lock_version": "lock/v1", "artefacts": [lock]})
        (repo / LOCK).write_text(whole, encoding="utf-8")
    assert main(["drift"]) == 3
    out, err = capsys.readouterr()
    assert out == "" and err.startswith(f"{LOCK}: {said}") and err.count("\n") == 1


def test_a_full_disk_and_a_reader_that_stops_early(repo: Path) -> None:
    (repo / CODE).unlink()
    python_path = f"{ROOT}/generated/python{os.pathsep}{ROOT}/integrations/python"

    def run(redirection: str) -> tuple[int, str]:
        script = f'"$0" -m rollout_wire drift {redirection}'
        argv = ["/bin/bash", "--noprofile", "--norc", "-o", "pipefail", "-c", script, sys.executable]
        done = subprocess.run(argv, env={"PYTHONPATH": python_path}, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    code, said = run("> /dev/full")
    assert code == 3 and said.startswith("standard output: ") and said.count("\n") == 1
    for redirection in (">&-", "| exec 0<&-"):
        code, said = run(redirection)
        assert code == 1 and said.startswith("1 error ") and said.count("\n") == 1


def test_without_the_program_everything_else_says_what_to_install(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for argv in ([], ["export", "--input", "a"], ["drift", "--latest"], ["--version"]):
        assert main(argv) == 2
        said = capsys.readouterr().err
        assert said == f"this copy of rollout_wire comes without the program: {INSTALL}\n"


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wheel's program, on a machine that has only the Node of this folder."""
    (tmp_path / "dist/bin").mkdir(parents=True)
    (tmp_path / "dist/bin/main.js").write_text("", encoding="utf-8")
    (tmp_path / "package.json").write_text('{"version": "1.2.3"}', encoding="utf-8")
    monkeypatch.setattr(command, "_PACKAGE", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def write_node(folder: Path, version: str) -> Path:
    node = folder / "node"
    node.write_text(f"#!/bin/sh\necho {version}\n", encoding="utf-8")
    node.chmod(0o755)
    return node


@pytest.mark.parametrize("version", ["v20.19.0", "v22.2.0", "v24.0.1"])
def test_node_on_path_runs_the_program(version: str, program: Path) -> None:
    node = write_node(program, version)
    assert command.find_command() == [str(node), str(program / "dist/bin/main.js")]


@pytest.mark.parametrize("version", ["v18.20.0", "v20.18.3", "v21.7.0", "v22.1.0", "unknown"])
def test_another_node_does_not(version: str, program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    node = write_node(program, version)
    assert main(["validate", "a.jsonl"]) == 2
    said = f"this needs Node 20.19, or 22.2 and later, and {node} is {version}: {INSTALL}\n"
    assert capsys.readouterr().err == said


def test_without_node_the_version_is_known(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == "1.2.3\n"
    assert main(["show", "a.jsonl"]) == 2
    assert capsys.readouterr().err == f"this needs Node 20.19, or 22.2 and later, and there is none on PATH: {INSTALL}\n"
