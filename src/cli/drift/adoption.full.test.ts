import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Config, type DriftReport, isConfig, isDriftReport } from "#generated/index.js";
import {
  createFrozenRepository,
  readFrozenSchema,
} from "../../../conformance/registry/testing/frozen-repository.js";
import { sha256 } from "../../base/files/hash.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import {
  createReplica,
  FORK,
  PPO,
  RECORDS,
  readWire,
} from "../../contract/drift/testing/replica.js";

const home = vi.hoisted(() => ({ root: "" }));
vi.mock(import("../../base/package.js"), async (importOriginal) => ({
  ...(await importOriginal()),
  packageRoot: () => home.root,
}));

const frozen = createFrozenRepository();
home.root = frozen.root;
const folder = createTestFolder();
afterAll(() => {
  folder.remove();
  frozen.remove();
});

const ALL = ["--repo", "wasmagent-js=runtime", "trace-pipeline=pipeline", "bscode=product"];
const CONFIG = "rollout-wire.config.json";

function write(path: string, content: unknown): void {
  const file = join(folder.path, path);
  mkdirSync(dirname(file), { recursive: true });
  const text = typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`;
  writeFileSync(file, text);
}

function read(path: string): string {
  return readFileSync(join(folder.path, path), "utf8");
}

beforeEach(() => createReplica(folder.path));

async function drift(...args: string[]): Promise<{ exitCode: number; report: DriftReport }> {
  const cwd = args[0] === "--repo" ? folder.path : join(folder.path, "pipeline");
  const { exitCode, stdout, stderr } = await folder.run(["drift", ...args, "--format", "json"], {
    cwd,
  });
  const report: unknown = stdout === "" ? undefined : JSON.parse(stdout);
  if (!isDriftReport(report)) throw new Error(stderr);
  return { exitCode, report };
}

/** Runs a command in the pipeline. */
function runThere(...argv: string[]) {
  return folder.run(argv, { cwd: join(folder.path, "pipeline") });
}

const idsOf = ({ findings }: DriftReport): string[] =>
  findings.map(({ id, file }) => `${id} ${file}`);

const BASE: Config = {
  config_version: "config/v1",
  repository: "trace-pipeline",
  artefacts: [
    {
      kind: "schema",
      schema: "rollout-wire",
      version: "1.0.0",
      source: "schema/rollout-wire.schema.json",
      path: FORK,
    },
    {
      kind: "generated",
      schema: "rollout-wire",
      version: "1.0.0",
      source: "generated/python/rollout_wire",
      path: "src/rollout_wire",
    },
  ],
  fixtures: [{ schema: "rollout-wire", version: "1.0.0", path: RECORDS }],
};

function artefactOf(index: number): Config["artefacts"][number] {
  const artefact = BASE.artefacts[index];
  if (artefact === undefined) throw new Error(`there is no artefact ${index}`);
  return artefact;
}

function configure(change: Partial<Config> = {}): void {
  write(`pipeline/${CONFIG}`, { ...BASE, ...change });
}

function readConfig(): Config {
  const config: unknown = JSON.parse(read(`pipeline/${CONFIG}`));
  if (!isConfig(config)) throw new Error("the configuration is invalid");
  return config;
}

describe("repositories without a configuration are searched", () => {
  test("each difference is one finding, with who accepts a record and who rejects it", async () => {
    const { exitCode, report } = await drift(...ALL);
    expect(exitCode).toBe(EXIT.findings);
    const replays = (name: string): string => `replay ${name}/${RECORDS}`;
    expect(idsOf(report)).toEqual([
      replays("runtime"),
      "unregistered runtime/dist/schemas/rollout-wire.schema.json",
      "unregistered runtime/schemas/_base.schema.json",
      "unregistered runtime/schemas/dpo-record.schema.json",
      "unregistered runtime/schemas/ppo-record.schema.json",
      "unregistered runtime/schemas/rollout-branch-record.schema.json",
      "unregistered runtime/schemas/rollout-wire.schema.json",
      replays("pipeline"),
      `unregistered pipeline/${PPO}`,
      `unregistered pipeline/${FORK}`,
      replays("product"),
      "disagreement runtime/dist/schemas/rollout-wire.schema.json",
      `disagreement runtime/${RECORDS}`,
    ]);
    expect(report.findings[0]).toMatchObject({
      line: 2,
      pointer: "/build_result/status",
      message: `is accepted by rollout-wire 1.0.0, runtime/dist/schemas/rollout-wire.schema.json, runtime/schemas/rollout-branch-record.schema.json, 1 more, but rejected by pipeline/${FORK}: must be "passed" or "failed", is "success"`,
    });
  });

  test("repositories that hold different files of an artefact are named in groups", async () => {
    const { report } = await drift(...ALL);
    expect(report.disagreements?.[1]).toEqual({
      artefact: "fixture rollout-branches.v1.jsonl",
      groups: [
        { hash: expect.any(String), repositories: ["wasmagent-js", "bscode"] },
        { hash: expect.any(String), repositories: ["trace-pipeline"] },
      ],
    });
    expect(report.findings.at(-1)).toMatchObject({
      severity: "warning",
      message: expect.stringMatching(
        /: [0-9a-f]{8} wasmagent-js, bscode \| [0-9a-f]{8} trace-pipeline; 2 of 3 agree: copy runtime\/\S+\/rollout-branches\.v1\.jsonl to pipeline\/\S+\/rollout-branches\.v1\.jsonl, or list it under artefacts in each configuration, so that sync keeps it equal to its original$/,
      ),
    });
  });

  test("two repositories that hold different files are told that no side is larger", async () => {
    const { report } = await drift("--repo", "wasmagent-js=runtime", "trace-pipeline=pipeline");
    const fixture = report.findings.find(
      ({ id, message }) => id === "disagreement" && message.includes("fixture "),
    );
    expect(fixture?.message).toContain("; no side is larger: copy the right file over the others,");
    // A schema is brought up to date by sync, or adopted: other findings say so.
    const schemas = report.findings.filter(({ message }) => message.includes("of the schema "));
    expect(schemas).not.toEqual([]);
    expect(schemas.map(({ message }) => message.includes("copy "))).toEqual(
      schemas.map(() => false),
    );
  });

  test("equal files are no disagreement", async () => {
    const { report } = await drift("--repo", "wasmagent-js=runtime", "bscode=product");
    expect(report.disagreements).toEqual([]);
  });

  test("a schema that only shares the title of a part is none of them", async () => {
    write("pipeline/src/message.json", {
      title: "Message",
      type: "object",
      properties: { sender: { type: "string" }, body: { type: "string" } },
    });
    const { report } = await drift(...ALL);
    expect(idsOf(report).filter((id) => id.includes("message.json"))).toEqual([]);
  });

  test("a record type is recognised by its title, however different it is", async () => {
    const { report } = await drift(...ALL);
    const ppo = report.findings.find(({ file }) => file === `pipeline/${PPO}`);
    expect(ppo).toMatchObject({
      message: expect.stringMatching(
        /unregistered copy of training-record \(by its name.*; no record replayed on it: no fixture has a PpoTrainingRecord/,
      ),
      detail: expect.stringContaining("compared with PpoTrainingRecord of training-record 1.0.0"),
    });
  });
});

describe("a baseline", () => {
  const RED = [
    `breaking ${FORK}`,
    "missing src/rollout_wire",
    `replay ${RECORDS}`,
    `unregistered ${PPO}`,
  ];

  test("accepts what is known, until something changes", async () => {
    configure();
    expect(idsOf((await drift()).report)).toEqual(RED);
    const { exitCode, stderr } = await runThere("drift", "--accept", "as before the move");
    expect([exitCode, stderr.split("\n")[0]]).toEqual([
      EXIT.ok,
      expect.stringMatching(/^4 findings accepted until \d{4}-\d{2}-\d{2} in rollout-wire\.config/),
    ]);
    expect(await drift()).toMatchObject({ exitCode: EXIT.ok, report: { findings: [] } });

    write("pipeline/src/another.json", readWire());
    const forked = await drift();
    expect(forked.exitCode).toBe(EXIT.findings);
    expect(idsOf(forked.report)).toContain("unregistered src/another.json");
    rmSync(join(folder.path, "pipeline/src/another.json"));

    write(`pipeline/${PPO}`, `${read(`pipeline/${PPO}`)}\n`);
    expect((await drift()).report.findings).toMatchObject([
      {
        id: "unregistered",
        message: expect.stringContaining("(the file changed since its baseline)"),
      },
    ]);
    expect((await runThere("drift", "--accept", "again")).exitCode).toBe(EXIT.ok);
    expect(readConfig().baseline).toHaveLength(4);
    expect((await drift()).exitCode).toBe(EXIT.ok);
  });

  test("counts for validate too, until the file changes", async () => {
    // A record that the schema rejects, and ranks that no schema can judge.
    const wrong = read(`pipeline/${RECORDS}`)
      .replace('"branch_index":0', '"branch_index":-1')
      .replaceAll('"rank":3', '"rank":2');
    write(`pipeline/${RECORDS}`, wrong);
    configure();
    const before = await runThere("validate", RECORDS);
    expect(before.exitCode).toBe(EXIT.findings);
    await runThere("drift", "--accept", "older rows");
    expect((await drift()).exitCode).toBe(EXIT.ok);
    const after = await runThere("validate");
    expect([after.exitCode, after.stdout, after.stderr]).toEqual([
      EXIT.ok,
      "",
      expect.stringMatching(
        /^validating 1 fixture.*\n0 errors, 0 warnings in 3 records \(.*\); \d accepted by the baseline\n/,
      ),
    ]);
    write(`pipeline/${RECORDS}`, `${wrong}\n`);
    expect(await runThere("validate", RECORDS)).toMatchObject({
      exitCode: EXIT.findings,
      stdout: before.stdout,
    });
  });

  test("a change of an accepted fork shows first what is new since then", async () => {
    configure();
    const git = (...argv: string[]): void => {
      const author = ["-c", "user.name=t", "-c", "user.email=t@t.example"];
      execFileSync("git", [...author, ...argv], { cwd: join(folder.path, "pipeline") });
    };
    git("init", "--quiet");
    git("add", ".");
    git("commit", "--quiet", "-m", "before");
    await runThere("drift", "--accept", "as before the move");
    const ppo = JSON.parse(read(`pipeline/${PPO}`));
    write(`pipeline/${PPO}`, { ...ppo, required: [...ppo.required, "split"] });
    const { report } = await drift();
    expect(report.findings[0]?.detail?.split("\n").slice(0, 2)).toEqual([
      "new since the baseline:",
      "/split is required now, though it is not declared  (undeclared-required)",
    ]);
    rmSync(join(folder.path, "pipeline/.git"), { recursive: true });
    expect((await drift()).report.findings[0]?.detail).toMatch(/^compared with PpoTrainingRecord/);
  });

  test("does not make a run green that looked at nothing", async () => {
    configure({ artefacts: [artefactOf(0)], fixtures: [] });
    for (const path of [FORK, PPO, RECORDS]) rmSync(join(folder.path, "pipeline", path));
    await runThere("drift", "--accept", "gone");
    const { exitCode, report } = await drift();
    expect([exitCode, idsOf(report)]).toEqual([EXIT.findings, ["nothing-checked ."]]);
  });

  test("expires", async () => {
    configure();
    await runThere("drift", "--accept", "for now");
    const { baseline = [] } = readConfig();
    configure({ baseline: baseline.map((known) => ({ ...known, expires: "2020-01-31" })) });
    const { exitCode, report } = await drift();
    expect([exitCode, idsOf(report)]).toEqual([EXIT.findings, RED]);
    expect(report.findings[0]?.message).toContain("(its baseline expired on 2020-01-31)");
  });

  test("an entry that is no longer needed is a warning, and the next --accept removes it", async () => {
    configure();
    await runThere("drift", "--accept", "for now");
    rmSync(join(folder.path, "pipeline", PPO));
    const { exitCode, report } = await drift();
    expect([exitCode, report.findings]).toMatchObject([
      EXIT.ok,
      [{ id: "stale-baseline", severity: "warning", pointer: "/baseline/3" }],
    ]);
    await runThere("drift", "--accept", "for now");
    expect(readConfig().baseline).toHaveLength(3);
  });

  test("--expires is the last day", async () => {
    configure();
    await runThere("drift", "--accept", "x", "--expires", "2999-12-31");
    expect(readConfig().baseline?.map(({ expires }) => expires)).toEqual(
      Array(4).fill("2999-12-31"),
    );
  });

  test("needs a reason", async () => {
    configure();
    const { exitCode, stderr } = await runThere("drift", "--accept", "  ");
    expect([exitCode, stderr]).toEqual([EXIT.usage, "--accept: its value is empty\n"]);
    expect(readConfig().baseline).toBeUndefined();
  });

  test.each([["2020-01-01"], ["2999-02-30"], ["soon"]])("%s is no such day", async (day) => {
    configure();
    const { exitCode, stderr } = await runThere("drift", "--accept", "x", "--expires", day);
    expect([exitCode, stderr]).toEqual([
      EXIT.usage,
      `--expires ${day}: must be a day from today on, as YYYY-MM-DD\n`,
    ]);
    expect(readConfig().baseline).toBeUndefined();
  });

  test("--expires is refused without --accept, which it would ignore", async () => {
    configure();
    const { exitCode, stderr } = await runThere("drift", "--expires", "2999-12-31");
    expect([exitCode, stderr]).toEqual([EXIT.usage, "--expires requires --accept\n"]);
  });

  test("needs a configuration", async () => {
    const { exitCode, stderr } = await runThere("drift", "--accept", "x");
    expect([exitCode, stderr]).toEqual([
      EXIT.unreadable,
      "rollout-wire.config.json: no such file here, and --accept writes to its baseline: run rollout-wire init --write first\n",
    ]);
  });
});

describe("a configuration", () => {
  test("sets severities", async () => {
    configure({
      severity: { breaking: "warning", missing: "off", replay: "off", unregistered: "warning" },
    });
    const { exitCode, report } = await drift();
    expect(exitCode).toBe(EXIT.ok);
    expect(report.findings.map(({ id, severity }) => [id, severity])).toEqual([
      ["breaking", "warning"],
      ["unregistered", "warning"],
    ]);
  });

  test("excludes files from the search", async () => {
    configure({ exclude: ["schemas/**"] });
    expect(idsOf((await drift()).report)).not.toContain(`unregistered ${PPO}`);
  });

  test("counts instead of the registry, also for the owner", async () => {
    configure({ artefacts: [] });
    const { report } = await drift("--repo", "pipeline", "wasmagent-js=runtime");
    const missing = idsOf(report).filter((id) => id.startsWith("missing"));
    expect(missing.every((id) => id.includes("runtime/"))).toBe(true);
    expect(idsOf(report)).toContain(`unregistered pipeline/${FORK}`);
  });

  test.each<[string, object, string]>([
    ["an unknown field", { artifacts: [] }, 'has "artifacts", which is not allowed here'],
    [
      "a schema that is not registered",
      { fixtures: [{ ...BASE.fixtures?.[0], schema: "rollout-wir" }] },
      "/fixtures/0/schema  is not a schema of the registry (did you mean rollout-wire?)",
    ],
    [
      "a version that was never published",
      { fixtures: [{ ...BASE.fixtures?.[0], version: "9.0.0" }] },
      "/fixtures/0/version  is not a published version of rollout-wire: these are 1.0.0",
    ],
    [
      "a path twice",
      { fixtures: [{ ...BASE.fixtures?.[0], path: FORK }] },
      "/fixtures/0/path  is listed twice",
    ],
    [
      "a path inside of a copied folder",
      { fixtures: [{ ...BASE.fixtures?.[0], path: "src/rollout_wire/records.jsonl" }] },
      "/fixtures/0/path  is in the place of src/rollout_wire",
    ],
    [
      "a severity of nothing",
      { severity: { braking: "off" } },
      "/severity/braking  is not a grade, finding or rule whose severity can be set (did you mean breaking?)",
    ],
    [
      "a baseline of nothing",
      { baseline: [{ id: "lock", file: "a", reason: "a", expires: "2999-01-01" }] },
      "/baseline/0/id  is not a finding that can be accepted",
    ],
  ])("with %s is refused", async (_, change, message) => {
    write(`pipeline/${CONFIG}`, { ...BASE, ...change });
    const { exitCode, stdout } = await runThere("drift");
    expect([exitCode, stdout]).toEqual([EXIT.unreadable, expect.stringContaining(message)]);
    const sync = await runThere("sync");
    expect([sync.exitCode, sync.stdout]).toEqual([EXIT.unreadable, ""]);
    expect(sync.stderr).toMatch(/rollout-wire\.config\.json:\d+:\d+ /);
  });

  test("with records only, and no copies, is something to check", async () => {
    configure({ artefacts: [], severity: { unregistered: "off" } });
    const { exitCode, report } = await drift();
    // Its own fork rejects its records.
    expect([exitCode, report.checked, idsOf(report)]).toEqual([1, 3, [`replay ${RECORDS}`]]);
  });

  test.each([
    ["a fixture", { fixtures: [{ schema: "rollout-wire", version: "1.0.0", path: "gone.jsonl" }] }],
    ["a copy", { artefacts: [{ ...artefactOf(0), path: "gone.json" }], fixtures: [] }],
  ])("that silences everything, with %s that is not there, is red", async (_, change) => {
    const severity = { missing: "off", unregistered: "off", replay: "off" } as const;
    configure({ artefacts: [], severity, exclude: ["**"], ...change });
    const { exitCode, report } = await drift();
    expect([exitCode, idsOf(report)]).toEqual([EXIT.findings, ["nothing-checked ."]]);
  });

  test.each([
    ["that does not exist", undefined, "missing", "lists it under fixtures"],
    ["without a record", "{\n}\n", "replay", "no line that is a JSON record"],
  ])("with a fixture %s is red", async (_, text, id, message) => {
    configure({ artefacts: [] });
    if (text === undefined) rmSync(join(folder.path, "pipeline", RECORDS));
    else write(`pipeline/${RECORDS}`, text);
    const { exitCode, report } = await drift();
    const found = report.findings.filter(({ file }) => file === RECORDS);
    expect([exitCode, found]).toMatchObject([
      EXIT.findings,
      [{ id, message: expect.stringContaining(message) }],
    ]);
  });

  test("that is no JSON is refused, with the position", async () => {
    write(`pipeline/${CONFIG}`, '{\n  "config_version": "config/v1",\n}\n');
    const { exitCode, stdout } = await runThere("drift");
    expect([exitCode, stdout]).toEqual([
      EXIT.unreadable,
      expect.stringMatching(/config\.json:3:1 /),
    ]);
  });

  test("of another repository is refused", async () => {
    configure();
    const { exitCode, report } = await drift("--repo", "bscode=pipeline");
    expect([exitCode, report.findings]).toMatchObject([
      EXIT.unreadable,
      [{ id: "config", message: "is trace-pipeline, but the repository was named bscode" }],
    ]);
  });
});

describe("sync by a configuration", () => {
  test("takes the name from it, and leaves what the baseline accepts", async () => {
    configure();
    const refused = await runThere("sync");
    expect([refused.exitCode, refused.stdout]).toEqual([
      EXIT.findings,
      expect.stringContaining("(not-adopted)"),
    ]);
    expect(refused.stdout + refused.stderr).not.toContain("--force");
    await runThere("drift", "--accept", "ours");
    const [fork, own] = [read(`pipeline/${FORK}`), read(`pipeline/${RECORDS}`)];
    const { exitCode, stderr } = await runThere("sync");
    expect([exitCode, stderr]).toEqual([
      EXIT.ok,
      expect.stringContaining("1 left, as the baseline accepts"),
    ]);
    expect([read(`pipeline/${FORK}`), read(`pipeline/${RECORDS}`)]).toEqual([fork, own]);
    expect((await drift()).exitCode).toBe(EXIT.ok);
    const lock = JSON.parse(read("pipeline/rollout-wire.lock.json"));
    expect(lock.repository).toBe("trace-pipeline");
    expect(lock.artefacts.map(({ path }: { path: string }) => path)).not.toContain(FORK);
  });

  describe("--adopt makes a fork a copy", () => {
    const original = (): string => readFrozenSchema("rollout-wire").toString();

    test("if the original accepts the records of the repository", async () => {
      configure();
      const { exitCode, stdout } = await runThere("sync", "--adopt");
      expect([exitCode, stdout.replaceAll(/ {2,}/g, "  ")]).toEqual([
        EXIT.ok,
        expect.stringContaining(
          "it is replaced (--adopt): rollout-wire 1.0.0 accepts all 3 records of its fixtures  (not-adopted)",
        ),
      ]);
      expect(read(`pipeline/${FORK}`)).toBe(original());
      expect(idsOf((await drift()).report)).toEqual([`unregistered ${PPO}`]);
    });

    test("and not if it rejects one: nothing is written", async () => {
      configure();
      const fork = read(`pipeline/${FORK}`);
      write(`pipeline/${RECORDS}`, read(`pipeline/${RECORDS}`).replace('"rank":1', '"rank":-1'));
      const { exitCode, stdout, stderr } = await runThere("sync", "--adopt");
      expect([exitCode, stdout]).toEqual([
        EXIT.findings,
        expect.stringMatching(
          /it stays: rollout-wire 1\.0\.0 rejects records of this repository: fixtures\/.*:1:\d+ \/rank .*must be >= 1, is -1/,
        ),
      ]);
      expect(stderr).toContain("nothing is written");
      expect(read(`pipeline/${FORK}`)).toBe(fork);
    });

    test("nor if a listed file of records is missing", async () => {
      configure();
      rmSync(join(folder.path, "pipeline", RECORDS));
      const fork = read(`pipeline/${FORK}`);
      const { exitCode, stdout } = await runThere("sync", "--adopt");
      expect([exitCode, stdout]).toEqual([
        EXIT.findings,
        expect.stringContaining("is missing, but rollout-wire.config.json lists its records"),
      ]);
      expect(read(`pipeline/${FORK}`)).toBe(fork);
    });

    test("and says it if no record was replayed", async () => {
      configure({ fixtures: [] });
      const { exitCode, stdout } = await runThere("sync", "--adopt");
      expect([exitCode, stdout]).toEqual([
        EXIT.ok,
        expect.stringContaining(
          "no record was replayed, since the configuration lists no fixtures",
        ),
      ]);
    });
  });

  describe("drift --explain says which lines differ, on both sides", () => {
    test("of a fork", async () => {
      configure();
      const { exitCode, stdout } = await runThere("drift", "--explain", FORK);
      expect(exitCode).toBe(EXIT.ok);
      const [line = ""] = stdout.split("\n").filter((each) => each.includes("here  "));
      const [, place, pointer] = /here {3}(\S+) {2}(\S+)/.exec(line) ?? [];
      const [, number = ""] = place?.split(":") ?? [];
      expect(place?.startsWith(`${FORK}:`)).toBe(true);
      const text = read(`pipeline/${FORK}`).split("\n")[Number(number) - 1];
      expect(text).toContain(String(pointer?.split("/").findLast((part) => !/^\d+$/.test(part))));
      expect(stdout).toMatch(/there {2}schema\/\S+ of rollout-wire:\d+:\d+/);
      expect(stdout).toContain("propose that to wasmagent-js, the owner of rollout-wire");
    });

    test("of a record that a fork rejects", async () => {
      configure();
      const { report } = await drift();
      const { file, line } = report.findings.find(({ id }) => id === "replay") ?? {};
      const { stdout } = await runThere("drift", "--explain", `${file}:${line}`);
      expect(stdout).toContain("  accepted by rollout-wire 1.0.0\n");
      expect(stdout).toMatch(
        new RegExp(
          `rejected by ${FORK}\n.*/build_result/status.*\n.*here .*\n.*there {2}${FORK}:\\d+:\\d+ .*/enum`,
        ),
      );
    });

    test("and refuses what does not differ", async () => {
      configure();
      const { exitCode, stderr } = await runThere("drift", "--explain", "readme.md");
      expect([exitCode, stderr]).toEqual([
        EXIT.usage,
        expect.stringContaining("--explain readme.md: is no copy, fork or record that differs"),
      ]);
    });
  });

  test("copies a fixture only if it asks for it", async () => {
    const product = (): ReturnType<typeof folder.run> =>
      folder.run(["sync", "--repo", "bscode=product", "--force"]);
    const own = read(`product/${RECORDS}`);
    configureProduct(TYPES);
    expect((await product()).exitCode).toBe(EXIT.ok);
    expect(read(`product/${RECORDS}`)).toBe(own);
    configureProduct({ ...COPY, kind: "fixture", path: RECORDS });
    expect((await product()).stdout).toContain(`overwrite  ${RECORDS}`);
  });

  test("a fork in place of a copy is never overwritten by the printed steps", async () => {
    configure();
    const { stderr } = await folder.run(["drift", "--repo", "trace-pipeline=pipeline"]);
    expect(stderr.slice(stderr.indexOf("Fix:"))).toBe(
      [
        "Fix:",
        `  move pipeline/${FORK} away and sync, or accept it in pipeline: rollout-wire drift --accept REASON`,
        "  rollout-wire sync --repo trace-pipeline=pipeline",
        "",
      ].join("\n"),
    );
  });

  test("generated code that stands there but was never copied is not adopted", async () => {
    configureProduct(TYPES);
    write("product/src/rollout-wire.d.ts", "export type Ours = string;\n");
    const { report } = await drift("--repo", "bscode=product");
    expect(report.findings[0]).toMatchObject({ id: "not-adopted" });
    const { stderr } = await folder.run(["drift", "--repo", "bscode=product"]);
    expect(stderr).toContain(
      "Fix:\n  move product/src/rollout-wire.d.ts away and sync, or accept it in product: rollout-wire drift --accept REASON",
    );
    expect(stderr).not.toContain("--force");
  });
});

const COPY = {
  schema: "rollout-wire",
  version: "1.0.0",
  source: "fixtures/golden/data-loop/input.jsonl",
} as const;

const TYPES = {
  ...COPY,
  kind: "generated",
  source: "generated/typescript/rollout-wire.d.ts",
  path: "src/rollout-wire.d.ts",
} as const;

function configureProduct(artefact: Config["artefacts"][number]): void {
  write(`product/${CONFIG}`, {
    ...BASE,
    repository: "bscode",
    artefacts: [artefact],
    fixtures: [],
  });
}

describe("a repository without a configuration", () => {
  test("gets no copies, and is told how to get a configuration", async () => {
    const { exitCode, stdout, stderr } = await folder.run(["sync", "--repo", "bscode=product"]);
    expect([exitCode, stdout, stderr]).toEqual([
      EXIT.unreadable,
      "",
      "product/rollout-wire.config.json: no such file, so nothing says which copies belong where: run rollout-wire init product --write, which proposes it\n",
    ]);
  });

  test("is searched for records and forks, without a name too", async () => {
    const { exitCode, stderr } = await folder.run(["drift", "--repo", "product"]);
    expect([exitCode, stderr]).toEqual([
      EXIT.ok,
      expect.stringContaining("(0 copies and 0 forks in 1 repository, 2 records replayed, "),
    ]);
  });

  test("without anything to check is red, and named beside others", async () => {
    rmSync(join(folder.path, "product", RECORDS));
    const alone = await drift("--repo", "bscode=product");
    expect([alone.exitCode, idsOf(alone.report)]).toEqual([
      EXIT.findings,
      ["nothing-checked product", "nothing-checked ."],
    ]);
    const { report } = await drift("--repo", "bscode=product", "trace-pipeline=pipeline");
    expect(report.findings.at(-1)).toMatchObject({
      id: "nothing-checked",
      severity: "warning",
      message: "has no copy, no fork and no records: nothing was checked in bscode",
    });
  });
});

describe("records are replayed on a fork of a single record type", () => {
  /** As a pipeline generates it from its own classes: one type, `success` is no build status. */
  const SINGLE = {
    title: "RolloutBranchRecord",
    type: "object",
    properties: {
      rollout_id: { type: "string" },
      task: { type: "string" },
      branch_index: { type: "integer" },
      build_result: {
        anyOf: [
          { type: "object", properties: { status: { enum: ["pass", "fail"] } } },
          { type: "null" },
        ],
      },
    },
    required: ["rollout_id", "task", "branch_index"],
  };

  beforeEach(() => {
    for (const path of [FORK, PPO, RECORDS]) rmSync(join(folder.path, "pipeline", path));
    write("pipeline/schemas/rollout-wire.schema.json", SINGLE);
  });

  test("which rejects records of another repository", async () => {
    const { exitCode, report } = await drift(...ALL);
    expect(exitCode).toBe(EXIT.findings);
    const replay = report.findings.find(
      ({ id, file }) => id === "replay" && file.startsWith("prod"),
    );
    expect(replay).toMatchObject({
      file: `product/${RECORDS}`,
      pointer: "/build_result/status",
      message: expect.stringContaining(
        "but rejected by pipeline/schemas/rollout-wire.schema.json: must be ",
      ),
    });
    expect(report.forks.find(({ repository }) => repository === "trace-pipeline")).toMatchObject({
      path: "schemas/rollout-wire.schema.json",
      type: "RolloutBranchRecord",
      records: 4,
      rejected: 4,
    });
  });

  test("which rejects records of its own repository", async () => {
    write("pipeline/data/own.jsonl", read(`product/${RECORDS}`));
    const { exitCode, report } = await drift("--repo", "trace-pipeline=pipeline");
    expect([exitCode, idsOf(report)]).toEqual([
      EXIT.findings,
      ["replay data/own.jsonl", "unregistered schemas/rollout-wire.schema.json"].map((id) =>
        id.replace(" ", " pipeline/"),
      ),
    ]);
  });

  test("and a fork that none was replayed on says so", async () => {
    const { report } = await drift("--repo", "trace-pipeline=pipeline");
    expect(report.forks).toMatchObject([{ records: 0, rejected: 0 }]);
    expect(report.findings[0]?.message).toContain(
      "no record replayed on it: no fixture has a RolloutBranchRecord that it describes",
    );
  });
});

test("a record of a union is judged by the type that it is, not by another member", async () => {
  write(
    "runtime/records.jsonl",
    read(`runtime/${RECORDS}`).replace('"branch_index":0', '"branch_index":-1'),
  );
  const { report } = await drift("--repo", "wasmagent-js=runtime");
  const found = report.findings.find(({ file }) => file === "runtime/records.jsonl");
  expect(found).toMatchObject({
    pointer: "/branch_index",
    message: expect.stringMatching(/: must be >= 0, is -1$/),
  });
});

describe("nothing is passed over", () => {
  test("records that the configuration does not list are named", async () => {
    configure();
    write("pipeline/data/new.jsonl", read(`pipeline/${RECORDS}`));
    expect(idsOf((await drift()).report)).toContain("unlisted data/new.jsonl");
    configure({ exclude: ["data/**"] });
    expect(idsOf((await drift()).report)).not.toContain("unlisted data/new.jsonl");
  });

  test("a line that is not UTF-8 is no record", async () => {
    const [first = "", ...rest] = read(`product/${RECORDS}`).split("\n");
    const broken = Buffer.from(first.replace("Done.", "Done\xff"), "latin1");
    writeFileSync(
      join(folder.path, "product", RECORDS),
      Buffer.concat([broken, Buffer.from(["", ...rest].join("\n"))]),
    );
    const { exitCode, report } = await drift("--repo", "bscode=product");
    expect([exitCode, report.findings]).toMatchObject([
      EXIT.findings,
      [{ id: "replay", line: 1, message: "is no JSON, so it was not replayed" }],
    ]);
  });

  test("compressed records are named", async () => {
    write("product/more.jsonl.gz", "x");
    const { report } = await drift("--repo", "bscode=product");
    expect(report.findings).toMatchObject([
      { id: "not-read", severity: "warning", file: "product/more.jsonl.gz" },
    ]);
  });

  test("a copy is compared with its original, whatever its lock says", async () => {
    configureProduct({
      ...COPY,
      kind: "schema",
      source: "schema/rollout-wire.schema.json",
      path: "wire.json",
    });
    await folder.run(["sync", "--repo", "bscode=product"]);
    const changed = read("product/wire.json").replace('"minimum": 0', '"minimum": 1');
    write("product/wire.json", changed);
    const lock = JSON.parse(read("product/rollout-wire.lock.json"));
    lock.artefacts[0].hashes.bytes = sha256(changed);
    write("product/rollout-wire.lock.json", lock);
    const { stdout } = await folder.run(["drift"], { cwd: join(folder.path, "product") });
    expect(stdout).toContain("(breaking)");
  });
});

describe("one record, one story: init, validate and drift agree", () => {
  const show = async (...argv: string[]) => (await runThere(...argv)).stdout;

  test("on records of another format, which resemble ours", async () => {
    rmSync(join(folder.path, "pipeline", RECORDS));
    const row = { messages: [], reward: 1, loss_weight_tokens: "default", provenance: {} };
    const lines = (record: object): string => `${JSON.stringify(record)}\n`.repeat(40);
    write("pipeline/versioned.jsonl", lines({ schema_version: "sft/v1", ...row }));
    const { reward: _, ...unrewarded } = row;
    write("pipeline/unrewarded.jsonl", lines(unrewarded));
    const message = (file: string, reason: string): string =>
      `${file}:1:1  (line)  warning: holds 40 records of another format: ${reason}, and none is a valid PpoTrainingRecord, the closest type  (other-format)`;
    for (const command of ["init", "drift"]) {
      const squeezed = (await show(command)).replaceAll(/ {2,}/g, "  ");
      expect(squeezed).toContain(message("unrewarded.jsonl", "each lacks a required field"));
      expect(squeezed).toContain(
        message("versioned.jsonl", 'schema_version "sft/v1" is of no schema of rollout-wire'),
      );
      expect(squeezed).not.toContain("40 PpoTrainingRecord");
    }
    expect(await show("validate", "versioned.jsonl", "--max-errors", "1")).toContain(
      'no type fits: schema_version "sft/v1": an unknown schema',
    );
  });

  test("on the faults that no schema can say", async () => {
    const twice = read(`product/${RECORDS}`).replaceAll('"rank":2', '"rank":1');
    rmSync(join(folder.path, "pipeline/fixtures"), { recursive: true });
    write("pipeline/data/ranks.jsonl", twice);
    expect(await show("init")).toMatch(
      /data\/ranks\.jsonl +rollout-wire 1\.0\.0 +2 RolloutBranchRecord, \d errors?/,
    );
    const validated = (await show("validate", "data/ranks.jsonl"))
      .split("\n")
      .filter((line) => /rank-/.test(line));
    expect(validated.length).toBeGreaterThan(0);
    const drifted = (await show("drift")).replaceAll(/ {2,}/g, "  ");
    for (const line of validated) expect(drifted).toContain(line.replaceAll(/ {2,}/g, "  "));
  });
});
