import type { SchemaSource } from "../../compat/load-version.js";
import type { FormatMode } from "../../compat/schema-set.js";
import { packageRoot } from "../../package-root.js";
import { readRegistry } from "../../schemas/registry.js";

/**
 * What `format` is to the validators of a schema: an assertion to those that this package generates, which are those
 * of its own schemas; else an annotation, as draft 2020-12 has it.
 */
export function chooseFormats(sources: readonly SchemaSource[]): FormatMode {
  const ids = readRegistry(packageRoot()).schemas.map(({ id }) => id);
  return sources.some(({ text }) => ids.some((id) => text.includes(`"${id}"`)))
    ? "assert"
    : "annotate";
}
