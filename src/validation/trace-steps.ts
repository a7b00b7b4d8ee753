import {
  type EntryTypeName,
  isRolloutBranch,
  isRolloutTraceStep,
  type RolloutTraceStep,
} from "#generated/index.js";
import type { JsonObject } from "../json/value.js";
import { isBranchType } from "./structure.js";

/** A step of a trace, and where it is in its record. */
interface PlacedStep {
  readonly pointer: string;
  readonly step: RolloutTraceStep;
}

/** The steps that a record holds: those of a branch, or the one that it is itself. */
export function readTraceSteps(record: JsonObject, type: EntryTypeName): readonly PlacedStep[] {
  if (type === "RolloutTraceStep") {
    return isRolloutTraceStep(record) ? [{ pointer: "", step: record }] : [];
  }
  // Traces are opt-in: nearly all branches are without.
  if (record.steps === undefined || !isRolloutBranch(record)) return [];
  if (!isBranchType(type)) return [];
  return (record.steps ?? []).map((step, index) => ({ pointer: `/steps/${index}`, step }));
}
