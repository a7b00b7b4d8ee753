import type { VersionComparison } from "../../../conformance/compat/compare-versions.js";

/** What a change of a schema breaks, in a line. */
export function describeVerdicts({ backward, forward, bump }: VersionComparison): string {
  return `backward ${backward}, forward ${forward}, bump ${bump}`;
}
