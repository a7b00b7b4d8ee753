import { expect, test } from "vitest";
import type { CorpusRecord, Implementation } from "./adapter.js";
import { compareVerdicts } from "./disagreements.js";
import { shrinkDisagreement } from "./report.js";
import { fromAdapter } from "./run-adapter.js";

/** An adapter that reports a fault at /b unless `isValid`, an expression over `record`, is true. */
function adapter(id: string, isValid: string): Implementation {
  const program = `let text = "";
    for await (const chunk of process.stdin) text += chunk;
    const lines = text.trim().split("\\n");
    for (const line of lines) {
      const { id, record } = JSON.parse(line);
      const valid = ${isValid};
      const errors = valid ? [] : [{ pointer: "/b", keyword: "minimum" }];
      console.log(JSON.stringify({ id, valid, errors }));
    }
    console.log(JSON.stringify({ summary: { count: lines.length } }));`;
  const args = ["--input-type=module", "-e", program];
  return fromAdapter({ id, command: process.execPath, args }, `${id}.mjs`);
}

const strict = adapter("strict", "record.b?.[0] === undefined || record.b[0] > 0 || !record.a");
const lenient = adapter("lenient", "true");

async function disagree(text: string) {
  const record: CorpusRecord = {
    type: "PpoRecord",
    text,
    source: {
      file: "a.json",
      text: "{}",
      origin: "a mutation of this record",
      toFile: (pointer) => pointer,
    },
  };
  const [[left], [right]] = await Promise.all([strict.judge([record]), lenient.judge([record])]);
  const difference = left && right && compareVerdicts(left, right);
  if (difference === undefined) throw new Error("no finding if they agree");
  return { ...difference, adapter: "lenient", record };
}

test("the smallest record with the same difference", async () => {
  const large = JSON.stringify({
    a: "text",
    b: [0, { c: "d" }],
    e: [1],
  });
  const { record, left, right } = await shrinkDisagreement(strict, lenient, await disagree(large));
  expect(record.text).toBe('{"a":"t","b":[0]}');
  expect([left.valid, right.valid]).toEqual([false, true]);
});

test("a record whose spelling would change is not reduced", async () => {
  const odd = await disagree('{"a":1.0,"b":[0],"c":[1,2,3]}');
  expect(await shrinkDisagreement(strict, lenient, odd)).toBe(odd);
});
