import {
  isObjectiveStatus,
  isRolloutTraceStep,
  type ObjectiveStatus,
  type RolloutBranch,
  type RolloutTraceStep,
} from "#generated/index.js";
import type { JsonValue } from "../json/value.js";
import { isJsonObject } from "../json/value.js";
import { previewGiven } from "../text.js";
import { readField, UNREADABLE } from "./read-field.js";
import { createSnapshotRoom } from "./snapshot-room.js";
import { toSnapshot } from "./to-snapshot.js";

/** Of the room of a record: three parts, and the tool events have the rest. */
const PART_SHARE = 0.2;

/** An answer as the record holds it, and what of it could not be taken. */
export interface AnswerReading {
  readonly fields: Pick<
    RolloutBranch,
    "final_answer" | "build_result" | "objective_status" | "steps"
  >;
  /** One sentence for each part of the answer that is not as it should be. */
  readonly faults: readonly string[];
}

/**
 * Reads whatever an agent gave as its answer: text, or a `BranchAnswer`. Never throws. What is not of its
 * type is left out and named, and nothing is guessed: a number is no final answer, and a verdict that
 * cannot be read is `unknown`. A step that is none stays in its place, as what `extra` holds of it.
 */
export function readAnswer(given: unknown): AnswerReading {
  if (typeof given === "string") {
    return { fields: { final_answer: toText(given) }, faults: [] };
  }
  if (typeof given !== "object" || given === null) {
    const what = `the answer must be text or an object with finalAnswer, is ${previewGiven(given)}`;
    return { fields: { final_answer: "" }, faults: [what] };
  }
  const faults: string[] = [];
  const refuse = (key: string, expected: string, value: unknown): void => {
    const is = value === UNREADABLE ? "cannot be read" : `is ${previewGiven(value)}`;
    faults.push(`${key} must be ${expected}, ${is}`);
  };
  const answer = readField(given, "finalAnswer");
  if (typeof answer !== "string") refuse("finalAnswer", "text", answer);
  const finalAnswer = typeof answer === "string" ? toText(answer) : "";
  const build = readBuild(readField(given, "buildResult"), refuse);
  const status = readStatus(readField(given, "objectiveStatus"), refuse);
  const steps = readSteps(readField(given, "steps"), refuse);
  // A verdict was given that nobody can read.
  const isDoubtful = status.refused || (build.refused && status.value === undefined);
  return {
    fields: {
      final_answer: finalAnswer,
      ...(build.value !== undefined && { build_result: build.value }),
      ...(isDoubtful
        ? { objective_status: "unknown" }
        : status.value !== undefined && { objective_status: status.value }),
      ...(steps !== undefined && { steps }),
    },
    faults,
  };
}

type Refuse = (key: string, expected: string, value: unknown) => void;

interface Part<Value> {
  readonly value?: Value | undefined;
  readonly refused: boolean;
}

function readBuild(given: unknown, refuse: Refuse): Part<RolloutBranch["build_result"]> {
  if (given === undefined) return { refused: false };
  const value = given === UNREADABLE ? given : toPart(given);
  if (value === null || isJsonObject(value)) return { value, refused: false };
  refuse("buildResult", "an object or null", given);
  return { refused: true };
}

function readStatus(given: unknown, refuse: Refuse): Part<ObjectiveStatus> {
  if (given === undefined) return { refused: false };
  if (isObjectiveStatus(given)) return { value: given, refused: false };
  refuse("objectiveStatus", "pass, fail or unknown", given);
  return { refused: true };
}

function readSteps(given: unknown, refuse: Refuse): RolloutTraceStep[] | undefined {
  if (given === undefined) return undefined;
  const steps: unknown = toPart(given);
  if (!Array.isArray(steps)) {
    refuse("steps", "a list", given);
    return undefined;
  }
  return steps.map((step: unknown, index) => {
    if (isRolloutTraceStep(step)) return step;
    refuse(`steps[${index}]`, "a trace step", step);
    return { extra: { invalid_step: step } };
  });
}

function toText(text: string): string {
  return String(toPart(text));
}

/** However long one part of an answer is, it costs no other its place. */
function toPart(given: unknown): JsonValue {
  return toSnapshot(given, createSnapshotRoom(PART_SHARE));
}
