import type { InputSource } from "../../base/files/source.js";
import type { LinesOutcome, LinesRequest } from "../../base/run/run-lines.js";
import { loadVersion } from "../../contract/compat/load-version.js";
import { requireValidator } from "../../contract/compat/validators.js";
import { chooseFormats } from "../../contract/compat/versions/compare.js";
import { findSchemaSource } from "../../contract/compat/versions/sources.js";
import { checkRecords } from "../../rollouts/pipeline/check-records.js";
import type { RuleSeverities } from "../../rollouts/wire/validation/profiles.js";

interface OwnSchemaRequest extends LinesRequest {
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
  source: InputSource,
): Promise<LinesOutcome> {
  const found = findSchemaSource(schema, source.cwd, schemaRoot);
  const { root } = loadVersion(found, chooseFormats([found.text]));
  return await checkRecords({ ...request, validator: requireValidator(root) }, source);
}
