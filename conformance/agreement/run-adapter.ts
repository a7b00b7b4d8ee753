import type { AdapterVerdict } from "#generated/index.js";
import type { Adapter } from "./adapter.js";
import type { CorpusRecord } from "./corpus-record.js";
import { type NumberedRecord, runProgram } from "./run-program.js";

/**
 * How long an adapter may neither take requests nor print anything. Interpreters start in a second, and
 * an adapter whose output is buffered still takes requests.
 */
const PATIENCE_MS = 30_000;

/**
 * The verdicts of an adapter on `records`, in their order. Throws UserError when it does not keep to the
 * protocol: what was not judged never counts as agreed.
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
