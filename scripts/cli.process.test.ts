import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyRepository, type RepositoryCopy } from "./testing/copy-repository.js";

/** A checkout's own program and generator, and the files that the check `registry` examines. */
const PARTS = [
  ...["conformance", "generated", "package-lock.json", "package.json", "schema", "scripts", "src"],
  "fixtures/golden/data-loop",
];

const INDEX = "generated/typescript/index.js";
const SHAPES = "generated/typescript/shapes.js";

let copy: RepositoryCopy;

beforeAll(() => {
  copy = copyRepository(PARTS);
});

afterAll(() => copy.remove());

test("arguments and the exit code are passed through", () => {
  const { status, stdout } = copy.run("cli", "check", "--only", "registry");
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^ {2}registry .* ok\n$/)]);
  expect(copy.run("cli", "chekc").status).toBe(2);
});

const tear = (text: string): string => `${text}\nexport {`;

test.each([
  ["missing", INDEX, () => rmSync(join(copy.root, INDEX))],
  ["torn", INDEX, () => copy.edit(INDEX, tear)],
  ["torn, and loaded only by some commands,", SHAPES, () => copy.edit(SHAPES, tear)],
])(
  "generated code that is %s is a one-line error with the fix, not a stack trace",
  (_, file, damage) => {
    const whole = readFileSync(join(copy.root, file), "utf8");
    damage();
    const { status, stdout, stderr } = copy.run("cli", "check");
    writeFileSync(join(copy.root, file), whole);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^rollout-wire does not start: .* {2}Fix: {2}npm run generate/);
    expect(stderr).not.toContain("    at ");
  },
);
