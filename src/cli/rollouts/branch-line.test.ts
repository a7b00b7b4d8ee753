import { expect, test } from "vitest";
import { createBranch } from "../../export/testing/create-branch.js";
import { parseStored, type StoredLine } from "./branch-line.js";
import { withBuilder } from "./builders/with-builder.js";
import { exportPlan } from "./testing/export-plan.js";

function parse(stored: string, offset = 0) {
  const position = { hash: 0, input: 0, offset, length: 0, line: 3, checksum: 0 };
  const line: StoredLine = { file: "a", position, stored: Uint8Array.from(Buffer.from(stored)) };
  return withBuilder(exportPlan.builder, (builder) =>
    parseStored([line], builder).map(({ branch, record }) => ({ branch, record })),
  );
}

const text = JSON.stringify(createBranch());

test("the branch, and the line with its text", () => {
  expect(parse(text)).toEqual([
    {
      branch: createBranch(),
      record: {
        file: "a",
        line: 3,
        byteLength: text.length,
        text,
        value: createBranch(),
        followsLineRules: true,
      },
    },
  ]);
});

test("what stood in the file around the record does no harm", () => {
  expect(parse(`${text}\r`, 7)).toEqual(parse(text));
  expect(parse(`\ufeff${text}\r`)).toEqual(parse(text));
});

test.each(["", "NaN", "{}", `\ufeff${text}`])("a line that is none is a bug: %j", (stored) => {
  expect(() => parse(stored, 7)).toThrow(TypeError);
});
