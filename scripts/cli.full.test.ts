import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  ALL_PARTS,
  copyRepository,
  type RepositoryCopy,
} from "../src/base/testing/copy-repository.js";
import { createBranch } from "../src/rollouts/wire/export/testing/create-branch.js";
import { createEvent } from "../src/rollouts/wire/export/testing/create-event.js";

const INDEX = "generated/typescript/index.js";
const SHAPES = "generated/typescript/shapes.js";

let copy: RepositoryCopy;

beforeAll(() => {
  copy = copyRepository(ALL_PARTS);
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

// `maxLength` is a constraint that no byte scan can check.
test("the generator repairs torn code, and the program then applies an edited schema", () => {
  copy.edit("generated/typescript/index.js", (text) => `${text}\nexport {`);
  const name = '"toolName": {\n          "description": "Name of the tool.",';
  copy.edit("schema/rollout-wire.schema.json", (text) =>
    text.replace(name, `${name}\n          "maxLength": 3,`),
  );
  expect(copy.run("cli", "generate").status).toBe(0);
  const branch = (toolName: string): string => {
    const call = { event: "tool_call", data: { toolName, callId: "1" } };
    return `${JSON.stringify(createBranch({ tool_call_sequence: [createEvent(call)] }))}\n`;
  };
  writeFileSync(join(copy.root, "branches.jsonl"), branch("add") + branch("remove"));
  const { status, stdout } = copy.run("cli", "validate", "branches.jsonl");
  expect(stdout).toMatch(
    /^branches\.jsonl:2:\d+ +\/tool_call_sequence\/0\/data\/toolName .*\(maxLength\)\n$/,
  );
  expect(status).toBe(1);
});
