import { type FileStaging, stageFiles } from "../files/staging.js";
import { createTempFolder } from "../files/temp.js";
import type { FindingLimits } from "../findings/finding-list.js";
import type { RuleSeverities } from "../validation/profiles.js";

/** Shows how far a run is. */
export interface Progress {
  /** More bytes of the inputs, as stored, were read; `records` is how many were checked so far. */
  read(bytes: number, records: number): void;
  /** All inputs are read; `records` of `total` were built again because their rollouts are scattered. */
  rebuilt(records: number, total: number): void;
  /** Clears the line. */
  stop(): void;
}

export const SILENT: Progress = { read() {}, rebuilt() {}, stop() {} };

/** What every run that reads files and writes others is asked for. */
export interface StagedRequest {
  /** Input files, `-` for standard input. */
  readonly files: readonly string[];
  readonly limits: FindingLimits;
  readonly severities: RuleSeverities;
  /** Leave out invalid lines and rollouts, with a warning each, instead of writing nothing. */
  readonly skipInvalid: boolean;
  /** Absolute path for the lines that are left out; undefined: they are not kept. */
  readonly rejects?: string | undefined;
  readonly progress?: Progress | undefined;
}

/** Where a run writes. */
export interface Stage {
  /** Files that come into place together when the run succeeds. */
  readonly staging: FileStaging;
  /** A temporary folder, empty at first and removed at the end. */
  readonly folder: string;
  /** Gives `resource`, which is closed at the end of the run. */
  readonly closing: <Resource extends { close(): void }>(resource: Resource) => Resource;
}

/**
 * Runs `run`, and puts its files into place if it gives `written`: all files or none. Leaves no temporary
 * files behind.
 */
export async function runStaged<Outcome extends { readonly written: boolean }>(
  run: (stage: Stage) => Promise<Outcome>,
): Promise<Outcome> {
  const { path: folder, remove } = createTempFolder();
  const staging = stageFiles();
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
    await staging.close().finally(remove);
  }
}
