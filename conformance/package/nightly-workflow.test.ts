import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { packageRoot } from "../../src/base/package.js";
import { at, readCommandLines } from "./testing/read-command-lines.js";

const read = (file: string): string => readFileSync(join(packageRoot(), file), "utf8");
const YAML = read(".github/workflows/nightly.yml");
const { scripts } = JSON.parse(read("package.json"));

test("CI runs the documented commands, in one line", () => {
  const commands = read(".ci/run")
    .split("\n")
    .filter((line) => line.startsWith("npm "));
  expect(commands).toEqual(["npm ci && npm test && npm run test:full"]);
});

test("what CI leaves out runs every night, and on request", () => {
  const { on, permissions }: Readonly<Record<string, unknown>> = parse(YAML);
  expect(at(on, "schedule")).toEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/) }]);
  expect(on).toHaveProperty("workflow_dispatch");
  expect(permissions).toEqual({ contents: "read" });
  const commands = readCommandLines(YAML).map(({ script }) => script);
  expect(commands).toEqual(["npm ci", "npm run test:nightly"]);
  expect(scripts["test:nightly"]).toBe("vitest run --config vitest.nightly.config.ts");
});
