import { expect, test } from "vitest";
import type { Adapter } from "./adapters.js";
import type { Request } from "./protocol.js";
import { runAdapter } from "./run-adapter.js";

const requests: readonly Request[] = [0, 1].map((id) => ({ id, type: "Task", recordText: '"x"' }));

/** An adapter that prints these lines and ends with `code`. */
function adapter(lines: readonly unknown[], code = 0): Adapter {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const program = `process.stdin.resume().on("end", () => {
    process.stdout.write(${JSON.stringify(text)}, () => process.exit(${code}));
  })`;
  return { id: "fake", command: process.execPath, args: ["-e", program] };
}

const verdict = (id: number) => ({ id, valid: true, errors: [] });
const summary = (count: number) => ({ summary: { count } });

test("gives the verdicts in order", async () => {
  const verdicts = await runAdapter(adapter([verdict(0), verdict(1), summary(2)]), requests);
  expect(verdicts).toEqual([verdict(0), verdict(1)]);
});

test.each([
  ["judged 1 records, says 2, was sent 2", [verdict(0), summary(2)], 0],
  ["judged 2 records, says 1, was sent 2", [verdict(0), verdict(1), summary(1)], 0],
  ["judged 2 records, says undefined, was sent 2", [verdict(0), verdict(1)], 0],
  ["answered out of order at record 1", [verdict(1), verdict(0), summary(2)], 0],
  ["ended with code 3", [verdict(0), verdict(1), summary(2)], 3],
])("what was not judged never counts as agreed: %s", async (message, lines, code) => {
  await expect(runAdapter(adapter(lines, code), requests)).rejects.toThrow(message);
});

test("an adapter that cannot start is one line", async () => {
  const missing = { id: "missing", command: "/nowhere/adapter", args: [] };
  await expect(runAdapter(missing, requests)).rejects.toThrow("the missing adapter cannot start");
});

test("an adapter that dies at once is an error, whatever it was sent", async () => {
  const dying = { id: "dying", command: process.execPath, args: ["-e", "process.exit(9)"] };
  const many = Array.from({ length: 20_000 }, (_, id) => ({ id, type: "Task", recordText: '"x"' }));
  await expect(runAdapter(dying, many)).rejects.toThrow("the dying adapter ended with code 9");
});
