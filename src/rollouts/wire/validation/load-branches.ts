import {
  isRolloutBranch,
  isRolloutBranchRecord,
  type Open,
  type RolloutBranch,
  type RolloutBranchRecord,
} from "#generated/index.js";
import type { Finding, RecordFault } from "../../../base/findings/finding.js";
import { locatePointers } from "../../../base/json/pointer.js";
import { measureValue } from "../../../base/json/value.js";
import type { RecordInput } from "../../../base/jsonl/record-input.js";
import { positionInRecord, type RecordLine } from "../../../base/jsonl/record-line.js";
import { requireKnownOptions } from "../../../base/options.js";
import { formatCount } from "../../../base/text.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { checkLine, checkSemantics } from "./check-record.js";

/** Which branches `loadRollouts` yields, and what it does about the other lines. */
export interface LoadOptions {
  /** Whether the branches must be ranked, as `exportRollouts` needs them. Default true. */
  readonly ranked?: boolean | undefined;
  /**
   * What to do about a line without a valid branch: `throw` a UserError (exit 1), the default; `skip` it; or call a function
   * with each of its errors, and skip it.
   */
  readonly onError?: "throw" | "skip" | ((error: Finding) => void) | undefined;
}

/** Branches that are read while they are consumed, once. */
export interface LoadedRollouts<Branch> extends AsyncIterable<Branch> {
  /** Reads all branches into memory. */
  toArray(): Promise<Branch[]>;
}

/** The type of `loadRollouts`. */
export interface LoadRollouts {
  (
    input: RecordInput,
    options?: LoadOptions & { readonly ranked?: true | undefined },
  ): LoadedRollouts<Open<RolloutBranchRecord>>;
  (
    input: RecordInput,
    options: LoadOptions & { readonly ranked: boolean },
  ): LoadedRollouts<Open<RolloutBranch>>;
}

/** Creates `loadRollouts` for a runtime that reads records in this way. */
export function createLoader(
  read: (input: RecordInput) => AsyncIterable<Iterable<RecordLine>>,
): LoadRollouts {
  function load(
    input: RecordInput,
    options?: LoadOptions & { readonly ranked?: true | undefined },
  ): LoadedRollouts<Open<RolloutBranchRecord>>;
  function load(input: RecordInput, options: LoadOptions): LoadedRollouts<Open<RolloutBranch>>;
  function load(
    input: RecordInput,
    options: LoadOptions = {},
  ): LoadedRollouts<Open<RolloutBranch>> {
    requireOptions(options);
    const branches = checkLines(read(input), options);
    return {
      [Symbol.asyncIterator]: () => branches,
      async toArray() {
        const all: Open<RolloutBranch>[] = [];
        for await (const branch of branches) all.push(branch);
        return all;
      },
    };
  }
  return load;
}

function requireOptions(options: LoadOptions): void {
  requireKnownOptions("loadRollouts:", options, { ranked: true, onError: true });
  const { onError = "throw" } = options;
  if (onError === "throw" || onError === "skip" || typeof onError === "function") return;
  throw new UserError('loadRollouts: onError must be "throw", "skip" or a function', EXIT.usage);
}

async function* checkLines(
  batches: AsyncIterable<Iterable<RecordLine>>,
  { ranked = true, onError = "throw" }: LoadOptions,
): AsyncGenerator<Open<RolloutBranch>, void, undefined> {
  const type = ranked ? "RolloutBranchRecord" : "RolloutBranch";
  const isValid = ranked ? isRolloutBranchRecord : isRolloutBranch;
  for await (const batch of batches) {
    for (const line of batch) {
      if ("value" in line && isValid(line.value)) {
        const ruled = { ...line, measure: measureValue(line.value) };
        const errors = checkSemantics(ruled, type).filter(isError);
        if (errors.length === 0) yield line.value;
        else report(line, errors, onError);
      } else report(line, checkLine(line, type).faults.filter(isError), onError);
    }
  }
}

function isError({ severity }: RecordFault): boolean {
  return severity === "error";
}

function report(
  line: RecordLine,
  errors: readonly RecordFault[],
  onError: NonNullable<LoadOptions["onError"]>,
): void {
  if (onError === "skip") return;
  const findings = errors.map((error) => toFinding(line, error));
  if (onError === "throw") throw toUserError(findings);
  for (const finding of findings) onError(finding);
}

function toFinding(
  line: RecordLine,
  { id, severity, pointer, message, column }: RecordFault,
): Finding {
  return { id, severity, file: line.file, ...placeOf(line, pointer, column), pointer, message };
}

function placeOf(
  line: RecordLine,
  pointer: string,
  column: number | undefined,
): { readonly line: number; readonly column: number } {
  if ("fault" in line) return line.position ?? { line: line.line, column: line.fault.column };
  const inLine = column ?? locatePointers(line.text, [pointer])[0] ?? 1;
  return line.column === undefined
    ? { line: line.line, column: inLine }
    : positionInRecord(line.text, inLine - 1, { line: line.line, column: line.column });
}

/** `a.jsonl:12:20 /rank must be >= 1, is 0 (minimum), and 2 more errors`. */
function toUserError([first, ...others]: readonly Finding[]): UserError {
  if (first === undefined) throw new RangeError("a faulty line without an error");
  const { file, line, column, pointer, message, id } = first;
  const place = [`${file}:${line}:${column}`, pointer, message].filter((part) => part !== "");
  const more = others.length === 0 ? "" : `, and ${formatCount(others.length, "more error")}`;
  return new UserError(`${place.join(" ")} (${id})${more}`, EXIT.findings);
}
