import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { copyRepository, type RepositoryCopy } from "../../src/base/testing/copy-repository.js";
import type { Adapter } from "../agreement/adapter.js";
import { parseAdapterCommand } from "../agreement/adapter.js";
import { Workspace } from "../workspace.js";
import { agreement } from "./agreement.js";

let copy: RepositoryCopy;

beforeAll(() => {
  copy = copyRepository([
    ...["conformance", "fixtures", "generated", "package.json", "requirements-dev.txt", "schema"],
    ...["integrations/python", "src"],
  ]);
});

afterAll(() => copy.remove());

test("a Python package that lacks one check is detected, with the smallest record", async () => {
  const file = join(copy.root, "generated/python/rollout_wire/rollout_wire.py");
  const strict = readFileSync(file, "utf8");
  const lenient = strict.replaceAll("_rank < 1", "_rank < 0");
  expect(lenient).not.toBe(strict);
  writeFileSync(file, lenient);
  const { findings } = await agreement.run(new Workspace(copy.root));
  writeFileSync(file, strict);
  const [finding, ...others] = findings;
  expect(finding?.pointer).toBe("/rank");
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    id: "agreement",
    // The fixture, or a smaller mutation of another one.
    file: "fixtures/suites/RolloutBranchRecord.json",
    message: expect.stringMatching(
      /^python and typescript differ on (a mutation of )?this record, as RolloutBranchRecord \(minimum\)/,
    ),
  });
  const place = readFileSync(join(copy.root, finding?.file ?? ""), "utf8")
    .split("\n")
    .at((finding?.line ?? 0) - 1)
    ?.slice((finding?.column ?? 0) - 9);
  expect(place).toMatch(/^["/]rank": \d/);
  const [left, right, request] = finding?.detail?.split("\n") ?? [];
  expect([left, right]).toEqual(["typescript: invalid: /rank minimum", "python: valid"]);
  expect(JSON.parse(request ?? "")).toMatchObject({
    type: "RolloutBranchRecord",
    record: { rank: 0 },
  });
});

/** Our own validators behind an adapter that reports only verdicts. */
function verdictsAlone(): Adapter {
  const program = `import { findErrors } from ${JSON.stringify(join(packageRoot(), "generated/typescript/index.js"))};
    let text = "";
    for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
    const lines = text.trimEnd().split("\\n");
    for (const line of lines) {
      const { id, type, record } = JSON.parse(line);
      console.log(JSON.stringify({ id, valid: findErrors(type, record).length === 0 }));
    }
    console.log(JSON.stringify({ summary: { count: lines.length } }));`;
  const args = ["--input-type=module", "-e", program];
  return { id: "verdicts alone", command: process.execPath, args, file: "", processes: 1 };
}

test("a missing referee and an adapter with invalid output are failures, and the others are compared", async () => {
  const python = join(packageRoot(), ".venv/bin/python");
  const folder = join(copy.root, ".venv");
  rmSync(folder);
  mkdirSync(join(folder, "bin"), { recursive: true });
  cpSync(join(copy.root, "requirements-dev.txt"), join(folder, "installed-requirements.txt"));
  // A Python without any packages.
  writeFileSync(join(folder, "bin/python"), `#!/bin/sh\nexec '${python}' -S "$@"\n`, {
    mode: 0o755,
  });
  const adapters = [parseAdapterCommand("node -e 'console.log(1)'"), verdictsAlone()];
  const { checked, findings } = await agreement.run(new Workspace(copy.root), { adapters });
  expect(findings.map(({ id, file, message }) => [id, file, message])).toEqual([
    [
      "adapter",
      "conformance/agreement/adapters/python.py",
      "the adapter python ended with code 1: msgspec is not installed",
    ],
    [
      "adapter",
      "conformance/agreement/adapters/python_models.py",
      "the adapter pydantic ended with code 1: ModuleNotFoundError: No module named 'pydantic'",
    ],
    [
      "adapter",
      "conformance/agreement/adapters/referee_jsonschema.py",
      "the adapter jsonschema ended with code 1: ModuleNotFoundError: No module named 'jsonschema'",
    ],
    [
      "adapter",
      "conformance/agreement/adapters/referee_jsonschema_rs.py",
      "the adapter jsonschema-rs ended with code 1: ModuleNotFoundError: No module named 'jsonschema_rs'",
    ],
    [
      "adapter",
      "schema/adapter-protocol.schema.json",
      "the adapter node -e 'console.log(1)' printed \"1\" (line 1 of its output): not an AdapterVerdict: it must be an object, is 1",
    ],
  ]);
  expect(checked).toContainEqual({ thing: "implementation", count: 2 });
  const count = checked.find(({ thing }) => thing === "record")?.count;
  expect(checked).toContainEqual({ thing: "verdict-only record", count });
});
