import { pipeline } from "node:stream/promises";
import type { AdapterVerdict } from "#generated/index.js";
import { splitLines } from "../../src/base/jsonl/blocks.js";
import { escapeControls, formatBytes } from "../../src/base/text.js";
import { UserError } from "../../src/base/user-error.js";
import { type Program, startProgram } from "../start-program.js";
import type { Adapter, Implementation, Question } from "./adapter.js";
import { AnswerList, requestLine } from "./protocol.js";

/**
 * Maximum time during which an adapter neither reads requests nor prints anything. Interpreters start within
 * a second, and an adapter with buffered output still reads requests.
 */
const PATIENCE_MS = 30_000;

/** An implementation as an adapter; `file` is what findings about it name, from the repository's root. */
export function fromAdapter(adapter: Adapter, file: string): Implementation {
  return { id: adapter.id, file, judge: (records) => runAdapter(adapter, records) };
}

/** Longer than any verdict; bounds memory if an adapter never ends a line. */
const MAX_LINE_BYTES = 2 ** 20;

/** What is kept of the standard error, in UTF-16 code units: an error with its stack. */
const MAX_WORDS = 10_000;

/** What keeps a program open that has answered everything. */
const STAYS = "after its summary: it, or a program that it started, did not end";

/** Number of requests that are written at once. */
const REQUESTS_AT_ONCE = 100;

/**
 * Runs an adapter on `records` and returns its verdicts in order. Throws UserError if it cannot start, breaks the protocol,
 * fails, or is silent for `patienceMs`; then it is killed, with all processes that it started. An unchecked record must never
 * count as agreement.
 */
export async function runAdapter(
  adapter: Adapter,
  records: readonly Question[],
  patienceMs = PATIENCE_MS,
): Promise<AdapterVerdict[]> {
  const answers = new AnswerList(records.length);
  const program = startProgram(adapter);
  try {
    const problem = await talk(program, records, answers, patienceMs);
    if (problem === undefined) return answers.verdicts;
    throw new UserError(`the adapter ${escapeControls(`${adapter.id} ${explain(problem)}`)}`);
  } finally {
    program.stop();
  }
}

/** Sends the records and reads the answers; returns what went wrong. */
async function talk(
  { child }: Program,
  records: readonly Question[],
  answers: AnswerList,
  patienceMs: number,
): Promise<string | undefined> {
  let giveUp = (_problem: string): void => {};
  const silence = new Promise<string>((resolve) => {
    giveUp = resolve;
  });
  const timer = setTimeout(() => {
    const after = answers.findMissing() === undefined ? STAYS : `after ${answers.count}`;
    giveUp(`was silent for ${patienceMs / 1000} s, ${after}`);
  }, patienceMs);
  const hearSign = (): void => {
    timer.refresh();
  };
  let lastWords = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    lastWords = (lastWords + text).slice(-MAX_WORDS);
  });
  const ended = new Promise<string | undefined>((resolve) => {
    child.once("error", (error) => resolve(`cannot start: ${error.message}`));
    child.once("close", (code, signal) => {
      const reason = signal === null ? `with code ${code}` : `by ${signal}`;
      resolve(code === 0 ? undefined : `ended ${reason}${explainEnd(lastWords)}`);
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

function* requestLines(records: readonly Question[], onTaken: () => void): Generator<string> {
  for (let at = 0; at < records.length; at += REQUESTS_AT_ONCE) {
    onTaken();
    const batch = records.slice(at, at + REQUESTS_AT_ONCE);
    yield batch.map((record, index) => requestLine(record, at + index)).join("");
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

/** The error in the standard error, which Node.js prints before the stack, and Python after it; else the last line. */
function explainEnd(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  const said = lines.filter((line) => line !== "");
  const words = said.findLast((line) => /^[\w.]*(?:Error|Exception)\b/.test(line)) ?? said.at(-1);
  return words === undefined ? ", and said nothing on standard error" : `: ${words}`;
}

/** What went wrong, and what the user can do about it, if it is known. */
function explain(problem: string): string {
  const [, module] = /No module named '(\w+)/.exec(problem) ?? [];
  if (module !== undefined) return `${problem}: python3 -m pip install ${module}`;
  if (problem.includes("spawn python3 ENOENT")) return `${problem}: install Python 3.10 or later`;
  if (/spawn .* ENOENT$/.test(problem))
    return `${problem}: no such program is on the PATH, or at that path`;
  if (/spawn .* EACCES$/.test(problem)) {
    return `${problem}: make it executable (chmod +x), or name the program that runs it`;
  }
  return problem;
}
