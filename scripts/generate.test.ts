import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createBranch } from "../src/export/testing/create-branch.js";
import { createEvent } from "../src/export/testing/create-event.js";
import { copyRepository, type RepositoryCopy } from "./testing/copy-repository.js";

let copy: RepositoryCopy;

beforeEach(() => {
  copy = copyRepository();
});

afterEach(() => copy.remove());

function generate(...flags: string[]): ReturnType<RepositoryCopy["run"]> {
  return copy.run("generate", ...flags);
}

test("generate --check is green on the repository as it is", () => {
  const { status, stdout } = generate("--check");
  expect(stdout).toMatch(/^generated code: \d+ files from \d+ schemas, fresh\n$/);
  expect(status).toBe(0);
});

test("an edited schema turns it red with the lines and the command, and generate mends it", () => {
  copy.edit("schema/rollout-wire.schema.json", (text) =>
    text.replace("Name of the tool.", "The tool's name."),
  );
  const { status, stdout } = generate("--check");
  expect(status).toBe(1);
  expect(stdout).toContain("+   * The tool's name.");
  expect(stdout).toContain("generated/typescript/rollout-wire.d.ts");
  expect(stdout).toContain("schema/registry.json");
  expect(stdout).toMatch(
    /\d+ of \d+ generated files are not fresh. {2}Mend: {2}npm run generate\n$/,
  );

  expect(generate().status).toBe(0);
  expect(generate("--check").status).toBe(0);
});

test("an edited generated file turns it red", () => {
  copy.edit("generated/python/rollout_wire/rollout_wire.py", (text) =>
    text.replace("len(_task) < 1", "len(_task) < 0"),
  );
  const { status, stdout } = generate("--check");
  expect(status).toBe(1);
  expect(stdout).toContain("-    if not isinstance(_task, str) or len(_task) < 0:");
  expect(stdout).toContain("+    if not isinstance(_task, str) or len(_task) < 1:");
});

test("a missing and an unexpected file turn it red, and generate mends both", () => {
  rmSync(join(copy.root, "generated/typescript/index.js"));
  writeFileSync(join(copy.root, "generated/typescript/stray.js"), "");
  const { status, stdout } = generate("--check");
  expect(status).toBe(1);
  expect(stdout).toContain("generated/typescript/index.js: missing\n");
  expect(stdout).toContain("generated/typescript/stray.js: unexpected, no schema generates it\n");

  expect(generate().status).toBe(0);
  expect(generate("--check").status).toBe(0);
});

test("a link in the place of a generated file is replaced, not written through", () => {
  rmSync(join(copy.root, "generated/typescript/index.js"));
  symlinkSync(join(copy.root, "package.json"), join(copy.root, "generated/typescript/index.js"));
  const manifest = readFileSync(join(copy.root, "package.json"), "utf8");
  expect(generate("--check").status).toBe(1);
  expect(generate().status).toBe(0);
  expect(generate("--check").status).toBe(0);
  expect(readFileSync(join(copy.root, "package.json"), "utf8")).toBe(manifest);
});

test("a constraint that no scan of bytes can tell is seen in every tool event all the same", () => {
  const name = '"toolName": {\n          "description": "Name of the tool.",';
  copy.edit("schema/rollout-wire.schema.json", (text) =>
    text.replace(name, `${name}\n          "maxLength": 3,`),
  );
  expect(generate().status).toBe(0);
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

test("a schema that is not JSON is one line and exit 1", () => {
  copy.edit("schema/rollout-trace.schema.json", (text) => text.slice(0, -3));
  const { status, stderr } = generate("--check");
  expect(status).toBe(1);
  expect(stderr).toMatch(/^schema\/rollout-trace\.schema\.json is not JSON: .*\n$/);
});

test("an unknown flag names the nearest one and exits 2", () => {
  const { status, stderr } = generate("--chek");
  expect(status).toBe(2);
  expect(stderr).toBe(
    "unknown option '--chek' (Did you mean --check?)  Help:  npm run generate -- --help\n",
  );
});
