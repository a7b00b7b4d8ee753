import { Writable } from "node:stream";
import type { ExitCode } from "../../src/base/user-error.js";
import type { Script } from "../run-script.js";

export interface ScriptRun {
  readonly root: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether standard error is a terminal. */
  readonly isTTY?: boolean;
}

/** The visible results of one run of a program. */
export interface ScriptOutcome {
  readonly status: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a maintainers' program in this process, as if called in `root`. */
export async function runInProcess(
  script: Script,
  argv: readonly string[],
  { root, env = {}, isTTY = false }: ScriptRun,
): Promise<ScriptOutcome> {
  const [stdout, stderr] = [new TextSink(), new TextSink()];
  const status = await script(argv, {
    root,
    stdin: toAsync([]),
    stdout,
    stderr: Object.assign(stderr, { isTTY }),
    cwd: root,
    env,
    program: "rollout-wire",
  });
  return { status, stdout: stdout.text, stderr: stderr.text };
}

async function* toAsync(chunks: Iterable<string>) {
  yield* chunks;
}

class TextSink extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString("utf8");
    done();
  }
}
