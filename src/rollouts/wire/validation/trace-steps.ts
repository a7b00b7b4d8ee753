import {
  type EntryTypeName,
  isRolloutBranch,
  isRolloutTraceStep,
  type RolloutTraceStep,
} from "#generated/index.js";
import type { JsonObject } from "../../../base/json/value.js";
import { isBranchType } from "./structure.js";

/** A step of a trace and its position in the record. */
interface PlacedStep {
  readonly pointer: string;
  readonly step: RolloutTraceStep;
}

/** Returns the steps of a record: those of a branch, or the record itself if it is a step. */
export function readTraceSteps(record: JsonObject, type: EntryTypeName): readonly PlacedStep[] {
  if (type === "RolloutTraceStep") {
    return isRolloutTraceStep(record) ? [{ pointer: "", step: record }] : [];
  }
  // Traces are opt-in: nearly all branches have none.
  if (record.steps === undefined || !isRolloutBranch(record)) return [];
  if (!isBranchType(type)) return [];
  return (record.steps ?? []).map((step, index) => ({ pointer: `/steps/${index}`, step }));
}
