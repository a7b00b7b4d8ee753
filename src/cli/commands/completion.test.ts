import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reporters } from "../../base/reporters/index.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { loadCommands } from "./index.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

async function printScript(shell: string): Promise<string> {
  const { exitCode, stdout, stderr } = await folder.run(["completion", shell]);
  expect([exitCode, stderr]).toEqual([EXIT.ok, ""]);
  return stdout;
}

const commands = await loadCommands();
const names = [...new Set(commands.map(({ name }) => name.split(" ")[0]))];
const settings = ["off", "warn", "error"].map((word) => `hash-matches-task=${word}`);

describe("bash", () => {
  let script = "";
  beforeAll(async () => {
    script = await printScript("bash");
  });

  /** What bash offers for the last of these words, which it splits as on a command line. */
  function complete(...words: string[]): string[] {
    const program = `${script}
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rollout_wire; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const argv = ["--norc", "-c", program, "bash", "rollout-wire", ...words];
    const { stdout, stderr } = spawnSync("bash", argv, { encoding: "utf8" });
    expect(stderr).toBe("");
    return stdout.split("\n").filter((line) => line !== "");
  }

  test.each<[string[], string[]]>([
    [["val"], ["validate"]],
    [["--v"], ["--version"]],
    [["help", "ex"], ["export"]],
    [
      ["export", "--output-"],
      ["--output-dpo", "--output-ppo", "--output-sft", "--output-dir"],
    ],
    [["export", "-e"], ["-e"]],
    [["validate", "--format", ""], reporters.map(({ id }) => id)],
    [["validate", "-f", "ju"], ["junit"]],
    [["validate", "--format", "=", "ju"], ["junit"]],
    [["validate", "--format", "="], reporters.map(({ id }) => id)],
    [["validate", "--rule", "hash"], settings],
    [["validate", "--rule", "=", "hash"], settings],
    [
      ["validate", "--rule", "hash-matches-task", "="],
      ["off", "warn", "error"],
    ],
    [["validate", "--rule", "hash-matches-task", "=", "w"], ["warn"]],
    [["validate", "--rule", "=", "hash-matches-task", "=", "w"], ["warn"]],
    [["validate", "--", "--"], []],
    [["import", "ti"], ["tinker"]],
    [["shard", "s"], ["split"]],
    [["shard", "split", "--sh"], ["--shards"]],
    [["export", "--skip", "in"], ["invalid"]],
    [["import", "tinker", "--input", "a.jsonl", "ti"], []],
    // Nothing: bash offers files.
    [["validate", "rol"], []],
    [["export", "--input", "rol"], []],
  ])("%j", (words, offered) => {
    expect(complete(...words)).toEqual(offered);
  });

  test("every command and option", () => {
    expect(complete("").slice(0, names.length)).toEqual(names);
    for (const { name, options } of commands) {
      const offered = complete(name.split(" ")[0] ?? "", "--");
      for (const { long, hidden } of options) expect(offered.includes(long ?? "")).toBe(!hidden);
      expect(offered).toContain("--quiet");
    }
  });
});

test.each(["zsh", "fish"])("%s: every command and option", async (shell) => {
  const script = await printScript(shell);
  for (const { name, summary, options } of commands) {
    const words = name.split(" ");
    for (const word of words) expect(script).toContain(word);
    if (words.length === 1) {
      expect(script).toContain(summary.replace("'", shell === "zsh" ? "'\\''" : "\\'"));
    }
    for (const { long, required, optional } of options.filter(({ hidden }) => !hidden)) {
      const spec = `'*${long}${required || optional ? "=" : ""}[`;
      expect(script).toContain(shell === "zsh" ? spec : `-l ${long?.slice(2)} `);
    }
  }
});

test("zsh: brackets and colons of descriptions, and values", async () => {
  const script = await printScript("zsh");
  expect(script).toContain(
    "'*--registry=[registry of the schemas whose copies these are (default\\: ",
  );
  expect(script).toContain(":value:(strict lenient)'");
  expect(script).toContain("'*-i[");
  expect(script).toContain("]:file:_files'");
});

test("another shell", async () => {
  expect(await folder.run(["completion", "ksh"])).toEqual({
    exitCode: EXIT.usage,
    stdout: "",
    stderr: "there is no shell 'ksh': use bash, zsh, fish  Help:  rollout-wire completion --help\n",
  });
});
