"""How strictly a repository judges the findings about it: severities, and a baseline of known ones."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import NamedTuple

from ._drift_copies import hash_of
from ._drift_files import CONFIG_FILE, Json, Tree, create_finding

_COMPARED = ("undecided", "breaking", "compatible")
"""Grades that only a comparison of the schemas tells apart. Hashes alone say `undecided`."""

_ELSEWHERE = ("unregistered", "not-read", "replay")
"""Ids of findings that only the TypeScript program looks for."""


class Judged(NamedTuple):
    findings: list[Json]
    """Those that remain, with their configured severity, and those about the baseline itself."""
    accepted: int
    """The number of findings that the baseline accepts."""


def apply_policy(findings: list[Json], config: Json, tree: Tree) -> Judged:
    """Applies the severities and the baseline of a repository to the findings about it."""
    baseline = config.get("baseline", [])
    used: set[int] = set()
    kept: list[Json] = []
    accepted = 0
    for finding in findings:
        about = [at for at, known in enumerate(baseline) if _is_about(known, finding, tree)]
        used.update(about if finding["id"] == "undecided" else about[:1])
        objections = [_find_objection(baseline[at], tree) for at in about]
        if objections and objections[0] is None:
            accepted += 1
            continue
        severity = _severity_of(finding, config)
        if severity == "off":
            continue
        note = f" ({objections[0]})" if objections else ""
        message = f"{finding['message']}{note}"
        kept.append({**finding, "severity": severity, "message": message})
    text = tree.text(CONFIG_FILE)
    for at, known in enumerate(baseline):
        if at not in used and known["id"] not in _ELSEWHERE:
            kept.append(_to_stale(known, at, tree, text))
    return Judged(kept, accepted)


def _severity_of(finding: Json, config: Json) -> str:
    """Of an undecided copy the strictest one of what it may be."""
    severity = config.get("severity", {})
    ids = _COMPARED if finding["id"] == "undecided" else (finding["id"],)
    set_ = [severity.get(id, finding["severity"]) for id in ids]
    return next(each for each in ("error", "warning", "off") if each in set_)


def _is_about(known: Json, finding: Json, tree: Tree) -> bool:
    if tree.name_of(known["file"]) != finding["file"]:
        return False
    if finding["id"] == "undecided":
        # The grade and the place of a comparison are unknown here; the hash says that it is the same file.
        return known["id"] in _COMPARED
    return bool(
        known["id"] == finding["id"] and known.get("pointer", "") == finding["pointer"]
    )


def _find_objection(known: Json, tree: Tree) -> str | None:
    """Why an entry of the baseline no longer holds; None if it does."""
    if known["expires"] < datetime.now(timezone.utc).strftime("%Y-%m-%d"):
        return f"its baseline expired on {known['expires']}"
    copy = tree.read(known["file"])
    found = None if copy is None else hash_of(copy)
    return None if found == known.get("hash") else "the file changed since its baseline"


def _to_stale(known: Json, at: int, tree: Tree, text: str) -> Json:
    finding = create_finding(
        "stale-baseline",
        tree.name_of(CONFIG_FILE),
        f"{known['id']} of {known['file']} is no longer found: remove the entry",
        pointer=f"/baseline/{at}",
        source=text,
    )
    return {**finding, "severity": "warning"}
