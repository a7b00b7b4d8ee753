import { withFetching } from "../../base/files/git.js";
import { CONFIG_FILE } from "../../base/package.js";
import type { LinesOutcome, LinesRequest } from "../../base/run/run-lines.js";
import { UserError } from "../../base/user-error.js";
import { requireValidator } from "../../contract/compat/ajv/ajv.js";
import { loadVersion } from "../../contract/compat/load-version.js";
import { hasUncheckedFormat } from "../../contract/compat/schema/walks.js";
import { findSchemaSource } from "../../contract/compat/versions/sources.js";
import { checkRecords } from "../../rollouts/pipeline/check-records.js";
import type { RuleSeverities } from "../../rollouts/wire/validation/profiles.js";
import type { CommandContext } from "../command.js";

const UNCHECKED = `format is an annotation in this schema and not checked, unless ${CONFIG_FILE} has "formats": "assert"\n`;

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
  context: CommandContext,
): Promise<LinesOutcome> {
  const { root, holes } = withFetching(fetches, () =>
    loadVersion(findSchemaSource(schema, context.cwd, schemas)),
  );
  const [hole] = holes;
  if (hole !== undefined) {
    throw new UserError(
      `${hole.from}: ${hole.text} is not here (nothing is fetched: --schemas names the files that have it)`,
    );
  }
  const validator = requireValidator(root);
  if (hasUncheckedFormat(root)) context.stderr.write(UNCHECKED);
  return await checkRecords({ ...request, validatorOf: () => validator }, context);
}
