import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { packageRoot } from "../../package-root.js";
import { escapeControls } from "../../text.js";
import { UserError } from "../../user-error.js";

/** What a checkout has and an installed package does not. */
const CHECKOUT_FILES = ["schema/registry.json", "fixtures", "scripts/generate.ts"];

/**
 * Root of the checkout in `folder`, by default of the one that this program belongs to. Throws UserError
 * (exit 3) when it is none: an installed package has no fixtures, and nothing to generate code with.
 */
export function requireCheckout(folder: string | undefined, cwd: string): string {
  const root = folder === undefined ? packageRoot() : resolve(cwd, folder);
  const missing = CHECKOUT_FILES.find((file) => !existsSync(join(root, file)));
  if (missing === undefined) return root;
  const named = folder === undefined ? "an installed package" : escapeControls(folder);
  throw new UserError(
    `${named} is no checkout of rollout-wire, it has no ${missing}: name one with --root DIR`,
  );
}
