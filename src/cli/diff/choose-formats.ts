import type { SchemaSource } from "../../../conformance/compat/load-version.js";
import type { FormatMode } from "../../../conformance/compat/schema-set.js";
import { readRegistry } from "../../../conformance/registry/read-registry.js";
import { packageRoot } from "../../package-root.js";

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
