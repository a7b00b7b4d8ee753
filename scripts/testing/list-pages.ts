import { readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { REPO_ROOT } from "../run-script.js";

/** How to add a unit, beside its room. */
export const RECIPES = [
  "schema",
  "fixtures",
  "conformance",
  "scripts/publish",
  "src/cli/commands",
  "src/contract/codegen",
  "src/contract/compat",
  "src/rollouts/capture/delivery/sinks",
  "src/rollouts/capture/redact/detectors",
  "src/rollouts/pipeline/import/forms",
  "src/rollouts/wire/export/targets",
  "src/rollouts/wire/scan",
  "src/rollouts/wire/validation/rules",
].map((folder) => `${folder}/README.md`);

/** The documentation pages, from the repository's root. */
export function listPages(): string[] {
  return [
    ...[
      "README.md",
      "ARCHITECTURE.md",
      "CONTRIBUTING.md",
      "integrations/python/README.md",
      "integrations/spark/README.md",
      ...RECIPES,
    ],
    ...readdirSync(join(REPO_ROOT, "docs"), { recursive: true, encoding: "utf8" })
      .map((name) => posix.join("docs", name.replaceAll("\\", "/")))
      // A migration guide mentions deleted files.
      .filter((path) => path.endsWith(".md") && !path.startsWith("docs/migrations/")),
  ];
}
