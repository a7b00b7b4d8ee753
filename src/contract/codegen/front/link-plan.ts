import { readFileSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { hasCode, toReadError } from "../../../base/files/source.js";
import { isWire } from "../../schemas/registry-file.js";
import type { GenerationPlan } from "../plan.js";
import type { Sources } from "../sources.js";
import { type LinkedSchemas, linkFiles } from "./link-files.js";

/**
 * Links the schema files of a plan, and the files below its root to which they refer. Throws UserError (exit 3) if a file
 * cannot be read.
 */
export function linkPlan({ root, formats }: GenerationPlan, sources: Sources): LinkedSchemas {
  const entries = new Map(sources.registry.schemas.map((entry) => [entry.file, entry]));
  const files = sources.files.map((path) => {
    const entry = entries.get(path);
    return {
      path,
      bytes: readBytes(root, path),
      name: sources.isOurs ? undefined : entry?.name,
      aliases: entry?.aliases,
      tier: sources.isOurs ? (entry?.tier ?? "wire") : undefined,
    };
  });
  const read = (path: string): Buffer | undefined => {
    // Whoever wants what is elsewhere names it.
    if (isAbsolute(path) || path.startsWith("../")) return undefined;
    try {
      return readFileSync(resolve(root, path));
    } catch (error) {
      if (["ENOENT", "ENOTDIR", "EISDIR"].some((code) => hasCode(error, code))) return undefined;
      throw toReadError(path, error);
    }
  };
  return linkFiles(files, { formats, read });
}

/** Schemas and definitions of tier "wire" alone. */
export function keepWire<Input extends Pick<LinkedSchemas, "schemas" | "definitions">>(
  input: Input,
): Input {
  const { schemas, definitions } = input;
  const kept = [...definitions].filter(([, { schema }]) => isWire(schema));
  return { ...input, schemas: schemas.filter(isWire), definitions: new Map(kept) };
}

function readBytes(root: string, path: string): Buffer {
  try {
    return readFileSync(resolve(root, path));
  } catch (cause) {
    throw toReadError(path, cause);
  }
}
