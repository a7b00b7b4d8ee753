import type { RolloutBranch } from "#generated/index.js";
import { findSyntaxError } from "../../../base/json/syntax-error.js";
import { scanJson } from "../../../base/json/tokens.js";
import { isJsonObject, tryParseJson } from "../../../base/json/value.js";
import type { SourceLine } from "../../../base/jsonl/blocks.js";
import type { FaultyLine, RecordLine } from "../../../base/jsonl/reader.js";

const ROLLOUT_ID = "rollout_id" satisfies keyof RolloutBranch;

/** The rollouts that a line without a valid branch may belong to. */
export interface LostLine {
  /** Every id that can be read: a line that is not JSON may hold several records, or mention others. */
  readonly ids: readonly string[];
  /** Whether its own id is among them. Otherwise it may belong to any rollout. */
  readonly isKnown: boolean;
}

/** Reads the rollout_id of a line or a record of a JSON text, which need not be valid. */
export function readLostLine(
  record: RecordLine,
  { bytes, column }: Pick<SourceLine, "bytes" | "column">,
): LostLine {
  if ("value" in record) {
    const id = record.value[ROLLOUT_ID];
    return typeof id === "string" ? { ids: [id], isKnown: true } : { ids: [], isKnown: false };
  }
  const text = bytes?.toString("utf8") ?? "";
  // In a JSON text, a lost quote or bracket joins records, and a lost end hides those that followed.
  const isAlone = column === undefined || isNearlyJson(text);
  const own = isAlone ? readOwnIds(text, record) : [];
  const ids = new Set(own);
  for (const [, quoted = ""] of text.matchAll(MENTION)) {
    const id = parseString(quoted);
    if (id !== undefined) ids.add(id);
  }
  return { ids: [...ids], isKnown: own.length > 0 };
}

/** Whether a text is JSON but for numbers that JSON lacks, or bytes that are not UTF-8. Then it ends where it should. */
function isNearlyJson(text: string): boolean {
  return tryParseJson(text.replaceAll(/([:,[]\s*)-?(?:NaN|Infinity)\b/g, "$1null")) !== undefined;
}

/** An id anywhere in a line. The limit keeps the expression from overflowing the stack. */
const MENTION = new RegExp(`"${ROLLOUT_ID}"\\s*:\\s*("(?:[^"\\\\]|\\\\.){0,1000}")`, "g");

/**
 * The ids of the records in a faulty line: of the one that was damaged, or of two that lack the line break between them.
 * None if it cannot be told.
 */
function readOwnIds(text: string, { fault }: FaultyLine): readonly string[] {
  const read = text.slice(0, fault.column - 1);
  // A byte that is not UTF-8 is the fault of its line, even after a syntax error.
  const before = read.slice(0, findSyntaxError(read)?.offset);
  const first = readOutermostId(before);
  if (first === undefined) return [];
  // After a whole value, the line may hold anything: then even its beginning may be a part of a record.
  if (tryParseJson(before) === undefined) return [first];
  const second = tryParseJson(text.slice(fault.column - 1));
  const other = isJsonObject(second) ? second[ROLLOUT_ID] : undefined;
  return typeof other === "string" ? [first, other] : [];
}

/** The id of the object that a text begins with. The text is the beginning of JSON. */
function readOutermostId(before: string): string | undefined {
  let isNext = false;
  for (const { kind, start, end, owner } of scanJson(before)) {
    const isOutermost = !owner.isArray && owner.parent?.parent === undefined;
    if (isNext && isOutermost) {
      return kind === "string" ? parseString(before.slice(start, end)) : undefined;
    }
    isNext = kind === "key" && isOutermost && before.slice(start + 1, end - 1) === ROLLOUT_ID;
  }
  return undefined;
}

/** Undefined if it is cut off. */
function parseString(quoted: string): string | undefined {
  const value = tryParseJson(quoted);
  return typeof value === "string" ? value : undefined;
}
