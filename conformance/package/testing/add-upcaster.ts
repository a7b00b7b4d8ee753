import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import type { Registry } from "#generated/index.js";
import { createThreeVersions } from "../../../src/contract/migrate/testing/three-versions.js";
import { REGISTRY_FILE } from "../../../src/contract/schemas/registry-file.js";

/**
 * Adds the schema `order` to an installed package, with the compiled upcaster of its first step: no published schema has a
 * second major version yet.
 */
export function addUpcaster(packageFolder: string): void {
  const versions = createThreeVersions();
  const [own, order] = [packageFolder, versions.root].map((root): Registry => {
    return JSON.parse(readFileSync(join(root, REGISTRY_FILE), "utf8"));
  });
  cpSync(join(versions.root, "schema"), join(packageFolder, "schema"), { recursive: true });
  const schemas = [...(own?.schemas ?? []), ...(order?.schemas ?? [])];
  writeFileSync(join(packageFolder, REGISTRY_FILE), JSON.stringify({ ...own, schemas }));
  const step = "schema/upcasters/order-v1-v2";
  const { code } = transformSync(readFileSync(join(versions.root, `${step}.ts`), "utf8"), {
    loader: "ts",
  });
  mkdirSync(join(packageFolder, "dist/schema/upcasters"), { recursive: true });
  writeFileSync(join(packageFolder, `dist/${step}.js`), code);
  versions.remove();
}

/** A record of its first major version, and that record upgraded. */
export const OLD_ORDER = { order_version: "order/v1", id: "7", client: "Ada" };
export const NEW_ORDER = { total: "0 EUR", order_version: "order/v2", id: "7", customer: "Ada" };
