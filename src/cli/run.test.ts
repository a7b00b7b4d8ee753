import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { EXIT } from "../user-error.js";
import type { CommandContext } from "./command.js";
import { run } from "./run.js";

/** A stream that fails as a closed pipe or a full disk does; keeps what was written before. */
class FailingSink extends Writable {
  readonly #code: string | undefined;
  text = "";

  constructor(code?: string) {
    super();
    this.#code = code;
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    if (this.#code === undefined) {
      this.text += chunk.toString("utf8");
      done();
    } else {
      done(Object.assign(new Error(`${this.#code}: it failed`), { code: this.#code }));
    }
  }
}

function contextWith(stdout: Writable, stderr: Writable): CommandContext {
  const stdin = (async function* () {
    yield "NaN";
  })();
  return { stdin, stdout, stderr, cwd: "/", env: {} };
}

test("a reader that stops reading is no failure and changes no verdict", async () => {
  const stderr = new FailingSink();
  const context = contextWith(new FailingSink("EPIPE"), stderr);
  expect(await run(["--version"], context)).toBe(EXIT.ok);
  expect(await run(["validate", "-"], context)).toBe(EXIT.findings);
  expect(stderr.text).toMatch(/^1 error, [^\n]*\n$/);
});

test("a full disk is a failure, one line", async () => {
  const stderr = new FailingSink();
  expect(await run(["--version"], contextWith(new FailingSink("ENOSPC"), stderr))).toBe(
    EXIT.unreadable,
  );
  expect(stderr.text).toBe("standard output: ENOSPC: it failed\n");
});

test("standard error may fail too", async () => {
  const context = contextWith(new FailingSink(), new FailingSink("EPIPE"));
  expect(await run(["validate", "-"], context)).toBe(EXIT.findings);
});

test("what nobody expected is a bug of ours", async () => {
  const stderr = new FailingSink();
  const context = contextWith(new FailingSink(), stderr);
  const stdin = (async function* (): AsyncGenerator<string> {
    yield "{}";
    throw new TypeError("oops");
  })();
  expect(await run(["validate", "-"], { ...context, stdin })).toBe(EXIT.bug);
  expect(stderr.text).toBe("bug in rollout-wire: oops (run with DEBUG=1 for the stack)\n");
});
