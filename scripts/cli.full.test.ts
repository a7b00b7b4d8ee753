import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBranch } from "../src/export/testing/create-branch.js";
import { createEvent } from "../src/export/testing/create-event.js";
import { ALL_PARTS, copyRepository, type RepositoryCopy } from "./testing/copy-repository.js";

let copy: RepositoryCopy;

beforeAll(() => {
  copy = copyRepository(ALL_PARTS);
});

afterAll(() => copy.remove());

// `maxLength` is a constraint that no byte scan can check.
test("the generator repairs torn code, and the program then applies an edited schema", () => {
  copy.edit("generated/typescript/index.js", (text) => `${text}\nexport {`);
  const name = '"toolName": {\n          "description": "Name of the tool.",';
  copy.edit("schema/rollout-wire.schema.json", (text) =>
    text.replace(name, `${name}\n          "maxLength": 3,`),
  );
  expect(copy.run("generate").status).toBe(0);
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
