import { isRolloutBranch, type RolloutBranch } from "#generated/index.js";
import type { RecordFault } from "../../base/findings/finding.js";
import { measureValue } from "../../base/json/value.js";
import type { RecordLine } from "../../base/jsonl/reader.js";
import { checkExportable, findRunError } from "../pipeline/build-block.js";
import { readerOf } from "../pipeline/builder.js";
import { allowGaps } from "../pipeline/write-rollouts.js";
import { checkLine, checkRollout } from "../wire/validation/check-record.js";
import { profiles, type RuleSeverities } from "../wire/validation/profiles.js";
import { isRanked } from "./rollout-view.js";

/** A line with all that is wrong with it. */
export interface CheckedLine {
  readonly line: RecordLine;
  readonly faults: readonly RecordFault[];
  /** Whether it is a branch that is valid by itself. */
  readonly isBranch: boolean;
}

/** A valid branch, and where it is. */
export interface PlacedBranch {
  readonly file: string;
  readonly line: number;
  readonly value: RolloutBranch;
}

/** The lines of a rollout as an export with `--skip invalid` takes them. */
export interface CheckedRollout {
  readonly lines: readonly CheckedLine[];
  /** Those that are valid by themselves. */
  readonly branches: readonly PlacedBranch[];
  /** Whether the branches together break a rule, so that an export leaves the rollout out. */
  readonly isInvalid: boolean;
}

export interface CheckOptions {
  /** Severity of each rule. Default: `strict`. */
  readonly severities?: RuleSeverities | undefined;
  /** Whether branches of failed runs are left out. */
  readonly skipErrored?: boolean | undefined;
  /** Type of its branches. Default: that of each line, ranked or captured. */
  readonly type?: BranchType;
}

type BranchType = "RolloutBranchRecord" | "RolloutBranch";

const readBranch = readerOf("RolloutBranchRecord", isRolloutBranch);

/** Checks the lines of a rollout as `validate` and `export` do. */
export function checkRolloutLines(
  lines: readonly RecordLine[],
  { severities = profiles.strict, skipErrored = false, type: wanted }: CheckOptions = {},
): CheckedRollout {
  const faults = lines.map((line) => [
    ...findFaults(line, wanted ?? typeOf(line), severities),
    ...[skipErrored ? findRunError(line) : undefined].filter((fault) => fault !== undefined),
  ]);
  const valid = lines.flatMap((line, index) => {
    const isValid = faults[index]?.every(({ severity }) => severity !== "error") === true;
    const value = isValid && "value" in line ? readBranch(line) : undefined;
    return value ? [{ index, branch: { file: line.file, line: line.line, value } }] : [];
  });
  const indices = new Set(valid.map(({ index }) => index));
  const branches = valid.map(({ branch }) => branch);
  const values = branches.map(({ value }) => value);
  const type = wanted ?? (values.every(isRanked) ? "RolloutBranchRecord" : "RolloutBranch");
  const found = checkRollout(values, type, severities);
  const relaxed: Readonly<Record<string, unknown>> = allowGaps(severities);
  const isWhole = branches.length === lines.length;
  for (const { branch, ...fault } of found) {
    const index = valid[branch]?.index;
    // A gap is no fault of its own where a line is lost.
    const isFault = isWhole || relaxed[fault.id] === fault.severity;
    if (index !== undefined && isFault) faults[index]?.push(fault);
  }
  return {
    lines: lines.map((line, index) => ({
      ...{ line, faults: faults[index] ?? [] },
      isBranch: indices.has(index),
    })),
    branches,
    isInvalid: found.some(({ id }) => relaxed[id] === "error"),
  };
}

function findFaults(line: RecordLine, type: BranchType, severities: RuleSeverities): RecordFault[] {
  const { faults } = checkLine(line, type, severities);
  // A line that follows all line rules can be exported.
  if ("fault" in line || line.followsLineRules || !isRolloutBranch(line.value)) return [...faults];
  return [...faults, ...checkExportable(line.value, measureValue(line.value))];
}

function typeOf(line: RecordLine): BranchType {
  return "value" in line && !("rank" in line.value) ? "RolloutBranch" : "RolloutBranchRecord";
}
