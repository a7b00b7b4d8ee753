import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { type CheckBaseline, type ExpectedFailure, isCheckBaseline } from "#generated/index.js";
import { sha256 } from "../src/base/files/hash.js";
import { toSlashes } from "../src/base/files/inputs.js";
import { writeFiles } from "../src/base/files/staging.js";
import { createFinding, type Finding } from "../src/base/findings/finding.js";
import { groupBy } from "../src/base/group-by.js";
import { toSafeJson } from "../src/base/json/print.js";
import { today } from "../src/base/text.js";
import type { Acceptance } from "../src/contract/drift/accept.js";
import { readDataFile, throwFirst } from "./fixtures/load.js";

/** Id of the finding about an entry that is no longer needed, as `drift` has it. */
const STALE = "stale-baseline";

/** Id of the finding that a check could not run. */
export const NOT_RUN = "not-run";

/** Id of the finding that a check examined nothing of its main kind. */
export const NOTHING_CHECKED = "nothing-checked";

/** Findings that say that a check did not look: nobody can expect those. */
const NEVER_EXPECTED: readonly string[] = [NOT_RUN, NOTHING_CHECKED, STALE];

/** What remains of the findings of a check. */
export interface Judged {
  /** Those that are not expected, and those about entries that are no longer needed. */
  readonly findings: readonly Finding[];
  /** Number of expected ones. */
  readonly expected: number;
}

/**
 * The findings that a file lists as expected. An entry stands for one finding, with its message and what is shown below:
 * otherwise it would cover for the next one at that place.
 */
export class Baseline {
  /** Path from the repository's root. */
  readonly file: string;
  readonly #root: string;
  readonly #source: string;
  readonly #entries: readonly ExpectedFailure[];
  /** The entries of checks that were judged and that are still needed. */
  readonly #needed = new Set<ExpectedFailure>();
  readonly #judged = new Set<string>();

  constructor(
    root: string,
    file: string,
    { source, value }: { readonly source: string; readonly value: CheckBaseline },
  ) {
    this.#root = root;
    this.file = file;
    this.#source = source;
    this.#entries = value.baseline;
  }

  /** Judges the findings of a check that ran: all of them, once. */
  judge(check: string, findings: readonly Finding[]): Judged {
    this.#judged.add(check);
    const own = this.#entries.filter((entry) => entry.check === check);
    const valid = own.filter(({ expires }) => expires >= today());
    const open = groupBy(valid, keyOf);
    const kept = findings.filter((finding) => {
      if (NEVER_EXPECTED.includes(finding.id)) return true;
      const entry = open.get(keyOf(toSubject(finding)))?.shift();
      if (entry !== undefined) this.#needed.add(entry);
      return entry === undefined;
    });
    const stale = own.flatMap((entry) => (this.#needed.has(entry) ? [] : [this.#toStale(entry)]));
    return { findings: [...kept, ...stale], expected: findings.length - kept.length };
  }

  #toStale(entry: ExpectedFailure): Finding {
    const { id, file, expires } = entry;
    const what =
      expires < today()
        ? `expired on ${expires}: fix it, or accept it again`
        : "is no longer found: remove the entry";
    const pointer = `/baseline/${this.#entries.indexOf(entry)}`;
    const message = `${id} of ${file} ${what}`;
    return createFinding({ id: STALE, file: this.file, source: this.#source, pointer, message });
  }

  /**
   * Enters what remained of the findings by check, and drops what is no longer needed. Returns those that cannot be
   * expected, and the number of new entries. Throws UserError (exit 3) if the file cannot be written.
   */
  async accept(
    remaining: ReadonlyMap<string, readonly Finding[]>,
    { reason, expires }: Acceptance,
  ): Promise<{ readonly left: ReadonlyMap<string, readonly Finding[]>; readonly added: number }> {
    const kept = this.#entries.filter(
      (entry) => !this.#judged.has(entry.check) || this.#needed.has(entry),
    );
    const added: ExpectedFailure[] = [];
    const left = new Map<string, readonly Finding[]>();
    for (const [check, findings] of remaining) {
      const isOpen = ({ id }: Finding): boolean =>
        !this.#judged.has(check) || NEVER_EXPECTED.includes(id);
      left.set(
        check,
        findings.filter((each) => isOpen(each) && each.id !== STALE),
      );
      for (const each of findings.filter((finding) => !isOpen(finding))) {
        added.push({ check, ...toSubject(each), reason, expires });
      }
    }
    const text = toSafeJson({ baseline: [...kept, ...added] });
    await writeFiles([{ path: resolve(this.#root, this.file), chunks: [text] }]);
    return { left, added: added.length };
  }
}

/** What an entry says of its finding. */
type Subject = Pick<ExpectedFailure, "id" | "file" | "pointer" | "message" | "hash">;

function toSubject({ id, file, pointer, message, detail }: Finding): Subject {
  return {
    ...{ id, file },
    ...(pointer !== "" && { pointer }),
    message,
    ...(detail !== undefined && { hash: sha256(detail) }),
  };
}

/** What an entry and its finding have in common, in one check. */
function keyOf({ id, file, pointer, message, hash }: Subject): string {
  return JSON.stringify([id, file, pointer, message, hash]);
}

export interface BaselineOptions {
  readonly root: string;
  readonly cwd: string;
  /** Why there is no check with this id here; undefined if there is. */
  whyNot(check: string): string | undefined;
  /** Whether the file may be missing. */
  readonly isNew: boolean;
}

/** Reads the file that the user named. Throws UserError (exit 3) with the first of its faults. */
export function readBaseline(
  named: string,
  { root, cwd, whyNot, isNew }: BaselineOptions,
): Baseline {
  const path = resolve(cwd, named);
  const file = toSlashes(relative(root, path));
  if (isNew && !existsSync(path)) {
    return new Baseline(root, file, { source: "", value: { baseline: [] } });
  }
  const read = readDataFile(root, file, "CheckBaseline", isCheckBaseline);
  if ("findings" in read) {
    throwFirst(read.findings);
    throw new Error(`${file}: has neither a value nor a finding`);
  }
  const { source, value } = read;
  const faults = value.baseline.flatMap(({ check }, index) => {
    const message = whyNot(check);
    const pointer = `/baseline/${index}/check`;
    return message === undefined
      ? []
      : [createFinding({ id: STALE, file, source, pointer, message })];
  });
  throwFirst(faults);
  return new Baseline(root, file, read);
}
