import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { hasCode } from "../../base/files/source.js";
import type { OutputStream } from "../../base/paint.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** As `git` sets it: colours, no pager for what fits the screen, and the text stays on it. */
const LESS = "FRX";

/**
 * Writes texts to standard output; on a terminal through the pager that `PAGER` names, by default `less`. An empty `PAGER`
 * means none. Texts are taken as the reader takes them, and no more once the reader has ended.
 */
export async function writePaged(
  texts: AsyncIterable<string>,
  { stdout, env }: { readonly stdout: OutputStream; readonly env: Environment },
): Promise<void> {
  const iterator = texts[Symbol.asyncIterator]();
  // Until there is something to read, the terminal belongs to the progress bar.
  const first = await iterator.next();
  if (first.done === true) return;
  const all = prepend(first.value, iterator);
  const pager = stdout.isTTY === true ? await startPager(env) : undefined;
  if (pager?.stdin == null) return await writeAll(all, stdout, false);
  const restore = leaveInterruptsToPager();
  try {
    const ended = once(pager, "close");
    await writeAll(all, pager.stdin, true);
    await ended;
  } finally {
    restore();
  }
}

async function* prepend(
  first: string,
  rest: AsyncIterator<string>,
): AsyncGenerator<string, void, undefined> {
  try {
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}

/** Undefined if there is to be no pager, or it is not installed. */
async function startPager(env: Environment): Promise<ChildProcess | undefined> {
  const [command = "", ...args] = (env.PAGER ?? "less").trim().split(/\s+/);
  if (command === "" || command === "cat") return undefined;
  const pager = spawn(command, args, {
    stdio: ["pipe", "inherit", "inherit"],
    env: { LESS, LV: "-c", ...env },
  });
  try {
    await once(pager, "spawn");
    return pager;
  } catch {
    return undefined;
  }
}

async function writeAll(
  texts: AsyncIterable<string>,
  output: NodeJS.WritableStream,
  end: boolean,
): Promise<void> {
  try {
    await pipeline(Readable.from(texts), output, { end });
  } catch (error) {
    const isClosed = ["EPIPE", "ERR_STREAM_PREMATURE_CLOSE", "ERR_STREAM_DESTROYED"].some((code) =>
      hasCode(error, code),
    );
    if (!isClosed) throw error;
  }
}

/** Ctrl-C reaches the pager too, which stops a search; it must not end this program under it. */
function leaveInterruptsToPager(): () => void {
  const listeners = process.rawListeners("SIGINT");
  const ignore = (): void => {};
  process.removeAllListeners("SIGINT");
  process.on("SIGINT", ignore);
  return () => {
    process.off("SIGINT", ignore);
    for (const listener of listeners) process.on("SIGINT", listener as NodeJS.SignalsListener);
  };
}
