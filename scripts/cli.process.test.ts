import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { run as generate } from "./generate.js";
import { copyRepository, type RepositoryCopy } from "./testing/copy-repository.js";
import { runInProcess } from "./testing/run-in-process.js";

/** The program, and what the check `registry` looks at. */
const PARTS = [
  ...["conformance", "generated", "package.json", "schema", "scripts", "src"],
  "fixtures/golden/data-loop",
];

let copy: RepositoryCopy;

beforeEach(() => {
  copy = copyRepository(PARTS);
});

afterEach(() => copy.remove());

test("arguments and the exit code go through", () => {
  const { status, stdout } = copy.run("cli", "check", "--only", "registry");
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^ {2}registry .* ok\n$/)]);
  expect(copy.run("cli", "chekc").status).toBe(2);
});

test.each([
  ["missing", () => rmSync(join(copy.root, "generated/typescript/index.js"))],
  ["torn", () => copy.edit("generated/typescript/index.js", (text) => `${text}\nexport {`)],
])(
  "generated code that is %s is one line that says what mends it, not a trace",
  async (_, tear) => {
    tear();
    const { status, stdout, stderr } = copy.run("cli", "check");
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^rollout-wire does not start: .* {2}Mend: {2}npm run generate/);
    expect(stderr).not.toContain("    at ");
    expect((await runInProcess(generate, [], { root: copy.root })).status).toBe(0);
    expect(copy.run("cli", "check", "--only", "registry").status).toBe(0);
  },
);
