/** A complete run without a model, from the agent to the pairs: see the README in this folder. */

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import {
  exportRollouts,
  type RolloutBranch,
  rankBranches,
  readEvalItems,
  toJsonl,
  validateG3,
} from "../../src/index.js";
import {
  type BranchContext,
  type ForkAgent,
  forkRollout,
} from "../../src/rollouts/capture/index.js";
import { describeBranches, describePair, formatTable } from "./describe-rollout.js";
import { strategies } from "./strategies.js";
import { openWorkshop } from "./workshop.js";

const TASK =
  "parseDuration in parse-duration.mjs fails two of its five tests. Fix the program and leave the " +
  "tests as they are.";
const EVAL_ITEMS = fileURLToPath(new URL("eval-items.jsonl", import.meta.url));

const output =
  process.argv[2] ?? fileURLToPath(new URL("../../out/scripted-agent", import.meta.url));
const workshops = await mkdtemp(join(tmpdir(), "scripted-agent-"));

const repair = async ({ branchIndex, sessionId, recorder, signal }: BranchContext) => {
  const strategy = strategies[branchIndex];
  if (strategy === undefined) throw new RangeError(`no strategy for branch ${branchIndex}`);
  const workshop = await openWorkshop(join(workshops, sessionId), recorder, signal);
  const finalAnswer = await strategy.run(workshop);
  return { finalAnswer, buildResult: await workshop.verify() };
};

const repairs: ReturnType<typeof repair>[] = [];
const agent: ForkAgent = (context) => {
  const answer = repair(context);
  repairs.push(answer);
  return answer;
};

/** Ctrl-C also ends the processes that the branches have started. */
const stop = new AbortController();
process.once("SIGINT", () => stop.abort(new Error("stopped by Ctrl-C")));

try {
  await mkdir(output, { recursive: true });
  const branches: RolloutBranch[] = [];
  const rollout = forkRollout({
    task: TASK,
    agent,
    branches: strategies.length,
    concurrency: 2,
    // Scripts do not sample.
    temperatures: [0],
    timeoutMs: 120_000,
    rolloutId: "scripted-agent",
    signal: stop.signal,
  });
  for await (const branch of rollout) branches.push(branch);

  const { branches: ranked } = await rankBranches(branches);
  const evalItems = await readEvalItems(EVAL_ITEMS);
  const overlaps = validateG3([{ id: "scripted-agent", text: TASK }], evalItems);
  if (overlaps.length > 0) throw new Error("the task overlaps the evaluation set");
  const { dpo, ppo, notPaired } = exportRollouts(ranked, { target: "training" });

  const files = { rollouts: branches, ranked, dpo, ppo };
  const written = [["file", "records"]];
  for (const [name, records] of Object.entries(files)) {
    const path = join(output, `${name}.jsonl`);
    await writeFile(path, toJsonl(records));
    written.push([relative(process.cwd(), path), String(records.length)]);
  }

  const { stdout } = process;
  stdout.write(`${strategies.length} strategies repair a small program, without a model\n\n`);
  stdout.write(formatTable(describeBranches(ranked)));
  stdout.write(`\nDecontamination: 1 task against ${evalItems.length} evaluation items, clean\n`);
  stdout.write(`\n${formatTable(written)}\n`);
  for (const pair of dpo) stdout.write(`Pair\n${formatTable(describePair(pair))}\n`);
  for (const [reason, count] of notPaired) stdout.write(`Not paired: ${count} ${reason}\n\n`);
  // The branches of the first file are also in the second one.
  const [, , ...others] = written.map(([path]) => path);
  stdout.write(`Check them:  npm run --silent cli -- validate ${others.join(" ")}\n`);
  if (stop.signal.aborted) process.exitCode = 130;
} catch (error) {
  // A file-system error such as `EACCES: permission denied, mkdir '/data'`.
  if (!(error instanceof Error && "code" in error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 3;
} finally {
  // The record of an aborted branch may exist before its agent has stopped.
  await Promise.allSettled(repairs);
  await rm(workshops, { recursive: true, force: true });
}
