import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ExpectedFailure } from "#generated/index.js";
import { sha256 } from "../src/base/files/hash.js";
import { createFinding } from "../src/base/findings/finding.js";
import { type BaselineOptions, readBaseline } from "./baseline.js";
import type { Check, CheckOutcome } from "./check.js";
import { runChecks } from "./run.js";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "rollout-wire-baseline-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const ENTRY: ExpectedFailure = {
  ...{ check: "a", id: "minimum", file: "a.json", pointer: "/x", message: "must be >= 1" },
  ...{ reason: "Soon.", expires: "2999-12-31" },
};
const FOUND = createFinding(ENTRY);

function read(
  entries: readonly object[] | string | undefined,
  options: Partial<BaselineOptions> = {},
): ReturnType<typeof readBaseline> {
  const text = typeof entries === "string" ? entries : JSON.stringify({ baseline: entries });
  if (entries !== undefined) writeFileSync(join(root, "known.json"), text);
  const defaults = { root, cwd: root, isNew: false, whyNot: () => undefined };
  return readBaseline("known.json", { ...defaults, ...options });
}

const createCheck = (id: string, outcome: Partial<CheckOutcome>, more?: Partial<Check>): Check => {
  const checked = [{ count: 5, thing: "record" }];
  return {
    ...{ id, purpose: "is here.", fix: "nothing", ...more },
    run: async () => ({ checked, findings: [], ...outcome }),
  };
};

/** What the checks of a run give under a baseline: counts, and findings as `file pointer id message`. */
async function run(entries: readonly object[], ...checks: readonly Check[]) {
  const results = await runChecks(checks, root, { baseline: read(entries) });
  return results.map(({ checked, findings, waitsFor }) => ({
    counts: checked.map(({ count, thing }) => `${count} ${thing}`),
    found: findings.map(({ file, pointer, id, message }) => `${file} ${pointer} ${id} ${message}`),
    ...(waitsFor !== undefined && { waitsFor }),
  }));
}

const STALE = "known.json /baseline/0 stale-baseline minimum of a.json";

describe("an entry", () => {
  test("accepts its finding, which is counted", async () => {
    expect(await run([ENTRY], createCheck("a", { findings: [FOUND] }))).toEqual([
      { counts: ["5 record", "1 expected failure"], found: [] },
    ]);
  });

  test("that is no longer found is an error, at its place", async () => {
    const [result] = await runChecks([createCheck("a", {})], root, { baseline: read([ENTRY]) });
    expect(result?.findings).toEqual([
      createFinding({
        id: "stale-baseline",
        file: "known.json",
        pointer: "/baseline/0",
        position: { line: 1, column: 14 },
        message: "minimum of a.json is no longer found: remove the entry",
      }),
    ]);
  });

  test.each<[string, Partial<ExpectedFailure>]>([
    ["another id", { id: "maximum" }],
    ["another file", { file: "b.json" }],
    ["another place", { pointer: "/y" }],
    ["no place", { pointer: undefined }],
    ["another message", { message: "must be >= 2" }],
  ])("with %s accepts nothing", async (_name, change) => {
    const [result] = await run([{ ...ENTRY, ...change }], createCheck("a", { findings: [FOUND] }));
    expect(result?.found).toEqual([
      "a.json /x minimum must be >= 1",
      expect.stringMatching(/is no longer found: remove the entry$/),
    ]);
    expect(result?.counts).toEqual(["5 record"]);
  });

  test("accepts no other difference that begins at the same place", async () => {
    const detail = "- 1\n+ 2";
    const entry = { ...ENTRY, hash: sha256(detail) };
    const of = (shown: string | undefined) => {
      const finding = { ...FOUND, ...(shown !== undefined && { detail: shown }) };
      return run([entry], createCheck("a", { findings: [finding] }));
    };
    expect((await of(detail))[0]?.counts).toEqual(["5 record", "1 expected failure"]);
    for (const other of ["- 1\n+ 3", undefined]) {
      const [result] = await of(other);
      expect(result?.found).toEqual([
        "a.json /x minimum must be >= 1",
        `${STALE} is no longer found: remove the entry`,
      ]);
    }
  });

  test("stands for one finding of one check", async () => {
    const [first, second] = await run(
      [ENTRY],
      createCheck("a", { findings: [FOUND, FOUND] }),
      createCheck("b", { findings: [FOUND] }),
    );
    expect([first?.found, second?.found]).toEqual([
      ["a.json /x minimum must be >= 1"],
      ["a.json /x minimum must be >= 1"],
    ]);
  });

  test("whose last day is over accepts nothing, and says so", async () => {
    const entry = { ...ENTRY, expires: "2020-02-01" };
    expect(await run([entry], createCheck("a", { findings: [FOUND] }))).toEqual([
      {
        counts: ["5 record"],
        found: [
          "a.json /x minimum must be >= 1",
          `${STALE} expired on 2020-02-01: fix it, or accept it again`,
        ],
      },
    ]);
  });

  test("of a check that is not in the run is left alone", async () => {
    expect(await run([ENTRY], createCheck("b", {}))).toEqual([{ counts: ["5 record"], found: [] }]);
  });
});

describe("a check that did not look is red, whatever is expected", () => {
  test("it examined nothing", async () => {
    const message = "examined no record";
    const nothing = { ...ENTRY, id: "nothing-checked", message };
    const checked = [{ count: 0, thing: "record" }];
    const [result] = await run([ENTRY, nothing], createCheck("a", { checked, findings: [FOUND] }));
    expect(result?.found).toEqual([
      expect.stringMatching(/^known\.json \/baseline\/1 stale-baseline nothing-checked /),
    ]);
    const [empty] = await run([ENTRY], createCheck("a", { checked: [], findings: [FOUND] }));
    expect(empty?.found).toEqual(["conformance/checks/a.ts  nothing-checked examined nothing"]);
  });

  test("it threw; its entries are not judged", async () => {
    const check: Check = {
      ...createCheck("a", {}),
      run: () => Promise.reject(new Error("no Python")),
    };
    const message = "could not run: no Python";
    const [result] = await run([ENTRY, { ...ENTRY, id: "not-run", message }], check);
    expect(result?.found).toEqual([`conformance/checks/a.ts  not-run ${message}`]);
  });

  test("one that waits for a check runs if all findings of that are expected, and else does not", async () => {
    const checks = [
      createCheck("a", { findings: [FOUND] }),
      createCheck("b", {}, { needs: ["a"] }),
    ];
    expect((await run([ENTRY], ...checks))[1]).toEqual({ counts: ["5 record"], found: [] });
    expect((await run([], ...checks))[1]).toEqual({ counts: [], found: [], waitsFor: "a" });
  });
});

describe("a file that cannot be used", () => {
  test("is missing, unless findings are entered in it", () => {
    expect(() => read(undefined)).toThrow("known.json: no such file");
    expect(read(undefined, { isNew: true }).judge("a", [FOUND]).findings).toEqual([FOUND]);
  });

  test.each([
    ["{", /^known\.json:1:2 /],
    ['{"baseline": 1}', /^known\.json:1:14 {2}\/baseline must be an array, is 1/],
    ['{"baseline": [{}]}', /^known\.json:1:15 {2}\/baseline\/0 lacks "check" \(and 5 more/],
    ['{"baseline": [], "baseline": []}', /duplicate|second value/],
  ])("%s", (text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  test("has an entry for a check that is not here", () => {
    const whyNot = (id: string) => (id === "a" ? undefined : `no check is called ${id}`);
    const entries = [ENTRY, { ...ENTRY, check: "fixtuers" }];
    expect(() => read(entries, { whyNot })).toThrow(
      /^known\.json:1:\d+ {2}\/baseline\/1\/check no check is called fixtuers$/,
    );
  });
});

describe("accepting", () => {
  const acceptance = { reason: "Release 3.", expires: "2999-01-31" };
  const written = (): unknown => JSON.parse(readFileSync(join(root, "known.json"), "utf8"));
  const entered = { ...ENTRY, ...acceptance };

  test("enters what is found, with reason and day; the next run expects it", async () => {
    const baseline = read(undefined, { isNew: true });
    const detail = "- 1\n+ 2";
    const shown = { ...FOUND, detail };
    const { findings } = baseline.judge("a", [shown]);
    const accepted = await baseline.accept(new Map([["a", findings]]), acceptance);
    expect(accepted).toEqual({ left: new Map([["a", []]]), added: 1 });
    expect(written()).toEqual({ baseline: [{ ...entered, hash: sha256(detail) }] });
    expect(read(undefined).judge("a", [shown])).toEqual({ findings: [], expected: 1 });
  });

  test("drops what is no longer found or expired, and keeps what is, and what did not run", async () => {
    const old = { ...ENTRY, message: "old" };
    const expired = { ...ENTRY, expires: "2020-02-01" };
    const elsewhere = { ...ENTRY, check: "b" };
    const other = createFinding({ id: "type", file: "a.json", message: "must be text" });
    const kept = { ...ENTRY, message: "kept" };
    const baseline = read([old, expired, elsewhere, kept]);
    const { findings } = baseline.judge("a", [FOUND, other, createFinding(kept)]);
    expect((await baseline.accept(new Map([["a", findings]]), acceptance)).added).toBe(2);
    const { check, id, file, message } = { ...other, check: "a" };
    expect(written()).toEqual({
      baseline: [elsewhere, kept, entered, { check, id, file, message, ...acceptance }],
    });
  });

  test("leaves what says that a check did not look", async () => {
    const failure = createFinding({ id: "not-run", file: "a.ts", message: "could not run" });
    const baseline = read(undefined, { isNew: true });
    const remaining = new Map([["a", [failure]]]);
    expect(await baseline.accept(remaining, acceptance)).toEqual({ left: remaining, added: 0 });
    const judged = read([]);
    judged.judge("a", [failure]);
    expect(await judged.accept(remaining, acceptance)).toEqual({ left: remaining, added: 0 });
    expect(existsSync(join(root, "known.json"))).toBe(true);
  });
});
