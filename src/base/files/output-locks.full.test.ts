import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { bundleText } from "../testing/build-program.js";
import { useFolder } from "../testing/use-folder.js";
import { createOwned } from "./owned-folder.js";
import { writeJournal } from "./recovery.js";
import { toLockPath, toStagedPath } from "./run-files.js";
import { endedTag } from "./testing/owner-tags.js";

const inFolder = useFolder();

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
});

/** Starts a process that reserves outputs on the first line of its input, prints what happened, and holds them. */
async function startRun(outputs: readonly string[]): Promise<ChildProcess> {
  const program = `
    import { once } from "node:events";
    import { FileStaging } from "./src/base/files/staging.js";
    const staging = new FileStaging({ onRecovered: () => console.log("completed") });
    console.log("ready");
    await once(process.stdin, "data");
    await staging.reserve(process.argv.slice(2)).then(
      () => console.log("holds"),
      (error) => console.log("refused: " + error.message),
    );
    await once(process.stdin.resume(), "end");
    await staging.close();`;
  const child = spawn(process.execPath, [bundleText(program), ...outputs], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  await waitFor(child, /ready/);
  return child;
}

const printed = new WeakMap<ChildProcess, string>();

/** Waits until a child has printed something, and returns all that it has printed. */
async function waitFor(child: ChildProcess, pattern: RegExp): Promise<string> {
  const { stdout } = child;
  if (stdout === null) throw new TypeError("standard output is a pipe");
  while (!pattern.test(printed.get(child) ?? "")) {
    const [chunk] = await once(stdout, "data");
    printed.set(child, `${printed.get(child) ?? ""}${chunk}`);
  }
  return printed.get(child) ?? "";
}

/** Lets all children reserve at once; returns what each has printed. */
async function race(outputs: readonly (readonly string[])[]): Promise<string[]> {
  const started = await Promise.all(outputs.map(startRun));
  for (const child of started) child.stdin?.write("go\n");
  const ends = await Promise.all(started.map((child) => waitFor(child, /holds|refused/)));
  for (const child of started) child.stdin?.end();
  await Promise.all(started.map((child) => once(child, "exit")));
  return ends;
}

function leaveCommit(): void {
  const tag = endedTag();
  for (const name of ["a", "b"]) {
    writeFileSync(inFolder(name), "old");
    createOwned(toLockPath(inFolder(name)), tag);
    writeFileSync(toStagedPath(inFolder(name), tag), "new");
  }
  const moves = ["a", "b"].map((name) => ({ path: inFolder(name), omit: false }));
  writeJournal(inFolder("."), tag, moves);
}

describe("four processes at once", () => {
  test.each([
    ["and nothing was left there", () => {}],
    ["and a killed run left its lock and half a commit", leaveCommit],
  ])("for one output, %s: one gets it", async (_, prepare) => {
    prepare();
    const ends = await race(Array.from({ length: 4 }, () => [inFolder("a"), inFolder("b")]));
    expect(ends.filter((text) => text.includes("holds"))).toHaveLength(1);
    expect(ends.filter((text) => text.includes("completed"))).toHaveLength(
      prepare === leaveCommit ? 1 : 0,
    );
    expect(readdirSync(inFolder("."))).toEqual(prepare === leaveCommit ? ["a", "b"] : []);
  });

  test("for other outputs beside half a commit: it is completed once, and all get theirs", async () => {
    leaveCommit();
    const ends = await race(["c", "d", "e", "f"].map((name) => [inFolder(name)]));
    expect(ends.filter((text) => text.includes("holds"))).toHaveLength(4);
    expect(ends.filter((text) => text.includes("completed"))).toHaveLength(1);
    expect(["a", "b"].map((name) => readFileSync(inFolder(name), "utf8"))).toEqual(["new", "new"]);
    expect(readdirSync(inFolder("."))).toEqual(["a", "b"]);
  });
});
