import { listFolder } from "../../src/base/files/folders.js";
import type { InputSource } from "../../src/base/files/source.js";
import type { Finding } from "../../src/base/findings/finding.js";

/** Folder of the golden runs, from the repository's root. */
const GOLDEN_FOLDER = "fixtures/golden";

/** The rollouts of a golden run. */
const INPUT = "input.jsonl";
/** The evaluation set for its decontamination. */
const EVAL_ITEMS = "eval-items.jsonl";
/** Notes about the run. */
const NOTES = "README.md";
/** Prefix of the names of a run's outputs. */
export const OUTPUT_PREFIX = "expected.";

/** A run with committed outputs: `fixtures/golden/<name>`. All paths are from the repository's root. */
export interface GoldenRun {
  readonly folder: string;
  readonly input: string;
  /** Undefined if the run has none. */
  readonly evalItems: string | undefined;
  /** The committed outputs. */
  readonly outputs: readonly string[];
}

export interface GoldenRuns {
  /** By name. */
  readonly runs: readonly GoldenRun[];
  /** Files in the folder that are not part of any run, from the repository's root. */
  readonly strays: readonly string[];
}

/** The golden runs below `root`; none if there is no such folder. */
export function listGolden(root: string): GoldenRuns {
  const strays: string[] = [];
  const runs: GoldenRun[] = [];
  for (const entry of listFolder(root, GOLDEN_FOLDER)) {
    const folder = `${GOLDEN_FOLDER}/${entry.name}`;
    if (!entry.isDirectory()) {
      strays.push(folder);
      continue;
    }
    const outputs: string[] = [];
    let evalItems: string | undefined;
    for (const file of listFolder(root, folder)) {
      const path = `${folder}/${file.name}`;
      // A link does not count as a file: its target may be anywhere.
      if (!file.isFile()) strays.push(path);
      else if (file.name === EVAL_ITEMS) evalItems = path;
      else if (file.name.startsWith(OUTPUT_PREFIX)) outputs.push(path);
      else if (file.name !== INPUT && file.name !== NOTES) strays.push(path);
    }
    runs.push({ folder, input: `${folder}/${INPUT}`, evalItems, outputs });
  }
  return { runs, strays };
}

/** What files must contain, by path from the repository's root; or findings, if that cannot be said. */
export type GoldenResult =
  | { readonly made: ReadonlyMap<string, string | Uint8Array> }
  | { readonly findings: readonly Finding[] };

/** Outputs that are made and compared together. */
export interface GoldenUnit {
  /** The committed outputs, from the repository's root. */
  readonly outputs: readonly string[];
  run(): Promise<GoldenResult>;
}

/** Files below `root`, and an empty standard input. */
export function toFileSource(root: string): InputSource {
  return { stdin: nothing(), cwd: root };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** The value of a JSON text, in an object because the value may be anything; undefined if it is not JSON. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
