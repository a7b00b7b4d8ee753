import { keepWire, linkPlan } from "./front/link-plan.js";
import type { GenerationPlan } from "./plan.js";
import { requireProfile } from "./profile.js";
import { findSources } from "./sources.js";
import type { CodegenInput, GeneratedFile, Target } from "./target.js";
import { targets } from "./targets/index.js";

/** Everything that a run prints, in memory. */
export interface Generation
  extends Pick<CodegenInput, "schemas" | "definitions">,
    Pick<GenerationPlan, "root" | "outputs" | "scope"> {
  readonly files: readonly GeneratedFile[];
  /** The folders of the outputs. */
  readonly folders: readonly string[];
  /** Schema files that are not in the registry. */
  readonly unregistered: readonly string[];
}

/** Prints all files of a plan in memory. Throws UserError, and FileFault with all faults of the schemas. */
export async function generateFiles(plan: GenerationPlan): Promise<Generation> {
  const { root, outputs, formats, scope } = plan;
  const sources = await findSources(plan);
  const { registry, unregistered } = sources;
  const { schemas, definitions } = requireProfile(linkPlan(plan, sources));
  const printed = await Promise.all(
    outputs.map(async ({ target, folder }) => {
      const input = { root, folder, outputs, formats, schemas, definitions, registry };
      return (await Promise.all(targets[target].map((each) => print(each, input)))).flat();
    }),
  );
  const folders = [...new Set(outputs.map(({ folder }) => folder))];
  return {
    root,
    outputs,
    schemas,
    definitions,
    files: printed.flat(),
    folders,
    scope,
    unregistered,
  };
}

async function print(
  { generate, isForWire }: Target,
  input: CodegenInput,
): Promise<readonly GeneratedFile[]> {
  const given = isForWire ? keepWire(input) : input;
  return given.schemas.length === 0 ? [] : await generate(given);
}
