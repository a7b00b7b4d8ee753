import { isJsonObject } from "../../base/json/value.js";
import { createSnapshotRoom, toSnapshot } from "./snapshot.js";

/**
 * Why a branch has no answer, or only a part of it: the field `branch_error` of its record. The format does
 * not define this field, but its records are open.
 */
export interface BranchError {
  /**
   * - `threw`: the agent threw, or its promise was rejected;
   * - `timeout`: it did not answer in time;
   * - `aborted`: the run was aborted while it ran;
   * - `not-started`: the run was aborted before its turn;
   * - `invalid-answer`: all or part of its answer has the wrong type.
   */
  readonly kind: "threw" | "timeout" | "aborted" | "not-started" | "invalid-answer";
  readonly message: string;
  /** Name of the thrown error, such as `TypeError`. */
  readonly name?: string;
  /** Its code, such as `ECONNRESET`. */
  readonly code?: string | number;
}

/** Share of a record's budget: about 67,000 characters. */
const SHARE = 0.001;

/** Describes anything that was thrown, or was the reason of an abort. Never throws. */
export function describeThrown(thrown: unknown): Pick<BranchError, "name" | "message" | "code"> {
  if (thrown === undefined) return { message: "undefined" };
  const snapshot = toSnapshot(thrown, createSnapshotRoom(SHARE));
  if (typeof snapshot === "string" && snapshot !== "") return { message: snapshot };
  if (!isJsonObject(snapshot)) return { message: JSON.stringify(snapshot) };
  const { name, message, code } = snapshot;
  const isNamed = typeof name === "string" && name !== "";
  const hasCode = typeof code === "string" || typeof code === "number";
  return {
    ...(isNamed && { name }),
    message: toMessage(message) ?? (isNamed ? name : JSON.stringify(snapshot)),
    ...(hasCode && { code }),
  };
}

function toMessage(message: unknown): string | undefined {
  return typeof message === "string" && message !== "" ? message : undefined;
}
