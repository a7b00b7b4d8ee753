import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listFiles } from "../../base/files/folders.js";
import { sha256 } from "../../base/files/hash.js";
import { withStaging } from "../../base/files/staging.js";
import { CONFIG_FILE } from "../../base/package.js";
import { countAttacks } from "../../base/testing/attacks.js";
import { type BuiltProgram, buildProgram } from "../../base/testing/build-program.js";
import { KILL_AT_STEP, readSteps } from "../../base/testing/kill-at-step.js";
import { createProgramFolder, type ProgramFolder } from "../../base/testing/program-folder.js";
import { runCount, sampleCases } from "../../base/testing/run-count.js";
import { type Ending, runProgram } from "../../base/testing/run-program.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";
import { createScene, type Scene } from "../sync/testing/create-scene.js";

let program: BuiltProgram;
let scene: Scene;
/** Folders that tests began with and ended with, copied for each kill. */
let former: ProgramFolder;
let kills = 0;
beforeAll(async () => {
  program = buildProgram();
  former = createProgramFolder();
  scene = createScene();
  await scene.sync();
  cpSync(scene.repo, join(former.cwd, "wasmagent-js"), { recursive: true });
  scene.raise();
  // Only the copies are former.
  cpSync(join(scene.repo, CONFIG_FILE), join(former.cwd, "wasmagent-js", CONFIG_FILE));
});
afterAll(() => {
  former.remove();
  scene.remove();
  // A suite that kills nothing proves nothing.
  expect(kills).toBeGreaterThanOrEqual(runCount(150, 25));
});

const branches = (answer: string): string =>
  [0, 1, 2]
    .map((branch) =>
      JSON.stringify(
        createBranch({
          branch_index: branch,
          rank: branch + 1,
          total_score: 1 - branch / 4,
          final_answer: `${answer} ${branch}`,
        }),
      ),
    )
    .join("\n");

const EXPORT = ["export", "--allow-missing-g3", "--exported-at-ms", "0", "--skip-invalid"];
const ROWS = readFileSync(
  new URL(
    "../../../fixtures/import/tinker/iteration_000003/train_rollout_summaries.jsonl",
    import.meta.url,
  ),
  "utf8",
);

/** Any file of 16 bytes or more, so that placeholders are the same in every run. */
const KEY = fileURLToPath(import.meta.url);

interface Scenario {
  readonly name: string;
  readonly argv: readonly string[];
  /** Read by the run; the former outputs are those of a run with `formerInput`. */
  readonly input: string;
  readonly formerInput: string;
  /** Folders in which a run of another command looks for what is left. */
  readonly folders: readonly string[];
  /** The file that is renamed last: once it is the new one, all others are. */
  readonly mark?: string;
  /** Arguments of the former run if it had others. */
  readonly formerArgv?: readonly string[];
  /** Makes what both runs read besides their standard input. */
  readonly prepare?: (folder: string) => Promise<void>;
}

/** Exports `old.jsonl` and `new.jsonl` in two shards each. */
async function exportShards(cwd: string): Promise<void> {
  const run = async (...argv: string[]): Promise<void> => {
    const { exitCode, stderr } = await runProgram(argv, { ...program, cwd });
    if (exitCode !== 0) throw new Error(`${argv.join(" ")}: ${stderr}`);
  };
  for (const [name, target] of [
    ["old", "training"],
    ["new", "trl-sft"],
  ] as const) {
    writeFileSync(join(cwd, `${name}.jsonl`), branches(name));
    await run(
      "shard",
      "split",
      "--input",
      `${name}.jsonl`,
      "--shards",
      "2",
      "--output",
      `${name}-in`,
    );
    for (const number of [1, 2]) {
      const shard = ["--input", `${name}-in`, "--shard", `${number}/2`, "--target", target];
      await run(...EXPORT, ...shard, "--output-dir", `${name}/${number}`);
    }
  }
}

const invalid = `${branches("new")}\nNaN\n`;
/** `sampleCases` takes the first, the one in the middle and the last. */
const SCENARIOS: readonly Scenario[] = [
  {
    name: "export with report and rejects",
    argv: [...EXPORT, "--input", "-", "--report", "report.json", "--rejects", "rejects.jsonl"],
    input: invalid,
    formerInput: `${branches("old")}\n1\n`,
    folders: ["."],
  },
  {
    name: "import",
    argv: ["import", "tinker", "--input", "-", "--output", "out.jsonl"].concat(
      "--skip-invalid",
      "--rejects",
      "rejects.jsonl",
    ),
    input: ROWS,
    formerInput: ROWS.replaceAll('"iteration": 3,', '"iteration": 2,'),
    folders: ["."],
  },
  {
    name: "rank",
    argv: ["rank", "--input", "-", "--output", "out.jsonl", "--skip-invalid"].concat(
      "--rejects",
      "rejects.jsonl",
    ),
    input: invalid,
    formerInput: branches("old"),
    folders: ["."],
  },
  {
    name: "redact",
    argv: ["redact", "-", "--output", "out.jsonl", "--redact-key", KEY],
    input: branches("bob@example.com"),
    formerInput: branches("amy@example.com"),
    folders: ["."],
  },
  {
    name: "shard split, into fewer shards than before",
    argv: ["shard", "split", "--input", "-", "--shards", "2", "--output", "shards"],
    input: invalid,
    formerArgv: ["shard", "split", "--input", "-", "--shards", "3", "--output", "shards"],
    formerInput: branches("old"),
    folders: ["shards"],
    mark: "shards/partition.json",
  },
  {
    name: "sync",
    argv: ["sync", "--repo", "wasmagent-js=wasmagent-js"],
    input: "",
    formerInput: "",
    folders: ["", "/packages/core/src/ranking", "/packages/core/src/ranking/schemas"].map(
      (path) => `wasmagent-js${path}`,
    ),
    mark: "wasmagent-js/rollout-wire.lock.json",
  },
  {
    name: "shard join, with fewer files than before",
    argv: ["shard", "join", "new/1", "new/2", "--output", "data"],
    input: "",
    formerArgv: ["shard", "join", "old/1", "old/2", "--output", "data"],
    formerInput: "",
    folders: ["data", "data/dpo", "data/ppo", "data/sft"],
    mark: "data/manifest.json",
    prepare: exportShards,
  },
  {
    name: "export to a folder, in another number of files than before",
    argv: [...EXPORT, "--input", "-", "--output-dir", "data", "--target", "training"].concat(
      "--store",
      "parquet",
      "--shard-size",
      "1kB",
    ),
    input: invalid,
    formerInput: branches("old").split("\n").slice(0, 2).join("\n"),
    folders: ["data", "data/dpo", "data/ppo"],
    mark: "data/manifest.json",
  },
  {
    name: "export to a folder, with fewer files than before",
    argv: [...EXPORT, "--input", "-", "--output-dir", "data", "--target", "trl-sft"],
    input: invalid,
    formerInput: branches("old"),
    folders: ["data", "data/dpo", "data/ppo", "data/sft"],
    mark: "data/manifest.json",
  },
];

async function runIn({ cwd, env }: ProgramFolder, scenario: Scenario, killAt?: number | string) {
  const root =
    scenario.name === "sync" ? ["--registry", `${scene.source}/schema/registry.json`] : [];
  return await runProgram([...scenario.argv, ...root], {
    ...program,
    cwd,
    env: killAt === undefined ? env : { ...env, KILL_AT: String(killAt) },
    nodeArguments: KILL_AT_STEP,
    stdin: scenario.input,
  });
}

/** All files in the working folder with the hashes of their texts, except git's own. */
function filesOf({ cwd }: ProgramFolder): Record<string, string> {
  const paths = listFiles(cwd).filter((path) => !path.includes("/.git/"));
  return Object.fromEntries(
    paths.map((path) => {
      const isTemporary = path.split("/").some((part) => part.startsWith(".rollout-wire-"));
      return [path, isTemporary ? "" : sha256(readFileSync(join(cwd, path)))];
    }),
  );
}

/** A folder with the outputs of a former run. */
function copyFormer(name: string): ProgramFolder {
  const folder = createProgramFolder();
  cpSync(join(former.cwd, name), folder.cwd, { recursive: true });
  return folder;
}

async function makeFormer(scenario: Scenario): Promise<void> {
  const folder = join(former.cwd, scenario.name);
  mkdirSync(folder);
  if (scenario.name === "sync") {
    cpSync(join(former.cwd, "wasmagent-js"), join(folder, "wasmagent-js"), { recursive: true });
    return;
  }
  await scenario.prepare?.(folder);
  const target = scenario.argv.includes("trl-sft") ? ["--target", "training"] : [];
  const argv = scenario.formerArgv ?? [...scenario.argv, ...target];
  const { exitCode, stderr } = await runProgram(argv, {
    ...program,
    cwd: folder,
    stdin: scenario.formerInput,
  });
  expect([exitCode, stderr.includes("nothing written")]).toEqual([0, false]);
}

interface Outcomes {
  readonly old: Record<string, string>;
  readonly new: Record<string, string>;
}

/** Every file is the old or the new one, whole, and all are new once the mark is. */
function expectWhole(found: Record<string, string>, { mark = "" }: Scenario, outcomes: Outcomes) {
  const isMarked = found[mark] !== outcomes.old[mark];
  for (const path of Object.keys({ ...outcomes.old, ...outcomes.new })) {
    const possible = isMarked ? [outcomes.new[path]] : [outcomes.old[path], outcomes.new[path]];
    expect(possible, path).toContain(found[path]);
  }
}

async function killAndRunAgain(scenario: Scenario, step: number, outcomes: Outcomes) {
  const folder = copyFormer(scenario.name);
  try {
    const killed: Ending = await runIn(folder, scenario, step);
    expect([killed.signal, killed.stdout]).toEqual(["SIGKILL", expect.any(String)]);
    expectWhole(filesOf(folder), scenario, outcomes);
    if (step % 2 === 0) {
      // A run of another command completes all outputs or none, whatever it writes itself.
      for (const name of scenario.folders) {
        if (!existsSync(join(folder.cwd, name))) continue;
        await withStaging({}, (staging) => staging.reserve([join(folder.cwd, name, "other")]));
      }
      expect([outcomes.old, outcomes.new]).toContainEqual(filesOf(folder));
    }
    const { exitCode, stderr } = await runIn(folder, scenario);
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining("bug")]);
    expect(filesOf(folder)).toEqual(outcomes.new);
    expect(folder.leftovers()).toEqual([]);
  } finally {
    folder.remove();
  }
}

describe.each(sampleCases(SCENARIOS, 3))("$name", (scenario) => {
  test("killed before each change of the file system: whole files, and nothing remains", async (context) => {
    await makeFormer(scenario);
    const folder = copyFormer(scenario.name);
    const old = filesOf(folder);
    const undisturbed = await runIn(folder, scenario);
    expect(undisturbed.exitCode).toBe(0);
    const outcomes = { old, new: filesOf(folder) };
    expect(folder.leftovers()).toEqual([]);
    folder.remove();
    expect(outcomes.new).not.toEqual(old);
    const steps = sampleCases(stepsUpTo(readSteps(undisturbed.stderr)), 6);
    const attacks = countAttacks(context, "kills", steps.length);
    await forEachStep(steps, (step) =>
      attacks.attemptAll(1, () => killAndRunAgain(scenario, step, outcomes)),
    );
    kills += attacks.survived;
  });
});

test("killed while it completes what a killed run was writing: the third run completes it", async (context) => {
  const [scenario] = SCENARIOS;
  if (scenario === undefined) throw new TypeError("there is a scenario");
  const folder = copyFormer(scenario.name);
  const undisturbed = await runIn(folder, scenario);
  const expected = filesOf(folder);
  folder.remove();
  expect(undisturbed.exitCode).toBe(0);
  // It takes about as many changes to complete a commit of four files.
  const steps = sampleCases(stepsUpTo(40), 4);
  const attacks = countAttacks(context, "kills", 2 * steps.length);
  const killTwice = async (step: number): Promise<void> => {
    const twice = copyFormer(scenario.name);
    try {
      for (const killAt of [`renameSync ${1 + (step % 4)}`, step]) {
        expect((await runIn(twice, scenario, killAt)).signal).toBe("SIGKILL");
      }
      expect((await runIn(twice, scenario)).exitCode).toBe(0);
      expect(filesOf(twice)).toEqual(expected);
      expect(twice.leftovers()).toEqual([]);
    } finally {
      twice.remove();
    }
  };
  await forEachStep(steps, (step) => attacks.attemptAll(2, () => killTwice(step)));
  kills += attacks.survived;
});

/** The numbers of steps. */
function stepsUpTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

/** Calls `run` for each step, with as many processes at a time as CI has cores. */
async function forEachStep(
  steps: readonly number[],
  run: (step: number) => Promise<void>,
): Promise<void> {
  const waiting = [...steps];
  const worker = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      await run(step).catch((error: unknown) => {
        throw new Error(`killed at step ${step} of ${steps.join(", ")}`, { cause: error });
      });
    }
  };
  await Promise.all([worker(), worker()]);
}
