import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { packageRoot } from "../../src/base/package.js";
import { at, readCommandLines } from "./testing/read-command-lines.js";

const YAML = readFileSync(join(packageRoot(), ".github/workflows/docs.yml"), "utf8");
const workflow: unknown = parse(YAML);

test("the page is written into the folder that is uploaded", () => {
  const commands = readCommandLines(YAML).map(({ script }) => script);
  const [install, folder, write] = commands;
  expect(commands).toHaveLength(3);
  expect(install).toMatch(/^npm ci --ignore-scripts\b/);
  expect(folder).toBe("mkdir -p out/site");
  expect(write).toBe("npm run --silent cli -- report contract --output out/site/index.html");
  const steps = at(workflow, "jobs", "build", "steps");
  expect(steps).toContainEqual({
    uses: expect.stringMatching(/^actions\/upload-pages-artifact@v\d+$/),
    with: { path: "out/site" },
  });
});

test("what is built may not publish, and what publishes runs no code of this repository", () => {
  expect(at(workflow, "permissions")).toEqual({ contents: "read" });
  expect(at(workflow, "jobs", "build", "permissions")).toBeUndefined();
  expect(at(workflow, "jobs", "deploy", "permissions")).toEqual({
    ...{ pages: "write", "id-token": "write" },
  });
  expect(at(workflow, "jobs", "deploy", "needs")).toBe("build");
  expect(at(workflow, "jobs", "deploy", "steps")).toEqual([
    { id: "deployment", uses: expect.stringMatching(/^actions\/deploy-pages@v\d+$/) },
  ]);
});
