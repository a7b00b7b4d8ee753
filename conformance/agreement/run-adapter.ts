import { pipeline } from "node:stream/promises";
import type { AdapterVerdict } from "#generated/index.js";
import { splitLines } from "../../src/base/jsonl/blocks.js";
import { escapeControls, formatBytes } from "../../src/base/text.js";
import { UserError } from "../../src/base/user-error.js";
import { type Program, startProgram } from "../start-program.js";
import type { Adapter, CorpusRecord } from "./adapter.js";
import { AnswerList, requestLine } from "./protocol.js";

/**
 * Maximum time during which an adapter neither reads requests nor prints anything. Interpreters start within
 * a second, and an adapter with buffered output still reads requests.
 */
const PATIENCE_MS = 30_000;

/**
 * Runs an adapter on `records` and returns its verdicts in order. Throws UserError if it breaks the protocol:
 * an unchecked record must never count as agreement.
 */
export async function runAdapter(
  adapter: Adapter,
  records: readonly Pick<CorpusRecord, "type" | "text">[],
  patienceMs = PATIENCE_MS,
): Promise<AdapterVerdict[]> {
  const numbered = records.map((record, id) => ({ id, record }));
  const parts = Array.from({ length: adapter.processes }, (_, part) =>
    numbered.filter(({ id }) => id % adapter.processes === part),
  );
  const run = (part: NumberedRecord[]) => runProgram(adapter, part, patienceMs);
  const verdicts = (await Promise.all(parts.map(run))).flat();
  return verdicts.sort((a, b) => a.id - b.id);
}

export interface NumberedRecord {
  readonly id: number;
  readonly record: Pick<CorpusRecord, "type" | "text">;
}

/** Longer than any verdict; bounds memory if an adapter never ends a line. */
const MAX_LINE_BYTES = 2 ** 20;

/** Number of requests that are written at once. */
const REQUESTS_AT_ONCE = 100;

/**
 * Runs an adapter's program once. Throws UserError if it cannot start, breaks the protocol, fails, or is
 * silent for `patienceMs`; then it is killed, with all processes that it started.
 */
export async function runProgram(
  adapter: Adapter,
  records: readonly NumberedRecord[],
  patienceMs: number,
): Promise<AdapterVerdict[]> {
  const answers = new AnswerList(records.map(({ id }) => id));
  const program = startProgram(adapter);
  try {
    const problem = await talk(program, records, answers, patienceMs);
    if (problem === undefined) return answers.verdicts;
    throw new UserError(`the adapter ${escapeControls(`${adapter.id} ${problem}`)}`);
  } finally {
    program.stop();
  }
}

/** Sends the records and reads the answers; returns what went wrong. */
async function talk(
  { child }: Program,
  records: readonly NumberedRecord[],
  answers: AnswerList,
  patienceMs: number,
): Promise<string | undefined> {
  let giveUp = (_problem: string): void => {};
  const silence = new Promise<string>((resolve) => {
    giveUp = resolve;
  });
  const timer = setTimeout(() => {
    giveUp(`was silent for ${patienceMs / 1000} s, after ${answers.verdicts.length} verdicts`);
  }, patienceMs);
  const hearSign = (): void => {
    timer.refresh();
  };
  let lastWords = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    lastWords = (lastWords + text).slice(-1000);
  });
  const ended = new Promise<string | undefined>((resolve) => {
    child.once("error", (error) => resolve(`cannot start: ${error.message}`));
    child.once("close", (code, signal) => {
      const reason = signal === null ? `with code ${code}` : `by ${signal}`;
      resolve(code === 0 ? undefined : `ended ${reason}: ${lastLine(lastWords)}`);
    });
  });
  // An adapter that exits early closes the pipe, but its exit code is more informative.
  pipeline(requestLines(records, hearSign), child.stdin).catch(() => undefined);
  const work = async (): Promise<string | undefined> =>
    (await takeAnswers(child.stdout, answers, hearSign)) ?? (await ended) ?? answers.findMissing();
  try {
    return await Promise.race([work(), silence]);
  } finally {
    clearTimeout(timer);
  }
}

function* requestLines(records: readonly NumberedRecord[], onTaken: () => void): Generator<string> {
  for (let at = 0; at < records.length; at += REQUESTS_AT_ONCE) {
    onTaken();
    const batch = records.slice(at, at + REQUESTS_AT_ONCE);
    yield batch.map(({ id, record }) => requestLine(record, id)).join("");
  }
}

/** Reads the output to its end, or to the first line that breaks the protocol; returns the fault. */
async function takeAnswers(
  output: AsyncIterable<Buffer>,
  answers: AnswerList,
  onHeard: () => void,
): Promise<string | undefined> {
  let lineLength = 0;
  let problem: string | undefined;
  const heard = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of output) {
      onHeard();
      const end = chunk.lastIndexOf("\n");
      lineLength = end === -1 ? lineLength + chunk.length : chunk.length - end - 1;
      if (lineLength > MAX_LINE_BYTES) {
        problem = `printed a line of more than ${formatBytes(MAX_LINE_BYTES)}`;
        return;
      }
      yield chunk;
    }
  };
  for await (const batch of splitLines(heard())) {
    if (problem !== undefined) return problem;
    for (const { bytes } of batch) {
      const wrong = answers.add(String(bytes));
      if (wrong !== undefined) return wrong;
    }
  }
  return problem;
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
