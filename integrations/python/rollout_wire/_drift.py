"""Verifies that the copies in a repository still equal their originals, and prints what differs."""

from __future__ import annotations

import json
import posixpath
import shlex
from itertools import groupby
from typing import NamedTuple, Sequence

from ._drift_copies import CheckedCopy, check_copies
from ._drift_files import Holder, Json, Tree, create_finding, open_holder
from ._drift_policy import apply_policy
from ._published import TOOL_VERSION
from ._words import count_of, escape_controls

_NODE = f"npx rollout-wire@{TOOL_VERSION}"
"""The program for Node, which writes copies and baselines."""

EXIT_FINDINGS, EXIT_UNREADABLE, EXIT_UNDECIDED = 1, 3, 4


class DriftResult(NamedTuple):
    """What one run found."""

    holder: Holder
    copies: list[CheckedCopy]
    findings: list[Json]
    accepted: int
    """The number of findings that the baseline accepts."""

    @property
    def exit_code(self) -> int:
        if self.holder.faults:
            return EXIT_UNREADABLE
        errors = [each for each in self.findings if each["severity"] == "error"]
        if not errors:
            return 0
        is_undecided = all(each["id"] == "undecided" for each in errors)
        return EXIT_UNDECIDED if is_undecided else EXIT_FINDINGS


def run_drift(folder: str, *, latest: bool) -> DriftResult:
    """Checks the copies in a folder; with `latest`, those of older versions are errors.

    Raises UserError if a file cannot be read, or if there is neither a lock nor a configuration.
    """
    tree = Tree(folder)
    holder = open_holder(tree)
    if holder.faults:
        # An invalid file may say that a copy lies elsewhere.
        return DriftResult(holder, [], holder.faults, 0)
    copies, others = check_copies(holder)
    findings, accepted = [each for copy in copies for each in copy.findings] + others, 0
    if holder.config is not None:
        findings, accepted = apply_policy(findings, holder.config, tree)
    looked = accepted + sum(copy.grade != "missing" for copy in copies)
    is_red = any(each["severity"] == "error" for each in findings)
    if looked == 0 and not (copies and is_red):
        # Whatever its severities, it would otherwise pass for any copies.
        findings.append(create_finding("nothing-checked", folder, "contains nothing to check"))
    if latest:
        findings = [
            {**each, "severity": "error"} if each["id"] == "behind-latest" else each
            for each in findings
        ]
    return DriftResult(holder, copies, findings, accepted)


def _list_findings(
    findings: Sequence[Json], limit: int
) -> tuple[list[Json], dict[str, int]]:
    """The first findings of each severity, up to `limit`, and the numbers of the others."""
    listed: list[Json] = []
    found = {"error": 0, "warning": 0}
    for finding in findings:
        found[finding["severity"]] += 1
        if found[finding["severity"]] <= limit:
            listed.append(finding)
    return listed, {severity: max(0, count - limit) for severity, count in found.items()}


def to_json(result: DriftResult, limit: int) -> str:
    """The report as `drift-report#/$defs/DriftReport` describes it; `limit` as for _list_findings."""
    listed, left = _list_findings(result.findings, limit)
    warnings = sum(each["severity"] == "warning" for each in result.findings)
    report = {
        "report_version": "finding-report/v1",
        "tool": "rollout-wire",
        "version": TOOL_VERSION,
        "command": "drift",
        "checked": len(result.copies),
        "findings": listed,
        "summary": {
            "errors": len(result.findings) - warnings,
            "warnings": warnings,
            "not_listed": {"errors": left["error"], "warnings": left["warning"]},
        },
        "copies": [
            {
                "repository": result.holder.name,
                "kind": copy.artefact["kind"],
                "schema": copy.artefact["schema"],
                "version": copy.artefact["version"],
                "path": copy.path,
                "grade": copy.grade,
                **({} if copy.version_found is None else {"is": copy.version_found}),
            }
            for copy in result.copies
        ],
    }
    return json.dumps(report, indent=2) + "\n"


def to_text(result: DriftResult, limit: int) -> str:
    """A table of the copies and a line for each listed finding, with its details below."""
    table = _align(_rows_of(result.copies, result.holder.name))
    listed, left = _list_findings(result.findings, limit)
    rest = [f"... and {count_of(left[each], f'more {each}')}" for each in left if left[each]]
    findings = [*_describe_findings(listed), *rest]
    between = [""] if table and findings else []
    return "".join([f"{line}\n" for line in (*table, *between, *findings)])


def _rows_of(copies: Sequence[CheckedCopy], name: str) -> list[list[str]]:
    """Generated files of a folder with the same grade are one row, because there are many."""
    rows: list[list[str]] = []

    def key_of(at: int) -> tuple[object, ...]:
        copy = copies[at]
        if copy.artefact["kind"] != "generated":
            return (at,)
        return copy.artefact["version"], posixpath.dirname(copy.path), copy.grade

    for _, group in groupby(range(len(copies)), key_of):
        alike = [copies[at] for at in group]
        copy, place = alike[0], escape_controls(alike[0].path)
        if len(alike) > 1:
            folder = escape_controls(posixpath.dirname(copy.path) or ".")
            place = f"{folder}/ ({count_of(len(alike), 'file')})"
        rows.append(["" if rows else name, copy.artefact["version"], place, copy.grade])
    return rows


def _describe_findings(findings: Sequence[Json]) -> list[str]:
    rows = [
        [
            escape_controls(f"{each['file']}:{each['line']}:{each['column']}"),
            escape_controls(each["pointer"]) or "(line)",
            f"{'warning: ' if each['severity'] == 'warning' else ''}{each['message']}",
            f"({each['id']})",
        ]
        for each in findings
    ]
    lines: list[str] = []
    for line, finding in zip(_align(rows, limits=(60, 32, 60)), findings):
        lines.append(line)
        if "detail" in finding:
            lines += [f"  {detail}" for detail in finding["detail"].split("\n")]
    return lines


def _align(rows: Sequence[Sequence[str]], limits: Sequence[int] = ()) -> list[str]:
    """Columns two spaces apart. A cell longer than the limit of its column sticks out."""
    widths = [
        max((len(cell) for cell in column if at >= len(limits) or len(cell) <= limits[at]), default=0)
        for at, column in enumerate(zip(*rows))
    ]
    return [
        "  ".join([cell.ljust(width) for cell, width in zip(row, widths)]).rstrip() for row in rows
    ]


def describe_summary(result: DriftResult) -> str:
    """Counts of what was found and checked, and the commands that correct the copies."""
    holder, findings = result.holder, result.findings
    warnings = [each["id"] for each in findings if each["severity"] == "warning"]
    ids = f" ({', '.join(dict.fromkeys(warnings))})" if warnings else ""
    errors = count_of(len(findings) - len(warnings), "error")
    checked = [
        f"{count_of(len(result.copies), 'copy', 'copies')} in "
        + ("0 repositories" if holder.faults else "1 repository"),
        *([f"{result.accepted} accepted by the baseline"] if result.accepted else []),
        *(["not searched for other copies"] if holder.config is not None else []),
        *(["own fixtures not replayed"] if (holder.config or {}).get("fixtures") else []),
    ]
    fixes = _list_fixes(result)
    fix = "".join([f"  {line}\n" for line in fixes])
    return (
        f"{errors}, {count_of(len(warnings), 'warning')}{ids} ({', '.join(checked)})\n"
        + (f"Fix:\n{fix}" if fixes else "")
    )


def _list_fixes(result: DriftResult) -> list[str]:
    """The steps that correct the copies, in order."""
    holder = result.holder
    reported = {each["file"] for each in result.findings}
    wrong = [
        each
        for each in result.copies
        if any(finding["file"] in reported for finding in each.findings)
    ]
    own = [each.path for each in wrong if each.grade == "not-adopted"]
    unknown = [each.path for each in wrong if each.grade == "unexpected"]
    left = [each for each in wrong if each.path not in own and each.path not in unknown]
    is_lock_wrong = any(each["id"] == "lock" for each in result.findings)
    is_behind = any(
        each["id"] == "behind-latest" and each["severity"] == "error" for each in result.findings
    )
    place = shlex.quote(holder.tree.name)
    fixes = [
        f"move {escape_controls(holder.tree.name_of(path))} away and sync, or accept it: "
        f"{_NODE} drift --accept REASON"
        for path in own
    ]
    if unknown:
        names = [shlex.quote(escape_controls(holder.tree.name_of(path))) for path in unknown]
        fixes.append(f"rm -- {' '.join(names)}")
    if is_behind:
        pins = "rollout-wire.config.json" if holder.config else "schema/registry.json of rollout-wire"
        fixes.append(f'in {pins}, raise "version" of the outdated copies; then')
    if left or is_lock_wrong or is_behind:
        is_changed = any(each.grade != "missing" for each in left)
        force = " --force  # needs Node; overwrites local changes" if is_changed else "  # needs Node"
        fixes.append(f"{_NODE} sync --repo {holder.name}={place}{force}")
    return fixes
