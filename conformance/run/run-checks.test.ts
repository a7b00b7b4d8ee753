import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Finding } from "../../src/findings/finding.js";
import { FileFault } from "../../src/findings/finding.js";
import { createFinding } from "../../src/reporters/testing/create-report.js";
import { UserError } from "../../src/user-error.js";
import type { Check, CheckOutcome } from "../checks/check.js";
import { runChecks } from "./run-checks.js";

let root = "";

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "rollout-wire-checks-"));
  mkdirSync(join(root, "schema"));
  writeFileSync(join(root, "schema/a.json"), '{\n  "a": 1\n}\n');
});

afterAll(() => rmSync(root, { recursive: true }));

function createCheck(id: string, run: () => Promise<CheckOutcome>): Check {
  return { id, purpose: "is here.", mend: "nothing", run };
}

async function findingsOf(run: () => Promise<CheckOutcome>): Promise<readonly Finding[]> {
  const [result] = await runChecks([createCheck("a-check", run)], root);
  return result?.findings ?? [];
}

const green: CheckOutcome = { checked: [{ count: 2, thing: "schema" }], findings: [] };

test("checks run side by side, and are reported in their order", async () => {
  let release = () => {};
  const second = new Promise<void>((resolve) => {
    release = resolve;
  });
  const done: string[] = [];
  const results = await runChecks(
    [
      createCheck("first", async () => {
        await second;
        return green;
      }),
      createCheck("second", async () => {
        release();
        return green;
      }),
    ],
    root,
    { onDone: ({ check }) => done.push(check.id) },
  );
  expect(results.map(({ check }) => check.id)).toEqual(["first", "second"]);
  expect(done).toEqual(["second", "first"]);
});

test("a check that looked at nothing is red", async () => {
  const files = { count: 3, thing: "file" };
  for (const [message, checked] of [
    ["looked at nothing", []],
    ["looked at no schema", [{ count: 0, thing: "schema" }]],
    ["looked at no record", [{ count: 0, thing: "record" }, files]],
  ] as const) {
    expect(await findingsOf(async () => ({ checked, findings: [] }))).toEqual([
      {
        id: "nothing-checked",
        severity: "error",
        file: "conformance/checks/a-check.ts",
        line: 1,
        column: 1,
        pointer: "",
        message,
      },
    ]);
  }
  const warning = createFinding({ severity: "warning" });
  const findings = await findingsOf(async () => ({ checked: [], findings: [warning] }));
  expect(findings.map(({ id }) => id)).toEqual([warning.id, "nothing-checked"]);
});

test("a check that throws is red and stops no other", async () => {
  const results = await runChecks(
    [
      createCheck("broken", async () => {
        throw new RangeError("Maximum call stack\u001b size exceeded");
      }),
      createCheck("whole", async () => green),
    ],
    root,
  );
  expect(results[0]?.findings).toMatchObject([
    {
      id: "not-run",
      severity: "error",
      file: "conformance/checks/broken.ts",
      message: String.raw`could not run: Maximum call stack\u001b size exceeded`,
    },
  ]);
  expect(results[1]).toMatchObject(green);
});

test("also one that throws before it waits for anything", async () => {
  const throwing = (): Promise<CheckOutcome> => {
    throw new UserError("python3: no such program");
  };
  expect(await findingsOf(throwing)).toMatchObject([{ message: "python3: no such program" }]);
});

test("a fault of a file is a finding in that file", async () => {
  const fault = new FileFault({
    id: "bad",
    file: "schema/a.json",
    pointer: "/a",
    message: "is bad",
  });
  expect(fault.message).toBe("schema/a.json /a is bad");
  const findings = await findingsOf(async () => {
    throw fault;
  });
  expect(findings).toEqual([
    {
      id: "bad",
      severity: "error",
      file: "schema/a.json",
      line: 2,
      column: 8,
      pointer: "/a",
      message: "is bad",
    },
  ]);
});

test("a fault of a file that is not there still names it", async () => {
  const findings = await findingsOf(async () => {
    throw new FileFault({ id: "bad", file: "schema/b.json", pointer: "/a", message: "is gone" });
  });
  expect(findings).toMatchObject([{ file: "schema/b.json", line: 1, column: 1 }]);
});
