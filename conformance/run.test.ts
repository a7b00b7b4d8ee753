import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FileFault, type Finding } from "../src/base/findings/finding.js";
import { createFinding } from "../src/base/reporters/testing/create-report.js";
import { UserError } from "../src/base/user-error.js";
import type { Check, CheckOutcome } from "./check.js";
import { runChecks, toCheckReport } from "./run.js";

describe("runChecks", () => {
  let root = "";

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "rollout-wire-checks-"));
    mkdirSync(join(root, "schema"));
    writeFileSync(join(root, "schema/a.json"), '{\n  "a": 1\n}\n');
  });

  afterAll(() => rmSync(root, { recursive: true }));

  function createCheck(id: string, run: () => Promise<CheckOutcome>): Check {
    return { id, purpose: "is here.", fix: "nothing", run };
  }

  async function findingsOf(run: () => Promise<CheckOutcome>): Promise<readonly Finding[]> {
    const [result] = await runChecks([createCheck("a-check", run)], root);
    return result?.findings ?? [];
  }

  const green: CheckOutcome = { checked: [{ count: 2, thing: "schema" }], findings: [] };

  test("checks run in parallel, and are reported in order", async () => {
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

  test("a check that examined nothing is red", async () => {
    const files = { count: 3, thing: "file" };
    for (const [message, checked] of [
      ["examined nothing", []],
      ["examined no schema", [{ count: 0, thing: "schema" }]],
      ["examined no record", [{ count: 0, thing: "record" }, files]],
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

  test("a check that throws is red, and does not stop the others", async () => {
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

  test("a check that needs a red one is not run, in any order, and neither is what needs that one", async () => {
    const red = async (): Promise<CheckOutcome> => ({ ...green, findings: [createFinding()] });
    const fails = async (): Promise<CheckOutcome> => {
      throw new Error("it was run");
    };
    const checks = [
      { ...createCheck("last", fails), needs: ["middle"] },
      { ...createCheck("middle", fails), needs: ["whole", "first"] },
      createCheck("first", red),
      createCheck("whole", async () => green),
      { ...createCheck("other", async () => green), needs: ["whole", "not in this run"] },
    ];
    const results = await runChecks(checks, root);
    expect(results.map(({ waitsFor }) => waitsFor)).toEqual([
      "first",
      "first",
      ...[undefined, undefined, undefined],
    ]);
    expect(results.flatMap(({ findings }) => findings)).toHaveLength(1);
  });

  test("also if it throws synchronously", async () => {
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

  test("a fault of a missing file still names it", async () => {
    const findings = await findingsOf(async () => {
      throw new FileFault({ id: "bad", file: "schema/b.json", pointer: "/a", message: "is gone" });
    });
    expect(findings).toMatchObject([{ file: "schema/b.json", line: 1, column: 1 }]);
  });
});

describe("toCheckReport", () => {
  const check: Check = {
    id: "a-check",
    purpose: "is here.",
    fix: "nothing",
    run: async () => ({ checked: [], findings: [] }),
  };
  const options = {
    limits: { maxErrors: 100, maxWarnings: undefined },
    toName: (file: string) => `root/${file}`,
  };

  function report(findings: readonly Finding[]): readonly Finding[] {
    const { found, findings: listed } = toCheckReport([{ check, checked: [], findings }], options);
    expect(found.error).toBe(listed.length);
    return listed;
  }

  const fixture = (index: number): Finding =>
    createFinding({
      id: "required",
      file: "a.json",
      line: index,
      pointer: `/valid/${index}`,
      message: `fixture-${index}: a valid fixture fails at /${index}: lacks "b"`,
      cause: 'a valid fixture fails: lacks "b"',
    });

  test("one cause is one finding, with some of its places", () => {
    const findings = [1, 2, 3, 4, 5, 6, 7, 8].map(fixture);
    const other = createFinding({ message: 'x: a valid fixture fails at the record: lacks "c"' });
    const [first, second, ...rest] = report([...findings, other]);
    expect(first).toMatchObject({ line: 1, message: findings[0]?.message });
    expect(first?.detail?.split("\n")).toEqual([
      "the same at 7 other places:",
      ...[2, 3, 4, 5, 6].map((index) => `  root/a.json:${index}:207 /valid/${index}`),
      "  ... and 2 more",
    ]);
    expect(second?.message).toBe(other.message);
    expect(rest).toEqual([]);
  });

  test("a few findings, and those with details, stay apart", () => {
    const detailed = [1, 2, 3].map((index) => ({ ...fixture(index), detail: String(index) }));
    expect(report(detailed)).toHaveLength(3);
    expect(report([fixture(1), fixture(2)])).toHaveLength(2);
  });
});
