import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Registry } from "#generated/index.js";
import { FileFault } from "../../src/findings/finding.js";
import { describeError } from "../../src/json/schema-error.js";
import { readJsonFile } from "../../src/schemas/read-json-file.js";
import { REGISTRY_FILE } from "../../src/schemas/registry.js";

const SCHEMA_ID = "https://wasmagent.dev/schemas/registry/v1";

/**
 * The registry below `root`, checked by its schema there: the generated validators may be what is to be printed.
 * Throws as `readJsonFile` does, and FileFault (`registry`) when it is not what its schema describes.
 */
export function readRegistry(root: string): Registry {
  const value: unknown = readJsonFile(root, REGISTRY_FILE).value;
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  for (const file of readdirSync(join(root, "schema"))) {
    if (file.endsWith(".schema.json")) ajv.addSchema(readJsonFile(root, `schema/${file}`).value);
  }
  if (ajv.getSchema(SCHEMA_ID) === undefined) {
    const message = `is described by ${SCHEMA_ID}, which no file of the folder has as its "$id"`;
    throw new FileFault({ id: "registry", file: REGISTRY_FILE, message });
  }
  const isRegistry = ajv.compile<Registry>({ $ref: SCHEMA_ID });
  if (isRegistry(value)) return value;
  const [error] = isRegistry.errors ?? [];
  const { instancePath: pointer = "", message = "" } = error ?? {};
  const said = error === undefined ? message : describeError({ ...error, pointer, message }, value);
  throw new FileFault({ id: "registry", file: REGISTRY_FILE, pointer, message: said });
}
