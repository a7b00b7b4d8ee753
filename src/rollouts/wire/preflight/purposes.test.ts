import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../../base/package.js";
import { formats } from "./formats/index.js";
import { PREFLIGHT } from "./purposes.js";

const page = readFileSync(join(packageRoot(), "docs/validate.md"), "utf8");

test("docs/validate.md lists every finding with its purpose", () => {
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (.+) \|$/gm)].map(([, id, purpose]) => [
    id,
    purpose,
  ]);
  const listed = rows.filter(([id]) => id !== undefined && Object.hasOwn(PREFLIGHT, id));
  expect(listed).toEqual(Object.entries(PREFLIGHT));
});

test("docs/validate.md names every trainer", () => {
  for (const id of Object.keys(formats)) expect(page).toContain(`\`${id}\``);
});
