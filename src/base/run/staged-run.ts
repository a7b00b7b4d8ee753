import { FileStaging } from "../files/staging.js";
import { createTempFolder } from "../files/temp.js";
import type { FindingLimits } from "../findings/finding-list.js";

/** Reports the progress of a run. */
export interface Progress {
  /** Called when more bytes of the inputs, as stored, were read. `records` is the number of records checked so far. */
  read(bytes: number, records: number): void;
  /** Called after all inputs are read, while scattered rollouts are rebuilt: `records` of `total` are done. */
  rebuilt(records: number, total: number): void;
  /** Clears the progress line. */
  stop(): void;
}

export const SILENT: Progress = { read() {}, rebuilt() {}, stop() {} };

/** Options of every run that reads files and writes others. */
export interface StagedRequest {
  /** Input files, `-` for standard input. */
  readonly files: readonly string[];
  readonly limits: FindingLimits;
  /** Omit invalid lines and rollouts, with a warning each, instead of writing nothing. */
  readonly skipInvalid: boolean;
  /** Whether it is no error that there are no records, or no valid ones. */
  readonly mayBeEmpty?: boolean;
  /** Absolute path for the omitted lines. Undefined: they are not kept. */
  readonly rejects?: string | undefined;
  readonly progress?: Progress | undefined;
  /** Has the locks of the outputs; the caller closes it. Undefined: the run locks them when it starts to write. */
  readonly staging?: FileStaging | undefined;
}

export interface Stage {
  /** Files that are committed together if the run succeeds. */
  readonly staging: FileStaging;
  /** An empty temporary folder, removed at the end. */
  readonly folder: string;
  /** Registers `resource` to be closed at the end of the run, and returns it. */
  readonly closing: <Resource extends { close(): void }>(resource: Resource) => Resource;
}

/**
 * Calls `run`, and commits its files atomically if it returns `written`. Leaves no temporary files behind. A given
 * `reserved` staging is used and not closed.
 */
export async function runStaged<Outcome extends { readonly written: boolean }>(
  run: (stage: Stage) => Promise<Outcome>,
  reserved?: FileStaging,
): Promise<Outcome> {
  const { path: folder, remove } = createTempFolder();
  const staging = reserved ?? new FileStaging();
  const resources: { close(): void }[] = [];
  try {
    const outcome = await run({
      staging,
      folder,
      closing(resource) {
        resources.push(resource);
        return resource;
      },
    });
    if (outcome.written) await staging.commit();
    return outcome;
  } finally {
    for (const resource of resources) resource.close();
    await (reserved === undefined ? staging.close() : staging.discard()).finally(remove);
  }
}
