import { UserError } from "../../../src/user-error.js";
import { compareVersions, type VersionComparison } from "../../compat/compare-versions.js";
import { loadVersion } from "../../compat/load-version.js";

/** Two texts of a schema, and those of others to which they may refer. */
export interface TextPair {
  readonly before: string;
  readonly after: string;
  readonly others: readonly string[];
}

/** What lies between two texts of a schema; undefined when one of them is none. */
export function compareTexts({ before, after, others }: TextPair): VersionComparison | undefined {
  try {
    const [old, present] = [before, after].map((text) =>
      loadVersion({ name: "schema", text: text.replace(/^\ufeff/, ""), others }),
    );
    return old && present && compareVersions(old.root, present.root);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
