import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isJsonObject, type JsonObject } from "../../src/base/json/value.js";
import { createTestFolder, type TestFolder } from "../../src/base/testing/run-in-folder.js";
import { forms } from "../../src/rollouts/pipeline/import/forms/index.js";
import {
  FORM_CASES,
  type FormCase,
} from "../../src/rollouts/pipeline/import/testing/form-cases.js";
import { runConsumer } from "./run-consumer.js";

const FIXTURES = fileURLToPath(new URL("../../fixtures/import/", import.meta.url));
const TEMPLATES = new URL("templates/", import.meta.url);
/** Published chat templates that know calls, several at once too. */
const NAMES = readdirSync(TEMPLATES).filter((name) => !name.startsWith("llama"));

/** What a trainer makes of the rows with one template: an error, or what is read and learned of each side of each row. */
interface Outcome {
  readonly error?: string;
  readonly texts?: readonly (readonly (readonly [read: string, learned: string])[])[];
}

/** What one command made of a fixture, and what TRL makes of that. */
interface Trained extends FormCase {
  readonly records: readonly JsonObject[];
  readonly outcomes: Readonly<Record<string, Outcome>>;
}

let folder: TestFolder;
let trained: readonly Trained[] = [];

beforeAll(async () => {
  folder = createTestFolder();
  trained = await train(FORM_CASES);
});
afterAll(() => folder.remove());

/** Exports fixtures by one command each, and lets `datasets` and TRL load what was written. */
async function train(cases: readonly FormCase[]): Promise<readonly Trained[]> {
  const written: (FormCase & { readonly path: string; readonly records: JsonObject[] })[] = [];
  for (const [index, each] of cases.entries()) {
    const { file, argv = [], target = "trl" } = each;
    const name = `${index}.jsonl`;
    const kind = target === "trl" ? "--output-dpo" : "--output-sft";
    const options = ["--target", target, "--allow-missing-g3", kind, name];
    await folder.run(["export", join(FIXTURES, file), ...argv, ...options]);
    const path = join(folder.path, name);
    written.push({ ...each, path, records: readRecords(path) });
  }
  const loaded = written.filter(({ records }) => records.length > 0);
  const outcomes = runConsumer<Record<string, Outcome>[]>("try_rows", {
    templates: Object.fromEntries(
      NAMES.map((name) => [name, readFileSync(new URL(name, TEMPLATES), "utf8")]),
    ),
    requests: loaded.map(({ path, target }) => ({
      path,
      trainer: target === "trl-sft" ? "sft" : "dpo",
    })),
  });
  return written.map((each) => ({ ...each, outcomes: outcomes[loaded.indexOf(each)] ?? {} }));
}

function readRecords(path: string): JsonObject[] {
  try {
    const lines = readFileSync(path, "utf8").split("\n");
    return lines.flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  } catch {
    return [];
  }
}

/** Forms of which no fixture leads to rows that TRL prepares with every template. */
function findUntrained(all: readonly Trained[]): string[] {
  const isTrained = ({ records, outcomes }: Trained): boolean =>
    records.length > 0 && NAMES.every((name) => outcomes[name]?.texts?.length === records.length);
  const good = new Set(all.filter(isTrained).map(({ form }) => form));
  return forms.map(({ id }) => id).filter((id) => !good.has(id));
}

/** Texts and names of calls in the messages of a record that the model learns. */
function learnedOf(record: JsonObject): string[] {
  const messages = [record.chosen, record.rejected].some(Array.isArray)
    ? [record.chosen, record.rejected].flat()
    : [record.messages].flat().filter((each) => isJsonObject(each) && each.role === "assistant");
  return messages
    .filter(isJsonObject)
    .flatMap(({ content, tool_calls: calls }) => [
      ...(typeof content === "string" ? [content.trim()] : []),
      ...[calls]
        .flat()
        .flatMap((call) =>
          isJsonObject(call) && isJsonObject(call.function) ? [String(call.function.name)] : [],
        ),
    ]);
}

test("every form leads by one command to rows that datasets loads and TRL prepares", () => {
  for (const { form, file, records, target = "trl" } of trained) {
    const kind = target === "trl" ? "pairs" : "demonstrations";
    process.stderr.write(`${form}: ${records.length} ${kind} of ${file}\n`);
  }
  expect(findUntrained(trained)).toEqual([]);
});

test.each(FORM_CASES.map(({ form, file }, index) => ({ form, file, index })))(
  "$form, $file: TRL sees every word and call that is learned",
  ({ index }) => {
    const { records, rows, outcomes } = trained[index] ?? { records: [], outcomes: {} };
    expect(records).toHaveLength(rows ?? -1);
    expect(Object.keys(outcomes)).toEqual(rows === 0 ? [] : NAMES);
    for (const [name, { error, texts = [] }] of Object.entries(outcomes)) {
      expect([name, error]).toEqual([name, undefined]);
      expect(texts).toHaveLength(records.length);
      for (const [at, record] of records.entries()) {
        const learned = (texts[at] ?? []).map(([, text]) => text).join("\n");
        const missing = learnedOf(record).filter((text) => !learned.includes(text));
        expect([name, missing]).toEqual([name, []]);
        expect(learnedOf(record).join("")).not.toBe("");
      }
    }
  },
);

test("a form whose fixture gives no row is named", async () => {
  const others = trained.filter(({ form }) => form !== "claude-code");
  expect(findUntrained(others)).toEqual(["claude-code"]);
  const claudeCode = FORM_CASES.filter(({ form }) => form === "claude-code");
  const unjudged = claudeCode.map((each) => ({ ...each, argv: [] }));
  expect(findUntrained([...others, ...(await train(unjudged))])).toEqual(["claude-code"]);
});
