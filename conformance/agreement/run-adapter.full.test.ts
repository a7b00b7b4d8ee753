import { expect, test } from "vitest";
import type { Adapter } from "./adapter.js";
import { runAdapter } from "./run-adapter.js";

const records = [0, 1].map(() => ({ type: "PpoRecord" as const, text: "{}" }));

/** An adapter that is this Node program. */
function adapter(program: string): Adapter {
  const args = ["--input-type=module", "-e", program];
  return { id: "fake", command: process.execPath, args };
}

/** An adapter that prints these lines after its input has ended, and exits with `code`. */
function printer(lines: readonly unknown[], code = 0): Adapter {
  const text = lines
    .map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`)
    .join("");
  return adapter(`process.stdin.resume().on("end", () => {
    process.stdout.write(${JSON.stringify(text)}, () => process.exit(${code}));
  })`);
}

const verdict = (id: number) => ({ id, valid: true, errors: [] });
const summary = (count: number) => ({ summary: { count } });

test("returns the verdicts in order", async () => {
  const verdicts = await runAdapter(printer([verdict(0), verdict(1), summary(2)]), records);
  expect(verdicts).toEqual([verdict(0), verdict(1)]);
});

const fault = { pointer: "/rank", keyword: "minimum" };

test.each([
  ["printed 1 verdict on 2 records", [verdict(0), summary(2)]],
  ["reports that it checked 1 record, but was sent 2", [verdict(0), verdict(1), summary(1)]],
  ["printed no summary", [verdict(0), verdict(1)]],
  ["expected the verdict on record 0", [verdict(1), verdict(0), summary(2)]],
  ["more verdicts than the 2 records", [verdict(0), verdict(1), verdict(2), summary(3)]],
  ["the summary must be the last line", [verdict(0), verdict(1), summary(2), verdict(2)]],
  [
    'printed "Loading schemas" (line 1 of its output): not JSON',
    ["Loading schemas", verdict(0), verdict(1), summary(2)],
  ],
  [
    "(line 2 of its output): not an AdapterVerdict: /valid must be a boolean, is 1",
    [verdict(0), { id: 1, valid: 1 }],
  ],
  ["not an AdapterSummary: /summary/count must be >= 0", [verdict(0), verdict(1), summary(-1)]],
  ["a valid record must not have errors", [{ id: 0, valid: true, errors: [fault] }]],
  ["an invalid record must have errors", [{ id: 0, valid: false, errors: [] }]],
])("an unchecked record never counts as agreement: %s", async (message, lines) => {
  await expect(runAdapter(printer(lines), records)).rejects.toThrow(message);
});

test("an adapter that exits with an error has failed", async () => {
  const failing = printer([verdict(0), verdict(1), summary(2)], 3);
  await expect(runAdapter(failing, records)).rejects.toThrow("the adapter fake ended with code 3");
});

test.each([
  ["/nowhere/adapter", "ENOENT: no such program is on the PATH, or at that path"],
  [import.meta.filename, "EACCES: make it executable (chmod +x), or name the program that runs it"],
])("an adapter that cannot start is a one-line error: %s", async (command, why) => {
  await expect(runAdapter({ ...adapter(""), command, args: [] }, records)).rejects.toThrow(
    `the adapter fake cannot start: spawn ${command} ${why}`,
  );
});

test.each([
  ["throw new TypeError('no schema')", "ended with code 1: TypeError: no schema"],
  ["process.exit(2)", "ended with code 2, and said nothing on standard error"],
])("the end of an adapter is told in its own words: %s", async (program, message) => {
  const run = runAdapter(adapter(program), records);
  await expect(run).rejects.toThrow(new RegExp(`the adapter fake ${message}$`));
});

test("an adapter that exits at once is reported with its last output, whatever it was sent", async () => {
  const dying = adapter('console.error("no schema"); process.exit(9)');
  const many = Array.from({ length: 20_000 }, () => ({ type: "PpoRecord" as const, text: "{}" }));
  await expect(runAdapter(dying, many)).rejects.toThrow("ended with code 9: no schema");
});

test.each([
  ["never reads", "setInterval(() => {}, 1000)"],
  ["reads but never answers", "process.stdin.resume(); setInterval(() => {}, 1000)"],
  [
    "does not end after its summary",
    `process.stdin.resume(); setInterval(() => {}, 1000);
     console.log('{"id":0,"valid":true}\\n{"id":1,"valid":true}\\n{"summary":{"count":2}}')`,
  ],
])("an adapter that %s is stopped after a timeout", async (_, program) => {
  const many = Array.from({ length: 2 }, () => ({ type: "PpoRecord" as const, text: '"x"' }));
  const after = program.includes("summary") ? "its summary: it, or a program" : "0 verdicts";
  await expect(runAdapter(adapter(program), many, 1_500)).rejects.toThrow(
    `was silent for 1.5 s, after ${after}`,
  );
});

test("an adapter that never ends a line is stopped", async () => {
  const endless = adapter('setInterval(() => process.stdout.write("x".repeat(65536)), 1)');
  await expect(runAdapter(endless, records)).rejects.toThrow("printed a line of more than 1.0 MB");
});
