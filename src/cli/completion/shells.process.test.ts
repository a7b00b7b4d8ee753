import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { reporters } from "../../base/reporters/index.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { loadCommands } from "../commands/index.js";
import { toCompleted } from "./words.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

const ZSH = fileURLToPath(new URL("testing/offer-in-zsh.zsh", import.meta.url));

/** In fish, the program that prints what is offered at the end of each argument, without descriptions. */
const FISH = `source _rollout-wire
for line in $argv
  complete -C $line | string replace -r '\\t.*' '' | string replace -r '^--\\w+=' ''
  echo =
end`;

const commands = toCompleted(await loadCommands());
const names = commands.map(({ name }) => name);
const formats = reporters.map(({ id }) => id);
const files = ["_rollout-wire", "rollouts.jsonl"];

const LINES: readonly [line: string, offered: readonly string[]][] = [
  ["", [...names, "help"]],
  ["val", ["validate"]],
  ["--v", ["--version"]],
  ["--h", ["--help"]],
  ["help ex", ["export"]],
  ["export --output-", ["--output-dpo", "--output-ppo", "--output-sft", "--output-dir"]],
  ["validate --format ", formats],
  ["validate -f ju", ["junit"]],
  ["validate --format=ju", ["junit"]],
  ["validate --rule hash", ["off", "warn", "error"].map((word) => `hash-matches-task=${word}`)],
  ["validate -- --", []],
  ["import ", ["tinker", "atif", "messages"]],
  ["shard ", ["split", "index", "join"]],
  ["import tinker --input ", files],
  ["import tinker --input rollouts.jsonl ", files],
  ["completion z", ["zsh"]],
  ["validate rol", ["rollouts.jsonl"]],
  ["validate --quiet rol", ["rollouts.jsonl"]],
  ["export --input rol", ["rollouts.jsonl"]],
  // A file that is called like a command.
  ["validate export --out", []],
  ...commands.map(({ name, options }): [string, string[]] => [
    `${name} --`,
    options.map(({ names }) => names[0] ?? ""),
  ]),
];

describe.each([
  ["zsh", "sourced", ["-f", ZSH, "compinit -u -D; source _rollout-wire"]],
  ["zsh", "in a folder of functions", ["-f", ZSH, "fpath=($PWD $fpath); compinit -u -D"]],
  ["fish", "sourced", ["--no-config", "-c", FISH]],
])("%s, %s", (shell, _way, argv) => {
  const isHere = spawnSync(shell, ["--version"]).status === 0;

  const skipped = `skipped: ${shell} is not installed`;
  if (!isHere) process.stderr.write(`completion, ${skipped}\n`);

  test.skipIf(!isHere)(isHere ? "offers" : skipped, async () => {
    folder.write("rollouts.jsonl", "");
    folder.write("_rollout-wire", (await folder.run(["completion", shell])).stdout);
    const lines = LINES.map(([line]) => `rollout-wire ${line}`);
    const given = [...argv, ...lines];
    const { stdout, stderr } = spawnSync(shell, given, { cwd: folder.path, encoding: "utf8" });
    expect(stderr).toBe("");
    const offered = stdout.split("=\n").map((text) => text.split("\n").slice(0, -1).toSorted());
    const expected = LINES.map(([line, words]) => [line, words.toSorted()]);
    expect(LINES.map(([line], index) => [line, offered[index]])).toEqual(expected);
  });
});
