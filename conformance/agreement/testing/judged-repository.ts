import { delimiter, join } from "node:path";
import { packageRoot } from "../../../src/base/package.js";
import { writeGenerated } from "../../../src/contract/codegen/write-files.js";
import { SmallRepository } from "../../fixtures/testing/small-repository.js";
import { generateFiles, readPlan } from "../../generator.js";
import { DEV_TOOLS, ensurePythonEnv } from "../../python-env.js";

/** Folders of the outputs. */
export const [TYPESCRIPT, PYTHON, MODELS] = ["ts", "py/gen", "py/gen_pydantic"];

/** A repository that is not ours, with generated code in every language. */
export class JudgedRepository extends SmallRepository {
  constructor(schemas: Readonly<Record<string, object>>, more: object = {}) {
    const outputs = [
      { target: "typescript", folder: TYPESCRIPT },
      { target: "validators", folder: TYPESCRIPT },
      { target: "python", folder: PYTHON },
      { target: "pydantic", folder: MODELS },
    ];
    super(schemas, { outputs, ...more });
  }

  /** Writes its code. */
  async generate(): Promise<void> {
    const plan = readPlan(this.root);
    if (plan === undefined) throw new Error("there is no configuration");
    await writeGenerated(await generateFiles(plan));
  }
}

/** Makes `python3` that of our tools, which has pydantic and jsonschema-rs; returns what undoes it. */
export function usePython(): () => void {
  const before = process.env.PATH;
  const python = ensurePythonEnv(packageRoot(), DEV_TOOLS);
  process.env.PATH = [join(python, ".."), before].join(delimiter);
  return () => {
    process.env.PATH = before;
  };
}
