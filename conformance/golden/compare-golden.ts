import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../../src/findings/finding.js";
import { createFinding } from "../../src/findings/finding.js";
import { compareJsonl } from "./compare-jsonl.js";
import { compareRecords } from "./compare-records.js";
import type { GoldenRun } from "./list-golden.js";

/**
 * Compares what a golden run makes now with what is committed, both ways, and finds every difference.
 * `made`: texts of files by their paths from `root`.
 */
export function compareGolden(
  root: string,
  { outputs: committed }: GoldenRun,
  made: ReadonlyMap<string, string>,
): Finding[] {
  return [
    ...[...made].flatMap(([file, text]) =>
      committed.includes(file) ? compareFile(root, file, text) : [toFinding(file, "is missing")],
    ),
    ...committed
      .filter((file) => !made.has(file))
      .map((file) => toFinding(file, "is unexpected: nothing writes it any more")),
  ];
}

function compareFile(root: string, file: string, actual: string): Finding[] {
  const bytes = readFileSync(join(root, file));
  if (bytes.equals(Buffer.from(actual))) return [];
  const expected = bytes.toString("utf8");
  const name = "the file";
  const findings = file.endsWith(".jsonl")
    ? compareJsonl(file, expected, actual)
    : compareRecords(file, { text: expected, line: 1, name }, { text: actual, line: 1, name });
  if (findings.length > 0) return findings;
  return [toFinding(file, "differs in its last line break, or is not UTF-8")];
}

function toFinding(file: string, message: string): Finding {
  return createFinding({ id: "golden", file, message });
}
