import { readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { REPO_ROOT } from "../run-script.js";

/** The documentation pages, from the repository's root. */
export function listPages(): string[] {
  return [
    ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "integrations/spark/README.md"],
    ...readdirSync(join(REPO_ROOT, "docs"), { recursive: true, encoding: "utf8" })
      .map((name) => posix.join("docs", name.replaceAll("\\", "/")))
      // A migration guide mentions deleted files.
      .filter((path) => path.endsWith(".md") && !path.startsWith("docs/migrations/")),
  ];
}
