import type { VersionRoots } from "../compat/breaks-of.js";
import { compare } from "../compat/compare.js";
import type { VersionComparison } from "../compat/compare-versions.js";
import { pairEntryPoints } from "../compat/entry-points.js";
import { closeDeclared, closeEntry } from "./close-declared.js";

/**
 * Whether new readers take the old data of those who write declared properties alone, record type by record type.
 * Of old readers and new data it says nothing: `compatible`.
 */
export function compareDeclared(roots: VersionRoots): Pick<VersionComparison, "entries"> {
  const pairs = pairEntryPoints(closeDeclared(roots.old), roots.new);
  const entries = pairs.flatMap(({ name, old, new: now }) => {
    if (old === undefined) return [];
    const backward = compare(closeEntry(old), now ?? roots.new);
    return [{ name, backward, forward: { verdict: "compatible" } as const }];
  });
  return { entries };
}
