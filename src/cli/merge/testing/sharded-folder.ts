import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ExportReport, isExportReport } from "#generated/index.js";
import { listFiles } from "../../../base/files/folders.js";
import { openInput } from "../../../base/files/open-input.js";
import { createTestFolder, type TestFolder } from "../../../base/testing/run-in-folder.js";
import { EXIT } from "../../../base/user-error.js";
import { templateText } from "../../../rollouts/wire/decontamination/testing/template-texts.js";
import { createBranch } from "../../../rollouts/wire/export/testing/create-branch.js";

/** Tasks of a template, of which the evaluation set has one. */
const tasks = Array.from({ length: 24 }, (_, index) => templateText(`task${index}x`));
export const EVAL_ITEMS: readonly string[] = [tasks[7] ?? "", templateText("item"), "…"];

/** Rollouts that give pairs, single branches, equal scores and equal answers, with two kinds of secrets. */
const branches = tasks.flatMap((task, rollout) =>
  (rollout % 6 === 1 ? [0] : [0, 1, 2]).map((branch) => {
    const isBetter = branch === 0 && rollout % 6 !== 2;
    const address = `u${rollout}@example.com`;
    const secret = rollout % 2 === 0 ? address : `AKIAQYLPMN5HHHFPZ${rollout % 10}AB`;
    return JSON.stringify(
      createBranch({
        rollout_id: `r-${rollout}`,
        task,
        branch_index: branch,
        temperature: rollout / 20 + branch / 10,
        rank: branch + 1,
        objective_score: isBetter ? 1 : 0,
        objective_status: isBetter ? "pass" : "fail",
        judge_score: 5,
        total_score: isBetter ? 1.15 : 0.15,
        final_answer: rollout % 6 === 3 ? secret : `answer ${branch} of ${secret}`,
      }),
    );
  }),
);
const [torn = "", ...others] = branches;
const damaged = [`${others[40]}${torn}`, "NaN", torn.slice(0, 300)];

const OPTIONS = ["--exported-at-ms", "1700000000000", "--skip-invalid", "--drop-contaminated"];

/** A folder with rollouts that are partitioned, and exported shard by shard or at once. */
export class ShardedFolder {
  readonly #folder: TestFolder = createTestFolder();

  get path(): string {
    return this.#folder.path;
  }

  readonly write: TestFolder["write"] = (name, content) => this.#folder.write(name, content);

  readonly run: TestFolder["run"] = (argv) => this.#folder.run(argv);

  remove(): void {
    this.#folder.remove();
  }

  /** Returns what a run prints on standard error. */
  async succeed(...argv: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(argv);
    if (exitCode !== EXIT.ok) throw new Error(`${argv.join(" ")}: ${stdout}${stderr}`);
    return stderr;
  }

  /** Writes `shards` and `eval.index`. `without` leaves out the first rollouts. */
  async prepare(count: number, { without = 0 } = {}): Promise<void> {
    this.write("in.jsonl", [...damaged, ...others.slice(without)].join("\n"));
    await this.succeed("shard", "split", "-i", "in.jsonl", "--shards", `${count}`, "-o", "shards");
    await this.index(EVAL_ITEMS);
  }

  /** Writes `eval.jsonl`, and `eval.index` with the tasks of all shards. */
  async index(items: readonly string[]): Promise<void> {
    this.write("eval.jsonl", items.map((prompt) => JSON.stringify({ prompt })).join("\n"));
    const argv = ["--eval-items", "eval.jsonl", "--input", "shards", "--output", "eval.index"];
    await this.succeed("shard", "index", ...argv, "--skip-invalid");
  }

  /** Exports a shard, such as `1/3`, to a folder. */
  async exportShard(shard: string, output: string, ...options: string[]): Promise<void> {
    const argv = ["--input", "shards", "--shard", shard, "--eval-index", "eval.index"];
    await this.succeed("export", ...argv, "--output-dir", output, ...OPTIONS, ...options);
  }

  /** Exports all shards, one by one, beginning with the last, and merges them into `merged`. */
  async exportAndMerge(count: number, ...options: string[]): Promise<void> {
    for (let number = count; number >= 1; number -= 1) {
      await this.exportShard(`${number}/${count}`, `out/${number}`, ...options);
    }
    const folders = readdirSync(join(this.path, "out")).map((name) => `out/${name}`);
    await this.succeed("shard", "join", ...folders, "--output", "merged");
  }

  /** One export of all shards into `one`, which counts the tasks itself. */
  async exportAtOnce(...options: string[]): Promise<void> {
    const argv = ["--input", "shards", "--eval-items", "eval.jsonl", "--output-dir", "one"];
    await this.succeed("export", ...argv, ...OPTIONS, ...options);
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), "utf8");
  }

  /** The files in a folder with their texts. */
  filesOf(name: string): Record<string, string> {
    const files = listFiles(join(this.path, name));
    return Object.fromEntries(files.map((file) => [file, this.read(join(name, file))]));
  }

  /** The records in files of one kind in a dataset folder, whatever their format, as lines. */
  async linesOf(folder: string, kind: string): Promise<string[]> {
    const source = { cwd: join(this.path, folder, kind), stdin: process.stdin };
    const lines: string[] = [];
    for (const file of readdirSync(source.cwd).sort()) {
      const chunks: Buffer[] = [];
      for await (const chunk of openInput(file, source)) chunks.push(Buffer.from(chunk));
      lines.push(...Buffer.concat(chunks).toString("utf8").trimEnd().split("\n"));
    }
    return lines;
  }

  readReport(name: string): ExportReport {
    const report: unknown = JSON.parse(this.read(name));
    if (!isExportReport(report)) throw new TypeError(`${name} is no report of an export`);
    return report;
  }
}
