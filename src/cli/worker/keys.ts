import { blockLines, cutBlocks } from "../../base/jsonl/blocks.js";
import { EXIT, type ExitCode } from "../../base/user-error.js";
import { keyOf, keyOfLine, type RolloutKey } from "../../rollouts/pipeline/partition/key.js";
import { RolloutIds } from "../../rollouts/pipeline/rollout-ids.js";
import type { CommandContext } from "../command.js";
import { writeChunk } from "../output.js";

/** Length of the answers that are written at once. */
const WRITE_LENGTH = 2 ** 16;

/**
 * Writes the key of each line of standard input, as `shard split` sorts it: the line's number, the key of its rollout, and
 * the keys of other rollouts that a damaged line mentions, which have to stay together. A line that names no rollout has
 * the key of its bytes, after `-`. A line that is too long to be read has no key. Blank lines have no answer.
 */
export async function writeKeys(
  _argv: readonly string[],
  { stdin, stdout }: Pick<CommandContext, "stdin" | "stdout">,
): Promise<ExitCode> {
  const rolloutIds = new RolloutIds();
  let pending = "";
  const flush = async (): Promise<void> => {
    const text = pending;
    pending = "";
    await writeChunk(stdout, text);
  };
  for await (const block of cutBlocks(toBytes(stdin))) {
    for (const line of blockLines(block)) {
      const words = [String(line.line)];
      if (line.bytes !== undefined) {
        const [id, ...others] = rolloutIds.read("<stdin>", line);
        if (id === undefined) words.push("-", format(keyOfLine(line.bytes)));
        else words.push(...[id, ...others].map((each) => format(keyOf(each))));
      }
      pending += `${words.join(" ")}\n`;
      if (pending.length >= WRITE_LENGTH) await flush();
    }
    // The engine may wait for the answers of these lines before it sends more.
    await flush();
  }
  return EXIT.ok;
}

/** 24 hexadecimal digits, in the order of the keys. */
function format({ high, low }: RolloutKey): string {
  return [high, low].map((half) => half.toString(16).padStart(12, "0")).join("");
}

async function* toBytes(chunks: CommandContext["stdin"]): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
}
