import type { DpoTrainingRecord, Open, RolloutBranchRecord } from "../../src/index.js";
import { strategies } from "./strategies.js";

/** Aligns columns to their widest cell, two spaces apart. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return lines.map((line) => `  ${line}\n`).join("");
}

/** One row per branch, best first. */
export function describeBranches(ranked: readonly RolloutBranchRecord[]): string[][] {
  return [
    ["rank", "branch", "strategy", "events", "score", "tests"],
    ...ranked.map((branch) => [
      String(branch.rank),
      String(branch.branch_index),
      strategies[branch.branch_index]?.id ?? "",
      String(branch.tool_call_sequence.length),
      branch.total_score.toFixed(2),
      describeTests(branch),
    ]),
  ];
}

/** A pair as readable text. */
export function describePair({ messages, chosen, rejected }: DpoTrainingRecord): string[][] {
  const calls = messages.flatMap((message) => message.tool_calls ?? []);
  return [
    ["prompt", messages[0]?.content ?? ""],
    ["calls", calls.map((call) => call.function.name).join(", ")],
    ["chosen", chosen],
    ["rejected", rejected === "" ? "(no answer)" : rejected],
  ];
}

function describeTests({
  build_result: result,
  branch_error: error,
}: Open<RolloutBranchRecord>): string {
  if (isObject(error)) {
    const end = error.kind === "threw" ? "crashed" : error.kind;
    return `${end}: ${error.message}`;
  }
  const checks = Array.isArray(result?.checks) ? result.checks.filter(isObject) : [];
  const passed = checks.filter((check) => check.passed === true);
  return `${passed.length} of ${checks.length} pass`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
