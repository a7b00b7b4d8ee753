import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Generation, generateFiles } from "../src/contract/codegen/generate-files.js";
import { REPO_ROOT } from "./run-script.js";

/** Prints every generated file of the repository at `root` in memory. Throws as `generateFiles` does. */
export function generateOwnFiles(root: string): Promise<Generation> {
  return generateFiles(root, listRuleIds());
}

const RULES = join(REPO_ROOT, "src/rollouts/wire/validation/rules");

/**
 * The ids of the semantic rules, sorted: a rule's file is named after it. The rules themselves load generated code, which
 * may not be there yet.
 */
export function listRuleIds(): string[] {
  return readdirSync(RULES)
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => file.replace(/\.ts$/, ""))
    .filter((name) => name !== "index" && name !== "rule")
    .sort();
}
