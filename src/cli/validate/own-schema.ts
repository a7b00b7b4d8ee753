import { withFetching } from "../../base/files/git.js";
import type { InputSource } from "../../base/files/source.js";
import type { LinesOutcome, LinesRequest } from "../../base/run/run-lines.js";
import { UserError } from "../../base/user-error.js";
import { requireValidator } from "../../contract/compat/ajv/ajv.js";
import { loadVersion } from "../../contract/compat/load-version.js";
import { chooseFormats } from "../../contract/compat/versions/compare.js";
import { findSchemaSource } from "../../contract/compat/versions/sources.js";
import { checkRecords } from "../../rollouts/pipeline/check-records.js";
import type { RuleSeverities } from "../../rollouts/wire/validation/profiles.js";

interface OwnSchemaRequest extends LinesRequest {
  /** As the user named it: see `findSchemaSource`. */
  readonly schema: string;
  /** Files, folders and patterns in which its references are found. */
  readonly schemas: readonly string[];
  /** Whether git may fetch what a partial clone lacks. */
  readonly fetches: boolean;
  readonly severities: RuleSeverities;
}

/**
 * Checks records against a schema of the user's own. Throws UserError (exit 3) if the schema or a file cannot be read.
 */
export async function checkOwnSchema(
  { schema, schemas, fetches, ...request }: OwnSchemaRequest,
  source: InputSource,
): Promise<LinesOutcome> {
  const { root, holes } = withFetching(fetches, () => {
    const found = findSchemaSource(schema, source.cwd, schemas);
    return loadVersion(found, chooseFormats([found.text]));
  });
  const [hole] = holes;
  if (hole !== undefined) {
    throw new UserError(
      `${hole.from}: ${hole.text} is not here (nothing is fetched: --schemas names the files that have it)`,
    );
  }
  const validator = requireValidator(root);
  return await checkRecords({ ...request, validatorOf: () => validator }, source);
}
