import { checkRecords } from "../../compat/check-records.js";
import { loadVersion } from "../../compat/load-version.js";
import type { InputSource } from "../../files/source.js";
import type { FindingList } from "../../findings/finding-list.js";
import type { FileBlocksOptions } from "../../rollouts/file-blocks.js";
import type { RuleSeverities } from "../../validation/profiles.js";
import { chooseFormats } from "../diff/compare.js";
import { findSchemaSource } from "../diff/sources.js";

interface OwnSchemaRequest extends Pick<FileBlocksOptions, "onStored"> {
  readonly files: readonly string[];
  /** As the user named it: see `findSchemaSource`. */
  readonly schema: string;
  readonly schemaRoot: string | undefined;
  readonly severities: RuleSeverities;
}

/**
 * Checks records against a schema of the user's own. Throws UserError (exit 3) if the schema or a file cannot be read.
 */
export async function checkOwnSchema(
  { schema, schemaRoot, ...request }: OwnSchemaRequest,
  findings: FindingList,
  source: InputSource,
): Promise<void> {
  const found = findSchemaSource(schema, source.cwd, schemaRoot);
  const { root } = loadVersion(found, chooseFormats([found.text]));
  await checkRecords({ ...request, schema: root }, findings, source);
}
