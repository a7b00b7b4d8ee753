import { createReadStream, readdirSync, statSync, symlinkSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { Writable } from "node:stream";
import { createTempFolder } from "../../base/files/temp.js";
import { isJsonObject, tryParseJson } from "../../base/json/value.js";
import { EXIT, type ExitCode, UserError } from "../../base/user-error.js";
import type { CommandContext, Runner } from "../command.js";
import { reportFailure, watchOutput } from "../failure.js";
import type { Frame, FrameWriter } from "./frames.js";

/** What an engine needs besides the commands of the program, by name. */
export type Calls = ReadonlyMap<string, Runner>;

/** What an engine asks for in a `job` frame. */
interface Job {
  /** Arguments of the program, or of a call. */
  readonly argv: readonly string[];
  /** A call instead of a command of the program: see `Calls`. */
  readonly call: string | undefined;
  /** Files of this machine that the run finds in its folder: absolute paths by name. */
  readonly links: Readonly<Record<string, string>>;
}

export interface JobSurroundings {
  readonly run: Runner;
  readonly calls: Calls;
  readonly frames: AsyncGenerator<Frame, void, undefined>;
  readonly writer: FrameWriter;
  readonly env: CommandContext["env"];
  readonly program: string;
}

/** Bytes of standard error that an answer holds: the last ones, because they say why a run failed. */
const MAX_STDERR = 64 * 2 ** 10;

/** Bytes of a file that are in memory at a time. */
const READ_BYTES = 256 * 2 ** 10;

/**
 * Runs a job in a folder of its own, and answers with its output, the files that it left there, and its exit code.
 *
 * Throws UserError (exit 2) for a job that is not one, and for frames that are none; rejects when the engine has gone.
 */
export async function runJob(payload: Buffer, surroundings: JobSurroundings): Promise<void> {
  const { run, calls, frames, writer, env, program } = surroundings;
  const { argv, call, links } = parseJob(payload);
  const runner = call === undefined ? run : calls.get(call);
  if (runner === undefined) throw badJob(`no call is called ${JSON.stringify(call)}`);
  if (call === undefined && argv[0] === "worker") throw badJob("a worker runs no worker");
  const folder = createTempFolder();
  try {
    for (const [name, path] of Object.entries(links)) symlinkSync(path, join(folder.path, name));
    const input = new JobInput(frames);
    const stdout = new FrameOutput(writer);
    const stderr = new TailOutput(MAX_STDERR);
    const context = { stdin: input, stdout, stderr, cwd: folder.path, env, program };
    const output = watchOutput(stdout);
    const exitCode = await runner(argv, context).catch((error) =>
      reportFailure(error, stderr, env),
    );
    const failure = input.fault ?? (await output.settle());
    if (failure !== undefined) throw failure;
    await sendFiles(folder.path, writer);
    // Now, because an engine that has the whole answer may kill the worker at once.
    folder.remove();
    await writer.send("exit", describeExit(exitCode, stderr));
    await input.drain();
  } finally {
    folder.remove();
  }
}

function describeExit(exitCode: ExitCode, { text, dropped }: TailOutput): string {
  return JSON.stringify({ exit_code: exitCode, stderr: text, stderr_dropped: dropped });
}

function parseJob(payload: Buffer): Job {
  const job = tryParseJson(payload.toString("utf8"));
  if (job === undefined) throw badJob("its payload is not JSON");
  if (!isJsonObject(job)) throw badJob("its payload is no object");
  const { argv = [], call, links = {} } = job;
  if (!Array.isArray(argv) || !argv.every((word) => typeof word === "string")) {
    throw badJob("argv is no list of texts");
  }
  if (call !== undefined && typeof call !== "string") throw badJob("call is no text");
  if (!isLinks(links)) throw badJob("links does not map names to absolute paths");
  return { argv, call, links };
}

function isLinks(value: unknown): value is Record<string, string> {
  if (!isJsonObject(value)) return false;
  return Object.entries(value).every(
    ([name, path]) =>
      /^[^/\\\0]+$/.test(name) &&
      ![".", ".."].includes(name) &&
      typeof path === "string" &&
      isAbsolute(path),
  );
}

function badJob(problem: string): UserError {
  return new UserError(`<stdin>: a job cannot be run: ${problem}`, EXIT.usage);
}

/** Standard input of a run: the frames up to `end`. Read one at a time, so that an engine waits for a slow run. */
class JobInput implements AsyncIterable<Uint8Array> {
  readonly #frames: AsyncGenerator<Frame, void, undefined>;
  #hasEnded = false;
  /** Why the frames cannot be read any more. The run itself sees it as an input that cannot be read. */
  fault: UserError | undefined;

  constructor(frames: AsyncGenerator<Frame, void, undefined>) {
    this.#frames = frames;
  }

  /** A run that stops early leaves the frames open: they hold the next jobs. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (let payload = await this.#next(); payload !== undefined; payload = await this.#next()) {
      yield payload;
    }
  }

  /** Skips what the run did not read. */
  async drain(): Promise<void> {
    while ((await this.#next()) !== undefined);
  }

  async #next(): Promise<Buffer | undefined> {
    if (this.fault !== undefined) throw this.fault;
    if (this.#hasEnded) return undefined;
    try {
      const { value } = await this.#frames.next();
      if (value === undefined) throw badJob("standard input ends within it");
      if (value.type === "input") return value.payload;
      if (value.type !== "end") throw badJob(`a frame of type ${value.type} is within it`);
      this.#hasEnded = true;
      return undefined;
    } catch (error) {
      if (error instanceof UserError) this.fault = error;
      throw error;
    }
  }
}

/** Standard output of a run, passed on as it is written. */
class FrameOutput extends Writable {
  readonly #writer: FrameWriter;

  constructor(writer: FrameWriter) {
    super();
    this.#writer = writer;
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    if (chunk.length === 0) done();
    else this.#writer.send("output", chunk).then(() => done(), done);
  }
}

/** Keeps the end of what is written. */
class TailOutput extends Writable {
  readonly #limit: number;
  #bytes = Buffer.alloc(0);
  /** Bytes that were written before. */
  dropped = 0;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  get text(): string {
    return this.#bytes.toString("utf8");
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const all = Buffer.concat([this.#bytes, chunk]);
    const excess = Math.max(0, all.length - this.#limit);
    this.#bytes = all.subarray(excess);
    this.dropped += excess;
    done();
  }
}

/** Sends the files in a folder and its subfolders, sorted by name. Links are not files of the run. */
async function sendFiles(folder: string, writer: FrameWriter): Promise<void> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  for (const path of paths) {
    const name = relative(folder, path).split(sep).join("/");
    const { size } = statSync(path);
    await writer.send("file", JSON.stringify({ name, bytes: size }));
    for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES })) {
      await writer.send("data", chunk);
    }
  }
}
