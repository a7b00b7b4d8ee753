import { isJsonObject } from "../json/value.js";
import type { BranchError } from "./branch-error.js";
import { createSnapshotRoom } from "./snapshot-room.js";
import { toSnapshot } from "./to-snapshot.js";

/** Of the room of a record: some 67,000 characters, more than anybody reads of an error. */
const SHARE = 0.001;

/** What is worth keeping of anything that was thrown, or given as the reason of an abort. Never throws. */
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
