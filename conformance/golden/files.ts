import { listFolder } from "../../src/files/folders.js";
import type { InputSource } from "../../src/files/source.js";

/** Folder of the golden runs, from the repository's root. */
const GOLDEN_FOLDER = "fixtures/golden";

/** Rollouts of a golden run. */
const INPUT = "input.jsonl";
/** Evaluation set that they are compared with. */
const EVAL_ITEMS = "eval-items.jsonl";
/** What a person should know about the run. */
const NOTES = "README.md";
/** What the names of a run's outputs begin with. */
export const OUTPUT_PREFIX = "expected.";

/** A run whose outputs are committed: `fixtures/golden/<name>`. All paths are from the repository's root. */
export interface GoldenRun {
  readonly folder: string;
  readonly input: string;
  /** Undefined when the run has none. */
  readonly evalItems: string | undefined;
  /** The committed outputs. */
  readonly outputs: readonly string[];
}

export interface GoldenRuns {
  /** By name. */
  readonly runs: readonly GoldenRun[];
  /** What lies in the folder and belongs to no run, from the repository's root. */
  readonly strays: readonly string[];
}

/** The golden runs below `root`; none when there is no such folder. */
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
      // A link is no file: what it points at may lie anywhere.
      if (!file.isFile()) strays.push(path);
      else if (file.name === EVAL_ITEMS) evalItems = path;
      else if (file.name.startsWith(OUTPUT_PREFIX)) outputs.push(path);
      else if (file.name !== INPUT && file.name !== NOTES) strays.push(path);
    }
    runs.push({ folder, input: `${folder}/${INPUT}`, evalItems, outputs });
  }
  return { runs, strays };
}

/** Files below `root`, and a standard input that holds nothing. */
export function toFileSource(root: string): InputSource {
  return { stdin: nothing(), cwd: root };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** The value of a JSON text, in an object since it may be anything; undefined when it is not JSON. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
