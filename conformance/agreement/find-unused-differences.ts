import type { Finding } from "../../src/findings/finding.js";
import { createFinding } from "../../src/findings/finding.js";
import type { Adapter } from "./adapter.js";
import type { Comparison } from "./find-disagreements.js";
import { knownDifferences } from "./known-differences/index.js";

/** Known differences that explained nothing in a whole run: the implementation agrees by now. */
export function findUnusedDifferences(
  comparisons: readonly (Comparison & { readonly adapter: Adapter })[],
): Finding[] {
  return comparisons.flatMap(({ adapter, used }) =>
    knownDifferences
      .filter((known) => known.adapter === adapter.id && !used.has(known))
      .map(({ id }) =>
        createFinding({
          id: "known-difference",
          file: `conformance/agreement/known-differences/${id}.ts`,
          message: `${adapter.id} no longer differs in ${id}: remove the exception`,
        }),
      ),
  );
}
