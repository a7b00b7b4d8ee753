import {
  isMessage,
  isObjectiveStatus,
  isRolloutTraceStep,
  type Message,
  type ObjectiveStatus,
  type RolloutBranch,
  type RolloutTraceStep,
} from "#generated/index.js";
import { isJsonObject, type JsonValue } from "../../base/json/value.js";
import { previewGiven } from "../../base/text.js";
import { createSnapshotRoom, readField, toSnapshot, UNREADABLE } from "./snapshot.js";

/** An answer with more than its text. */
export interface BranchAnswer {
  readonly finalAnswer: RolloutBranch["final_answer"];
  /** The report of the build or the tests: see `buildPasses`. */
  readonly buildResult?: object | null | undefined;
  /** The verdict of verifiers that the agent ran. */
  readonly objectiveStatus?: ObjectiveStatus | undefined;
  /**
   * The messages after the task, the final answer included; not empty. Only for conversations that the recorder's
   * events cannot express: later user turns, text between calls, reasoning.
   */
  readonly turns?: readonly Message[] | undefined;
  /** Traces of its steps. */
  readonly steps?: readonly RolloutTraceStep[] | undefined;
}

/**
 * Share of a record's budget for the context, and for each of the four parts of an answer; the tool events have the
 * rest.
 */
export const PART_SHARE = 0.14;

/** The record's fields that an answer gives, and its faults. */
export interface AnswerReading {
  readonly fields: Pick<
    RolloutBranch,
    "final_answer" | "build_result" | "objective_status" | "turns" | "steps"
  >;
  /** One sentence for each part of the answer that is wrong. */
  readonly faults: readonly string[];
}

/**
 * Reads the answer of an agent: text, or a `BranchAnswer`. Never throws. A part of the wrong type is left out
 * and reported. Nothing is guessed: a number is not a final answer, and an unreadable verdict is `unknown`.
 * An invalid step keeps its position; `extra` has its content. Turns are kept or left out as a whole.
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
  const turns = readTurns(readField(given, "turns"), refuse);
  const steps = readSteps(readField(given, "steps"), refuse);
  // There was a verdict, but it is unreadable.
  const isDoubtful = status.refused || (build.refused && status.value === undefined);
  return {
    fields: {
      final_answer: finalAnswer,
      ...(build.value !== undefined && { build_result: build.value }),
      ...(isDoubtful
        ? { objective_status: "unknown" }
        : status.value !== undefined && { objective_status: status.value }),
      ...(turns !== undefined && { turns }),
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

/** Without one of its messages, a conversation would be a different one. */
function readTurns(given: unknown, refuse: Refuse): Message[] | undefined {
  if (given === undefined) return undefined;
  const turns: unknown = given === UNREADABLE ? given : toPart(given);
  if (!Array.isArray(turns) || turns.length === 0) {
    refuse("turns", "a list that is not empty", given);
    return undefined;
  }
  const wrong = turns.findIndex((turn: unknown) => !isMessage(turn));
  if (wrong === -1) return turns;
  refuse(`turns[${wrong}]`, MESSAGE_SHAPE, turns[wrong]);
  return undefined;
}

/** As a fault names it. */
export const MESSAGE_SHAPE = "a message with role and content";

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

/** Each part has its own budget, so that a long one does not displace another. */
function toPart(given: unknown): JsonValue {
  return toSnapshot(given, createSnapshotRoom(PART_SHARE));
}
