import { createEvalIndex } from "../../src/decontamination/eval-index.js";
import { readEvalItems } from "../../src/decontamination/eval-items.js";
import type { Finding } from "../../src/findings/finding.js";
import { createFinding } from "../../src/findings/finding.js";
import { UserError } from "../../src/user-error.js";
import { createGoldenOutputs } from "./create-golden-outputs.js";
import type { GoldenRun } from "./list-golden.js";
import { readGoldenInput } from "./read-golden-input.js";
import { toFileSource } from "./to-file-source.js";

/** Texts of files by their paths from the repository's root, or why a run's inputs cannot be used. */
export type GoldenResult =
  | { readonly made: ReadonlyMap<string, string> }
  | { readonly findings: readonly Finding[] };

/** Makes the outputs of a golden run below `root`; writes nothing. Inputs that cannot be used are findings. */
export async function runGolden(root: string, run: GoldenRun): Promise<GoldenResult> {
  const { folder, input, evalItems } = run;
  let reading = input;
  try {
    const read = await readGoldenInput(root, input);
    if ("findings" in read) return read;
    reading = evalItems ?? input;
    const items = evalItems && (await readEvalItems(evalItems, {}, toFileSource(root)));
    const outputs = createGoldenOutputs(read.rollouts, items ? createEvalIndex(items) : undefined);
    return { made: new Map([...outputs].map(([name, text]) => [`${folder}/${name}`, text])) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return {
      findings: [createFinding({ id: "unreadable", file: reading, message: error.message })],
    };
  }
}
