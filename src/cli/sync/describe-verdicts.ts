import type { Verdicts, VersionComparison } from "../../compat/compare-versions.js";

/** What a change of a schema breaks, in a line; for who writes declared properties alone, where that is less. */
export function describeVerdicts({ lenses }: VersionComparison): string {
  const [all, declared] = [lenses.validate, lenses["declared-writer"]].map(describe);
  return all === declared ? `${all}` : `${all} (declared-writer: ${declared})`;
}

function describe({ backward, forward }: Verdicts): string {
  return `backward ${backward}, forward ${forward}`;
}
