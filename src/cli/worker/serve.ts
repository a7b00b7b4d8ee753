import { hasCode } from "../../base/files/source.js";
import { packageVersion } from "../../base/package.js";
import { EXIT, type ExitCode, UserError } from "../../base/user-error.js";
import type { CommandContext, Runner } from "../command.js";
import { FrameWriter, PROTOCOL, readFrames } from "./frames.js";
import { type Calls, runJob } from "./job.js";

/**
 * Runs the jobs that arrive on standard input, one after the other, until it ends. docs/worker.md describes the frames.
 * Ends without an error when the engine no longer reads the answers.
 *
 * Throws UserError (exit 2) for bytes that are no frames, and for a job that cannot be run.
 */
export async function serve(
  { stdin, stdout, env, program }: Pick<CommandContext, "stdin" | "stdout" | "env" | "program">,
  run: Runner,
  calls: Calls,
): Promise<ExitCode> {
  const writer = new FrameWriter(stdout);
  const frames = readFrames(stdin);
  try {
    await writer.send("hello", JSON.stringify({ protocol: PROTOCOL, version: packageVersion() }));
    for (;;) {
      const { value, done } = await frames.next();
      if (done === true) return EXIT.ok;
      if (value.type !== "job") {
        throw new UserError(`<stdin>: a frame of type ${value.type} is in no job`, EXIT.usage);
      }
      await runJob(value.payload, { run, calls, frames, writer, env, program });
    }
  } catch (error) {
    if (hasCode(error, "EPIPE") || hasCode(error, "ERR_STREAM_DESTROYED")) return EXIT.ok;
    throw error;
  } finally {
    // An engine that keeps standard input open must not keep the worker alive.
    await frames.return();
  }
}
