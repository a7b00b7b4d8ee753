import { dirname, join } from "node:path/posix";
import type { FaultPlace } from "../../base/findings/finding.js";
import type { Canonical } from "./canonical.js";
import type { Holder } from "./holder.js";
import { isWithin } from "./lock.js";

/** A type declaration that generated code imports from the file beside it. */
const IMPORT = /\bfrom "\.\/([\w-]+)\.js"/g;

/**
 * The generated files that import a file which the registry offers, but which the repository neither lists nor has: its
 * types would be unknown there. Each says which artefact to list.
 */
export function findLackingImports(
  { registered, tree }: Pick<Holder, "registered" | "tree">,
  canonical: Canonical,
): FaultPlace[] {
  return registered.flatMap((artefact): FaultPlace[] => {
    const { kind, source, path: file } = artefact;
    if (kind !== "generated" || !source.endsWith(".d.ts")) return [];
    const text = canonical.read(artefact)?.toString("utf8") ?? "";
    return [...text.matchAll(IMPORT)].flatMap(([, name = ""]) => {
      const path = join(dirname(file), `${name}.d.ts`);
      const wanted = join(dirname(source), `${name}.d.ts`);
      const offered = canonical.registry.artefacts?.find((each) => each.source === wanted);
      const isThere = registered.some((each) => isWithin(path, each.path)) || tree.has(path);
      if (offered === undefined || isThere) return [];
      const version = canonical.presentVersion(offered.schema);
      const entry = JSON.stringify({ ...offered, version, path });
      const message = `imports ./${name}.js, which is neither listed nor there: add ${entry} to "artefacts"`;
      return [{ id: "incomplete", file, message }];
    });
  });
}
