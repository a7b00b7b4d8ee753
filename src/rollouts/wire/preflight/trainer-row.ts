import type { RecordFault, Severity } from "../../../base/findings/finding.js";
import type { JsonObject } from "../../../base/json/value.js";
import type { PreflightId } from "./purposes.js";

/** The roles that every trainer knows, under names of its own. */
export type RowRole = "system" | "user" | "assistant" | "tool";

/** A call in a message. Pointers are JSON Pointers (RFC 6901) in the row. */
export interface RowCall {
  readonly pointer: string;
  readonly id: string | undefined;
  /** "" if it has none. */
  readonly name: string;
  /** As they stand in the row, or as the trainer parses them. */
  readonly args: unknown;
  readonly argsPointer: string;
}

/** A message as its trainer reads it. */
export interface RowMessage {
  readonly pointer: string;
  readonly role: RowRole;
  /** As it stands in the row. */
  readonly value: JsonObject;
  /** Its text, of parts joined; "" if it has none. */
  readonly text: string;
  readonly calls: readonly RowCall[];
  /** The call that it answers. */
  readonly callId: string | undefined;
}

/** A list of messages, or plain text, in one column. */
export interface RowPart {
  /** The column, such as `chosen`. */
  readonly name: string;
  readonly pointer: string;
  /** Undefined: it is plain text. */
  readonly messages: readonly RowMessage[] | undefined;
  /** The plain text; "" for messages. */
  readonly text: string;
}

/** Something that the model learns to write, or not to write. */
export interface RowSide extends RowPart {
  /** Whether it may say nothing: an answer to avoid, or one that only has a reward. */
  readonly mayBeEmpty?: boolean;
  /** Whether it is a whole conversation, whose assistant turns are learned. */
  readonly isWhole?: boolean;
}

/** The tools that a row declares. */
export interface RowTools {
  readonly pointer: string;
  /** As they stand in the row, or as the trainer parses them. */
  readonly definitions: readonly unknown[];
  /** Whether they are JSON text, in which no pointer leads further. */
  readonly isText: boolean;
}

/** A row of a file for a trainer, in the one shape that all checks read. */
export interface TrainerRow {
  readonly value: JsonObject;
  /** What the model reads. Undefined: the sides are whole conversations. */
  readonly prompt?: RowPart | undefined;
  readonly sides: readonly RowSide[];
  readonly tools?: RowTools | undefined;
  /** Whether the sides are runs as they went, with a reward: one that broke off in a call, or went astray, is no error. */
  readonly isObserved?: boolean;
}

export interface PreflightFault extends RecordFault {
  readonly id: PreflightId;
}

/** A fault. `cause` tells faults of one place apart; give it if the message quotes the row. */
export function fault(
  id: PreflightId,
  severity: Severity,
  pointer: string,
  message: string,
  cause?: string,
): PreflightFault {
  return { id, severity, pointer, message, ...(cause !== undefined && { cause }) };
}
