import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import type { RecordPart } from "../reader.js";
import { isEmpty, Tally } from "../tally.js";
import { createConvertedReader, listObjects } from "./converted.js";
import { type Form, hasKeys, packed } from "./form.js";
import { toRun } from "./langsmith.js";

/**
 * Runs of LangSmith as its clients send them, in batches: `post` has runs that began, `patch` what they became. Both are
 * one run if their ids are equal, wherever they are in the file.
 */
export const langsmithBatches: Form = {
  id: "langsmith-batches",
  purpose: "batches of runs as clients of LangSmith send them",
  unit: "run",
  files: packed("**/*.langsmith-batches.jsonl"),
  joinsLines: true,
  options: [],
  recognise: (sample) => sample.some((line) => listUpdates(line).length > 0),
  createReader: (settings) =>
    createConvertedReader(settings, { id: "langsmith-batches" }, (value) => {
      const isHolder = (isJsonObject(value) || Array.isArray(value)) && !hasUpdates(value);
      const lines = isHolder ? Object.entries(value) : [];
      const updates = lines.flatMap(([number, line]) => listUpdates(line, `/${number}`));
      return splitBatches(isHolder ? updates : listUpdates(value));
    }),
};

/** A run as it began, or what became of it, and where it is. */
type Update = readonly [at: string, run: JsonObject];

const LISTS = ["post", "patch"];

const hasUpdates = (line: unknown): line is JsonObject =>
  isJsonObject(line) && LISTS.some((key) => Array.isArray(line[key]));

/** Of the runs in a batch, those that say of which trace they are, as the service demands. */
function listUpdates(line: unknown, pointer = ""): Update[] {
  if (!hasUpdates(line)) return [];
  const all = LISTS.flatMap((key) => listObjects(line[key], `${pointer}/${key}`));
  return all
    .filter(([, run]) => hasKeys(run, "trace_id", "dotted_order"))
    .map(([at, run]) => [at, { ...run, id: run.id ?? idOf(run.dotted_order) }]);
}

/** The id of a run ends its place in the trace. What is sent for one run alone has it nowhere else. */
const idOf = (order: unknown): unknown =>
  typeof order === "string" ? order.slice(order.lastIndexOf("Z") + 1) : undefined;

function splitBatches(updates: readonly Update[]): RecordPart[] {
  const runs = new Map<unknown, { at: string; answer: string; run: JsonObject }>();
  for (const [at, update] of updates) {
    const { id } = update;
    const known = runs.get(id) ?? { at, answer: at, run: {} };
    const news = Object.entries(update).filter(([, value]) => value !== null);
    const answer = isEmpty(update.outputs) ? known.answer : at;
    runs.set(id, { ...known, answer, run: { ...known.run, ...Object.fromEntries(news) } });
  }
  const all = [...runs.values()];
  const models = all.filter(({ run }) => run.run_type === "llm");
  const tally = new Tally();
  for (const { at, run } of all) {
    if (run.run_type !== "llm") tally.skip(`${at}/${String(run.run_type ?? "run")}`, run);
  }
  const parts = models.map(({ at, answer, run }) => toRun(at, run, answer));
  parts[0]?.tally?.add(tally);
  return parts;
}
