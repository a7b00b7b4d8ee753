import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { run } from "../../cli/commands/index.js";
import { OWN_NAME } from "../package.js";
import type { ExitCode } from "../user-error.js";

/** Everything that a user sees of one run of the program. */
export interface Transcript {
  readonly exitCode: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

/** A temporary folder in which a test writes files and runs the program. */
export interface TestFolder {
  readonly path: string;
  /** Writes a file and returns its name. */
  write(name: string, content: string | Uint8Array): string;
  run(argv: readonly string[], options?: RunOptions): Promise<Transcript>;
  remove(): void;
}

export interface RunOptions {
  readonly stdin?: Iterable<string | Uint8Array>;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether standard output is a terminal. */
  readonly isTTY?: boolean;
  /** Its width, if it is a terminal. */
  readonly columns?: number;
  /** The working folder. Default: the test's folder. */
  readonly cwd?: string;
  /** How the program was started. Default: by its name. */
  readonly program?: string;
}

export function createTestFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), "rollout-wire-cli-"));
  return {
    path,
    write(name, content) {
      writeFileSync(join(path, name), content);
      return name;
    },
    run: (argv, options) => runIn(options?.cwd ?? path, argv, options),
    remove: () => rmSync(path, { recursive: true }),
  };
}

async function runIn(
  cwd: string,
  argv: readonly string[],
  { stdin = [], env = {}, isTTY = false, columns = 80, program = OWN_NAME }: RunOptions = {},
): Promise<Transcript> {
  const stdout = new TextSink();
  const stderr = new TextSink();
  const exitCode = await run(argv, {
    stdin: toAsync(stdin),
    stdout: Object.assign(stdout, { isTTY, columns }),
    stderr,
    cwd,
    env,
    program,
  });
  return { exitCode, stdout: stdout.text, stderr: withoutTimes(stderr.text) };
}

/** Removes durations, so that no transcript depends on them. */
function withoutTimes(text: string): string {
  return text.replaceAll(/\b\d+\.\d\d s\b/g, "0.00 s");
}

async function* toAsync(chunks: Iterable<string | Uint8Array>) {
  yield* chunks;
}

/** Collects what is written. */
export class TextSink extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString("utf8");
    done();
  }
}
