"""Compares the copies of a repository with their originals, by hashes and without a network."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Callable, Iterator, Mapping, NamedTuple

from ._drift_files import CONFIG_FILE, LOCK_FILE, Holder, Json, create_finding, is_within
from ._errors import WireError
from ._hashes import schema_hashes
from ._json_text import JsonFault, explain_no_canonical_form, place_at
from ._published import FILES, LATEST, REPOSITORIES, VERSIONS

_DESCRIPTIONS = {
    "formatting": "differs in formatting only",
    "documentation": "differs in documentation only",
    "undecided": "is a different schema; whether it accepts the same records is undecided",
    "changed": "is a different file",
    "not-adopted": "is a different file, which was never copied",
    "missing": "is missing",
    "unexpected": "cannot be compared: its original is no longer available",
}

ASK_NODE = "`rollout-wire drift` (Node) says what it breaks, with a record as proof"

_COMPILED = re.compile(r"(^|/)__pycache__/")


@dataclass(frozen=True)
class CheckedCopy:
    """A copy in a repository, compared with its original."""

    artefact: Json
    """What it is a copy of."""
    path: str
    grade: str
    version_found: str | None = None
    """Its actual version, if that is known and not the pinned one."""
    findings: tuple[Json, ...] = ()


class CheckedCopies(NamedTuple):
    copies: list[CheckedCopy]
    findings: list[Json]
    """Errors of the lock, and warnings about outdated copies. Those of the copies are not among them."""


def check_copies(holder: Holder) -> CheckedCopies:
    """Compares the copies with the lock or, before the first sync, with the published schemas."""
    demanded = [file for each in holder.registered for file in _files_of(each, holder)]
    if holder.lock is None:
        copies = [_check_unlocked(each, holder) for each in demanded]
    else:
        locked = {each["path"] for each in holder.lock["artefacts"]}
        copies = [_check(each, each["hashes"], holder) for each in holder.lock["artefacts"]]
        copies += [_check_unlocked(each, holder) for each in demanded if each["path"] not in locked]
    known = {each.path for each in copies} | {each["path"] for each in demanded}
    return CheckedCopies(
        [*_fold_missing(copies, holder), *_find_unexpected(known, holder)],
        [*_find_wrong_lock(holder), *_find_outdated(copies, holder)],
    )


def _files_of(artefact: Json, holder: Holder) -> list[Json]:
    """The files of an artefact: of a folder those in this package, else those in the lock."""
    held = holder.locked_below(artefact["path"])
    is_old = artefact["version"] != LATEST.get(artefact["schema"])
    if any(each["version"] != artefact["version"] for each in held) or (is_old and held):
        return held
    prefix = f"{artefact['source']}/"
    own = [file[len(prefix) :] for file in FILES if file.startswith(prefix)]
    if not own:
        return held or [artefact]
    folder = artefact["path"]
    return [
        {**artefact, "source": f"{prefix}{file}", "path": f"{folder}/{file}"} for file in own
    ]


def _folders_of(holder: Holder) -> list[Json]:
    """The registered copies that are whole folders."""
    return [
        each
        for each in holder.registered
        if any(file["path"] != each["path"] for file in _files_of(each, holder))
    ]


def _published_hashes(artefact: Json) -> Mapping[str, str] | None:
    if artefact["kind"] != "schema":
        return None
    return VERSIONS.get(artefact["schema"], {}).get(artefact["version"])


def _check_unlocked(demanded: Json, holder: Holder) -> CheckedCopy:
    """Only a published schema can be compared without the lock; any other file must be in it."""
    pinned = _published_hashes(demanded)
    path = demanded["path"]
    is_there = holder.tree.read(path) is not None
    if pinned is not None if is_there else holder.lock is None:
        checked = _check(demanded, pinned, holder)
        if checked.grade != "identical" or holder.lock is None:
            return checked
    what = f"is registered as a copy of {demanded['schema']} {demanded['version']}"
    but = "there is no lock to compare it with: sync" if holder.lock is None else "is not in the lock: sync again"
    finding = create_finding("missing", holder.tree.name_of(path), f"{what}, but {but}")
    return CheckedCopy(demanded, path, "missing", findings=(finding,))


class _Graded(NamedTuple):
    grade: str
    fault: JsonFault | None = None
    """Why it is unreadable."""


def _check(
    artefact: Json,
    pinned: Mapping[str, str] | None,
    holder: Holder,
) -> CheckedCopy:
    """Compares a copy with its original. Any difference is an error; the grade is its severity."""
    schema, version, path = artefact["schema"], artefact["version"], artefact["path"]
    copy = holder.tree.read(path)
    grade, fault = _grade(artefact, pinned, copy)
    if grade == "changed" and holder.locked(path) is None:
        grade = "not-adopted"
    if grade == "identical":
        return CheckedCopy(artefact, path, grade)
    is_other = artefact["kind"] == "schema" and grade not in ("formatting", "documentation")
    found = _find_version(copy, artefact, holder) if is_other and copy is not None else None
    standing = "" if found is None else f", is {_describe_standing(found, version)}"
    described = fault.message if fault is not None else _DESCRIPTIONS[grade]
    text = "" if copy is None else copy.decode("utf-8", "replace")
    finding = create_finding(
        grade,
        holder.tree.name_of(path),
        f"{_with_pointer(described, fault)}: should be {schema} {version}{standing}",
        pointer="" if fault is None else fault.pointer,
        place=None if fault is None else place_at(text.removeprefix("\ufeff"), fault.offset),
        source=None if copy is None else text.removeprefix("\ufeff"),
        detail=ASK_NODE if grade == "undecided" else None,
    )
    return CheckedCopy(artefact, path, grade, found, (finding,))


def _with_pointer(message: str, fault: JsonFault | None) -> str:
    return message if fault is None else f"{fault.pointer} {message}".strip()


def _grade(
    artefact: Json,
    pinned: Mapping[str, str] | None,
    copy: bytes | None,
) -> _Graded:
    if copy is None:
        return _Graded("missing")
    if pinned is None:
        return _Graded("unexpected")
    if _sha256(copy) == pinned["bytes"]:
        return _Graded("identical")
    if "canonical" not in pinned:
        same = _sha256(_to_plain_text(copy)) == pinned["bytes"]
        return _Graded("formatting" if same else "changed")
    try:
        hashes = schema_hashes(copy)
    except WireError as error:
        fault = explain_no_canonical_form(copy)
        return _Graded("unreadable", fault or JsonFault("json", 0, f"is {error.faults[0].message}"))
    if hashes.canonical == pinned["canonical"]:
        return _Graded("formatting")
    if hashes.contract == pinned.get("contract"):
        return _Graded("documentation")
    # Of a version that was never published, there is nothing to compare with.
    return _Graded("undecided" if _published_hashes(artefact) is not None else "changed")


def _sha256(data: bytes) -> str:
    return f"sha256:{sha256(data).hexdigest()}"


def hash_of(data: bytes) -> str:
    """The hash of a file in a lock and in a baseline."""
    return _sha256(data)


def _to_plain_text(source: bytes) -> bytes:
    """Text as the package writes it: no byte-order mark, LF, one final newline."""
    text = source.decode("utf-8", "replace").removeprefix("\ufeff")
    body = text.replace("\r\n", "\n").rstrip("\n")
    return f"{body}\n".encode() if body else b""


def _find_version(copy: bytes, artefact: Json, holder: Holder) -> str | None:
    """The newest version with the same contract; else the locked one; else a later one by its `$id`."""
    known = VERSIONS.get(artefact["schema"], {})
    try:
        contract = schema_hashes(copy).contract
    except WireError:
        contract = None
    for version, hashes in known.items():
        if hashes["contract"] == contract:
            return version
    locked = holder.locked(artefact["path"])
    if locked is not None and locked["hashes"]["bytes"] == _sha256(copy):
        return str(locked["version"])
    id = re.search(r'"\$id"\s*:\s*"[^"]*/v([0-9]+)"', copy.decode("utf-8", "replace"))
    newest = next(iter(known), "0.0.0")
    is_later = id is not None and int(id[1][:9]) > _numbers(newest)[0]
    return f"{int(id[1][:9])}.0.0" if id is not None and is_later else None


def _describe_standing(found: str, pinned: str) -> str:
    is_behind = _numbers(pinned) > _numbers(found)
    return f"behind: it is {found}" if is_behind else f"ahead: it is {found}"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _fold_missing(copies: list[CheckedCopy], holder: Holder) -> list[CheckedCopy]:
    """Of a registered folder of which nothing is there, one finding instead of one for each file."""
    gone: dict[str, Json] = {}
    for folder in _folders_of(holder):
        within = [each for each in copies if is_within(each.path, folder["path"])]
        if len(within) > 1 and all(each.grade == "missing" for each in within):
            gone[folder["path"]] = folder
    folded: list[CheckedCopy] = []
    seen: set[str] = set()
    for copy in copies:
        of = next((gone[path] for path in gone if is_within(copy.path, path)), None)
        if of is None:
            folded.append(copy)
            continue
        findings: tuple[Json, ...] = ()
        if of["path"] not in seen:
            seen.add(of["path"])
            count = sum(is_within(each.path, of["path"]) for each in copies)
            should = f"should be those of {of['schema']} {of['version']}"
            message = f"is missing, with {count} files: {should}"
            findings = (create_finding("missing", holder.tree.name_of(of["path"]), message),)
        folded.append(replace(copy, findings=findings))
    return folded


def _find_unexpected(known: set[str], holder: Holder) -> Iterator[CheckedCopy]:
    """Files that the original of a copied folder does not have."""
    for folder in _folders_of(holder):
        for path in holder.tree.files(folder["path"]):
            if path not in known and _COMPILED.search(path) is None:
                message = f"is not a copy: {folder['source']} has no such file"
                finding = create_finding("unexpected", holder.tree.name_of(path), message)
                yield CheckedCopy(folder, path, "unexpected", findings=(finding,))


def _find_wrong_lock(holder: Holder) -> Iterator[Json]:
    """The lock names an unknown repository, or contradicts a published version."""
    if holder.lock is None:
        return
    at_lock = _finder_in_lock(holder)
    if holder.config is None and holder.lock["repository"] not in REPOSITORIES:
        names = ", ".join(REPOSITORIES)
        message = f"is not a registered repository; registered are {names}; any other needs {CONFIG_FILE}"
        yield at_lock("/repository", message)
    for index, each in enumerate(holder.lock["artefacts"]):
        published = _published_hashes(each)
        if published is not None and published["contract"] != each["hashes"]["contract"]:
            message = f"is not the hash of the published {each['schema']} {each['version']}: sync again"
            yield at_lock(f"/artefacts/{index}/hashes/contract", message)


def _finder_in_lock(holder: Holder) -> Callable[[str, str], Json]:
    file, text = holder.tree.name_of(LOCK_FILE), holder.tree.text(LOCK_FILE)
    return lambda pointer, message: create_finding(
        "lock", file, message, pointer=pointer, source=text
    )


def _find_outdated(copies: list[CheckedCopy], holder: Holder) -> Iterator[Json]:
    """Warnings about copies of a version before the latest; one for a folder that is one copy."""
    folders = [each["path"] for each in _folders_of(holder)]
    groups: dict[tuple[str, str, str], list[CheckedCopy]] = {}
    for copy in copies:
        schema, version = copy.artefact["schema"], copy.artefact["version"]
        latest = LATEST.get(schema)
        if latest is None or _numbers(latest) <= _numbers(version):
            continue
        folder = next((each for each in folders if copy.path.startswith(f"{each}/")), copy.path)
        groups.setdefault((folder, schema, version), []).append(copy)
    for (folder, schema, version), group in groups.items():
        alike = "" if len(group) == 1 else f", like all {len(group)} copies in {folder}/"
        message = f"is pinned at {schema} {version}{alike}; the latest is {LATEST[schema]}"
        finding = create_finding("behind-latest", holder.tree.name_of(group[0].path), message)
        yield {**finding, "severity": "warning"}
