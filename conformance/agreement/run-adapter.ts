import { spawn } from "node:child_process";
import { pipeline } from "node:stream/promises";
import { splitLines } from "../../src/records/split-lines.js";
import { UserError } from "../../src/user-error.js";
import type { Adapter } from "./adapters.js";
import { type Request, requestLine, type Summary, type Verdict } from "./protocol.js";

/**
 * Sends all requests to an adapter and gives its verdicts, in their order.
 *
 * Throws UserError when the adapter cannot start, fails, answers out of order, or judged another
 * number of records than it was sent: what was not judged never counts as agreed.
 */
export async function runAdapter(
  adapter: Adapter,
  requests: readonly Request[],
): Promise<Verdict[]> {
  const child = spawn(adapter.command, adapter.args, {
    env: { ...process.env, ...adapter.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const failed = (reason: string): UserError =>
    new UserError(`the ${adapter.id} adapter ${reason}`);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once("error", (error) => reject(failed(`cannot start: ${error.message}`)));
    child.once("close", resolve);
  });
  // An adapter that dies early closes the pipe; its exit code says more than that.
  const sent = pipeline(requests.map(requestLine), child.stdin).catch(() => undefined);
  const verdicts: Verdict[] = [];
  let count: number | undefined;
  const read = async (): Promise<void> => {
    for await (const batch of splitLines(child.stdout)) {
      for (const { bytes } of batch) {
        const answer: Verdict | Summary = JSON.parse(String(bytes));
        if ("summary" in answer) count = answer.summary.count;
        else verdicts.push(answer);
      }
    }
  };
  const [code] = await Promise.all([exited, sent, read()]);
  if (code !== 0) throw failed(`ended with code ${code}: ${lastLine(stderr)}`);
  if (count !== requests.length || verdicts.length !== requests.length) {
    throw failed(`judged ${verdicts.length} records, says ${count}, was sent ${requests.length}`);
  }
  const stray = verdicts.findIndex(({ id }, index) => id !== requests[index]?.id);
  if (stray !== -1) throw failed(`answered out of order at record ${stray + 1}`);
  return verdicts;
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
