import type { Output } from "#generated/index.js";
import { type LinkOptions, readFiles } from "../front/link-files.js";
import type { CodegenInput } from "../target.js";

interface InputOptions extends LinkOptions {
  readonly folder?: string;
  /** Default: TypeScript and its validators in this folder. */
  readonly outputs?: readonly Output[];
}

/**
 * The input of a target for schema files in memory: by path, each a schema, or a text of one. `formats: "assert"` makes
 * `format` an assertion. Throws FileFault as for files on disk.
 *
 *     const input = createInput({ "task.schema.json": { type: "object", properties: { id: { type: "string" } } } });
 *     input.definitions.get("Task")?.node
 */
export function createInput(
  files: Readonly<Record<string, unknown>>,
  { folder = "generated", outputs, ...options }: InputOptions = {},
): CodegenInput {
  const texts = Object.entries(files).map(([path, schema]) => ({
    path,
    bytes: Buffer.from(typeof schema === "string" ? schema : JSON.stringify(schema)),
  }));
  const { schemas, definitions } = readFiles(texts, options);
  const registry = {
    schemas: schemas.map(({ id, name, file }) => ({
      ...{ id, name, version: "1.0.0", file, released: [], owner: "owner" },
      ...{ producers: [], consumers: [], stability: "stable" as const },
    })),
  };
  const beside = (["typescript", "validators"] as const).map((target) => ({ target, folder }));
  const { formats = "annotate" } = options;
  return { root: ".", folder, outputs: outputs ?? beside, formats, schemas, definitions, registry };
}
