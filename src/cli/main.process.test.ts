import { execFileSync, spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { buildProgram } from "../base/testing/build-program.js";
import { startProgram } from "../base/testing/run-program.js";
import { EXIT } from "../base/user-error.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { main } = buildProgram();
const program = `"${process.execPath}" "${main}"`;

function shell(command: string) {
  const { status, stdout, stderr } = spawnSync("bash", ["-c", command], {
    cwd: root,
    encoding: "utf8",
  });
  return { status, stdout, stderr: stderr.replace(/\d+\.\d\d s/, "0.00 s") };
}

test("arguments, streams and the exit code reach the process", () => {
  expect(shell(`echo NaN | ${program} validate -`)).toEqual({
    status: EXIT.findings,
    stdout: "<stdin>:1:1  (line)  not JSON: unexpected NaN  (json)\n",
    stderr: "1 error, 0 warnings in 1 record (3 bytes, 0.00 s)\n",
  });
});

test("if the reader stops, the program ends quietly", () => {
  const many = "yes NaN | head -1000";
  const result = shell(
    `${many} | ${program} validate --max-errors 1000 - | true; echo \${PIPESTATUS[2]}`,
  );
  expect(result.stdout).toBe(`${EXIT.findings}\n`);
  expect(result.stderr).toMatch(/^1,000 errors, [^\n]*\n$/);
});

test("closed standard input counts as empty", () => {
  const { status, stdout } = shell(`${program} validate - <&-`);
  expect([status, stdout]).toEqual([
    EXIT.findings,
    "<stdin>:1:1  (line)  contains no records: nothing was checked  (no-records)\n",
  ]);
});

test("a named pipe is read like a file", () => {
  const fifo = "$(mktemp -u)";
  const { status, stderr } = shell(
    `fifo=${fifo}; mkfifo "$fifo"; (echo '{}' > "$fifo" &); ${program} validate --type RolloutTraceStep "$fifo"; code=$?; rm "$fifo"; exit $code`,
  );
  expect([status, stderr]).toEqual([
    EXIT.ok,
    "0 errors, 0 warnings in 1 record (2 bytes, 0.00 s)\n",
  ]);
});

test("an unread open standard input does not keep the process alive", () => {
  const text = execFileSync(process.execPath, [main, "--version"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "inherit"],
  });
  expect(text).toMatch(/^\d/);
});

test.each([
  ["binary data", "a\0 and more", "<stdin>: binary data or UTF-16 text: convert it to UTF-8\n"],
  [
    "damaged data",
    Buffer.from("\x1f\x8bno such method", "latin1"),
    "<stdin>: damaged gzip data: unknown compression method\n",
  ],
])("%s from a pipe that stays open do not keep it alive", async (_, data, message) => {
  const { process: child, ending } = startProgram(["validate", "-"], { cwd: root, main });
  try {
    child.stdin?.write(data);
    const { exitCode, stderr } = await ending;
    expect([exitCode, stderr]).toEqual([EXIT.unreadable, message]);
  } finally {
    child.kill("SIGKILL");
  }
});

/** Makes Node take a pipe for a terminal. */
const AS_TERMINAL = `data:text/javascript,${encodeURIComponent("process.stderr.isTTY = true")}`;

test.each([
  [["validate", "-"], "interrupted"],
  [
    ["rank", "--input", "-", "--output", join(tmpdir(), "never.jsonl")],
    "interrupted, nothing written",
  ],
])("a signal restores the line wrap of the terminal and ends %s", async (argv, said) => {
  const { process: child, ending } = startProgram(argv, {
    cwd: root,
    nodeArguments: ["--import", AS_TERMINAL],
  });
  try {
    child.stderr?.once("data", () => child.kill("SIGINT"));
    const { signal, stderr } = await ending;
    expect(signal).toBe("SIGINT");
    const [, drawn, restored] = stderr.split("\u001b[?7");
    expect([drawn?.[0], restored?.[0]]).toEqual(["l", "h"]);
    expect(restored?.endsWith(`[K${said}\n`)).toBe(true);
  } finally {
    child.kill("SIGKILL");
  }
});
