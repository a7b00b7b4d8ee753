import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { checks } from "./index.js";

const files = readdirSync(import.meta.dirname);

test("every file is a registered check with tests of the same name", () => {
  const sources = files.filter((file) => /^(?!index\.|check\.)[^.]+\.ts$/.test(file));
  expect(sources.toSorted()).toEqual(checks.map(({ id }) => `${id}.ts`).toSorted());
  for (const { id } of checks) {
    expect(
      files.some((file) => file.startsWith(`${id}.`) && file.endsWith(".test.ts")),
      `conformance/checks/${id}.test.ts, or .process.test.ts or .full.test.ts, exists`,
    ).toBe(true);
  }
});

test.each(checks)("$id has a purpose and a fix, and needs other checks", (check) => {
  const { id, purpose, fix, needs = [] } = check;
  const others = checks.map((each) => each.id).filter((each) => each !== id);
  expect(others).toEqual(expect.arrayContaining([...needs]));
  expect(purpose).toMatch(/^[A-Z].*\.$/);
  expect(fix).toMatch(/^\S.*[^.]$/);
});
