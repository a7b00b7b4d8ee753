import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createBranch } from "../src/export/testing/create-branch.js";
import { createEvent } from "../src/export/testing/create-event.js";
import { copyRepository, type RepositoryCopy } from "./testing/copy-repository.js";

/** A program of its own with its own schemas. */
const PARTS = ["conformance", "generated", "package.json", "schema", "scripts", "src"];

let copy: RepositoryCopy;

beforeEach(() => {
  copy = copyRepository(PARTS);
});

afterEach(() => copy.remove());

test("a constraint that no scan of bytes can tell is seen in every tool event all the same", () => {
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
