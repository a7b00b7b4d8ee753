"""The files of a repository that holds copies: its lock, its configuration and the copies."""

from __future__ import annotations

import errno
import json
import os
import re
import stat
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator

from ._drift_shape import find_faults
from ._errors import escape_token
from ._json_text import MAX_DEPTH, JsonFault, Place, decode_utf8, locate, place_at, scan_json
from ._published import LATEST, REPOSITORIES, RULES, SCHEMA_FILES, VERSIONS
from ._values import is_object
from ._words import escape_controls, preview, suggest_name

LOCK_FILE = "rollout-wire.lock.json"
CONFIG_FILE = "rollout-wire.config.json"

GRADES = (
    "formatting",
    "documentation",
    "compatible",
    "breaking",
    "undecided",
    "changed",
    "not-adopted",
    "missing",
    "unexpected",
    "unreadable",
)
"""The grades of copies that differ."""

CONFIGURABLE = (*GRADES, "unregistered", "replay", "behind-latest", "not-read")
"""Ids of the findings whose severity a repository may set, and which it may accept."""

SETTABLE = (*CONFIGURABLE, *RULES)
"""The same, and the semantic rules, whose severity counts in `validate`."""

SKIPPED_FOLDERS = (".git", "node_modules")

Json = Dict[str, Any]
"""A JSON object of a file that was checked: its lock, its configuration or a part of them; or a finding."""


class UserError(Exception):
    """What the user can fix, in one line: what, where, what to do."""

    def __init__(self, message: str, exit_code: int = 3) -> None:
        super().__init__(escape_controls(message))
        self.exit_code = exit_code


class Tree:
    """The files of a folder. Raises UserError where the system refuses to read one."""

    def __init__(self, name: str) -> None:
        self.name = name
        """The folder, as the user named it."""
        try:
            if not stat.S_ISDIR(os.stat(name).st_mode):
                raise UserError(f"{name}: is not a folder: name the one with {LOCK_FILE}")
        except (OSError, ValueError) as error:
            raise UserError(f"{name or repr(name)}: {_reason(error, 'no such folder')}") from None

    def name_of(self, path: str) -> str:
        """The name of a file for messages."""
        return os.path.normpath(os.path.join(self.name, path))

    def read(self, path: str) -> bytes | None:
        """None if it is not a file."""
        place = os.path.join(self.name, path)
        try:
            # A pipe would never end, nor would a device such as /dev/zero.
            if not stat.S_ISREG(os.stat(place).st_mode):
                return None
            with open(place, "rb") as file:
                return file.read()
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.EISDIR):
                return None
            raise UserError(f"{self.name_of(path)}: {_reason(error)}") from None

    def has(self, path: str) -> bool:
        """Whether there is anything by that name, such as a folder."""
        return os.path.lexists(os.path.join(self.name, path))

    def text(self, path: str) -> str:
        """A file as text; "" if there is none."""
        return (self.read(path) or b"").decode("utf-8", "replace")

    def files(self, folder: str) -> list[str]:
        """The files below a folder, sorted, without links and SKIPPED_FOLDERS."""
        if not os.path.isdir(os.path.join(self.name, folder)):
            return []
        return sorted(self._walk(folder), key=lambda path: path.encode("utf-16-be", "replace"))

    def _walk(self, folder: str) -> Iterator[str]:
        try:
            with os.scandir(os.path.join(self.name, folder)) as entries:
                found = list(entries)
        except OSError as error:
            raise UserError(f"{self.name_of(folder)}: {_reason(error)}") from None
        for entry in found:
            path = f"{folder}/{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in SKIPPED_FOLDERS:
                    yield from self._walk(path)
            elif entry.is_file(follow_symlinks=False):
                # A name that is not UTF-8 has no text.
                yield path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _reason(error: Exception, missing: str = "no such file") -> str:
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return missing
    if isinstance(error, PermissionError):
        return "permission denied"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def create_finding(
    id: str,
    file: str,
    message: str,
    *,
    pointer: str = "",
    place: Place | None = None,
    source: str | None = None,
    detail: str | None = None,
) -> Json:
    """An error, at `place` or where `pointer` is in the JSON text `source`; else at 1:1."""
    if place is None:
        place = Place(1, 1) if source is None else locate(source, pointer)
    return {
        "id": id,
        "severity": "error",
        "file": file,
        "line": place.line,
        "column": place.column,
        "pointer": pointer,
        "message": escape_controls(message),
        **({} if detail is None else {"detail": detail}),
    }


@dataclass(frozen=True)
class Holder:
    """A repository that holds copies, and what it must hold."""

    name: str
    tree: Tree
    config: Json | None
    """None if it has none, or an invalid one."""
    lock: Json | None
    registered: list[Json]
    """Its copies as its configuration or the registry lists them: a folder is one copy."""
    faults: list[Json]
    """Errors of its configuration and its lock."""

    def locked(self, path: str) -> Json | None:
        """The entry of a copy in the lock; None if it was never copied."""
        return next((each for each in _entries_of(self.lock) if each["path"] == path), None)

    def locked_below(self, folder: str) -> list[Json]:
        """The entries of a copy, or of the files in a folder that is one copy."""
        return [each for each in _entries_of(self.lock) if is_within(each["path"], folder)]


def _entries_of(lock: Json | None) -> list[Json]:
    return [] if lock is None else list(lock["artefacts"])


def is_within(path: str, place: str) -> bool:
    """Whether a path equals `place`, or is below it."""
    return path == place or path.startswith(f"{place}/")


def open_holder(tree: Tree) -> Holder:
    """Its configuration says what it holds; without one, the registry does. Raises UserError without any."""
    config, config_faults = _read(tree, CONFIG_FILE, "config", "correct it", _require_config)
    restore = "restore it from git, or rewrite it with sync --force"
    lock, lock_faults = _read(tree, LOCK_FILE, "lock", restore, _require_lock)
    faults = config_faults + lock_faults
    name = str((config or lock or {}).get("repository", ""))
    if name == "" and not faults:
        what = "is not a file" if tree.has(LOCK_FILE) else "no such file"
        raise UserError(
            f"{tree.name_of(LOCK_FILE)}: {what}, nor {CONFIG_FILE}, so there is nothing to "
            "compare with: run sync for this repository, or name the folder that has them"
        )
    registered = config["artefacts"] if config is not None else _list_registered(name, lock)
    return Holder(name, tree, config, lock, registered, faults)


def _list_registered(name: str, lock: Json | None) -> list[Json]:
    """The copies that the registry lists, at the version of the lock, by default the latest."""
    registered: list[Json] = []
    for copy in REPOSITORIES.get(name, ()):
        entries = _entries_of(lock)
        held = [each["version"] for each in entries if is_within(each["path"], copy["path"])]
        # Fixtures that were never copied are the repository's own.
        if held or copy["kind"] != "fixture":
            registered.append({**copy, "version": held[0] if held else LATEST[copy["schema"]]})
    return registered


class _InvalidFile(Exception):
    def __init__(self, pointer: str, message: str) -> None:
        super().__init__(message)
        self.pointer = pointer
        self.message = message


def _read(
    tree: Tree, path: str, id: str, fix: str, require: Callable[[Json], None]
) -> tuple[Json | None, list[Json]]:
    """Reads a JSON file if it exists. An invalid one is a finding, with its place and fix."""
    source = tree.read(path)
    if source is None:
        return None, []
    file, text = tree.name_of(path), source.decode("utf-8", "replace")
    try:
        value = _parse_object(source)
        require(value)
        return value, []
    except JsonFault as fault:
        place = place_at(text, fault.offset)
        message = f"{fault.message}: {fix}"
        return None, [
            create_finding(fault.id, file, message, pointer=fault.pointer, place=place)
        ]
    except _InvalidFile as fault:
        message = f"{fault.message}: {fix}"
        return None, [create_finding(id, file, message, pointer=fault.pointer, source=text)]


def _parse_object(source: bytes) -> Json:
    text = decode_utf8(source)
    scan = scan_json(text)
    if scan.depth > MAX_DEPTH:
        raise JsonFault("depth", 0, f"is nested more than {MAX_DEPTH} levels deep")
    value = json.loads(text, parse_int=float)
    if not is_object(value):
        raise JsonFault("type", scan.places.get("", 0), f"must be an object, is {preview(value)}")
    if scan.repeated is not None:
        raise scan.repeated
    return value


def _require_format(value: Json, name: str) -> None:
    for pointer, message in find_faults(value, name):
        raise _InvalidFile(pointer, message)


def _require_lock(lock: Json) -> None:
    _require_format(lock, "Lock")
    # The name is printed as part of a shell command.
    if re.fullmatch(r"[\w.-]+", lock["repository"], re.ASCII) is None:
        raise _InvalidFile("/repository", "is not a valid repository name")
    paths: set[str] = set()
    for index, each in enumerate(lock["artefacts"]):
        if each["kind"] == "schema" and not {"canonical", "contract"} <= each["hashes"].keys():
            message = "must have all three hashes of a schema"
            raise _InvalidFile(f"/artefacts/{index}/hashes", message)
        if each["path"] in paths:
            raise _InvalidFile(f"/artefacts/{index}/path", "is locked twice")
        paths.add(each["path"])


def _require_config(config: Json) -> None:
    _require_format(config, "Config")
    for pointer, message in _find_config_faults(config):
        raise _InvalidFile(pointer, message)


def _find_config_faults(config: Json) -> Iterator[tuple[str, str]]:
    """What a valid configuration says that cannot be meant."""
    places: list[tuple[str, Json]] = [
        (f"/{field}/{at}", each)
        for field in ("artefacts", "fixtures")
        for at, each in enumerate(config.get(field, ()))
    ]
    for pointer, each in places:
        schema, version = each["schema"], each["version"]
        if schema not in VERSIONS:
            meant = suggest_name(schema, list(LATEST))
            yield f"{pointer}/schema", f"is not a schema of the registry{meant}"
        elif version not in VERSIONS[schema]:
            known = ", ".join(VERSIONS[schema])
            message = f"is not a published version of {schema}: these are {known}"
            yield f"{pointer}/version", message
        elif each.get("kind") == "schema" and each["source"] != SCHEMA_FILES[schema]:
            yield f"{pointer}/source", f"is not the schema: write {SCHEMA_FILES[schema]}"
    paths: set[str] = set()
    for pointer, each in places:
        if each["path"] in paths:
            yield f"{pointer}/path", "is listed twice"
        paths.add(each["path"])
    for id in config.get("severity", ()):
        if id not in SETTABLE:
            meant = suggest_name(id, SETTABLE)
            message = f"is not a grade, finding or rule whose severity can be set{meant}"
            yield f"/severity/{escape_token(id)}", message
    for at, accepted in enumerate(config.get("baseline", ())):
        if accepted["id"] not in CONFIGURABLE:
            meant = suggest_name(accepted["id"], CONFIGURABLE)
            message = f"is not a finding that can be accepted{meant}"
            yield f"/baseline/{at}/id", message
